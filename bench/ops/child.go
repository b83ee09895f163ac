package main

import (
	"context"
	"io"
	"slices"
	"strings"

	"github.com/skainet-dev/skainet-go/bench/harness"
	"github.com/skainet-dev/skainet-go/bench/ops/subject"
	"github.com/skainet-dev/skainet-go/errs"
)

// Runfiles, which Bazel sets; a subject without is left out.
var oursFile, gonumFile, gomlxFile, pythonFile, numpyFile, xlaFile string

type subjectCommand struct {
	name    string
	command []string
}

// subjectsOf returns ours first and then its peers, those of the flag in place of
// others.
func subjectsOf(flags []string) ([]subjectCommand, error) {
	var all []subjectCommand
	for _, s := range []struct {
		name  string
		files []string
	}{{"ours", []string{oursFile}}, {"openblas", []string{pythonFile, numpyFile}}, {"xla", []string{pythonFile, xlaFile}}, {"gomlx", []string{gomlxFile}}, {"gonum", []string{gonumFile}}} {
		if slices.Contains(s.files, "") {
			continue
		}
		c := subjectCommand{name: s.name}
		for _, f := range s.files {
			path, err := harness.Runfile(f)
			if err != nil {
				return nil, err
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
	*harness.Child
	ready subject.Ready
}

// launch starts a subject with a number of threads and waits until it runs.
func launch(ctx context.Context, stderr io.Writer, threads int, s subjectCommand) (*child, error) {
	c := &child{}
	var err error
	c.Child, err = harness.Launch(ctx, stderr, harness.Command{
		Name: s.name, Args: s.command, Env: harness.Environment(harness.Threads(threads)...),
	}, &c.ready)
	return c, err
}

// ask has the subject do one operation.
func (c *child) ask(q subject.Request) (subject.Answer, error) {
	var a subject.Answer
	err := c.Ask(q, &a)
	if err == nil && a.Seconds <= 0 {
		err = errs.New("BENCH_RESULT", "it took %v seconds", a.Seconds).On(c.Name)
	}
	return a, err
}
