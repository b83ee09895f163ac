package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"strings"

	"github.com/bazelbuild/rules_go/go/runfiles"

	"github.com/skainet-dev/skainet-go/bench/ops/subject"
	"github.com/skainet-dev/skainet-go/internal/errs"
)

// Runfiles, which Bazel sets; a subject without is left out.
var oursFile, gonumFile, gomlxFile, pythonFile, numpyFile string

type subjectCommand struct {
	name    string
	command []string
}

// subjectsOf gives ours first and then its peers, those of the flag in place of
// others.
func subjectsOf(flags []string) ([]subjectCommand, error) {
	var all []subjectCommand
	for _, s := range []struct {
		name  string
		files []string
	}{{"ours", []string{oursFile}}, {"openblas", []string{pythonFile, numpyFile}}, {"gomlx", []string{gomlxFile}}, {"gonum", []string{gonumFile}}} {
		if slices.Contains(s.files, "") {
			continue
		}
		c := subjectCommand{name: s.name}
		for _, f := range s.files {
			path, err := runfiles.Rlocation(f)
			if err == nil {
				_, err = os.Stat(path)
			}
			if err != nil {
				return nil, errs.Wrap("BENCH_RUNFILES", err, "file %q is not there", f).
					Hint("run the benchmark through Bazel: ./bazelw run //bench/ops")
			}
			c.command = append(c.command, path)
		}
		all = append(all, c)
	}
	for _, f := range flags {
		name, line, ok := strings.Cut(f, "=")
		command := strings.Fields(line)
		if !ok || name == "" || len(command) == 0 {
			return nil, errs.New("BENCH_FLAGS", "--subject=%s, want NAME=COMMAND", f)
		}
		s := subjectCommand{name, command}
		if i := slices.IndexFunc(all, func(s subjectCommand) bool { return s.name == name }); i >= 0 {
			all[i] = s
		} else {
			all = append(all, s)
		}
	}
	if len(all) == 0 {
		return nil, errs.New("BENCH_FLAGS", "no subject").Hint("run the benchmark through Bazel, or name subjects with --subject")
	}
	return all, nil
}

// child is a running subject.
type child struct {
	name    string
	cmd     *exec.Cmd
	in      io.WriteCloser
	answers *bufio.Scanner
	ready   subject.Ready
}

// launch starts a subject and waits until it runs.
func launch(ctx context.Context, stderr io.Writer, threads int, s subjectCommand) (*child, error) {
	c := &child{name: s.name, cmd: exec.CommandContext(ctx, s.command[0], s.command[1:]...)}
	c.cmd.Env = os.Environ()
	for _, name := range []string{"GOMAXPROCS", "OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"} {
		c.cmd.Env = append(c.cmd.Env, fmt.Sprintf("%s=%d", name, threads))
	}
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

// ask has the subject do one operation.
func (c *child) ask(q subject.Request) (subject.Answer, error) {
	var a subject.Answer
	if err := json.NewEncoder(c.in).Encode(q); err != nil {
		return a, c.broken(err)
	}
	err := c.answer(&a)
	if err == nil && a.Seconds <= 0 {
		err = errs.New("BENCH_RESULT", "it took %v seconds", a.Seconds).On(c.name)
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
