// Package opspage is the main function of the programs that operations_page generates: they
// write the table of operations with those that the packages they import register.
//
// # Errors
//
// Main prints one coded error and returns 1, the OPERATOR_* error of a package among them; 2
// for wrong usage.
//
// # Determinism
//
// The page depends only on the table and the packages.
package opspage

import (
	"context"
	"io"

	"github.com/spf13/cobra"

	"github.com/skainet-dev/skainet-go/compile/op"
	"github.com/skainet-dev/skainet-go/compile/op/optable"
	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/internal/atomicfile"
	"github.com/skainet-dev/skainet-go/internal/command"
)

// Main writes the page as its arguments say; label names the target in it.
func Main(label string, args []string, stderr io.Writer) int {
	var format, out string
	cmd := &cobra.Command{
		Use: "operations --format asciidoc --output FILE", Args: cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			if list := op.Mistakes(); len(list) > 0 {
				return list[0]
			}
			switch format {
			case "asciidoc":
				return atomicfile.WriteFile(out, optable.AsciiDocFrom(label))
			case "json":
				return atomicfile.WriteFile(out, optable.JSON())
			case "markdown":
				return atomicfile.WriteFile(out, optable.Markdown())
			}
			return errs.New(command.CodeUsage, "no format is named %q", format).Hint("use asciidoc, json or markdown")
		},
	}
	cmd.Flags().StringVar(&format, "format", "asciidoc", "asciidoc, json or markdown")
	cmd.Flags().StringVar(&out, "output", "", "`file` to write")
	return command.Run(context.Background(), cmd, args, stderr, stderr)
}
