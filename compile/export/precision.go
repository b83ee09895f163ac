package export

import (
	"slices"

	"github.com/skainet-dev/skainet-go/compile/dag"
	"github.com/skainet-dev/skainet-go/compile/dag/passes"
	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/lang"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
)

// CodeDType is the code of an unknown precision.
const CodeDType errs.Code = "EXPORT_DTYPE"

// Precisions lists the values of Options.DType, besides "".
var Precisions = []string{"f16", "bf16", "int8"}

// Passes returns the passes of an export in a precision: "" for the model as written,
// with only passes that keep its results bit for bit (passes.Exact), or one of
// Precisions: f16 and bf16 for all of the floats that it computes with (passes.Narrow),
// int8 for large weights only (passes.Int8). Arguments and results of entry points keep
// their types. fold evaluates the nodes whose operands are constants, as
// backend/cpu.Evaluate does.
func Passes(fold passes.Evaluator, precision string) ([]passes.Pass, error) {
	exact := passes.Exact(fold)
	switch precision {
	case "":
		return []passes.Pass{exact}, nil
	case "f16", "bf16":
		d, err := dtype.Parse(precision)
		if err != nil {
			return nil, err
		}
		p, err := passes.Narrow(passes.Narrowing{To: d, KeepSignature: true})
		return []passes.Pass{exact, p, exact}, err
	case "int8":
		return []passes.Pass{exact, passes.Int8(passes.Int8Least), exact}, nil
	}
	return nil, errs.New(CodeDType, "unknown precision %q", precision).Hint("use one of %v", Precisions)
}

// Capture returns the graph that an export in a precision writes with the weights
// stored according to a policy; see Options.Weights.
func Capture(fold passes.Evaluator, name string, index *tensor.Index, build lang.Constructor, precision, weights string) (*dag.Graph, error) {
	return Constructed(build).Graph(fold, name, index, precision, weights)
}

// stored returns Passes with the passes of a weight policy inserted: after the exact
// passes, before any narrowing. Without a policy weights are stored as in the file,
// except blocks for a program of int8 weights.
func stored(fold passes.Evaluator, index *tensor.Index, precision, weights string) ([]passes.Pass, error) {
	ps, err := Passes(fold, precision)
	if err != nil {
		return nil, err
	}
	if weights == "" && precision == "int8" {
		return ps, nil
	}
	policy, err := passes.ParseWeightPolicy(weights)
	if err != nil {
		return nil, err
	}
	return slices.Insert(ps, 1, passes.Packed(index, policy)), nil
}
