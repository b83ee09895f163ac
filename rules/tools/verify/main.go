// Command verify is the action of stablehlo_export that checks texts: every value and
// type, each fault with its line and column. It is a program of its own so that only a
// change of package compile/hlo/verify checks them again.
package main

import (
	"github.com/spf13/cobra"

	"github.com/skainet-dev/skainet-go/compile/hlo/verify"
	"github.com/skainet-dev/skainet-go/internal/command"
	"github.com/skainet-dev/skainet-go/internal/verdict"
)

func main() { command.Tool(newCommand()) }

// The name is that of the project, as a user knows it from the command line.
func newCommand() *cobra.Command {
	var out string
	cmd := &cobra.Command{
		Use: "skainet TEXT.mlir... --output FILE", Args: cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			said, faults, err := verdict.Files(args, faultsOf, verdict.File.Text)
			if err != nil {
				return err
			}
			to := out
			if faults != nil {
				to = "" // a build takes the file as a sign that all is well
			}
			if err := command.Emit(cmd, to, said, args...); err != nil {
				return err
			}
			return faults
		},
	}
	cmd.Flags().StringVar(&out, "output", "", "file to write where there is no fault")
	return cmd
}

func faultsOf(path string) (verdict.File, error) {
	faults, err := verify.File(path)
	return verdict.File{Path: path, Format: verdict.ProgramText, Faults: faults}, err
}
