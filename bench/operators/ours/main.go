// Command ours is this repository as a contestant of the benchmark of single operators: it imports an
// ONNX file, and calls it on the CPU backend or as a program that IREE compiles for a target.
package main

import (
	"context"
	"math"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/skainet-dev/skainet-go/backend"
	"github.com/skainet-dev/skainet-go/backend/openfile"
	"github.com/skainet-dev/skainet-go/bench/harness"
	"github.com/skainet-dev/skainet-go/bench/operators/contestant"
	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/internal/command"
	"github.com/skainet-dev/skainet-go/io/npy"
	"github.com/skainet-dev/skainet-go/tensor"
)

type options struct {
	openfile.Options
	model, arrays string
}

func main() {
	var o options
	cmd := &cobra.Command{
		Use: "ours", Args: cobra.NoArgs,
		Short: "Call an operator for as long as each line of the standard input says",
		RunE:  func(cmd *cobra.Command, _ []string) error { return serve(cmd.Context(), o) },
	}
	o.Flags(cmd)
	command.FlagLibrary.Text(cmd, &o.Run.Library, "")
	command.FlagThreads.Count(cmd, &o.Run.Workers)
	cmd.Flags().StringVar(&o.model, "model", "", "ONNX `file`")
	cmd.Flags().StringVar(&o.arrays, "arrays", "", "`file` with its arguments and what is wanted")
	command.Required(cmd, "model", "arrays")
	command.Program(cmd)
}

func serve(ctx context.Context, o options) error {
	arrays, err := npy.ReadArchive(o.arrays)
	if err != nil {
		return err
	}
	o.Run.Device = "cpu"
	// The first time it is compiled.
	x, err := open(ctx, o)
	if err != nil {
		return err
	}
	if err := x.Close(); err != nil {
		return err
	}
	start := time.Now()
	if x, err = open(ctx, o); err != nil {
		return err
	}
	defer x.Close()
	load := time.Since(start).Seconds()
	call, err := caller(x, arrays)
	if err != nil {
		return err
	}
	results, err := call(ctx)
	if err != nil {
		return err
	}
	ready := contestant.Ready{Version: "SKaiNET's CPU backend", Load: load}
	if o.Run.Target != "" {
		ready.Version = "SKaiNET, IREE " + x.Contract().IREE
	}
	if want, ok := find(arrays, "want"); ok {
		if ready.Error, err = relative(results[0], want); err != nil {
			return err
		}
	}
	return contestant.Serve(os.Stdin, os.Stdout, ready, func() error { _, err := call(ctx); return err })
}

func open(ctx context.Context, o options) (backend.Executable, error) {
	m, _, err := openfile.Import(o.model, nil, o.Options)
	if err != nil {
		return nil, err
	}
	return m.Open(ctx)
}

// caller returns a call with the arguments x0, x1 and so on.
func caller(x backend.Executable, arrays []npy.Array) (func(context.Context) ([]tensor.Value, error), error) {
	e := x.Contract().Entries[0]
	var args []tensor.Value
	for _, a := range e.Args {
		v, ok := find(arrays, a.Name)
		if !ok {
			return nil, errs.New(harness.CodeContestant, "the arrays have no argument %q", a.Name)
		}
		args = append(args, v)
	}
	var results []tensor.Value
	return func(ctx context.Context) (_ []tensor.Value, err error) {
		if into, ok := x.(backend.CallerAllocated); ok {
			results, err = into.CallInto(ctx, e.Name, results, args...)
		} else {
			results, err = x.Call(ctx, e.Name, args...)
		}
		return results, err
	}, nil
}

func find(arrays []npy.Array, name string) (tensor.Value, bool) {
	for _, a := range arrays {
		if strings.TrimSuffix(a.Name, ".npy") == name {
			return a.Value, true
		}
	}
	return tensor.Value{}, false
}

// relative returns the greatest difference, relative to the greatest magnitude of what is wanted.
func relative(got, want tensor.Value) (float64, error) {
	a, err := tensor.Slice[float32](got)
	if err != nil {
		return 0, err
	}
	b, err := tensor.Slice[float64](want)
	if err != nil {
		return 0, err
	}
	if len(a) != len(b) {
		return 0, errs.New(harness.CodeResult, "%d elements, want %d", len(a), len(b))
	}
	worst, most := 0.0, 0.0
	for i := range b {
		d := math.Abs(float64(a[i]) - b[i])
		if d != d {
			return 0, errs.New(harness.CodeResult, "element %d is %v, want %v", i, a[i], b[i])
		}
		worst, most = max(worst, d), max(most, math.Abs(b[i]))
	}
	return worst / max(most, math.SmallestNonzeroFloat64), nil
}
