// Command needed shows which rows of compile/iree's table of rewrites the compiler
// still needs: it compiles, and if possible runs, the smallest model of each row
// with and without the row.
//
//	needed [--only=ROW,...] [--compiler=FILE --linker=FILE --library=FILE] [--bugs=FILE]
//
// A row whose bug is only visible on a device is reported as such, with what it changes
// in the text. One that saves time is shown by the fastest of several calls in turns.
//
// With --bugs it writes instead a report of each bug that makes wrong numbers, for the
// compiler's maintainers.
//
// # Errors
//
// NEEDED_ROW for an unknown row, NEEDED_WITH if a model fails with its row,
// and NEEDED_GONE if a row is no longer needed: the exit status is 1.
//
// # Determinism
//
// The models and their arguments are fixed; times are not.
package main

import (
	"context"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"

	"github.com/bazelbuild/rules_go/go/runfiles"
	"github.com/spf13/cobra"

	"github.com/skainet-dev/skainet-go/compile/iree"
	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/internal/command"
)

// Codes of this program.
const (
	CodeRow  errs.Code = "NEEDED_ROW"  // smallest input: --only=other
	CodeWith errs.Code = "NEEDED_WITH" // smallest input: a compiler of another release that rejects a text
	CodeGone errs.Code = "NEEDED_GONE" // smallest input: a compiler without one of the bugs
)

// Files that Bazel provides, as runfiles paths; set at link time.
var compilerFile, linkerFile, libraryFile, toolFile string

func main() {
	command.Main("needed", func(ctx context.Context) int { return run(ctx, os.Args[1:], os.Stdout) })
}

func run(ctx context.Context, args []string, out io.Writer) int {
	var t tools
	var only []string
	var bugs string
	cmd := &cobra.Command{
		Use: "needed [--only=ROW,...]", Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if bugs != "" {
				return t.bugs(cmd.Context(), bugs)
			}
			return all(cmd.Context(), out, t, only)
		},
	}
	cmd.Flags().StringVar(&bugs, "bugs", "", "write reports of the bugs that make wrong numbers to this `file`")
	cmd.Flags().StringSliceVar(&only, "only", nil, "names of rows")
	command.FlagCompiler.Text(cmd, &t.compiler, bundled(compilerFile))
	command.FlagLinker.Text(cmd, &t.linker, bundled(linkerFile))
	command.FlagLibrary.Text(cmd, &t.library, bundled(libraryFile))
	command.FlagTool.Text(cmd, &t.tool, bundled(toolFile))
	return command.Run(ctx, cmd, args, out, os.Stderr)
}

// bundled returns the path of a file that Bazel provides, or "".
func bundled(file string) string {
	if file == "" {
		return ""
	}
	path, err := runfiles.Rlocation(file)
	if err != nil {
		return ""
	}
	return path
}

// all prints the verdict of each row as soon as it is known.
func all(ctx context.Context, out io.Writer, t tools, only []string) error {
	rows := iree.Rewrites()
	for _, name := range only {
		if !slices.ContainsFunc(rows, func(r iree.Rewrite) bool { return r.ID == name }) {
			return errs.New(CodeRow, "unknown rewrite %q", name).Hint("the names are in compile/iree.Rewrites")
		}
	}
	var first error
	counts := map[string]int{}
	for _, r := range rows {
		if len(only) > 0 && !slices.Contains(only, r.ID) {
			continue
		}
		v, err := t.judge(ctx, r, faults[r.ID])
		if err != nil {
			v.needed = string(errs.CodeOf(err))
			if first == nil {
				first = err
			}
		}
		counts[v.needed]++
		fmt.Fprintf(out, "%-22s without: %-*s with: %-28s needed: %s\n", r.ID, width, v.off, v.on, v.needed)
	}
	for _, needed := range slices.Sorted(maps.Keys(counts)) {
		fmt.Fprintf(out, "%d rows: %s\n", counts[needed], needed)
	}
	return first
}
