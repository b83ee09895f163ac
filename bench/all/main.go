// Command all runs the benchmarks beside named peers for a given time, and prints one table: how
// many times faster than each peer our programs are, beside what they are to reach.
//
// Each benchmark is a program of its own among the runfiles, which writes its figures as JSON
// (bench/harness/figures). The benchmarks share the time; each measures at least one round. Their
// own tables go to the standard error.
//
// # Errors
//
// BENCH_FLAGS for a benchmark that there is not, or no time; BENCH_RUNFILES where a benchmark is
// missing; BENCH_PART where one fails: the others run, and the table is printed without it.
// FIGURES_JSON, FIGURES_SCHEMA and FIGURES_VALUE for a file that --from names. BENCH_PLOT for a
// folder that cannot be made. FILE_OPEN and FILE_WRITE are the system's.
//
// # Determinism
//
// Figures are measured. The table and the plots depend on them only.
package main

import (
	"context"
	"io"
	"os"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"github.com/skainet-dev/skainet-go/bench/harness"
	"github.com/skainet-dev/skainet-go/bench/harness/figures"
	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/internal/atomicfile"
	"github.com/skainet-dev/skainet-go/internal/command"
)

func main() {
	command.Main("all", func(ctx context.Context) int { return run(ctx, os.Args[1:], os.Stdout, os.Stderr) })
}

type options struct {
	time              time.Duration
	threads           []int
	only              []string
	json, plots, from string
	csv               string
}

func run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	var o options
	cmd := &cobra.Command{
		Use:   "all",
		Short: "All benchmarks beside their peers, and what is to be reached",
		Args:  cobra.NoArgs,
		RunE:  func(cmd *cobra.Command, _ []string) error { return o.run(cmd.Context(), stdout, stderr) },
	}
	f := cmd.Flags()
	f.DurationVar(&o.time, "time", 10*time.Minute, "time of all benchmarks; each measures at least one round")
	f.IntSliceVar(&o.threads, "threads", []int{1, 2}, "numbers of threads, for the benchmarks that are not of one thread")
	f.StringSliceVar(&o.only, "only", nil, "benchmarks, or BENCHMARK/NAME for what that one's --only names; all by default")
	f.StringVar(&o.json, "json", "", "`file` for the figures")
	f.StringVar(&o.plots, "plots", "", "`folder` for the plots")
	f.StringVar(&o.csv, "csv", "", "`file` for the table as comma-separated values")
	f.StringVar(&o.from, "from", "", "`file` with figures to print and to draw; nothing is measured")
	cmd.MarkFlagsMutuallyExclusive("from", "json")
	return command.Run(ctx, cmd, args, stdout, stderr)
}

func (o *options) run(ctx context.Context, stdout, stderr io.Writer) error {
	f, failed, err := o.figures(ctx, stderr)
	if err != nil {
		return err
	}
	if o.json != "" {
		if err := f.Write(command.Path(o.json)); err != nil {
			return err
		}
	}
	if err := print(stdout, f); err != nil {
		return err
	}
	if o.csv != "" {
		data, err := separated(f)
		if err != nil {
			return err
		}
		if err := atomicfile.WriteAll(atomicfile.Bytes(command.Path(o.csv), data)); err != nil {
			return err
		}
	}
	if o.plots != "" {
		if err := plots(command.Path(o.plots), f); err != nil {
			return err
		}
	}
	return failed
}

// figures reads the figures, or measures them; failed is of a benchmark that did not end well.
func (o *options) figures(ctx context.Context, stderr io.Writer) (f figures.Figures, failed, err error) {
	if o.from != "" {
		f, err = figures.Read(command.Path(o.from))
		return f, nil, err
	}
	chosen, err := o.parts()
	if err != nil {
		return f, nil, err
	}
	if o.json != "" {
		if err := atomicfile.Check(command.Path(o.json)); err != nil {
			return f, nil, err
		}
	}
	return measure(ctx, o, chosen, stderr)
}

// parts returns the benchmarks to run, with what each is told to measure alone.
func (o *options) parts() ([]part, error) {
	if o.time <= 0 || len(o.threads) == 0 || slices.Min(o.threads) < 1 {
		return nil, errs.New(harness.CodeFlags, "%v on %d threads; want some time, on at least 1 thread", o.time, o.threads)
	}
	return choose(all(), o.only)
}
