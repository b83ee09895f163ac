// Command verify is the action of stablehlo_export that checks texts: every value
// and type, each error with its line and column, and that text and contract name the
// same encodings. It is a separate program so that only a change to packages
// compile/hlo/verify and compile/contract rechecks them.
package main

import (
	"github.com/spf13/cobra"

	"github.com/skainet-dev/skainet-go/compile/contract"
	"github.com/skainet-dev/skainet-go/compile/hlo/verify"
	"github.com/skainet-dev/skainet-go/internal/command"
	"github.com/skainet-dev/skainet-go/internal/verdict"
)

func main() { command.Tool(newCommand()) }

// The command is called skainet in messages, the name that a user knows.
func newCommand() *cobra.Command {
	var out, described string
	cmd := &cobra.Command{
		Use: "skainet TEXT.mlir... --contract FILE --output FILE", Args: cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			c, err := contract.ReadFile(described)
			if err != nil {
				return err
			}
			said, faults, err := verdict.Files(args, func(path string) (verdict.File, error) {
				faults, err := verify.Against(path, c)
				return verdict.File{Path: path, Format: verdict.ProgramText, Faults: faults}, err
			}, verdict.File.Text)
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
	command.FlagContract.Text(cmd, &described, "")
	cmd.Flags().StringVar(&out, "output", "", "file to write if there is no error")
	return cmd
}
