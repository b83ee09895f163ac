package main

import (
	"context"
	"io"
	"slices"
	"strings"

	"github.com/skainet-dev/skainet-go/bench/harness"
	"github.com/skainet-dev/skainet-go/bench/ops/contestant"
	"github.com/skainet-dev/skainet-go/errs"
)

// Runfiles, which Bazel sets; a contestant without is left out.
var oursFile, gonumFile, gomlxFile, pythonFile, numpyFile, xlaFile string

type contestantCommand struct {
	name    string
	command []string
}

// contestantsOf returns ours first and then its peers, those of the flag in place of
// others.
func contestantsOf(flags []string) ([]contestantCommand, error) {
	var all []contestantCommand
	for _, s := range []struct {
		name  string
		files []string
	}{{"ours", []string{oursFile}}, {"openblas", []string{pythonFile, numpyFile}}, {"xla", []string{pythonFile, xlaFile}}, {"gomlx", []string{gomlxFile}}, {"gonum", []string{gonumFile}}} {
		if slices.Contains(s.files, "") {
			continue
		}
		c := contestantCommand{name: s.name}
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
			return nil, errs.New(harness.CodeFlags, "--contestant=%s, want NAME=COMMAND", f)
		}
		s := contestantCommand{name, command}
		if i := slices.IndexFunc(all, func(s contestantCommand) bool { return s.name == name }); i >= 0 {
			all[i] = s
		} else {
			all = append(all, s)
		}
	}
	if len(all) == 0 {
		return nil, errs.New(harness.CodeFlags, "no contestant").Hint("run the benchmark through Bazel, or name contestants with --contestant")
	}
	return all, nil
}

// child is a running contestant.
type child struct {
	*harness.Child
	ready contestant.Ready
}

// launch starts a contestant with a number of threads and waits until it runs.
func launch(ctx context.Context, stderr io.Writer, threads int, s contestantCommand) (*child, error) {
	c := &child{}
	var err error
	c.Child, err = harness.Launch(ctx, stderr, harness.Command{
		Name: s.name, Args: s.command, Env: harness.Environment(harness.Threads(threads)...),
	}, &c.ready)
	return c, err
}

// ask makes the contestant run one operation.
func (c *child) ask(q contestant.Request) (contestant.Answer, error) {
	var a contestant.Answer
	err := c.Ask(q, &a)
	if err == nil && a.Seconds <= 0 {
		err = errs.New(harness.CodeResult, "it took %v seconds", a.Seconds).On(c.Name)
	}
	return a, err
}
