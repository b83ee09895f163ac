package hlo

import (
	"math"
	"slices"

	"github.com/skainet-dev/skainet-go/compile/dag"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
	"github.com/skainet-dev/skainet-go/tensor/shape"
)

var reductionLowerings = map[string]lowering{
	"reduce_sum": func(p *printer, n *dag.Node) {
		x := p.in(n, 0)
		wide := p.convert(x, f32(x.typ).DType) // narrow floats are summed in f32
		p.keep(n, p.convert(p.reduce(wide, "add", 0, n.Attrs.Ints("dims")), x.typ.DType))
	},
	"reduce_prod": func(p *printer, n *dag.Node) {
		x := p.in(n, 0)
		wide := p.convert(x, f32(x.typ).DType)
		p.keep(n, p.convert(p.reduce(wide, "multiply", 1, n.Attrs.Ints("dims")), x.typ.DType))
	},
	"reduce_max": func(p *printer, n *dag.Node) {
		x := p.in(n, 0)
		p.keep(n, p.reduce(x, "maximum", least(x.typ.DType), n.Attrs.Ints("dims")))
	},
	"reduce_min": func(p *printer, n *dag.Node) {
		x := p.in(n, 0)
		p.keep(n, p.reduce(x, "minimum", greatest(x.typ.DType), n.Attrs.Ints("dims")))
	},
	// A reduction over values and their indices at once: keeps the larger value,
	// and of equal ones the smaller index, so that the order of the reduction
	// does not matter. A NaN beats every number.
	"argmax": func(p *printer, n *dag.Node) {
		dim, t := n.Attrs.Int("dim"), n.Outputs[0].Type
		x := p.ahead(p.in(n, 0), []int64{dim})
		it := tensor.Type{DType: dtype.I32, Shape: x.typ.Shape}
		index := p.barrier(p.count(it, dim, x))
		low := p.splat(scalar(x.typ), least(x.typ.DType))
		zero := p.splat(scalar(it), math.MaxInt32)
		vt, st, si := without(x.typ, dim), p.typ(scalar(x.typ)), p.typ(scalar(it))
		v := p.fresh(t)
		p.line("%s:2 = stablehlo.reduce(%s init: %s), (%s init: %s) across dimensions = [%d] : (%s, %s, %s, %s) -> (%s, %s)",
			v.name, x.name, low.name, index.name, zero.name, dim, p.typ(x.typ), p.typ(it), st, si, p.typ(vt), p.typ(t))
		p.line(" reducer(%%a.: %s, %%c.: %s) (%%i.: %s, %%j.: %s) {", st, st, si, si)
		p.indent++
		b := tensor.TypeOf(dtype.Bool)
		a, c := ssa{"%a.", scalar(x.typ)}, ssa{"%c.", scalar(x.typ)}
		i, j := ssa{"%i.", scalar(it)}, ssa{"%j.", scalar(it)}
		cmp := func(dir string, l, r ssa) ssa {
			return p.def(b, "stablehlo.compare %s, %s, %s, %s : (%s) -> %s", dir, l.name, r.name, comparison(l.typ.DType), p.typesOf([]ssa{l, r}), p.typ(b))
		}
		larger, equal := cmp("GT", a, c), cmp("EQ", a, c)
		if x.typ.DType.IsFloat() {
			aNaN, cNaN := cmp("NE", a, a), cmp("NE", c, c)
			larger = p.same("stablehlo.or", larger, p.same("stablehlo.and", aNaN, p.same("stablehlo.not", cNaN)))
			equal = p.same("stablehlo.or", equal, p.same("stablehlo.and", aNaN, cNaN))
		}
		first := p.same("stablehlo.or", larger, p.same("stablehlo.and", equal, cmp("LT", i, j)))
		value := p.def(a.typ, "stablehlo.select %s : %s, %s", names([]ssa{first, a, c}), p.typ(b), st)
		which := p.def(i.typ, "stablehlo.select %s : %s, %s", names([]ssa{first, i, j}), p.typ(b), si)
		p.line("stablehlo.return %s : %s", names([]ssa{value, which}), p.typesOf([]ssa{value, which}))
		p.indent--
		p.line("}")
		p.bind(n, p.reduced(ssa{v.name + "#1", t}))
	},
}

