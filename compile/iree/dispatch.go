package iree

import (
	"fmt"
	"strings"

	"github.com/skainet-dev/skainet-go/compile/hlo"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/shape"
)

// sizeOf is the size of a dimension of x, as kernels take it.
func sizeOf(p *hlo.Printer, x hlo.Value, dim int) hlo.Value {
	if n := x.Type.Shape[dim]; n.IsStatic() {
		return indexNumber(p, n.Size)
	}
	return p.Def(tensor.Type{}, "tensor.dim %s, %s : %s", x.Name, indexNumber(p, int64(dim)).Name, p.Type(x.Type))
}

// dispatch prints a call of a kernel with these sizes, with a result of type t, whose sizes
// are those of the dimensions of out; nil stands for the first of sizes in each dimension.
func dispatch(p *hlo.Printer, k kernel, t tensor.Type, out, sizes []hlo.Value, in ...hlo.Value) hlo.Value {
	types := make([]string, len(in))
	for i, v := range in {
		types[i] = sizedType(p, v.Type, func(dim int) hlo.Value { return sizeOf(p, v, dim) })
	}
	result := sizedType(p, t, func(dim int) hlo.Value {
		if out == nil {
			return sizes[0]
		}
		return out[dim]
	})
	grid := ""
	if len(sizes) > 0 {
		grid = "[" + hlo.Names(sizes) + "]"
	}
	for range sizes {
		types = append(types, "index")
	}
	s := hlo.Symbol(k.Symbol())
	return p.Def(t, "flow.dispatch %s::%s%s(%s) : (%s) -> %s", s, s, grid, hlo.Names(append(in, sizes...)), strings.Join(types, ", "), result)
}

// sizedType is a type followed by its dynamic sizes.
func sizedType(p *hlo.Printer, t tensor.Type, size func(dim int) hlo.Value) string {
	var sizes []hlo.Value
	for i, d := range t.Shape {
		if !d.IsStatic() {
			sizes = append(sizes, size(i))
		}
	}
	if len(sizes) == 0 {
		return p.Type(t)
	}
	return p.Type(t) + "{" + hlo.Names(sizes) + "}"
}

// indexNumber is a constant index operand of kernels.
func indexNumber(p *hlo.Printer, n int64) hlo.Value {
	return p.Once(fmt.Sprintf("index %d", n), func() hlo.Value {
		return p.Def(tensor.Type{}, "arith.constant %d : index", n)
	})
}

// multiplied is a size, dimension d of a tensor, times a number.
func multiplied(p *hlo.Printer, size hlo.Value, d shape.Dim, by int64) hlo.Value {
	switch {
	case d.IsStatic():
		return indexNumber(p, d.Size*by)
	case by == 1:
		return size
	}
	return p.Def(tensor.Type{}, "arith.muli %s, %s : index", size.Name, indexNumber(p, by).Name)
}

// asLies reshapes x for or from a kernel, which no copy may cost: where dimensions of size 1
// are added to dynamic ones, Reshape is a broadcast.
func asLies(p *hlo.Printer, x hlo.Value, t tensor.Type) hlo.Value {
	if t.Shape.IsStatic() || x.Type.Shape.Same(t.Shape) {
		return p.Reshape(x, t)
	}
	s := p.Sizes(t.Shape, hlo.Value{})
	return p.Def(t, "tensor.reshape %s(%s) : (%s) -> %s", x.Name, s.Name, p.Types([]hlo.Value{x, s}), p.Type(t))
}
