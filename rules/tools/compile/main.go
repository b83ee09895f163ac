// Command compile is the action of iree_vmfb. It is a separate program so
// that a change to the command line reruns no compile.
package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/skainet-dev/skainet-go/compile/iree/compiler"
	"github.com/skainet-dev/skainet-go/internal/command"
	"github.com/skainet-dev/skainet-go/internal/regular"
)

func main() { command.Tool(newCommand()) }

func newCommand() *cobra.Command {
	var o compiler.Options
	var text, label string
	cmd := &cobra.Command{
		Use: "compile --compiler FILE --text IN.mlir --output OUT.vmfb [--flag FLAG]...", Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			var err error
			if o.Text, err = regular.Read(text, regular.MaxText); err != nil {
				return err
			}
			o.TextName = text
			warnings, err := compiler.Compile(cmd.Context(), o)
			for _, w := range warnings {
				fmt.Fprintln(cmd.ErrOrStderr(), w)
			}
			if err != nil && label != "" {
				return fmt.Errorf("%s: %w", label, err)
			}
			return err
		},
	}
	f := cmd.Flags()
	command.FlagCompiler.Text(cmd, &o.Compiler, "")
	command.FlagLinker.Text(cmd, &o.Linker, "")
	command.FlagCompilerFlag.Texts(cmd, &o.Flags)
	command.FlagOutput.Says("program to write").Text(cmd, &o.Out, "")
	f.StringVar(&text, "text", "", "StableHLO text")
	f.StringVar(&label, "label", "", "target, for messages")
	f.StringVar(&o.Row, "row", "", "what it is compiled for, for messages")
	f.StringVar(&o.Library, "object", "", "object file to write, if the flags produce one")
	f.StringVar(&o.Header, "header", "", "its header to write")
	return cmd
}
