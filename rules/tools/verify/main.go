// Command verify is the action of stablehlo_export that checks texts: every value
// and type, each error with its line and column. It is a separate program so that only
// a change to package compile/hlo/verify rechecks them.
package main

import (
	"github.com/spf13/cobra"

	"github.com/skainet-dev/skainet-go/compile/hlo/verify"
	"github.com/skainet-dev/skainet-go/internal/command"
	"github.com/skainet-dev/skainet-go/internal/verdict"
)

func main() { command.Tool(newCommand()) }

// The command is called skainet in messages, the name that a user knows.
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
				to = "" // the file tells the build that all is well
			}
			if err := command.Emit(cmd, to, said, args...); err != nil {
				return err
			}
			return faults
		},
	}
	cmd.Flags().StringVar(&out, "output", "", "file to write if there is no error")
	return cmd
}

func faultsOf(path string) (verdict.File, error) {
	faults, err := verify.File(path)
	return verdict.File{Path: path, Format: verdict.ProgramText, Faults: faults}, err
}
