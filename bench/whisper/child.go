package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/skainet-dev/skainet-go/bench/whisper/subject"
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

// start starts a subject and waits until it has loaded.
func start(ctx context.Context, s spec, stderr io.Writer) (*child, error) {
	var failure error
	command := s.command(located(&failure))
	if failure != nil {
		return nil, failure
	}
	c := &child{name: s.name, cmd: exec.CommandContext(ctx, command[0], command[1:]...)}
	c.cmd.Env = environment(os.Environ())
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

// unset are variables that make NumPy's OpenBLAS use kernels for another
// processor than the one it finds.
var unset = []string{"OPENBLAS_CORETYPE", "OPENBLAS_L2_SIZE"}

// environment gives all subjects one thread and no settings of this host.
func environment(host []string) []string {
	env := []string{"OMP_NUM_THREADS=1", "OPENBLAS_NUM_THREADS=1", "HF_HUB_OFFLINE=1"}
	for _, v := range host {
		name, _, _ := strings.Cut(v, "=")
		if !slices.Contains(unset, name) && !slices.ContainsFunc(env, func(set string) bool { return strings.HasPrefix(set, name+"=") }) {
			env = append(env, v)
		}
	}
	return env
}

// transcribe has the clip transcribed once.
func (c *child) transcribe() (subject.Run, error) {
	var r subject.Run
	if _, err := io.WriteString(c.in, "run\n"); err != nil {
		return r, c.broken(err)
	}
	err := c.answer(&r)
	if err == nil && r.CPU <= 0 {
		err = c.broken(fmt.Errorf("%v CPU seconds", r.CPU))
	}
	return r, err
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

// memory gives a size in MiB of the process from Linux's /proc; 0 elsewhere. The
// peak that getrusage knows would include this program's own before exec.
func (c *child) memory(field string) float64 {
	text, err := os.ReadFile(filepath.Join("/proc", strconv.Itoa(c.cmd.Process.Pid), "status"))
	if err != nil {
		return 0
	}
	return statusMiB(string(text), field)
}

func statusMiB(status, field string) float64 {
	for line := range strings.Lines(status) {
		if value, ok := strings.CutPrefix(line, field+":"); ok {
			var kib float64
			if _, err := fmt.Sscanf(strings.TrimSpace(value), "%f kB", &kib); err == nil {
				return kib / 1024
			}
		}
	}
	return 0
}
