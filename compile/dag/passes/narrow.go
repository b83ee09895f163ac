package passes

import (
	"github.com/skainet-dev/skainet-go/compile/dag"
	"github.com/skainet-dev/skainet-go/compile/op"
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
}

// Narrow returns the pass that converts a graph from f32 to f16 or bf16. It changes
// numbers: by about one rounding of the narrow type, 2^-11 or 2^-8, for each
// operation on the way to a result.
//
//   - Parameters become narrow: an archive is packed so (io/transform).
//   - Products and convolutions take narrow operands; they are summed in f32, as
//     those operations always are, and rounded once.
//   - Sums, normalisations, exponentials and the others whose precision is op.Wide
//     are computed in f32, and so is what follows from f32 values alone: a chain of them is rounded
//     at its end. Numbers made from integers or by iota stay f32 until they meet a
//     narrow operand, so that positions above 256 are exact.
//   - What a loop or a state variable accumulates stays f32: in bf16 a counter
//     stops at 256. Those that are only caches, in which windows are replaced,
//     become narrow.
//   - Constants are rounded where they are used; a finite one that is too large
//     becomes the largest finite number, so that a mask of -1e9 is not infinity.
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

// precision returns what becomes of the f32 operands of a node.
func precision(n *dag.Node) op.Precision {
	t := n.Op.TraitsFor(n.Attrs)
	if t.Precision != op.Follow {
		return t.Precision
	}
	for _, from := range n.From {
		if op.Of(from).Precision == op.Wide {
			return op.Wide
		}
	}
	return t.Precision
}
