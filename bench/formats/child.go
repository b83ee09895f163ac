package main

import (
	"context"

	"github.com/skainet-dev/skainet-go/bench/formats/contestant"
	"github.com/skainet-dev/skainet-go/bench/harness"
	"github.com/skainet-dev/skainet-go/errs"
)

// child is a running contestant.
type child struct {
	*harness.Child
	ready contestant.Ready
}

// start starts a contestant whose command is a list of runfiles, on one thread.
func start(ctx context.Context, b *bench, name string, files ...string) (*child, error) {
	command := harness.Command{Name: name, Env: harness.Environment(harness.Threads(1)...)}
	for _, f := range files {
		path, err := harness.Runfile(f)
		if err != nil {
			return nil, err
		}
		command.Args = append(command.Args, path)
	}
	c := &child{}
	var err error
	c.Child, err = harness.Launch(ctx, b.stderr, command, &c.ready)
	return c, err
}

// ask makes the contestant do one task.
func (c *child) ask(q contestant.Request) (contestant.Answer, error) {
	var a contestant.Answer
	err := c.Ask(q, &a)
	if err == nil && a.Seconds <= 0 {
		err = c.Broken(errs.New(harness.CodeResult, "it took %v seconds", a.Seconds))
	}
	return a, err
}

// same ends the run if two contestants return different results.
func same(what string, ours, theirs *child, a, b contestant.Answer) error {
	if a.Sum == b.Sum && a.Tensors == b.Tensors {
		return nil
	}
	return errs.New(harness.CodeResult, "%s gives %d tensors, sum %s; %s %d, %s", ours.Name, a.Tensors, a.Sum, theirs.Name, b.Tensors, b.Sum).
		On(what).Hint("the speed of a wrong result is meaningless; run the tests of interop")
}
