// Command compile is the action of iree_vmfb. It is a program of its own so
// that a change of the command line re-runs no compile.
package main

import (
	"context"
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"github.com/skainet-dev/skainet-go/backend/iree/compiler"
	"github.com/skainet-dev/skainet-go/internal/filemap"
	"github.com/skainet-dev/skainet-go/internal/interrupt"
)

func main() {
	ctx, stop := interrupt.Context(context.Background(), "compile")
	defer stop()
	if err := command().ExecuteContext(ctx); err != nil {
		if ctx.Err() != nil {
			fmt.Fprintln(os.Stderr, "compile: interrupted")
			os.Exit(interrupt.ExitStatus)
		}
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func command() *cobra.Command {
	var o compiler.Options
	var text, label string
	cmd := &cobra.Command{
		Use: "compile --compiler FILE --text IN.mlir --out OUT.vmfb [--flag FLAG]...", Args: cobra.NoArgs,
		SilenceErrors: true, SilenceUsage: true,
		RunE: func(cmd *cobra.Command, _ []string) error {
			var err error
			if o.Text, err = filemap.ReadFile(text, filemap.MaxText); err != nil {
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
	f.StringVar(&o.Compiler, "compiler", "", "iree-compile")
	f.StringVar(&o.Linker, "linker", "", "iree-lld")
	f.StringVar(&text, "text", "", "StableHLO text")
	f.StringVar(&label, "label", "", "target, for messages")
	f.StringVar(&o.Out, "out", "", "program to write")
	f.StringVar(&o.Library, "library", "", "object file to write, with flags that make one")
	f.StringVar(&o.Header, "header", "", "its header to write")
	f.StringArrayVar(&o.Flags, "flag", nil, "flag for the compiler; may be given again")
	return cmd
}
