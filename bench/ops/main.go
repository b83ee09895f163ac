// Command ops compares this repository's CPU backend with OpenBLAS (in NumPy),
// XLA's CPU plugin (in JAX), GoMLX's backend in pure Go and gonum: the time of
// single operations, on one thread and on two.
//
// Each contestant is a process for each number of threads, which does an operation
// when told to, so that they can take turns: other load on the machine
// affects all equally. A round's figure is its fastest run.
// Results are compared before they are timed.
//
// # Errors
//
// BENCH_SUBJECT where a contestant cannot be started, ends early or answers
// something else; BENCH_RESULT where two give different results; BENCH_FLAGS and
// BENCH_RUNFILES.
//
// # Determinism
//
// None: figures are measured.
package main

import (
	"context"
	"fmt"
	"io"
	"math"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/skainet-dev/skainet-go/bench/harness"
	"github.com/skainet-dev/skainet-go/bench/ops/contestant"
	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/internal/command"
)

func main() { command.Program(newCommand(os.Stdout, os.Stderr)) }

type options struct {
	rounds  harness.Rounds
	json    harness.Output
	least   float64
	threads []int
	only    []string
	peers   []string
}

func newCommand(stdout, stderr io.Writer) *cobra.Command {
	o := options{rounds: harness.Rounds{Number: 5}}
	cmd := &cobra.Command{
		Use:           "ops",
		Short:         "Time of single operations compared with OpenBLAS, XLA, GoMLX and gonum",
		Args:          cobra.NoArgs,
		SilenceErrors: true,
		SilenceUsage:  true,
		RunE:          func(cmd *cobra.Command, _ []string) error { return run(cmd.Context(), &o, stdout, stderr) },
	}
	o.rounds.TimeFlag(cmd.Flags())
	o.json.Flag(cmd.Flags())
	cmd.Flags().IntVar(&o.rounds.Number, "rounds", o.rounds.Number, "rounds; each contestant has one turn in a round for each operation")
	cmd.Flags().Float64Var(&o.least, "least", 0.2, "seconds of a turn")
	cmd.Flags().IntSliceVar(&o.threads, "threads", []int{1, 2}, "numbers of threads")
	cmd.Flags().StringSliceVar(&o.only, "only", nil, "operations; all by default")
	cmd.Flags().StringArrayVar(&o.peers, "contestant", nil, "NAME=COMMAND, a contestant in place of the one of that name, or one more")
	return cmd
}

// operations in the order of the report.
var operations = []string{contestant.MatMul, contestant.GEMV, contestant.Conv, contestant.LayerNorm, contestant.Softmax}

func run(ctx context.Context, o *options, stdout, stderr io.Writer) error {
	if err := o.rounds.Check(); err != nil {
		return err
	}
	if !(o.least > 0) || len(o.threads) == 0 || slices.Min(o.threads) < 1 {
		return errs.New(harness.CodeFlags, "want at least 1 thread and a positive time, not %d and %v s", o.threads, o.least)
	}
	for _, do := range o.only {
		if !slices.Contains(operations, do) {
			return errs.New(harness.CodeFlags, "no operation is named %q", do).Hint("there are %s", strings.Join(operations, ", "))
		}
	}
	contestants, err := contestantsOf(o.peers)
	if err != nil {
		return err
	}
	if err := o.json.Begin(); err != nil {
		return err
	}
	r := &report{before: harness.LoadAverage()}
	shares := o.rounds.Begin(len(o.threads) * len(o.operations()))
	for _, threads := range o.threads {
		if err := measure(ctx, o, contestants, threads, shares, r, stderr); err != nil {
			return err
		}
	}
	if err := r.print(stdout); err != nil {
		return err
	}
	for _, row := range r.figures() {
		o.json.Add(row)
	}
	return o.json.End()
}

// operations returns those to measure.
func (o *options) operations() []string {
	if len(o.only) == 0 {
		return operations
	}
	return slices.DeleteFunc(slices.Clone(operations), func(do string) bool { return !slices.Contains(o.only, do) })
}

// measure runs all operations on one number of threads.
func measure(ctx context.Context, o *options, contestants []contestantCommand, threads int, shares *harness.Shares, r *report, stderr io.Writer) error {
	var children []*child
	defer func() {
		for _, c := range children {
			c.Stop()
		}
	}()
	for _, s := range contestants {
		c, err := launch(ctx, stderr, threads, s)
		if err != nil {
			return err
		}
		children = append(children, c)
		r.name(c.Name, c.ready.Version)
	}
	for _, do := range o.operations() {
		fmt.Fprintf(stderr, "%s on %d threads\n", do, threads)
		rounds := 0
		for range shares.Next() {
			rounds++
			sum := math.NaN()
			for _, c := range children {
				if !slices.Contains(c.ready.Do, do) {
					continue
				}
				a, err := c.ask(contestant.Request{Do: do, Least: o.least})
				if err != nil {
					return err
				}
				if sum != sum {
					sum = a.Sum
				}
				// Sums of float32 products in another order differ by less.
				if !(math.Abs(a.Sum-sum) <= 1e-4*sum) {
					return errs.New(harness.CodeResult, "%s gives a sum of %v; %s %v", children[0].Name, sum, c.Name, a.Sum).
						On(do).Hint("the speed of a wrong result is meaningless; run the tests of backend/cpu")
				}
				r.add(do, threads, c.Name, a)
			}
		}
		r.measured(rounds)
	}
	return nil
}
