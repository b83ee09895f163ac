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
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/skainet-dev/skainet-go/backend"
	"github.com/skainet-dev/skainet-go/bench/text/contestant"
	"github.com/skainet-dev/skainet-go/lang"
	"github.com/skainet-dev/skainet-go/text/generate"
)

// Files of a model.
type Files struct{ Index, Contract, Archive, Weights string }

// Open loads a model on the CPU backend.
type Open func(build lang.Constructor, f Files) (backend.Executable, error)

// Main answers the benchmark.
func Main(build lang.Constructor, args []string, in io.Reader, out, stderr io.Writer) int {
	return mainWith(load, build, args, in, out, stderr)
}

func mainWith(open Open, build lang.Constructor, args []string, in io.Reader, out, stderr io.Writer) int {
	var f Files
	ran := false
	cmd := &cobra.Command{
		Use: "reference", Args: cobra.NoArgs, SilenceErrors: true, SilenceUsage: true,
		RunE: func(cmd *cobra.Command, _ []string) error {
			ran = true
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
	cmd.Flags().StringVar(&f.Contract, "contract", "", "contract of the export")
	cmd.Flags().StringVar(&f.Archive, "archive", "", "archive of weights")
	cmd.Flags().StringVar(&f.Weights, "weights", "", "weight policy of the export")
	cmd.SetArgs(args)
	cmd.SetErr(stderr)
	if err := cmd.ExecuteContext(context.Background()); err != nil {
		fmt.Fprintln(stderr, "reference:", err)
		if !ran {
			return 2
		}
		return 1
	}
	return 0
}
