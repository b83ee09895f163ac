package main

import (
	"bufio"
	"context"
	"encoding/json"
	"io"
	"os"
	"os/exec"

	"github.com/skainet-dev/skainet-go/bench/formats/subject"
	"github.com/skainet-dev/skainet-go/internal/errs"
)

// child is a running subject.
type child struct {
	name    string
	cmd     *exec.Cmd
	in      io.WriteCloser
	answers *bufio.Scanner
	ready   subject.Ready
}

// start starts a subject whose command is a list of runfiles.
func start(ctx context.Context, b *bench, name string, files ...string) (*child, error) {
	var command []string
	for _, f := range files {
		path, err := runfile(f)
		if err != nil {
			return nil, err
		}
		command = append(command, path)
	}
	return launch(ctx, b.stderr, name, command...)
}

// launch starts a subject and waits until it runs.
func launch(ctx context.Context, stderr io.Writer, name string, command ...string) (*child, error) {
	c := &child{name: name, cmd: exec.CommandContext(ctx, command[0], command[1:]...)}
	// One thread, whatever the libraries would take.
	c.cmd.Env = append(os.Environ(), "GOMAXPROCS=1", "OMP_NUM_THREADS=1", "OPENBLAS_NUM_THREADS=1")
	c.cmd.Stderr = stderr
	var err error
	if c.in, err = c.cmd.StdinPipe(); err != nil {
		return nil, c.broken(err)
	}
	out, err := c.cmd.StdoutPipe()
	if err != nil {
		return nil, c.broken(err)
	}
	c.answers = bufio.NewScanner(out)
	if err := c.cmd.Start(); err != nil {
		return nil, c.broken(err)
	}
	if err := c.answer(&c.ready); err != nil {
		c.stop()
		return nil, err
	}
	return c, nil
}

// ask has the subject do one thing.
func (c *child) ask(q subject.Request) (subject.Answer, error) {
	var a subject.Answer
	if err := json.NewEncoder(c.in).Encode(q); err != nil {
		return a, c.broken(err)
	}
	err := c.answer(&a)
	if err == nil && a.Seconds <= 0 {
		err = c.broken(errs.New("BENCH_RESULT", "it took %v seconds", a.Seconds))
	}
	return a, err
}

func (c *child) answer(to any) error {
	if !c.answers.Scan() {
		err := c.answers.Err()
		if err == nil {
			err = io.ErrUnexpectedEOF
		}
		return c.broken(err)
	}
	if err := json.Unmarshal(c.answers.Bytes(), to); err != nil {
		return c.broken(err)
	}
	return nil
}

func (c *child) broken(cause error) error {
	return errs.Wrap("BENCH_SUBJECT", cause, "the subject does not answer").On(c.name).
		Hint("its own message is above")
}

// stop ends the subject by closing its input and waits for it.
func (c *child) stop() {
	c.in.Close()
	_ = c.cmd.Wait() // it has said on stderr what it had to say
}

// same ends the run where two subjects do not give the same.
func same(what string, ours, theirs *child, a, b subject.Answer) error {
	if a.Sum == b.Sum && a.Tensors == b.Tensors {
		return nil
	}
	return errs.New("BENCH_RESULT", "%s gives %d tensors, sum %s; %s %d, %s", ours.name, a.Tensors, a.Sum, theirs.name, b.Tensors, b.Sum).
		On(what).Hint("the speed of a wrong result says nothing; run the tests of interop")
}
