package cli

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/skainet-dev/skainet-go/io/irpa"
	"github.com/skainet-dev/skainet-go/io/pack"
)

func newVerifyCommand() *cobra.Command {
	var f struct {
		contract, scope, stamp string
		archives               []string
	}
	cmd := &cobra.Command{
		Use:   "verify --contract FILE --archive FILE...",
		Short: "Check that archives hold what a program needs",
		Long: `Verify compares the parameters of one scope with the archives that a run
would be given for it: the same keys, each once, with the same lengths. The
runtime checks neither before it runs, and takes a parameter that is too long.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			c, err := readContract(f.contract)
			if err != nil {
				return err
			}
			var archives []*irpa.File
			for _, path := range f.archives {
				a, err := irpa.Open(path)
				if err != nil {
					return err
				}
				defer a.Close()
				archives = append(archives, a)
			}
			if err := pack.CheckArchive(c, f.scope, archives...); err != nil {
				return err
			}
			return emit(cmd, f.stamp, fmt.Appendf(nil, "%s: scope %q is complete\n", c.Name, f.scope))
		},
	}
	cmd.Flags().StringVar(&f.contract, "contract", "", "contract `file` of the program")
	cmd.Flags().StringArrayVar(&f.archives, "archive", nil, "parameter `archive`; may be given again")
	cmd.Flags().StringVar(&f.scope, "scope", "model", "scope of the parameters to check")
	cmd.Flags().StringVarP(&f.stamp, "output", "o", "", "`file` for the answer in place of the standard output, for build rules")
	required(cmd, "contract", "archive")
	return cmd
}
