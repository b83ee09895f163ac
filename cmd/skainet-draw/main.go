// Command skainet-draw draws a graph as an SVG picture:
//
//	skainet-draw FILE.json -o FILE.svg
//
// `skainet graph show --format svg` runs it. It is a program of its own since
// the layout is large and takes time to start. Errors are printed and exit
// statuses given as by skainet.
package main

import (
	"context"
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"

	"github.com/skainet-dev/skainet-go/compile/dag/draw/svg"
	"github.com/skainet-dev/skainet-go/compile/dag/graphjson"
	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/internal/atomicfile"
	"github.com/skainet-dev/skainet-go/internal/interrupt"
)

// codeUsage is for a command that would replace its own input.
const codeUsage errs.Code = "USAGE"

func main() {
	if dir := os.Getenv("BUILD_WORKING_DIRECTORY"); dir != "" { // where the user of `bazel run` is
		if err := os.Chdir(dir); err != nil {
			fmt.Fprintln(os.Stderr, "skainet-draw: USAGE: BUILD_WORKING_DIRECTORY:", err)
			os.Exit(2)
		}
	}
	_, stop := interrupt.Context(context.Background(), "skainet-draw")
	defer stop()
	os.Exit(run(os.Args[1:], os.Stdout, os.Stderr))
}

// run gives the exit status.
func run(args []string, stdout, stderr io.Writer) int {
	var out string
	begun := false
	cmd := &cobra.Command{
		Use: "skainet-draw FILE.json [-o FILE.svg]", Short: "Draw a graph as an SVG picture, with shapes and sizes",
		Long: fmt.Sprintf(`A box is an operation, an arrow a use. Where a use is far from the place where
the value is made, a dashed note beside it names that place. A graph of more
than %d operations, or %d operands, is not drawn.`, svg.MaxNodes, svg.MaxUses),
		Args: cobra.ExactArgs(1), SilenceErrors: true, SilenceUsage: true,
		RunE: func(_ *cobra.Command, args []string) error {
			begun = true
			return draw(args[0], out, stdout)
		},
	}
	cmd.Flags().StringVarP(&out, "output", "o", "", "`file` to write in place of the standard output")
	cmd.CompletionOptions.DisableDefaultCmd = true
	cmd.SetArgs(args)
	cmd.SetOut(stdout)
	cmd.SetErr(stderr)
	err := cmd.Execute()
	switch {
	case err == nil:
		return 0
	case begun:
		fmt.Fprintln(stderr, "skainet-draw:", err)
		if errs.CodeOf(err) == codeUsage {
			return 2
		}
		return 1
	}
	fmt.Fprintf(stderr, "skainet-draw: USAGE: %v; see skainet-draw --help\n", err)
	return 2
}

func draw(file, out string, stdout io.Writer) error {
	if out != "" && atomicfile.Same(out, file) {
		return errs.New(codeUsage, "this is the graph's own file, and would be replaced").In(out).Hint("give the picture another name")
	}
	g, err := graphjson.ReadFile(file)
	if err != nil {
		return err
	}
	picture, err := svg.Draw(g)
	if err != nil {
		return errs.WithFile(err, file)
	}
	if out != "" {
		return atomicfile.WriteFile(out, picture)
	}
	if _, err := stdout.Write(picture); err != nil {
		return errs.Wrap(atomicfile.CodeWrite, err, "cannot write to the standard output")
	}
	return nil
}
