// Command compare tells what changed between two files of figures, and what is noise.
//
// Each row is an engine in a case on a number of threads: its median time in both files, the
// change, and whether the rounds' times come from different distributions by the Mann-Whitney U
// test (golang.org/x/perf/benchmath), which supposes nothing about them. Rounds of one run have in
// common what else the machine did then, so that the test alone finds differences between two
// runs of the same program: a change is what is beyond a threshold too.
//
// # Errors
//
// FIGURES_JSON, FIGURES_SCHEMA, FIGURES_VALUE and FILE_OPEN for a file that is no figures;
// BENCH_FLAGS for a threshold or level that is none; BENCH_SLOWER, with exit status 1, where one of
// our rows got slower by more than the threshold and that is no noise.
//
// # Determinism
//
// The output depends on the two files and the flags only.
package main

import (
	"context"
	"io"
	"math"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/skainet-dev/skainet-go/bench/harness"
	"github.com/skainet-dev/skainet-go/bench/harness/figures"
	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/internal/command"
)

// codeSlower is the code of a row that got slower.
const codeSlower errs.Code = "BENCH_SLOWER" // smallest input: 4 rounds of 1 s, and then 4 rounds of 2 s

func main() {
	command.Main("compare", func(ctx context.Context) int { return run(ctx, os.Args[1:], os.Stdout, os.Stderr) })
}

// options say what counts.
type options struct {
	threshold float64 // percent
	alpha     float64 // level of the test
}

func run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	var o options
	cmd := &cobra.Command{
		Use:   "compare OLD.json NEW.json",
		Short: "What changed between two files of figures, and what is noise",
		Args:  cobra.ExactArgs(2),
		RunE:  func(_ *cobra.Command, files []string) error { return o.compare(files[0], files[1], stdout) },
	}
	cmd.Flags().Float64Var(&o.threshold, "threshold", 5, "percent that a row may differ by without being a change")
	cmd.Flags().Float64Var(&o.alpha, "alpha", 0.05, "a change is no noise if chance alone makes such a difference less often than this")
	return command.Run(ctx, cmd, args, stdout, stderr)
}

func (o options) compare(before, after string, stdout io.Writer) error {
	if !(o.threshold >= 0) || math.IsInf(o.threshold, 0) || !(o.alpha > 0 && o.alpha < 1) {
		return errs.New(harness.CodeFlags, "a threshold of %v %% at the level %v; want at least 0 %%, and a level between 0 and 1", o.threshold, o.alpha)
	}
	old, err := figures.Read(command.Path(before))
	if err != nil {
		return err
	}
	now, err := figures.Read(command.Path(after))
	if err != nil {
		return err
	}
	changes := o.changes(old, now)
	if err := print(stdout, old, now, changes); err != nil {
		return err
	}
	var slower []string
	for _, c := range changes {
		if c.verdict == slow && !c.peer {
			slower = append(slower, c.key.String())
		}
	}
	if len(slower) == 0 {
		return nil
	}
	return errs.New(codeSlower, "slower by more than %v %%: %s", o.threshold, strings.Join(slower, "; ")).
		Hint("measure both again on a quiet machine, or find the change that did it")
}
