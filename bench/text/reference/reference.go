// Package reference is the CPU backend as a contestant of the benchmark of language
// models: the main function of a program that binds a model's constructor.
//
// # Errors
//
// Main prints one coded error and returns 1; 2 for wrong usage.
//
// # Determinism
//
// Figures are measured, so none.
package reference

import (
	"context"
	"io"

	"github.com/spf13/cobra"

	"github.com/skainet-dev/skainet-go/backend"
	"github.com/skainet-dev/skainet-go/bench/text/contestant"
	"github.com/skainet-dev/skainet-go/internal/command"
	"github.com/skainet-dev/skainet-go/lang"
	"github.com/skainet-dev/skainet-go/text/generate"
)

// Files of a model.
type Files struct {
	Index, Contract, Weights string
	Archives                 []string // [scope=]file
}

// Open loads a model on the CPU backend.
type Open func(build lang.Constructor, f Files) (backend.Executable, error)

// Main answers the benchmark.
func Main(build lang.Constructor, args []string, in io.Reader, out, stderr io.Writer) int {
	return mainWith(load, build, args, in, out, stderr)
}

func mainWith(open Open, build lang.Constructor, args []string, in io.Reader, out, stderr io.Writer) int {
	var f Files
	cmd := &cobra.Command{
		Use: "reference", Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			x, err := open(build, f)
			if err != nil {
				return err
			}
			defer x.Close()
			s, err := generate.NewSession(x, generate.Options{})
			if err != nil {
				return err
			}
			return contestant.Serve(cmd.Context(), in, out, contestant.Ready{Version: "SKaiNET's CPU backend"}, s)
		},
	}
	cmd.Flags().StringVar(&f.Index, "index", "", "weights index")
	command.FlagContract.Text(cmd, &f.Contract, "")
	command.FlagArchive.Texts(cmd, &f.Archives)
	cmd.Flags().StringVar(&f.Weights, "weights", "", "weight policy of the export")
	return command.Run(context.Background(), cmd, args, out, stderr)
}
