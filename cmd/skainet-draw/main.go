// Command skainet-draw draws a graph as an SVG picture:
//
//	skainet-draw FILE.json -o FILE.svg
//
// `skainet graph show --format svg` runs it. It is a separate program
// because the layout engine is large and slow to start. Errors and exit
// statuses are those of skainet.
package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/skainet-dev/skainet-go/compile/dag/draw/svg"
	"github.com/skainet-dev/skainet-go/compile/dag/graphjson"
	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/internal/command"
)

func main() { command.Program(newCommand()) }

func newCommand() *cobra.Command {
	var out string
	cmd := &cobra.Command{
		Use: "skainet-draw FILE.json [-o FILE.svg]", Short: "Draw a graph as an SVG picture, with shapes and sizes",
		Long: fmt.Sprintf(`A box is an operation, an arrow a use. If a use is far from the operation where
the value is made, a dashed note beside it names that place. A graph of more
than %d operations, or %d operands, is not drawn.`, svg.MaxNodes, svg.MaxUses),
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error { return draw(cmd, command.Path(args[0]), out) },
	}
	command.FlagOutput.Text(cmd, &out, "")
	return cmd
}

func draw(cmd *cobra.Command, file, out string) error {
	if out != "" {
		out = command.Path(out)
	}
	if err := command.Apart(out, file); err != nil {
		return err
	}
	g, err := graphjson.ReadFile(file)
	if err != nil {
		return err
	}
	picture, err := svg.Draw(g)
	if err != nil {
		return errs.WithFile(err, file)
	}
	return command.Emit(cmd, out, picture, file)
}
