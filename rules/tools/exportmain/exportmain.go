// Package exportmain is the main function of the exporters that skainet_model
// generates, and of the one for models that are graph files.
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
	"strings"

	"github.com/spf13/cobra"

	"github.com/skainet-dev/skainet-go/compile/dag/passes"
	"github.com/skainet-dev/skainet-go/compile/export"
	"github.com/skainet-dev/skainet-go/internal/command"
	"github.com/skainet-dev/skainet-go/lang"
)

// options are what is exported, and the flags that are parsed later.
type options struct {
	export.Options
	policy, contents string
}

// Main exports a model as its arguments say.
func Main(build lang.Constructor, args []string, stderr io.Writer) int {
	var o options
	cmd := &cobra.Command{
		Use: "exporter --name NAME --text OUT.mlir --contract OUT.contract.json", Args: cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error { return o.export(export.Constructed(build), stderr) },
	}
	o.flags(cmd)
	cmd.Flags().StringVar(&o.Graph, "graph", "", "graph (JSON) to write")
	return command.Run(context.Background(), cmd, args, stderr, stderr)
}

func (o *options) flags(cmd *cobra.Command) {
	f := cmd.Flags()
	f.StringVar(&o.Name, "name", "model", "name of the module in the text")
	f.StringVar(&o.Index, "index", "", "weights index (JSON) to build the model from")
	f.StringVar(&o.contents, "contents", "", "contents of weights (JSON): maps each name to a string; the program reads only one of the weights with the same string")
	f.StringVar(&o.Text, "text", "", "StableHLO text to write")
	f.StringVar(&o.Kernels, "kernels", "", "text with kernels to write, for CPU targets")
	f.StringVar(&o.TextF16, "text-f16", "", "text to write for processors without f16")
	f.StringVar(&o.KernelsF16, "kernels-f16", "", "text with kernels to write for processors without f16")
	f.StringVar(&o.KernelsWide, "kernels-wide", "", "text with kernels to write for processors with wide registers")
	f.StringVar(&o.KernelsBytes, "kernels-bytes", "", "the same for those that also multiply bytes")
	f.StringVar(&o.Contract, "contract", "", "contract to write")
	f.StringVar(&o.Constants, "constants", "", "archive of external constants to write")
	f.StringVar(&o.Graph, "write-graph", "", "graph (JSON) to write, with the program's passes")
	f.StringVar(&o.DType, "dtype", "", "the precision the program computes in: one of "+strings.Join(export.Precisions, ", ")+"; the model's types by default")
	f.StringVar(&o.Weights, "weights", "", "how the program stores weights: one of "+strings.Join(passes.Stores(), ", ")+" (the first, as in the file, is the default), and PATTERN=one of them, such as packed,token_embd.weight=int8")
	f.StringVar(&o.policy, "policy", "inline", "inline, external, or the size in bytes from which named constants are external")
}
