package iree

import (
	"github.com/skainet-dev/skainet-go/compile/dag"
	"github.com/skainet-dev/skainet-go/compile/hlo"
	"github.com/skainet-dev/skainet-go/compile/iree/kernels"
	"github.com/skainet-dev/skainet-go/compile/op"
	"github.com/skainet-dev/skainet-go/compile/op/id"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
	"github.com/skainet-dev/skainet-go/tensor/shape"
)

// quantized is f32 as u8 with a scale that follows from the extremes of its elements: those
// are in memory, so that no other dispatch could quantise them as it makes them. It is written
// out: x/scale, 0 if that is a NaN, rounded, plus the zero point, limited to 0 and 255.
func quantized(n *dag.Node) (call, bool) {
	count, one := n.Inputs[0].Type.Shape.Product(), shape.N(1)
	if n.Inputs[0].Type.DType != dtype.F32 || n.Outputs[0].Type.DType != dtype.U8 || count.IsStatic() && count.Size < manyElements {
		return call{}, false
	}
	c := chain{at: n.Inputs[0]}
	c.step(id.Minimum, func(other *dag.Value) bool { return isAll(other, 255) })
	c.step(id.Maximum, func(other *dag.Value) bool { return isAll(other, 0) })
	var point, scale *dag.Value
	c.step(id.Add, func(other *dag.Value) bool { point = repeated(other); return true })
	c.step(id.Round, nil)
	c.number()
	c.step(id.Divide, func(other *dag.Value) bool { scale = repeated(other); return true })
	if c.failed || point.Type.Shape.Product() != one || scale.Type.Shape.Product() != one || !followsFrom(scale, c.at, 8) {
		return call{}, false
	}
	made := point.Node
	if made == nil || made.Op.ID != id.Convert || made.Inputs[0].Type.DType != dtype.U8 {
		return call{}, false
	}
	x := c.at
	k := kernels.Quantize{}
	return call{kernel: k, along: c.along, print: func(p *hlo.Printer, n *dag.Node) {
		in := p.Reshape(p.Value(x), tensor.Type{DType: dtype.F32, Shape: shape.Shape{count}})
		by := p.Reshape(p.Value(scale), tensor.TypeOf(dtype.F32, 1))
		from := p.Reshape(p.Convert(p.Value(made.Inputs[0]), dtype.I32), tensor.TypeOf(dtype.I32, 1))
		y := dispatch(p, k, tensor.Type{DType: dtype.I8, Shape: shape.Shape{count}}, nil, []hlo.Value{sizeOf(p, in, 0)}, in, by, from)
		p.Bind(n, p.Reshape(p.Bitcast(y, dtype.U8), n.Outputs[0].Type))
	}}, true
}

// followsFrom reports whether v is computed, in so many steps, from the least element of x.
func followsFrom(v, x *dag.Value, steps int) bool {
	n := v.Node
	if n == nil || steps == 0 {
		return false
	}
	if n.Op.ID == id.ReduceMin && n.Inputs[0] == x {
		return true
	}
	for _, in := range n.Inputs {
		if followsFrom(in, x, steps-1) {
			return true
		}
	}
	return false
}

// chain is a list of nodes, each of which is made of the result of the next.
type chain struct {
	at     *dag.Value // which the last of them is made of
	along  []*dag.Node
	failed bool
}

// step goes on to the first operand of a node of an operation, whose other operand, if it has
// one, is right.
func (c *chain) step(o id.ID, right func(other *dag.Value) bool) {
	n := c.at.Node
	if c.failed || n == nil || n.Op.ID != o || right != nil && !right(n.Inputs[1]) {
		c.failed = true
		return
	}
	c.along, c.at = append(c.along, n), n.Inputs[0]
}

// number goes on to what is a value where that is a number, and 0 elsewhere.
func (c *chain) number() {
	n := c.at.Node
	if c.failed || n == nil || n.Op.ID != id.Select || !isAll(n.Inputs[2], 0) {
		c.failed = true
		return
	}
	v, equal := n.Inputs[1], n.Inputs[0].Node
	if equal == nil || equal.Op.ID != id.Compare || equal.Attrs.String("direction") != op.EQ || equal.Inputs[0] != v || equal.Inputs[1] != v {
		c.failed = true
		return
	}
	c.along, c.at = append(c.along, n, equal), v
}

// isAll reports whether all elements of v are a number.
func isAll(v *dag.Value, number float64) bool {
	r := hlo.Interval(v, 4)
	return r.Low == number && r.High == number && !r.NaN
}

// repeated is what v repeats the elements of, or v.
func repeated(v *dag.Value) *dag.Value {
	for v.Node != nil && v.Node.Op.ID == id.BroadcastInDim {
		v = v.Node.Inputs[0]
	}
	return v
}
