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

// precision is a value of Options.DType.
type precision struct {
	name   string
	narrow dtype.DType                   // the type of all floats, if it is not Invalid
	rows   func(least int64) passes.Pass // what large weights become, if it is not nil
}

var precisions = []precision{
	{name: "f16", narrow: dtype.F16},
	{name: "bf16", narrow: dtype.BF16},
	{name: passes.StoreInt8, rows: passes.Int8},
	{name: passes.StoreInt8Dynamic, rows: passes.Int8Dynamic},
}

// Precisions lists the values of Options.DType, besides "".
var Precisions = func() (names []string) {
	for _, p := range precisions {
		names = append(names, p.name)
	}
	return names
}()

// precisionOf returns the row of a precision; an empty one for "".
func precisionOf(name string) (precision, error) {
	if name == "" {
		return precision{}, nil
	}
	for _, p := range precisions {
		if p.name == name {
			return p, nil
		}
	}
	return precision{}, errs.New(CodeDType, "unknown precision %q", name).Hint("use one of %v", Precisions)
}

// storesRows reports whether a program in a precision stores its large weights as integers
// whatever their blocks in the file, because no policy says how.
func storesRows(dtype, weights string) bool {
	p, err := precisionOf(dtype)
	return err == nil && p.rows != nil && weights == ""
}

// Passes returns the passes of an export in a precision: "" for the model as written,
// with only passes that keep its results bit for bit (passes.Exact), or one of
// Precisions: f16 and bf16 for all of the floats that it computes with (passes.Narrow),
// int8 for large weights only (passes.Int8), int8_dynamic for these and the operands that
// they multiply (passes.Int8Dynamic). Arguments and results of entry points keep
// their types. fold evaluates the nodes whose operands are constants, as
// backend/cpu.Evaluate does.
func Passes(fold passes.Evaluator, precision string) ([]passes.Pass, error) {
	p, err := precisionOf(precision)
	exact := passes.Exact(fold)
	switch {
	case err != nil:
		return nil, err
	case p.narrow != dtype.Invalid:
		narrow, err := passes.Narrow(passes.Narrowing{To: p.narrow, KeepSignature: true})
		return []passes.Pass{exact, narrow, exact}, err
	case p.rows != nil:
		return []passes.Pass{exact, p.rows(passes.Int8Least), exact}, nil
	}
	return []passes.Pass{exact}, nil
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
	if storesRows(precision, weights) {
		return ps, nil
	}
	policy, err := passes.ParseWeightPolicy(weights)
	if err != nil {
		return nil, err
	}
	return slices.Insert(ps, 1, passes.Packed(index, policy)), nil
}
