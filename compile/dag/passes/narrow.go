package passes

import (
	"github.com/skainet-dev/skainet-go/compile/dag"
	"github.com/skainet-dev/skainet-go/compile/op"
	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
)

// CodeDType is the code of an element type that graphs cannot be converted to.
const CodeDType errs.Code = "PASS_DTYPE"

// Narrowing configures Narrow.
type Narrowing struct {
	To dtype.DType // F16 or BF16
	// KeepSignature leaves arguments and results of entry points as they are, so
	// that callers see a difference only in the last digits.
	KeepSignature bool
}

// Narrow returns the pass that converts a graph from f32 to f16 or bf16. It changes
// results by about one rounding of the narrow type, 2^-11 or 2^-8, for each
// operation on the way to a result.
//
//   - Parameters become narrow: they are converted when an archive is packed (io/transform).
//   - Products and convolutions take narrow operands; they are summed in f32, as
//     those operations always are, and rounded once.
//   - Sums, normalisations, exponentials and the others whose precision is op.Wide
//     are computed in f32, and so is what depends only on f32 values: a chain of them is rounded
//     at its end. Numbers derived from integers or iota stay f32 until they meet a
//     narrow operand, so that positions above 256 are exact.
//   - What a loop or a state variable accumulates stays f32: in bf16 a counter
//     stops at 256. Caches, of which only windows are replaced,
//     become narrow.
//   - Constants are rounded where they are used; a finite one that is too large
//     becomes the largest finite number, so that a mask of -1e9 is not infinity.
//   - Arguments and results of private functions become narrow, and those of entry
//     points unless KeepSignature is set.
//
// f16 in a graph that is converted to bf16, or the other way round, is treated
// like f32: weights that are f16 in the file become bf16. Other types stay.
func Narrow(o Narrowing) (Pass, error) {
	if o.To != dtype.F16 && o.To != dtype.BF16 {
		return Pass{}, errs.New(CodeDType, "a graph cannot be converted to %s", o.To).Hint("use f16 or bf16")
	}
	return Pass{Name: "narrow_" + o.To.String(), Run: func(g *dag.Graph) {
		CleanUp(g) // so that constants are recognised
		n := &narrower{Narrowing: o, g: g, funcs: map[string]*dag.Func{}, states: narrowStates(g)}
		n.graph()
		CleanUp(g)
	}}, nil
}

// precision returns the type that f32 operands of a node are converted to.
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
