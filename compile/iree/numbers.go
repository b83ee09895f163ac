package iree

import (
	"math"
	"slices"

	"github.com/skainet-dev/skainet-go/compile/dag"
	"github.com/skainet-dev/skainet-go/compile/hlo"
	"github.com/skainet-dev/skainet-go/compile/op"
	"github.com/skainet-dev/skainet-go/compile/op/id"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
)

// Conversions.

var numberRows = []Rewrite{{
	ID:      "bf16-of-integers",
	Symptom: "Programs lack the conversion of integers to bf16, which is a library call on CPUs.",
	Instead: "f32, rounded by integer operations",
	Targets: "cpu", First: "3.13.0", Last: "3.13.0", Text: AnyText, Shown: NoProgram,
	install: func(t *target) {
		convert, iota := t.Convert, t.Iota
		t.Convert = func(p *hlo.Printer, x hlo.Value, d dtype.DType) hlo.Value {
			if d == dtype.BF16 && !x.Type.DType.IsFloat() {
				return roundedBF16(p, p.Convert(x, dtype.F32))
			}
			return convert(p, x, d)
		}
		t.Iota = func(p *hlo.Printer, typ tensor.Type, dim int64, like hlo.Value) hlo.Value {
			if typ.DType == dtype.BF16 {
				return roundedBF16(p, p.Iota(tensor.Type{DType: dtype.F32, Shape: typ.Shape}, dim, like))
			}
			return iota(p, typ, dim, like)
		}
		t.lower(id.Convert, func(p *hlo.Printer, n *dag.Node) bool {
			x := p.In(n, 0)
			// The compiler merges both conversions where integers are small.
			if x.Type.DType != dtype.F32 || n.Attrs.DType("dtype") != dtype.BF16 || !ofIntegers(n.Inputs[0], 8) {
				return false
			}
			y := roundedBF16(p, x)
			p.Bind(n, p.Select(p.Compare("NE", x, x), p.Number(y, math.NaN()), y))
			return true
		})
	},
}, {
	ID:      "size-converted",
	Symptom: "A number that is made of sizes is converted by operations of IREE's dialects, which have no unsigned types, and of f64 only some.",
	Instead: "a barrier before its conversion to one of these",
	Targets: "all", First: "3.13.0", Last: "3.13.0", Text: AnyText, Shown: NoProgram,
	install: func(t *target) {
		inner := t.Convert
		t.Convert = func(p *hlo.Printer, x hlo.Value, d dtype.DType) hlo.Value {
			if d != x.Type.DType && (d.IsUnsigned() || d == dtype.F64) && x.Type.Shape.Rank() < 2 && p.HasSizes() {
				x = p.Barrier(x)
			}
			return inner(p, x, d)
		}
	},
}}

// roundedBF16 converts f32 with bit operations, rounding half to even.
func roundedBF16(p *hlo.Printer, x hlo.Value) hlo.Value {
	bits := p.Bitcast(x, dtype.I32)
	right := func(v hlo.Value) hlo.Value { return p.Same("stablehlo.shift_right_logical", v, p.Number(v, 16)) }
	even := p.Same("stablehlo.and", right(bits), p.Number(bits, 1))
	half := p.Same("stablehlo.add", p.Number(bits, 0x7FFF), even)
	return p.Bitcast(p.Convert(right(p.Same("stablehlo.add", bits, half)), dtype.I16), dtype.BF16)
}

// ofIntegers reports whether v may be converted integers: it looks at nodes at most
// depth steps away.
func ofIntegers(v *dag.Value, depth int) bool {
	n := v.Node
	if n == nil || depth == 0 {
		return false
	}
	if n.Op.ID == id.Convert && !n.Inputs[0].Type.DType.IsFloat() {
		return true
	}
	switch n.Op.Family {
	case op.Elementwise, op.Layout, op.Reduction, op.Indexing, op.Control: // a reduction over nothing is its argument
		return slices.ContainsFunc(n.Inputs, func(v *dag.Value) bool { return ofIntegers(v, depth-1) })
	}
	return false
}
