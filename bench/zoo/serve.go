package main

import (
	"context"
	"io"
	"slices"
	"time"

	"github.com/skainet-dev/skainet-go/backend/program"
	"github.com/skainet-dev/skainet-go/bench/harness"
	"github.com/skainet-dev/skainet-go/errs"
)

// serve is the contestant for a model: it loads the program once, and answers how long calls
// take.
func serve(ctx context.Context, o options, stdin io.Reader, stdout io.Writer) error {
	i := slices.IndexFunc(models, func(m model) bool { return m.name == o.serve })
	if i < 0 || len(models[i].parts.Programs) == 0 || len(o.threads) != 1 {
		return errs.New(harness.CodeFlags, "this target has no model %q, or several numbers of threads are given", o.serve)
	}
	parts := *models[i].parts
	parts.Programs = only(parts.Programs, o.target)
	start := time.Now()
	x, err := parts.Open(program.Options{Threads: o.threads[0]})
	if err != nil {
		return err
	}
	defer x.Close()
	load := time.Since(start).Seconds()
	call, err := models[i].does.own(&parts, x)
	if err != nil {
		return err
	}
	far, err := wrong(ctx, call, o.want)
	if err != nil {
		return err
	}
	return harness.Serve(stdin, stdout, harness.CodeContestant, ready{"SKaiNET, IREE " + x.Contract().IREE, load, far}, func(q question) (answer, error) {
		var a answer
		before := harness.CPU()
		for range q.Calls {
			start := time.Now()
			if _, err := call.does(ctx); err != nil {
				return a, err
			}
			a.Walls = append(a.Walls, time.Since(start).Seconds())
		}
		a.CPU = harness.CPU() - before
		return a, nil
	})
}
