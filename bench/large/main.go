// Command large prints what models from 10 million to 70 billion parameters cost to
// build: the seconds, processor seconds and peak memory of index, export, packing and
// compiling, and the bytes of the text and of the program.
//
//	./bazelw run //bench/large
//
// The models have the shapes of published ones of the Llama architecture. Their
// weights are zeros in a sparse file: reading them costs nothing, the archives that
// are written are real. Each step is a process of the build's own tools, run once;
// memory is the peak of the largest process of a step, with the pages of mapped files
// that were in memory.
//
// # Errors
//
// USAGE for a size that is not in the table; BENCH_RUNFILES where a tool is missing;
// BENCH_SUBJECT where a step fails, with what it said.
package main

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/skainet-dev/skainet-go/bench/harness"
	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/internal/command"
)

func main() {
	command.Main("large", func(ctx context.Context) int {
		return command.Run(ctx, newCommand(), os.Args[1:], os.Stdout, os.Stderr)
	})
}

type options struct {
	only        []string
	flags       []string
	packBelow   float64
	compileUpTo string
	shard       string
	plot        string
	folder      string
}

func newCommand() *cobra.Command {
	var o options
	names := make([]string, len(shapes))
	for i, s := range shapes {
		names[i] = s.name
	}
	cmd := &cobra.Command{
		Use: "large", Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return o.run(cmd) },
	}
	f := cmd.Flags()
	f.StringSliceVar(&o.only, "only", names, "sizes to build")
	f.Float64Var(&o.packBelow, "pack-below", 5, "pack models whose weights take less than this many `GB`; of larger ones only the file's header is made")
	f.StringVar(&o.compileUpTo, "compile-up-to", "13B", "the largest `size` to compile")
	f.StringVar(&o.shard, "max-shard-size", "1GiB", "`size` of an archive's shards")
	f.StringVar(&o.plot, "plot", "", "SVG `file` to draw how the figures grow in")
	f.StringVar(&o.folder, "folder", "", "`folder` for the files that are made and removed; the system's by default")
	command.FlagCompilerFlag.Texts(cmd, &o.flags)
	return cmd
}

func (o *options) run(cmd *cobra.Command) error {
	chosen, err := choose(o.only)
	if err != nil {
		return err
	}
	if _, err := choose([]string{o.compileUpTo}); err != nil {
		return err
	}
	if err := command.AtUser(); err != nil {
		return err
	}
	tools, err := find()
	if err != nil {
		return err
	}
	before := harness.LoadAverage()
	var rows []row
	for _, s := range chosen {
		fmt.Fprintln(cmd.ErrOrStderr(), s.name)
		r, err := o.build(cmd.Context(), tools, s)
		if err != nil {
			return fmt.Errorf("%s: %w", s.name, err)
		}
		rows = append(rows, r)
	}
	fmt.Fprintln(cmd.OutOrStdout(), harness.Machine(before))
	if err := report(cmd.OutOrStdout(), rows); err != nil {
		return err
	}
	if o.plot == "" {
		return nil
	}
	return drawn(o.plot, rows)
}

// choose returns the shapes of the names, in the order of the table.
func choose(names []string) ([]shape, error) {
	var out []shape
	known := make([]string, len(shapes))
	for i, s := range shapes {
		known[i] = s.name
		if slices.Contains(names, s.name) {
			out = append(out, s)
		}
	}
	for _, n := range names {
		if !slices.Contains(known, n) {
			return nil, errs.New(command.CodeUsage, "unknown size %q", n).Hint("use %s", strings.Join(known, ", "))
		}
	}
	return out, nil
}
