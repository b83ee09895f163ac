package main

import (
	"context"
	"fmt"
	"io"

	"github.com/skainet-dev/skainet-go/bench/harness"
	"github.com/skainet-dev/skainet-go/bench/whisper/contestant"
)

// child is a running contestant.
type child struct {
	*harness.Child
	ready contestant.Ready
}

// start starts a contestant and waits until it has loaded.
func start(ctx context.Context, s spec, stderr io.Writer) (*child, error) {
	var failure error
	command := s.command(located(&failure))
	if failure != nil {
		return nil, failure
	}
	c := &child{}
	var err error
	c.Child, err = harness.Launch(ctx, stderr, harness.Command{
		Name: s.name, Args: command, Env: harness.Environment("OMP_NUM_THREADS=1", "OPENBLAS_NUM_THREADS=1", "HF_HUB_OFFLINE=1"),
	}, &c.ready)
	return c, err
}

// transcribe has the clip transcribed once.
func (c *child) transcribe() (contestant.Run, error) {
	var r contestant.Run
	err := c.Ask("run", &r)
	if err == nil && r.CPU <= 0 {
		err = c.Broken(fmt.Errorf("%v CPU seconds", r.CPU))
	}
	return r, err
}
