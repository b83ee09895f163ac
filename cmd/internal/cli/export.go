package cli

import (
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/skainet-dev/skainet-go/backend/cpu"
	"github.com/skainet-dev/skainet-go/compile/dag/passes"
	"github.com/skainet-dev/skainet-go/compile/export"
	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/examples/staircase/affine"
	"github.com/skainet-dev/skainet-go/examples/staircase/grayscale"
	"github.com/skainet-dev/skainet-go/examples/staircase/linear"
	"github.com/skainet-dev/skainet-go/io/weights"
	"github.com/skainet-dev/skainet-go/lang"
	"github.com/skainet-dev/skainet-go/models/whisper"
	"github.com/skainet-dev/skainet-go/tensor"
)

// CodeNoModel is the code of a model that this program does not have.
const CodeNoModel errs.Code = "EXPORT_NO_MODEL"

// models are those of this repository. Others have an exporter of their own,
// which skainet_model generates and which takes the same options.
var models = []struct {
	name  string
	build lang.Constructor
}{
	{"affine", affine.Model},
	{"grayscale", grayscale.Model},
	{"linear", linear.Model},
	{"whisper", whisper.Model},
}

func newExportCommand() *cobra.Command {
	var f struct {
		weights, index, policy, out, dtype, stored string
		graph, merge, f16                          bool
	}
	names := make([]string, len(models))
	for i, m := range models {
		names[i] = m.name
	}
	cmd := &cobra.Command{
		Use:   "export MODEL [--weights FILE | --index FILE] -o PREFIX",
		Short: "Write a model as StableHLO text with its contract",
		Long: `Export writes PREFIX.mlir and PREFIX.contract.json; PREFIX.kernels.mlir, the text
for CPU targets; and PREFIX.constants.irpa, the constants that --constants makes
external; with --graph also PREFIX.graph.json, which "skainet graph" and "skainet
eval" read; with --integer-f16 also PREFIX.f16.mlir and PREFIX.kernels.f16.mlir,
both texts for processors that have no f16. Of weights only names, shapes, types and settings are read.

With --dtype f16 or bf16 the program computes in smaller floats, with int8 its
large weights are 8-bit integers with a scale for each output channel. Arguments
and results stay what they are, and "skainet pack" stores the weights so. What
a weight file has in blocks, such as Q4_K, the program reads in blocks, unless
--weight-policy says otherwise. A program with --merge-equal-weights fits only weights of which the same are equal.

Models: ` + strings.Join(names, ", ") + `.`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			i := slices.Index(names, args[0])
			if i < 0 {
				return errs.New(CodeNoModel, "no model is named %q", args[0]).Hint("use one of %s", strings.Join(names, ", "))
			}
			policy, err := export.ParsePolicy(f.policy)
			if err != nil {
				return err
			}
			if f.merge && f.weights == "" {
				return errs.New(CodeUsage, "--merge-equal-weights compares weights").Hint("give them with --weights")
			}
			o, err := outputs(f.out)
			if err != nil {
				return err
			}
			var contents *passes.Contents
			if f.merge {
				contents = &o.Contents
			}
			index, err := indexOf(f.weights, f.index, contents)
			if err != nil {
				return err
			}
			o.Name, o.Policy, o.DType, o.Weights = args[0], policy, f.dtype, f.stored
			o.Notes = cmd.ErrOrStderr()
			if f.graph {
				o.Graph = f.out + ".graph.json"
			}
			if f.f16 {
				o.TextF16, o.KernelsF16 = f.out+".f16.mlir", f.out+".kernels.f16.mlir"
			}
			_, _, err = export.RunIndex(cpu.Evaluate, models[i].build, index, o)
			return err
		},
	}
	cmd.Flags().StringVar(&f.weights, "weights", "", "weight `file` to build the model for")
	cmd.Flags().StringVar(&f.index, "index", "", "weights index `file`, in place of the weights")
	cmd.Flags().StringVar(&f.policy, "constants", "inline", "inline, external, or the size in `bytes` from which named constants are external")
	cmd.Flags().StringVar(&f.dtype, "dtype", "", "`type` that the program computes in: "+strings.Join(export.Precisions, ", ")+"; the model's by default")
	cmd.Flags().StringVar(&f.stored, "weight-policy", "", "how the program stores weights: packed (as the file does, the default), int8, bf16, f16 or f32, and `PATTERN=one` of them, such as packed,token_embd.weight=int8")
	cmd.Flags().BoolVar(&f.merge, "merge-equal-weights", false, "read one parameter for all that are equal in --weights, which are compared")
	cmd.Flags().BoolVar(&f.f16, "integer-f16", false, "write the texts for processors that have no f16 too")
	cmd.Flags().BoolVar(&f.graph, "graph", false, "write the graph as JSON too")
	cmd.Flags().StringVarP(&f.out, "output", "o", "", "`prefix` of the files to write")
	cmd.MarkFlagsMutuallyExclusive("weights", "index")
	required(cmd, "output")
	return cmd
}

// outputs are the files of an export that begin with prefix, which must not end
// where a name would begin: the files would be hidden ones.
func outputs(prefix string) (export.Options, error) {
	if prefix == "" || os.IsPathSeparator(prefix[len(prefix)-1]) {
		return export.Options{}, errs.New(CodeUsage, "--output %q names no file", prefix).Hint("give the beginning of the files' names")
	}
	return export.Options{
		Text: prefix + ".mlir", Kernels: prefix + ".kernels.mlir",
		Contract: prefix + ".contract.json", Constants: prefix + ".constants.irpa",
	}, nil
}

// indexOf gives the index of a weight file, or reads one; nil when neither is
// given. Where contents is not nil it is set to what says which weights are equal.
func indexOf(file, index string, contents *passes.Contents) (*tensor.Index, error) {
	if file == "" {
		return export.ReadIndex(index)
	}
	w, err := weights.Open(file)
	if err != nil {
		return nil, err
	}
	defer w.Close()
	if contents != nil {
		of, err := w.Contents()
		if err != nil {
			return nil, err
		}
		*contents = func(_, key string) string { return of(key) }
	}
	return w.Index()
}
