package iree

import (
	"slices"

	"github.com/skainet-dev/skainet-go/compile/dag"
	"github.com/skainet-dev/skainet-go/compile/hlo"
	"github.com/skainet-dev/skainet-go/compile/op"
	"github.com/skainet-dev/skainet-go/compile/op/id"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
	"github.com/skainet-dev/skainet-go/tensor/shape"
)

var indexingRows = []Rewrite{{
	ID:      "dynamic-gather",
	Symptom: "A gather from a table, or at indices, of dynamic sizes is rejected.",
	Instead: "stablehlo.torch_index_select",
	Targets: "all", First: "3.13.0", Last: "3.13.0", Text: AnyText, Shown: NoProgram,
	install: func(t *target) {
		t.lower(id.Take, func(p *hlo.Printer, n *dag.Node) bool {
			if n.Outputs[0].Type.Shape.IsStatic() && n.Inputs[0].Type.Shape.IsStatic() {
				return false
			}
			p.Bind(n, indexSelect(p, p.In(n, 0), p.In(n, 1), 0))
			return true
		})
	},
}, {
	ID:      "gather-bounds",
	Symptom: "A gather reads out of bounds for an index out of range, although StableHLO specifies clamping.",
	Instead: "indices are clamped first",
	Targets: "all", First: "3.13.0", Last: "3.13.0", Text: AnyText, Shown: WrongNumbers,
	install: func(t *target) {
		inner := t.Lower[id.Take]
		t.Lower[id.Take] = func(p *hlo.Printer, n *dag.Node) {
			p.With(n.Inputs[1], p.Clamp(p.In(n, 1), p.In(n, 0)), func() { inner(p, n) })
		}
	},
}, {
	ID:      "narrow-start",
	Symptom: "A start of dynamic_slice or dynamic_update_slice is loaded to the host, where a negative i8 or i16 becomes a large number, and a u64 of 2^63 or more a negative one.",
	Instead: "a start of i32, or of i64 after a minimum",
	Targets: "all", First: "3.13.0", Last: "3.13.0", Text: AnyText, Shown: WrongNumbers,
	install: func(t *target) {
		widen := func(o op.ID, first int) {
			inner := t.Lower[o]
			t.Lower[o] = func(p *hlo.Printer, n *dag.Node) {
				do := func() { inner(p, n) }
				for _, v := range n.Inputs[first:] {
					then := do
					do = func() { p.With(v, wideStart(p, p.Value(v)), then) }
				}
				do()
			}
		}
		widen(id.DynamicSlice, 1)
		widen(id.DynamicUpdateSlice, 2)
	},
}, {
	ID:      "slice-of-scalar",
	Symptom: "The compiler crashes on a dynamic_slice or dynamic_update_slice of a scalar.",
	Instead: "the operand, or the update",
	Targets: "all", First: "3.13.0", Last: "3.13.0", Text: AnyText, Shown: NoProgram,
	install: func(t *target) {
		whole := func(o op.ID, i int) { // for a scalar the result is operand i
			t.lower(o, func(p *hlo.Printer, n *dag.Node) bool {
				if n.Inputs[0].Type.Shape.Rank() > 0 {
					return false
				}
				p.Bind(n, p.In(n, i))
				return true
			})
		}
		whole(id.DynamicSlice, 0)
		whole(id.DynamicUpdateSlice, 1)
	},
}, {
	ID:      "dynamic-update",
	Symptom: "stablehlo.dynamic_update_slice does not support dynamic sizes.",
	Instead: "the update is broadcast to the tensor and selected where the index is in the window",
	Targets: "all", First: "3.13.0", Last: "3.13.0", Text: AnyText, Shown: NoProgram,
	install: func(t *target) {
		t.lower(id.DynamicUpdateSlice, func(p *hlo.Printer, n *dag.Node) bool {
			in := p.Ins(n)
			if in[0].Type.Shape.IsStatic() && in[1].Type.Shape.IsStatic() {
				return false
			}
			p.Bind(n, updateWindow(p, in[0], in[1], in[2:]))
			return true
		})
	},
}, {
	ID:      "update-rows",
	Symptom: "stablehlo.dynamic_update_slice does not support a dynamic number of rows, and waits for the start index on the host.",
	Instead: "tensor.insert_slice, which supports both, and works in place in a state variable",
	Targets: "all", First: "3.13.0", Last: "3.13.0", Text: AnyText, Shown: NoProgram,
	install: func(t *target) { t.Lower[id.UpdateRows] = insertRows },
}}

// wideStart returns a start in a type that the host reads as it is.
func wideStart(p *hlo.Printer, start hlo.Value) hlo.Value {
	switch d := start.Type.DType; {
	case d == dtype.U64:
		return p.Convert(p.Same("stablehlo.minimum", start, p.Number(start, 1<<62)), dtype.I64)
	case d.Bits() < 32 && !d.IsUnsigned():
		return p.Convert(start, dtype.I32)
	}
	return start
}

// updateWindow writes u into x at starts: u is broadcast over x in each dimension that it
// does not fill, and selected where the index is in the window.
func updateWindow(p *hlo.Printer, x, u hlo.Value, starts []hlo.Value) hlo.Value {
	var window hlo.Value
	for d, start := range starts {
		n, size := x.Type.Shape[d], u.Type.Shape[d]
		if size.Same(n) {
			continue
		}
		it := tensor.Type{DType: dtype.I32, Shape: shape.Shape{n}}
		number := func(v hlo.Value) hlo.Value { return p.Broadcast(p.Convert(v, dtype.I32), it, []int64{0}, hlo.Value{}) }
		at, wide := number(p.Corner(x, d, size, start)), number(p.Size(size, hlo.Value{}, 0))
		place := p.Same("stablehlo.subtract", p.Barrier(p.Iota(it, 0, hlo.Value{})), at)
		inside := p.Same("stablehlo.and", p.Compare("GE", place, p.Number(place, 0)), p.Compare("LT", place, wide))
		last := p.Same("stablehlo.subtract", wide, p.Number(wide, 1))
		place = p.Same("stablehlo.minimum", p.Same("stablehlo.maximum", place, p.Number(place, 0)), last)
		u = indexSelect(p, u, place, d)
		mask := p.Broadcast(inside, tensor.Type{DType: dtype.Bool, Shape: x.Type.Shape}, []int64{int64(d)}, x)
		if window.Name != "" {
			mask = p.Same("stablehlo.and", window, mask)
		}
		window = mask
	}
	if window.Name == "" {
		return u
	}
	return p.Select(window, u, x)
}

// indexSelect gathers the elements at indices along a dimension of x.
func indexSelect(p *hlo.Printer, x, indices hlo.Value, dim int) hlo.Value {
	switch d := indices.Type.DType; {
	case d == dtype.U64:
		indices = p.Convert(indices, dtype.I64)
	case d.IsUnsigned():
		indices = p.Convert(indices, dtype.I32)
	}
	d := x.Type.DType
	if twin, unsigned := hlo.SignedTwin[d]; unsigned {
		x = p.Bitcast(x, twin)
	}
	t := tensor.Type{DType: x.Type.DType, Shape: slices.Concat(x.Type.Shape[:dim], indices.Type.Shape, x.Type.Shape[dim+1:])}
	return p.Bitcast(p.Def(t, `"stablehlo.torch_index_select"(%s) <{batch_dims = 0 : i64, dim = %d : i64}> : (%s) -> %s`,
		hlo.Names([]hlo.Value{x, indices}), dim, p.Types([]hlo.Value{x, indices}), p.Type(t)), d)
}
