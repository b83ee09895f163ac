package cpu

import (
	"slices"

	"github.com/skainet-dev/skainet-go/backend/cpu/gemm"
	"github.com/skainet-dev/skainet-go/backend/cpu/packed"
	"github.com/skainet-dev/skainet-go/compile/dag"
	"github.com/skainet-dev/skainet-go/compile/dag/analysis"
	"github.com/skainet-dev/skainet-go/compile/op"
	"github.com/skainet-dev/skainet-go/compile/op/id"
	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
)

// Stored returns the matrix of a parameter in its stored blocks, or nil, in which case
// the program reads its values.
type Stored func(scope, key string) (*packed.Matrix, error)

// readStored reads the parameters that want names and that may stay in their stored form.
func (x *executable) readStored(want func(paramID) bool) error {
	if x.options.Stored == nil {
		return nil
	}
	list, err := x.graph.Params()
	if err != nil {
		return err
	}
	weights := x.weights()
	for _, p := range list {
		id := paramID{p.Scope, p.Key}
		if !weights[id] || !want(id) {
			continue
		}
		m, err := x.options.Stored(p.Scope, p.Key)
		if err != nil {
			return errs.Wrap(CodeParameter, err, "cannot read parameter %q", p.Key).On(p.Scope)
		}
		if m == nil {
			continue
		}
		if rows, cols := m.Size(); !slices.Equal(sizesOf(p.Type), []int{rows, cols}) {
			return errs.New(CodeParameter, "parameter %q is stored as [%d, %d], but the graph needs %s", p.Key, rows, cols, p.Type).On(p.Scope)
		}
		x.stored[id] = m
		x.params[id] = array{p.Type, vec[float32]{}} // never read
	}
	return nil
}

// weights returns the parameters that are only used as right operands of linear
// layers. Those with a single row are excluded: their products are summed in another order.
func (x *executable) weights() map[paramID]bool {
	weights := map[paramID]bool{}
	other := map[paramID]bool{}
	for _, f := range x.graph.Funcs {
		analysis.Uses(f, func(v *dag.Value, by *dag.Node, i int) {
			if id, ok := parameterOf(v); ok {
				weights[id], other[id] = true, other[id] || by == nil || i != 1 || !isLinear(by)
			}
		})
	}
	for id := range other {
		if other[id] {
			delete(weights, id)
		}
	}
	return weights
}

func parameterOf(v *dag.Value) (paramID, bool) {
	if v.Node == nil || v.Node.Op.Role != op.Weight {
		return paramID{}, false
	}
	return paramID{v.Node.Attrs.String("scope"), v.Node.Attrs.String("key")}, true
}

// isLinear reports whether n multiplies x [..., cols] by the transpose of a matrix
// [rows, cols], all of f32.
func isLinear(n *dag.Node) bool {
	if n.Op.ID != id.DotGeneral {
		return false
	}
	x, w := n.Inputs[0].Type, n.Inputs[1].Type
	return x.DType == dtype.F32 && w.DType == dtype.F32 && n.Outputs[0].Type.DType == dtype.F32 &&
		w.Shape.Rank() == 2 && w.Shape[0].Size != 1 &&
		len(n.Attrs.Ints("rhs_batching")) == 0 && slices.Equal(n.Attrs.Ints("rhs_contracting"), []int64{1})
}

// linear is dotGeneral with a matrix in its stored form.
func linear(n *dag.Node, x array, m *packed.Matrix, out tensor.Type) array {
	a := sideOf(x, nil, n.Attrs.Ints("lhs_contracting"))
	rows, _ := m.Size()
	y := fresh[float32](a.rows.size * rows)
	if err := m.Multiply(gemm.Result{Data: y, Row: rows}, a.view(x.data.(vec[float32])), a.rows.size, parallel); err != nil {
		panic(err) // the shape rule has checked this
	}
	return array{out, y}
}
