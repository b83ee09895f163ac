package cli

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/skainet-dev/skainet-go/compile/iree/compiler"
	"github.com/skainet-dev/skainet-go/internal/command"
	"github.com/skainet-dev/skainet-go/internal/regular"
)

func newCompileCommand() *cobra.Command {
	var f struct {
		compiler, linker, out string
		flags                 []string
	}
	cmd := &cobra.Command{
		Use:   "compile TEXT.mlir --compiler FILE --flag FLAG... -o PROGRAM.vmfb",
		Short: "Compile StableHLO text to a program",
		Long: `Compile runs iree-compile on the text's content, so that the same text and
flags give the same program in whatever folder. Flags are those of a target in
toolchains/iree. Warnings go to the standard error.`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			text, err := regular.Read(args[0], regular.MaxText)
			if err != nil {
				return err
			}
			warnings, err := compiler.Compile(cmd.Context(), compiler.Options{
				Compiler: f.compiler, Linker: f.linker, Flags: f.flags,
				Text: text, TextName: args[0], Out: f.out,
			})
			if err != nil {
				return err
			}
			for _, w := range warnings {
				fmt.Fprintln(cmd.ErrOrStderr(), "skainet: warning:", w)
			}
			return nil
		},
	}
	cmd.Flags().StringVar(&f.compiler, "compiler", "", "iree-compile `file`")
	cmd.Flags().StringVar(&f.linker, "lld", "", "iree-lld `file`; programs for CPUs need it")
	cmd.Flags().StringArrayVar(&f.flags, "flag", nil, "`flag` of iree-compile, as in --flag=--iree-opt-level=O2; may be given again")
	cmd.Flags().StringVarP(&f.out, "output", "o", "", "program `file` to write")
	command.Required(cmd, "compiler", "flag", "output")
	return cmd
}
