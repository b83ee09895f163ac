package iree

import (
	"slices"

	"github.com/skainet-dev/skainet-go/compile/dag"
	"github.com/skainet-dev/skainet-go/compile/hlo"
	"github.com/skainet-dev/skainet-go/compile/iree/kernels"
	"github.com/skainet-dev/skainet-go/compile/op"
	"github.com/skainet-dev/skainet-go/compile/op/id"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
	"github.com/skainet-dev/skainet-go/tensor/shape"
)

// attended is the attention of an encoder, written out: the product with the values, whose
// other operand are the softmax of the scaled and masked products of queries and keys.
type attended struct {
	kernels.AttentionWhole
	scores *dag.Node  // the product of queries and keys
	mask   *dag.Value // of as many elements as there are keys, for each example; or nil
	along  []*dag.Node
}

// attendedBy returns the attention that ends with a product.
func attendedBy(n *dag.Node) (attended, bool) {
	a := attended{AttentionWhole: kernels.AttentionWhole{Scale: 1}}
	if !isBatched(n) {
		return a, false
	}
	softmax := a.before(n.Inputs[0])
	if softmax == nil || softmax.Op.ID != id.Softmax {
		return a, false
	}
	t := softmax.Inputs[0].Type.Shape
	if softmax.Attrs.Int("dim") != int64(t.Rank()-1) {
		return a, false
	}
	a.along = append(a.along, softmax)
	next := a.before(softmax.Inputs[0])
	if next != nil && next.Op.Terms == op.Addends && next.Op.Algebra&op.Commutative != 0 {
		i := 0
		if m, ok := maskOf(next.Inputs[0]); ok {
			a.mask, i = m, 1
		} else if m, ok := maskOf(next.Inputs[1]); ok {
			a.mask = m
		} else {
			return a, false
		}
		a.Masked, a.along = true, append(a.along, next)
		next = a.before(next.Inputs[i])
	}
	if next != nil && next.Op.Family == op.Elementwise && len(next.Inputs) == 2 && (next.Op.Terms == op.Products || next.Op.Terms == op.Quotients) {
		r := hlo.Interval(next.Inputs[1], 4)
		if r.Low != r.High || r.NaN || r.Low == 0 {
			return a, false
		}
		if a.Scale = r.Low; next.Op.Terms == op.Quotients {
			a.Scale = 1 / r.Low
		}
		a.along = append(a.along, next)
		next = a.before(next.Inputs[0])
	}
	if next == nil || !isBatched(next) {
		return a, false
	}
	a.scores, a.along = next, append(a.along, next)
	s, out := next.Outputs[0].Type.Shape, n.Outputs[0].Type.Shape
	last := s.Rank() - 1
	a.Depth = out[last].Size
	k := next.Inputs[0].Type.Shape[last]
	return a, slices.Equal(s[:last], out[:last]) && t[t.Rank()-1] == s[last] && k == out[last] && a.Supported() &&
		(a.mask == nil || last == 3 && (s[0] == a.mask.Type.Shape[0] && s[last] == a.mask.Type.Shape[last]))
}

// before returns the node that makes a value of f32, behind others that only name its
// elements anew.
func (a *attended) before(v *dag.Value) *dag.Node {
	last := v.Type.Shape[v.Type.Shape.Rank()-1]
	for n := v.Node; n != nil && v.Type.DType == dtype.F32; n = n.Inputs[0].Node {
		if n.Op.Memory != op.Same {
			return n
		}
		s := n.Inputs[0].Type.Shape
		if s.Rank() == 0 || s[s.Rank()-1] != last {
			return nil
		}
		a.along = append(a.along, n)
	}
	return nil
}

// maskOf returns the value [B, 1, 1, T] that v repeats for each head and query.
func maskOf(v *dag.Value) (*dag.Value, bool) {
	n := v.Node
	if n == nil || n.Op.ID != id.BroadcastInDim || !slices.Equal(n.Attrs.Ints("dims"), []int64{0, 1, 2, 3}) {
		return nil, false
	}
	s := n.Inputs[0].Type.Shape
	return n.Inputs[0], v.Type.Shape.Rank() == 4 && s[1] == shape.N(1) && s[2] == shape.N(1)
}

// print prints the call for the product n with the values.
func (a attended) print(p *hlo.Printer, n *dag.Node) {
	q, k, v := p.In(a.scores, 0), p.In(a.scores, 1), p.In(n, 1)
	out := n.Outputs[0].Type
	last := out.Shape.Rank() - 1
	of := func(x hlo.Value) hlo.Value {
		s := x.Type.Shape
		return p.Reshape(x, tensor.Type{DType: dtype.F32, Shape: shape.Shape{s[:last-1].Product(), s[last-1], s[last]}})
	}
	heads := indexNumber(p, 1)
	if a.mask != nil {
		heads = sizeOf(p, q, 1)
	}
	in := []hlo.Value{of(q), of(k), of(v)}
	z, m, t := sizeOf(p, in[0], 0), sizeOf(p, in[0], 1), sizeOf(p, in[1], 2)
	if a.mask != nil {
		s := a.mask.Type.Shape
		in = append(in, p.Reshape(p.Value(a.mask), tensor.Type{DType: dtype.F32, Shape: shape.Shape{s[0], s[3]}}))
	}
	y := dispatch(p, a.AttentionWhole, tensor.Type{DType: dtype.F32, Shape: shape.Shape{out.Shape[:last-1].Product(), out.Shape[last-1], out.Shape[last]}},
		[]hlo.Value{z, m}, []hlo.Value{z, m, t, heads}, in...)
	p.Bind(n, p.Reshape(y, out))
}

// within returns the call for a product that ends an attention, and what is computed along the
// way, if nothing else reads that.
func within(n *dag.Node, uses map[*dag.Value]int, blocks map[*dag.Node]*dag.Block) (attended, bool) {
	a, ok := attendedBy(n)
	for _, of := range a.along {
		ok = ok && uses[of.Outputs[0]] == 1 && blocks[of] == blocks[n]
	}
	return a, ok
}
