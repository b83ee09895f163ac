package cli

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/skainet-dev/skainet-go/internal/release"
)

func newVerifyReleaseCommand() *cobra.Command {
	var checkout string
	cmd := &cobra.Command{
		Use:   "verify-release FOLDER [--checkout FOLDER]",
		Short: "Check the files of a release",
		Long: `Verify-release checks that every file of a release is the one that its SHA256SUMS, its
SBOM and its provenance speak of, that no other file is in the folder, and that the members of
models' tars and images are those that they list. With --checkout it checks also that the
release was made from the files of that checkout: go.mod, MODULE.bazel, the tables of tools.

To check more than what the release says of itself, build it again and compare:
./bazelw build //:release is the same bytes in any folder.`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			names, err := release.Verify(args[0], checkout)
			if err != nil {
				return err
			}
			for _, name := range names {
				fmt.Fprintln(cmd.OutOrStdout(), "ok", name)
			}
			return nil
		},
	}
	cmd.Flags().StringVar(&checkout, "checkout", "", "`folder` with the sources that the release should be made from")
	return cmd
}
