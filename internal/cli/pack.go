package cli

import (
	"github.com/spf13/cobra"

	"github.com/skainet-dev/skainet-go/io/irpa"
	"github.com/skainet-dev/skainet-go/io/pack"
	"github.com/skainet-dev/skainet-go/io/weights"
	"github.com/skainet-dev/skainet-go/lang/tensor"
)

func newPackCommand() *cobra.Command {
	var f struct{ contract, weights, constants, scope, out string }
	cmd := &cobra.Command{
		Use:   "pack --contract FILE [--weights FILE] [--constants FILE] -o OUT.irpa",
		Short: "Pack the parameters that a program needs into an archive",
		Long: `Pack copies the parameters of one scope, in the order of the program's
contract, from a weight file and from the constants that were exported with
the program. Every parameter's type, shape and length is checked first.`,
		Args: cobra.NoArgs,
		RunE: func(*cobra.Command, []string) (err error) {
			c, err := readContract(f.contract)
			if err != nil {
				return err
			}
			var w *weights.File
			if f.weights != "" {
				if w, err = weights.Open(f.weights); err != nil {
					return err
				}
				defer w.Close()
			}
			var constants map[string]tensor.Value
			if f.constants != "" {
				a, err := irpa.Open(f.constants)
				if err != nil {
					return err
				}
				defer a.Close()
				if constants, err = pack.Constants(c, a); err != nil {
					return err
				}
			}
			return pack.Pack(f.out, c, f.scope, w, constants)
		},
	}
	cmd.Flags().StringVar(&f.contract, "contract", "", "contract `file` of the program")
	cmd.Flags().StringVar(&f.weights, "weights", "", "weight `file`, of any known format")
	cmd.Flags().StringVar(&f.constants, "constants", "", "`archive` with the constants of the model's own code")
	cmd.Flags().StringVar(&f.scope, "scope", "model", "scope of the parameters to pack")
	cmd.Flags().StringVarP(&f.out, "output", "o", "", "`archive` to write")
	required(cmd, "contract", "output")
	return cmd
}
