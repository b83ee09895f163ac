package iree

import (
	"math"
	"strconv"

	"github.com/skainet-dev/skainet-go/compile/dag"
	"github.com/skainet-dev/skainet-go/compile/hlo"
	"github.com/skainet-dev/skainet-go/compile/op"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
)

// The text has f16 only in the signatures of entry points: all other values of that
// type are i16, which are moved as they are and converted with bit operations.

var halfRows = []Rewrite{{
	ID:      "f16-by-integers",
	Symptom: "For a processor without instructions for f16 each conversion is a call of a function, which rounds subnormal numbers wrongly.",
	Instead: "conversions by integer operations on the bits, and arithmetic in f32",
	Targets: "cpu without f16", First: "3.13.0", Last: "3.13.0", Text: NoF16Text, Shown: WrongNumbers,
	install: integerF16,
}}

// takesF16 reports whether n does no arithmetic on f16, converts with Printer.Convert, or
// computes in f32 itself, as kernels and Dot do. All other nodes are made to compute in f32.
func takesF16(n *dag.Node) bool {
	return n.Op.Role != op.Computes || n.Op.Portable != nil || n.Op.Family == op.Convolution
}

func integerF16(t *target) {
	t.Passes = append(t.Passes, func(g *dag.Graph) (*dag.Graph, error) {
		if !g.Holds(dtype.F16) {
			return g, nil
		}
		return dag.Widen(g, dtype.F16, func(n *dag.Node) bool { return !takesF16(n) })
	})
	element, literal := t.Element, t.Literal
	inside := func(d dtype.DType) dtype.DType {
		if d == dtype.F16 {
			return dtype.I16
		}
		return element(d)
	}
	t.Element = inside
	t.Literal = func(d dtype.DType, v float64) string {
		if d == dtype.F16 {
			return strconv.Itoa(int(int16(tensor.F32ToF16(float32(v)))))
		}
		return literal(d, v)
	}
	t.Signature = func(p *hlo.Printer, typ tensor.Type) string {
		t.Element = element
		defer func() { t.Element = inside }()
		return p.Type(typ)
	}
	t.Entering = func(p *hlo.Printer, v hlo.Value) hlo.Value {
		if v.Type.DType != dtype.F16 {
			return v
		}
		return p.Def(v.Type, "stablehlo.bitcast_convert %s : (%s) -> %s", v.Name, t.Signature(p, v.Type), p.Type(v.Type))
	}
	t.Leaving = func(p *hlo.Printer, v hlo.Value) hlo.Value {
		if v.Type.DType != dtype.F16 {
			return v
		}
		return p.Def(v.Type, "stablehlo.bitcast_convert %s : (%s) -> %s", v.Name, p.Type(v.Type), t.Signature(p, v.Type))
	}
	convert, iota, dot := t.Convert, t.Iota, t.Dot
	t.Convert = func(p *hlo.Printer, x hlo.Value, d dtype.DType) hlo.Value {
		switch {
		case x.Type.DType == dtype.F16:
			return p.Convert(widenedF16(p, x), d)
		case d == dtype.F16:
			return roundedF16(p, p.Convert(x, dtype.F32))
		}
		return convert(p, x, d)
	}
	t.Iota = func(p *hlo.Printer, typ tensor.Type, dim int64, like hlo.Value) hlo.Value {
		if typ.DType == dtype.F16 {
			return roundedF16(p, p.Iota(tensor.Type{DType: dtype.F32, Shape: typ.Shape}, dim, like))
		}
		return iota(p, typ, dim, like)
	}
	t.Dot = func(p *hlo.Printer, lhs, rhs hlo.Value, d hlo.DotDims, typ tensor.Type) hlo.Value {
		if typ.DType == dtype.F32 {
			lhs, rhs = p.Convert(lhs, typ.DType), p.Convert(rhs, typ.DType)
		}
		return dot(p, lhs, rhs, d, typ)
	}
}

// widenedF16 converts f16 to f32, exactly, as kernels do (kernels.Form).
func widenedF16(p *hlo.Printer, x hlo.Value) hlo.Value {
	whole := p.To(tensor.Type{DType: dtype.I32, Shape: x.Type.Shape}, "stablehlo.convert", "", hlo.Value{Name: x.Name, Type: tensor.Type{DType: dtype.I16, Shape: x.Type.Shape}})
	number := shiftBy(p, "left", bitsWith(p, "and", whole, 0x7FFF), 13)
	const rebias = (127 - 15) << 23
	normal := p.Bitcast(bitsWith(p, "add", number, rebias), dtype.F32)
	subnormal := p.Bitcast(bitsWith(p, "add", number, rebias+1<<23), dtype.F32)
	subnormal = p.Same("stablehlo.subtract", subnormal, p.Number(subnormal, 0x1p-14))
	finite := p.Bitcast(p.Select(p.Compare("LT", subnormal, normal), subnormal, normal), dtype.I32)
	beyond := p.Compare("GE", number, p.Number(number, 0x7C00<<13))
	magnitude := p.Same("stablehlo.add", finite, p.Select(beyond, p.Number(number, rebias), p.Number(number, 0)))
	return p.Bitcast(p.Same("stablehlo.or", magnitude, bitsWith(p, "and", whole, math.MinInt32)), dtype.F32)
}

// roundedF16 converts f32 to f16, rounding half to even. NaNs become quiet and keep
// the high bits of their payload.
func roundedF16(p *hlo.Printer, x hlo.Value) hlo.Value {
	whole := p.Bitcast(x, dtype.I32)
	sign := bitsWith(p, "and", shiftBy(p, "right_logical", whole, 16), 0x8000)
	number := bitsWith(p, "and", whole, math.MaxInt32)
	const rebias = (127 - 15) << 23
	odd := bitsWith(p, "and", shiftBy(p, "right_logical", number, 13), 1)
	normal := shiftBy(p, "right_logical", p.Same("stablehlo.add", bitsWith(p, "add", number, 0xFFF-rebias), odd), 13)
	// After 0.5 is added, the spacing of floats is the smallest subnormal.
	half := p.Bitcast(number, dtype.F32)
	half = p.Same("stablehlo.add", half, p.Number(half, 0.5))
	subnormal := bitsWith(p, "subtract", p.Bitcast(half, dtype.I32), 0x3F000000)
	nan := bitsWith(p, "or", bitsWith(p, "and", shiftBy(p, "right_logical", number, 13), 0x1FF), 0x7E00)
	beyond := p.Select(p.Compare("GT", number, p.Number(number, 0xFF<<23)), nan, p.Number(number, 0x7C00))
	y := p.Select(p.Compare("LT", number, p.Number(number, rebias+1<<23)), subnormal, normal)
	y = p.Select(p.Compare("GE", number, p.Number(number, (127+16)<<23)), beyond, y)
	y = p.Convert(p.Same("stablehlo.or", y, sign), dtype.I16)
	return hlo.Value{Name: y.Name, Type: tensor.Type{DType: dtype.F16, Shape: x.Type.Shape}}
}

// bits prints an operation of x and a constant.
func bitsWith(p *hlo.Printer, name string, x hlo.Value, n int32) hlo.Value {
	return p.Same("stablehlo."+name, x, p.Number(x, float64(n)))
}

func shiftBy(p *hlo.Printer, name string, x hlo.Value, n int32) hlo.Value {
	return bitsWith(p, "shift_"+name, x, n)
}