// reduce prints the short form over one StableHLO operation.
func (p *printer) reduce(x ssa, name string, init float64, dims []int64) ssa {
	set := map[int64]bool{}
	for _, d := range dims {
		set[d] = true
	}
	t := tensor.Type{DType: x.typ.DType}
	for i, d := range x.typ.Shape {
		if !set[int64(i)] {
			t.Shape = append(t.Shape, d)
		}
	}
	d := t.DType
	if empty := slices.ContainsFunc(x.typ.Shape, func(d shape.Dim) bool { return d.Size == 0 }); empty {
		// Of nothing the compiler makes a constant with sizes of the operand: see
		// signless. Only the bits of init matter.
		if x = p.signless(x); x.typ.DType != d && init == greatest(d) {
			init = -1
		}
		t.DType = x.typ.DType
	}
	x = p.ahead(x, dims)
	z := p.splat(scalar(x.typ), init)
	v := p.reduced(p.def(t, "stablehlo.reduce(%s init: %s) applies stablehlo.%s across dimensions = %s : (%s) -> %s",
		x.name, z.name, name, ints(dims), p.typesOf([]ssa{x, z}), p.typ(t)))
	return p.as(v, d)
}

// ahead keeps what a reduction over other dimensions than the last ones reads apart
// from what makes it, unless the text is for processors. For SPIR-V the pinned
// compiler lets such a reduction write what others read of that as well, which
// gives wrong numbers, no diagnostic; and of dynamic sizes it makes no SPIR-V (IREE
// 3.13.0).
func (p *printer) ahead(x ssa, dims []int64) ssa {
	for i, d := range x.typ.Shape {
		if !p.fused && d.Size != 1 && !slices.Contains(dims, int64(i)) && slices.ContainsFunc(dims, func(r int64) bool { return r < int64(i) }) {
			return p.barrier(x)
		}
	}
	return x
}

// reduced keeps the value of a reduction apart from what uses it, unless the
// text is for processors. For SPIR-V the pinned compiler passes the value of a
// fused reduction through workgroup memory without a barrier (IREE 3.13.0), and
// invocations of another subgroup read it too early: wrong numbers, no
// diagnostic. Processors compute the fused form faster, and rightly.
func (p *printer) reduced(v ssa) ssa {
	if p.fused {
		return v
	}
	return p.barrier(v)
}

// keep binds a reduction's value, with reduced dimensions of size 1 if wanted.
func (p *printer) keep(n *dag.Node, v ssa) {
	t := n.Outputs[0].Type
	switch {
	case t.Shape.Equal(v.typ.Shape):
	case t.Shape.IsStatic():
		v = p.to(t, "stablehlo.reshape", "", v)
	default: // a dimension without a name is the operand's
		v = p.broadcast(v, t, others(t, n.Attrs.Ints("dims")), p.in(n, 0))
	}
	p.bind(n, v)
}

// others lists the dimensions of t that are not in dims.
func others(t tensor.Type, dims []int64) []int64 {
	var out []int64
	for i := range t.Shape {
		if !slices.Contains(dims, int64(i)) {
			out = append(out, int64(i))
		}
	}
	return out
}

func least(d dtype.DType) float64 {
	switch {
	case d.IsFloat():
		return math.Inf(-1)
	case d.IsUnsigned():
		return 0
	}
	return -math.Ldexp(1, d.Bits()-1)
}

func greatest(d dtype.DType) float64 {
	switch {
	case d.IsFloat():
		return math.Inf(1)
	case d.IsUnsigned():
		return math.Ldexp(1, d.Bits()) - 1
	}
	return math.Ldexp(1, d.Bits()-1) - 1
}
