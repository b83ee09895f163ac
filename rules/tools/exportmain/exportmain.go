// Package exportmain is the main function of the exporters that skainet_model
// generates.
//
// # Errors
//
// Main prints one coded error and returns 1; 2 for wrong usage.
//
// # Determinism
//
// Like package export.
package exportmain

import (
	"context"
	"io"

	"github.com/spf13/cobra"

	"github.com/skainet-dev/skainet-go/backend/cpu"
	"github.com/skainet-dev/skainet-go/compile/export"
	"github.com/skainet-dev/skainet-go/internal/command"
	"github.com/skainet-dev/skainet-go/lang"
)

// Main exports a model as its arguments say.
func Main(build lang.Constructor, args []string, stderr io.Writer) int {
	o := export.Options{Notes: stderr}
	var policy, contents string
	cmd := &cobra.Command{
		Use: "exporter --name NAME --text OUT.mlir --contract OUT.contract.json", Args: cobra.NoArgs,
		RunE: func(*cobra.Command, []string) (err error) {
			if o.Policy, err = export.ParsePolicy(policy); err != nil {
				return err
			}
			if o.Contents, err = export.ReadContents(contents); err != nil {
				return err
			}
			_, _, err = export.Run(cpu.Evaluate, build, o)
			return err
		},
	}
	f := cmd.Flags()
	f.StringVar(&o.Name, "name", "model", "name of the module in the text")
	f.StringVar(&o.Index, "index", "", "weights index (JSON) to build the model from")
	f.StringVar(&contents, "contents", "", "contents of weights (JSON): maps each name to a string; the program reads only one of the weights with the same string")
	f.StringVar(&o.Text, "text", "", "StableHLO text to write")
	f.StringVar(&o.Kernels, "kernels", "", "text with kernels to write, for CPU targets")
	f.StringVar(&o.TextF16, "text-f16", "", "text to write for processors without f16")
	f.StringVar(&o.KernelsF16, "kernels-f16", "", "text with kernels to write for processors without f16")
	f.StringVar(&o.Contract, "contract", "", "contract to write")
	f.StringVar(&o.Constants, "constants", "", "archive of external constants to write")
	f.StringVar(&o.Graph, "graph", "", "graph (JSON) to write")
	f.StringVar(&o.DType, "dtype", "", "the precision the program computes in: f16, bf16, or int8 for large weights only; the model's types by default")
	f.StringVar(&o.Weights, "weights", "", "how the program stores weights: packed (as in the file, the default), int8, bf16, f16 or f32, and PATTERN=one of them, such as packed,token_embd.weight=int8")
	f.StringVar(&policy, "policy", "inline", "inline, external, or the size in bytes from which named constants are external")
	return command.Run(context.Background(), cmd, args, stderr, stderr)
}
