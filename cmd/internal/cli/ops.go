package cli

import (
	"github.com/spf13/cobra"

	"github.com/skainet-dev/skainet-go/compile/op/optable"
	"github.com/skainet-dev/skainet-go/internal/command"
)

func newOpsCommand() *cobra.Command {
	var markdown, asJSON, asciidoc bool
	var out string
	cmd := &cobra.Command{
		Use:   "ops [--markdown | --json | --asciidoc] [-o FILE]",
		Short: "List the operations of models",
		Long: `Ops prints the table of operations: operands with the element types that they
accept, attributes with kinds and defaults, and results with their
shapes. The default format is Markdown.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			switch {
			case asJSON:
				return command.Emit(cmd, out, optable.JSON())
			case asciidoc:
				return command.Emit(cmd, out, optable.AsciiDoc())
			}
			return command.Emit(cmd, out, optable.Markdown())
		},
	}
	cmd.Flags().BoolVar(&markdown, "markdown", false, "a table for each family")
	cmd.Flags().BoolVar(&asJSON, "json", false, "a list, for programs")
	cmd.Flags().BoolVar(&asciidoc, "asciidoc", false, "the reference page's text")
	cmd.MarkFlagsMutuallyExclusive("markdown", "json", "asciidoc")
	command.FlagOutput.Text(cmd, &out, "")
	return cmd
}
