package hlo

import (
	"math"
	"slices"

	"github.com/skainet-dev/skainet-go/compile/dag"
	"github.com/skainet-dev/skainet-go/compile/op/id"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
)

var reductionLowerings = map[id.ID]Lowering{
	id.ReduceSum: func(p *Printer, n *dag.Node) {
		x := p.In(n, 0)
		wide := p.Convert(x, Wide(x.Type).DType) // narrow floats are summed in f32
		p.keep(n, p.Convert(p.Reduce(wide, "add", 0, n.Attrs.Ints("dims")), x.Type.DType))
	},
	id.ReduceProd: func(p *Printer, n *dag.Node) {
		x := p.In(n, 0)
		wide := p.Convert(x, Wide(x.Type).DType)
		p.keep(n, p.Convert(p.Reduce(wide, "multiply", 1, n.Attrs.Ints("dims")), x.Type.DType))
	},
	id.ReduceMax: func(p *Printer, n *dag.Node) {
		x := p.In(n, 0)
		p.keep(n, p.Reduce(x, "maximum", Least(x.Type.DType), n.Attrs.Ints("dims")))
	},
	id.ReduceMin: func(p *Printer, n *dag.Node) {
		x := p.In(n, 0)
		p.keep(n, p.Reduce(x, "minimum", Greatest(x.Type.DType), n.Attrs.Ints("dims")))
	},
	id.Argmax: func(p *Printer, n *dag.Node) {
		p.Bind(n, p.form.Argmax(p, p.In(n, 0), n.Attrs.Int("dim"), n.Outputs[0].Type))
	},
}

// plainArgmax reduces values and their indices together: it keeps the larger
// value, and of equal ones the smaller index, so that the order of the reduction
// does not matter. NaN is greater than every number.
func plainArgmax(p *Printer, x Value, dim int64, t tensor.Type) Value {
	it := tensor.Type{DType: dtype.I32, Shape: x.Type.Shape}
	index := p.Places(p.Iota(it, dim, x))
	low := p.Splat(Scalar(x.Type), Least(x.Type.DType))
	zero := p.Splat(Scalar(it), math.MaxInt32)
	vt, st, si := Without(x.Type, dim), p.Type(Scalar(x.Type)), p.Type(Scalar(it))
	v := p.Fresh(t)
	p.Line("%s:2 = stablehlo.reduce(%s init: %s), (%s init: %s) across dimensions = [%d] : (%s, %s, %s, %s) -> (%s, %s)",
		v.Name, x.Name, low.Name, index.Name, zero.Name, dim, p.Type(x.Type), p.Type(it), st, si, p.Type(vt), p.Type(t))
	p.Line(" reducer(%%a.: %s, %%c.: %s) (%%i.: %s, %%j.: %s) {", st, st, si, si)
	p.indent++
	a, c := Value{"%a.", Scalar(x.Type)}, Value{"%c.", Scalar(x.Type)}
	i, j := Value{"%i.", Scalar(it)}, Value{"%j.", Scalar(it)}
	larger, equal := p.Compare("GT", a, c), p.Compare("EQ", a, c)
	if x.Type.DType.IsFloat() {
		aNaN, cNaN := p.Compare("NE", a, a), p.Compare("NE", c, c)
		larger = p.Same("stablehlo.or", larger, p.Same("stablehlo.and", aNaN, p.Same("stablehlo.not", cNaN)))
		equal = p.Same("stablehlo.or", equal, p.Same("stablehlo.and", aNaN, cNaN))
	}
	first := p.Same("stablehlo.or", larger, p.Same("stablehlo.and", equal, p.Compare("LT", i, j)))
	value, which := p.Select(first, a, c), p.Select(first, i, j)
	p.Line("stablehlo.return %s : %s", Names([]Value{value, which}), p.Types([]Value{value, which}))
	p.indent--
	p.Line("}")
	return Value{v.Name + "#1", t}
}

// plainReduce prints the short form with one StableHLO operation.
func plainReduce(p *Printer, x Value, name string, init float64, dims []int64) Value {
	t := tensor.Type{DType: x.Type.DType}
	for _, d := range Others(x.Type, dims) {
		t.Shape = append(t.Shape, x.Type.Shape[d])
	}
	z := p.Splat(Scalar(x.Type), init)
	return p.Def(t, "stablehlo.reduce(%s init: %s) applies stablehlo.%s across dimensions = %s : (%s) -> %s",
		x.Name, z.Name, name, Ints(dims), p.Types([]Value{x, z}), p.Type(t))
}

// keep binds a reduction's value, with reduced dimensions of size 1 if keepdims is set.
func (p *Printer) keep(n *dag.Node, v Value) {
	t := n.Outputs[0].Type
	switch {
	case t.Shape.Equal(v.Type.Shape):
	case t.Shape.IsStatic():
		v = p.To(t, "stablehlo.reshape", "", v)
	default: // a dimension without a name is the operand's
		v = p.Broadcast(v, t, Others(t, n.Attrs.Ints("dims")), p.In(n, 0))
	}
	p.Bind(n, v)
}

// Others returns the dimensions of t that are not in dims.
func Others(t tensor.Type, dims []int64) []int64 {
	var out []int64
	for i := range t.Shape {
		if !slices.Contains(dims, int64(i)) {
			out = append(out, int64(i))
		}
	}
	return out
}

// Least returns the least value of an element type.
func Least(d dtype.DType) float64 {
	switch {
	case d.IsFloat():
		return math.Inf(-1)
	case d.IsUnsigned():
		return 0
	}
	return -math.Ldexp(1, d.Bits()-1)
}

// Greatest returns the greatest value of an element type.
func Greatest(d dtype.DType) float64 {
	switch {
	case d.IsFloat():
		return math.Inf(1)
	case d.IsUnsigned():
		return math.Ldexp(1, d.Bits()) - 1
	}
	return math.Ldexp(1, d.Bits()-1) - 1
}
