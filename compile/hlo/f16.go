package hlo

import (
	"math"
	"strconv"

	"github.com/skainet-dev/skainet-go/compile/dag"
	"github.com/skainet-dev/skainet-go/compile/op"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
)

// Of a processor without instructions for f16 the pinned compiler calls a conversion
// of its own for each number, which takes subnormal ones for 0 (IREE 3.13.0). With
// Options.IntegerF16 the text has f16 in the signatures of entry points alone: all
// other values of that type are i16, which are moved as they are and converted by
// their bits.

// takesF16 reports whether n computes nothing of numbers of f16, converts them by
// printer.convert or computes in f32 itself, as kernels and dot do. All others are made to
// compute in f32.
func takesF16(n *dag.Node) bool {
	return n.Op.Role != op.Computes || n.Op.Portable != nil || n.Op.Family == op.Convolution
}

// integerF16 gives g with its arithmetic of f16 in f32.
func integerF16(g *dag.Graph) (*dag.Graph, error) {
	return dag.Widen(g, dtype.F16, func(n *dag.Node) bool { return !takesF16(n) })
}

// byBits says whether values of the type are i16 in the text.
func (p *printer) byBits(d dtype.DType) bool { return p.integerF16 && d == dtype.F16 }

// signature spells the type of an argument or result of an entry point.
func (p *printer) signature(t tensor.Type) string {
	defer func(on bool) { p.integerF16 = on }(p.integerF16)
	p.integerF16 = false
	return p.typ(t)
}

// entering gives an argument of an entry point as the function has it.
func (p *printer) entering(v ssa) ssa {
	if !p.byBits(v.typ.DType) {
		return v
	}
	return p.def(v.typ, "stablehlo.bitcast_convert %s : (%s) -> %s", v.name, p.signature(v.typ), p.typ(v.typ))
}

// leaving gives a result of an entry point as its signature has it.
func (p *printer) leaving(v ssa) ssa {
	if !p.byBits(v.typ.DType) {
		return v
	}
	return p.def(v.typ, "stablehlo.bitcast_convert %s : (%s) -> %s", v.name, p.typ(v.typ), p.signature(v.typ))
}

// literal spells one element.
func (p *printer) literal(d dtype.DType, v float64) string {
	if p.byBits(d) {
		return strconv.Itoa(int(int16(tensor.F32ToF16(float32(v)))))
	}
	return splat(d, v)
}

// widenedF16 converts numbers of f16 to f32, exactly, as kernels do (kernels.Form).
func (p *printer) widenedF16(x ssa) ssa {
	whole := p.to(tensor.Type{DType: dtype.I32, Shape: x.typ.Shape}, "stablehlo.convert", "", ssa{x.name, tensor.Type{DType: dtype.I16, Shape: x.typ.Shape}})
	number := p.shift("left", p.bits("and", whole, 0x7FFF), 13)
	const rebias = (127 - 15) << 23
	normal := p.as(p.bits("add", number, rebias), dtype.F32)
	subnormal := p.as(p.bits("add", number, rebias+1<<23), dtype.F32)
	subnormal = p.same("stablehlo.subtract", subnormal, p.number(subnormal, 0x1p-14))
	finite := p.as(p.choose(p.compare("LT", subnormal, normal), subnormal, normal), dtype.I32)
	beyond := p.compare("GE", number, p.number(number, 0x7C00<<13))
	magnitude := p.same("stablehlo.add", finite, p.choose(beyond, p.number(number, rebias), p.number(number, 0)))
	return p.as(p.same("stablehlo.or", magnitude, p.bits("and", whole, math.MinInt32)), dtype.F32)
}

// roundedF16 converts numbers of f32 to f16, to the nearest even. NaNs become quiet
// and keep their first digits.
func (p *printer) roundedF16(x ssa) ssa {
	whole := p.as(x, dtype.I32)
	sign := p.bits("and", p.shift("right_logical", whole, 16), 0x8000)
	number := p.bits("and", whole, math.MaxInt32)
	const rebias = (127 - 15) << 23
	odd := p.bits("and", p.shift("right_logical", number, 13), 1)
	normal := p.shift("right_logical", p.same("stablehlo.add", p.bits("add", number, 0xFFF-rebias), odd), 13)
	// Where 0.5 is added, a step is the least subnormal number.
	half := p.as(number, dtype.F32)
	half = p.same("stablehlo.add", half, p.number(half, 0.5))
	subnormal := p.bits("subtract", p.as(half, dtype.I32), 0x3F000000)
	nan := p.bits("or", p.bits("and", p.shift("right_logical", number, 13), 0x1FF), 0x7E00)
	beyond := p.choose(p.compare("GT", number, p.number(number, 0xFF<<23)), nan, p.number(number, 0x7C00))
	y := p.choose(p.compare("LT", number, p.number(number, rebias+1<<23)), subnormal, normal)
	y = p.choose(p.compare("GE", number, p.number(number, (127+16)<<23)), beyond, y)
	y = p.convert(p.same("stablehlo.or", y, sign), dtype.I16)
	return ssa{y.name, tensor.Type{DType: dtype.F16, Shape: x.typ.Shape}}
}

// bits prints an operation of x and a number.
func (p *printer) bits(name string, x ssa, n int32) ssa {
	return p.same("stablehlo."+name, x, p.number(x, float64(n)))
}

func (p *printer) shift(name string, x ssa, n int32) ssa { return p.bits("shift_"+name, x, n) }
