package passes

import (
	"slices"

	"github.com/skainet-dev/skainet-go/compile/dag"
	"github.com/skainet-dev/skainet-go/compile/op"
	"github.com/skainet-dev/skainet-go/compile/op/id"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
)

// Evaluator computes the results of a node from the values of its inputs. The
// caller passes one, such as cpu.Evaluate of backend/cpu.
type Evaluator func(n *dag.Node, in []tensor.Value) ([]tensor.Value, error)

// FoldLimit is the limit that exports pass to Fold: constants of up to eight 32-bit
// elements, which take less text than the operations that they replace.
const FoldLimit = 32

// Fold returns the pass that evaluates expressions of constants. It creates
// no constant of more than limit bytes; a splat counts as one element,
// whatever its shape.
//
// It folds operations whose result is the same on every machine: those that
// move elements or work on integers and bools, and float operations that IEEE 754
// rounds correctly. Sums, exponentials and the like stay, so that a text does not
// depend on the processor of the export. Parameters and named constants are
// weights, and stay too, as does anything the evaluator rejects.
func Fold(evaluate Evaluator, limit int64) Pass {
	return Pass{Name: "fold", Run: func(g *dag.Graph) {
		f := folder{evaluate: evaluate, limit: limit}
		fixpoint(g, f.visit)
	}}
}

type folder struct {
	evaluate Evaluator
	limit    int64
}

// foldable reports whether the result of n is the same everywhere. Bitcasts of
// floats are not folded, since backends keep narrow floats as f32.
func foldable(n *dag.Node) bool {
	if len(n.Blocks) > 0 || len(n.Inputs) == 0 || len(n.Outputs) != 1 {
		return false
	}
	switch {
	case n.Op.Family == op.Layout:
		return true
	case n.Op.Family == op.Elementwise, n.Op.Family == op.Reduction, n.Op.Custom != nil:
	default:
		return false
	}
	for _, v := range slices.Concat(n.Inputs, n.Outputs) {
		if v.Type.DType.IsFloat() && (!n.Op.Rounding.IsStated() || n.Op.Precision == op.Own) {
			return false
		}
	}
	return true
}

func (f *folder) visit(e *editor, n *dag.Node) []*dag.Value {
	if !foldable(n) {
		return nil
	}
	if v := f.uniform(e, n); v != nil {
		return one(v)
	}
	if !f.fits(n.Outputs[0].Type) {
		return nil
	}
	in := make([]tensor.Value, len(n.Inputs))
	for i, v := range n.Inputs {
		var ok bool
		if in[i], ok = f.value(v); !ok {
			return nil
		}
	}
	out, err := f.evaluate(n, in)
	if err != nil || len(out) != 1 {
		return nil
	}
	return one(constantOf(e, n, out[0]))
}

// uniform computes one element if every operand of an elementwise operation
// is a splat.
func (f *folder) uniform(e *editor, n *dag.Node) *dag.Value {
	if n.Op.Family != op.Elementwise {
		return nil
	}
	small := &dag.Node{Op: n.Op, Origin: n.Origin, Attrs: n.Attrs}
	in := make([]tensor.Value, len(n.Inputs))
	for i, v := range n.Inputs {
		made := made(v, id.Splat)
		if made == nil {
			return nil
		}
		t := tensor.Type{DType: v.Type.DType}
		source := &dag.Node{Op: made.Op, Origin: made.Origin, Attrs: op.Attrs{"type": t, "value": made.Attrs.Float("value")}}
		source.Outputs = []*dag.Value{{Type: t, Node: source}}
		out, err := f.evaluate(source, nil)
		if err != nil || len(out) != 1 {
			return nil
		}
		in[i] = out[0]
		small.Inputs = append(small.Inputs, source.Outputs[0])
	}
	small.Outputs = []*dag.Value{{Type: tensor.Type{DType: n.Outputs[0].Type.DType}, Node: small}}
	out, err := f.evaluate(small, in)
	if err != nil || len(out) != 1 || !n.Outputs[0].Type.Shape.IsStatic() {
		return nil
	}
	if out[0].Type.DType == dtype.Bool {
		return e.splat(n, float64(out[0].Bytes[0]))
	}
	if v, ok := oneValue(out[0]); ok {
		return e.splat(n, v)
	}
	return nil
}

// value returns a constant's elements.
func (f *folder) value(v *dag.Value) (tensor.Value, bool) {
	n := v.Node
	if n == nil || !f.fits(v.Type) {
		return tensor.Value{}, false
	}
	switch n.Op.Role {
	case op.Literal:
		return n.Attrs.Value("value"), n.Attrs.String("name") == ""
	case op.Uniform, op.Counts:
		out, err := f.evaluate(n, nil)
		if err != nil || len(out) != 1 {
			return tensor.Value{}, false
		}
		return out[0], true
	}
	return tensor.Value{}, false
}

func (f *folder) fits(t tensor.Type) bool {
	if !t.Shape.IsStatic() {
		return false
	}
	n, err := t.Bytes()
	return err == nil && n <= f.limit
}

// constantOf appends v as a constant, or as a splat if all elements are equal.
func constantOf(e *editor, n *dag.Node, v tensor.Value) *dag.Value {
	if x, ok := oneValue(v); ok {
		return e.splat(n, x)
	}
	return e.add("constant", n.Origin, op.Attrs{"value": v})
}
