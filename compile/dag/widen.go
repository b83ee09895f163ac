package dag

import (
	"github.com/skainet-dev/skainet-go/compile/op"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
)

// Widen returns g with the operations that have operands or results of type d,
// and that which selects, computed in f32: operands are converted before the operation,
// and results back after it, so all other values keep their types. g is not
// changed; both share constants.
func Widen(g *Graph, d dtype.DType, which func(n *Node) bool) (*Graph, error) {
	return rebuild(g, &rewriter{which: func(*Node) bool { return false }, replace: func(p *rewriter, to *Block, n *Node) (bool, error) {
		if !n.has(d) || !which(n) {
			return false, nil
		}
		in := p.all(n.Inputs)
		for i, v := range in {
			if v.Type.DType == d {
				wide, err := to.widened(n.Inner("convert"), v)
				if err != nil {
					return false, err
				}
				in[i] = wide.Outputs[0]
			}
		}
		made, err := to.AddAt(n.Origin, n.Op.Name, n.Attrs, in...)
		if err != nil {
			return false, err
		}
		for i, v := range n.Outputs {
			p.values[v] = made.Outputs[i]
			if v.Type.DType == d && made.Outputs[i].Type.DType != d {
				narrow, err := to.AddAt(n.Inner("convert"), "convert", op.Attrs{"dtype": d}, made.Outputs[i])
				if err != nil {
					return false, err
				}
				p.values[v] = narrow.Outputs[0]
			}
		}
		return true, nil
	}})
}

// widened appends v in f32: for a splat another splat, of v's rounded value.
func (b *Block) widened(o Origin, v *Value) (*Node, error) {
	number := make([]float32, 1)
	if d := v.Type.DType; isSplat(v) {
		number[0] = float32(v.Node.Attrs.Float("value"))
		bytes := make([]byte, d.Bytes(1))
		if _, err := tensor.PutFloat32s(d, bytes, number); err != nil {
			return nil, err
		}
		if err := tensor.Float32s(d, number, bytes); err != nil {
			return nil, err
		}
		t := tensor.Type{DType: dtype.F32, Shape: v.Type.Shape}
		return b.AddAt(o, "splat", op.Attrs{"type": t, "value": float64(number[0])})
	}
	return b.AddAt(o, "convert", op.Attrs{"dtype": dtype.F32}, v)
}

// has reports whether an operand or a result of n has type d.
func (n *Node) has(d dtype.DType) bool {
	for _, vs := range [][]*Value{n.Inputs, n.Outputs} {
		for _, v := range vs {
			if v.Type.DType == d {
				return true
			}
		}
	}
	return false
}

// Holds reports whether any value or state variable of g has type d.
func (g *Graph) Holds(d dtype.DType) bool {
	found := false
	for _, s := range g.States {
		found = found || s.Type.DType == d
	}
	args := func(b *Block) {
		for _, v := range b.Args {
			found = found || v.Type.DType == d
		}
	}
	for _, f := range g.Funcs {
		args(f.Body)
		f.Body.Walk(func(n *Node) {
			found = found || n.has(d)
			for _, b := range n.Blocks {
				args(b)
			}
		})
	}
	return found
}
