package passes

import (
	"slices"
	"strings"

	"github.com/skainet-dev/skainet-go/compile/dag"
	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
)

// CodeDType is the code of an element type that no graph is converted to.
const CodeDType errs.Code = "PASS_DTYPE"

// Narrowing says how Narrow converts.
type Narrowing struct {
	To dtype.DType // F16 or BF16
	// KeepSignature leaves arguments and results of entry points as they are, so
	// that callers see no difference but in the last digits.
	KeepSignature bool
	// Keep names more operations that stay in f32.
	Keep []string
}

// wideOps stay in f32: sums of many terms, and functions whose error grows with
// their argument or whose results span many magnitudes. It is the list of
// PyTorch's automatic mixed precision. Composite operations are in it under their
// names, which are in the paths of the nodes that stand for them.
var wideOps = []string{
	"softmax", "layer_norm", "log_softmax", "rms_norm", "l2_normalize", "batch_norm", "instance_norm", "group_norm",
	"exp", "expm1", "log", "log1p", "log2", "log10", "power", "rsqrt", "reciprocal", "softplus", "mish",
	"sine", "cosine", "tan", "asin", "acos", "atanh", "acosh", "asinh", "sinh", "cosh", "rotary",
	"reduce_sum", "reduce_prod", "reduce_mean", "reduce_variance", "reduce_log_sum_exp", "cumsum", "cumprod", "avg_pool",
	"resize", "quantize_linear", "dequantize_linear", "dequant_matmul",
}

// Narrow gives the pass that converts a graph from f32 to f16 or bf16. It changes
// numbers: by about one rounding of the narrow type, 2^-11 or 2^-8, for each
// operation on the way to a result.
//
//   - Parameters become narrow: an archive is packed so (io/transform).
//   - Products and convolutions take narrow operands; they are summed in f32, as
//     those operations always are, and rounded once.
//   - Sums, normalisations, exponentials and the others of wideOps are computed in
//     f32, and so is what follows from f32 values alone: a chain of them is rounded
//     at its end. Numbers made from integers or by iota stay f32 until they meet a
//     narrow operand, so that positions above 256 are exact.
//   - What a loop or a state variable accumulates stays f32: in bf16 a counter
//     stops at 256. Those that are only caches, in which windows are replaced,
//     become narrow.
//   - Constants are rounded where they are used; a finite one that is too large
//     becomes the largest finite number, so that a mask of -1e9 is no infinity.
//   - Arguments and results of private functions become narrow, and those of entry
//     points unless KeepSignature is set.
//
// f16 in a graph that is converted to bf16, or the other way round, is treated as
// f32 is: weights that a file has in f16 become bf16. Other types stay.
func Narrow(o Narrowing) (Pass, error) {
	if o.To != dtype.F16 && o.To != dtype.BF16 {
		return Pass{}, errs.New(CodeDType, "no graph is converted to %s", o.To).Hint("use f16 or bf16")
	}
	return Pass{Name: "narrow_" + o.To.String(), Run: func(g *dag.Graph) {
		CleanUp(g) // so that constants are seen as such
		n := &narrower{Narrowing: o, g: g, funcs: map[string]*dag.Func{}, states: narrowStates(g)}
		n.graph()
		CleanUp(g)
	}}, nil
}

// role is what becomes of the f32 operands of a node.
type role int

const (
	follow role = iota // f32 where all of them are, else narrow
	narrow
	wide
	first // the type of the first one: what is updated is not converted for it
)

func (o Narrowing) role(n *dag.Node) role {
	switch n.Op.Name {
	case "dot_general", "convolution", "conv1d", "conv_transpose":
		return narrow
	case "dynamic_update_slice":
		return first
	case "scatter":
		if n.Attrs.String("mode") == "add" || n.Attrs.String("mode") == "mul" {
			return wide // accumulates
		}
		return first
	}
	if o.stays(n.Op.Name) {
		return wide
	}
	// The last part of a path is the operation itself, or a name that is not one.
	for _, part := range strings.Split(n.Path, "/") {
		if o.stays(part) {
			return wide
		}
	}
	return follow
}

func (o Narrowing) stays(name string) bool {
	return slices.Contains(wideOps, name) || slices.Contains(o.Keep, name)
}
