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

// Rewrites that dynamic sizes need.

var sizeRows = []Rewrite{{
	ID:      "unsigned-size",
	Symptom: "Operations on the sizes of an unsigned value are lowered to IREE's dialects, which have no unsigned types, before its type is converted.",
	Instead: "the same bits as a signed value",
	Targets: "all", First: "3.13.0", Last: "3.13.0", Text: AnyText, Shown: NoProgram,
	install: func(t *target) {
		inner := t.Dimension
		t.Dimension = func(p *hlo.Printer, v hlo.Value, dim int) hlo.Value { return inner(p, signless(p, v), dim) }
	},
}, {
	ID:      "size-on-host",
	Symptom: "Computations on a size and scalars move to the host, with copies that are wrong from the second call on, on Vulkan.",
	Instead: "a barrier after a size that the model reads",
	Targets: "vulkan", First: "3.13.0", Last: "3.13.0", Text: PortableText, Shown: OtherDevice,
	install: func(t *target) {
		inner := t.Lower[id.DimSize]
		t.Lower[id.DimSize] = func(p *hlo.Printer, n *dag.Node) {
			x, dim := p.In(n, 0), int(n.Attrs.Int("dim"))
			if x.Type.Shape[dim].IsStatic() {
				inner(p, n)
				return
			}
			p.Bind(n, p.Barrier(p.Dimension(x, dim)))
		}
	},
}, {
	ID:      "broadcast-twice",
	Symptom: "A broadcast of a broadcast is merged into one with a dynamic type, which is then rejected.",
	Instead: "one broadcast of the operand of the first",
	Targets: "all", First: "3.13.0", Last: "3.13.0", Text: AnyText, Shown: NoProgram,
	install: func(t *target) { t.Broadcast = joinedBroadcast(t.Broadcast) },
}, {
	ID:      "dynamic-reshape",
	Symptom: "stablehlo.dynamic_reshape has no lowering.",
	Instead: "tensor.reshape; new dimensions of size 1 are a broadcast, which is fused with its consumers",
	Targets: "all", First: "3.13.0", Last: "3.13.0", Text: AnyText, Shown: NoProgram,
	install: func(t *target) {
		inner := t.Reshape
		t.Reshape = func(p *hlo.Printer, x hlo.Value, typ tensor.Type) hlo.Value {
			if typ.Shape.IsStatic() {
				return inner(p, x, typ)
			}
			if dims, ok := unitsAdded(x.Type.Shape, typ.Shape); ok {
				return p.Broadcast(x, typ, dims, hlo.Value{})
			}
			s := p.Sizes(typ.Shape, hlo.Value{})
			from := signless(p, x)
			to := tensor.Type{DType: from.Type.DType, Shape: typ.Shape}
			return p.Bitcast(p.Def(to, "tensor.reshape %s(%s) : (%s) -> %s", from.Name, s.Name, p.Types([]hlo.Value{from, s}), p.Type(to)), typ.DType)
		}
	},
}, {
	ID:      "dynamic-itself",
	Symptom: "A comparison, difference or exclusive or of a dynamic integer or bool value with itself becomes a constant of a dynamic type, which is then rejected.",
	Instead: "the constant, broadcast to the sizes",
	Targets: "all", First: "3.13.0", Last: "3.13.0", Text: AnyText, Shown: NoProgram,
	install: func(t *target) {
		op, compare := t.Op, t.Compare
		t.Op = func(p *hlo.Printer, name string, vs ...hlo.Value) hlo.Value {
			if (name == "stablehlo.subtract" || name == "stablehlo.xor") && itself(vs[0], vs[1]) {
				return p.Number(vs[0], 0)
			}
			return op(p, name, vs...)
		}
		t.Compare = func(p *hlo.Printer, direction string, a, b hlo.Value) hlo.Value {
			if !itself(a, b) {
				return compare(p, direction, a, b)
			}
			equal := 0.0
			if direction == "EQ" || direction == "LE" || direction == "GE" {
				equal = 1
			}
			return p.Fill(tensor.Type{DType: dtype.Bool, Shape: a.Type.Shape}, equal, a)
		}
	},
}, {
	ID:      "dynamic-parts",
	Symptom: "A kernel that joins many tensors of dynamic sizes takes more sizes than the 64 numbers that it may have, and the program is not loaded.",
	Instead: "at most four are concatenated at once",
	Targets: "all", First: "3.13.0", Last: "3.13.0", Text: AnyText, Shown: WrongNumbers,
	install: func(t *target) { t.join(maxDynamicParts) },
}, {
	ID:      "dynamic-branches",
	Symptom: "For SPIR-V the branches of a kernel that joins tensors of dynamic sizes, if they differ only in what they read, become one block that its only predecessor enters in two ways: a part is read in place of the next.",
	Instead: "at most two are concatenated at once, and of two slices an element is selected",
	Targets: "vulkan, metal", First: "3.13.0", Last: "3.13.0", Text: PortableText, Shown: OtherDevice,
	install: func(t *target) {
		inner := t.Concat
		t.Concat = func(p *hlo.Printer, typ tensor.Type, dim int64, parts ...hlo.Value) hlo.Value {
			slice := func(v hlo.Value) bool { return v.Type.Shape[dim].Size != 1 }
			if typ.Shape.IsStatic() || len(parts) != 2 || slices.ContainsFunc(parts, slice) {
				return inner(p, typ, dim, parts...)
			}
			all := hlo.Others(typ, nil)
			at := p.Iota(tensor.Type{DType: dtype.I32, Shape: typ.Shape}, dim, parts[0])
			return p.Select(p.Compare("EQ", at, p.Number(at, 0)), p.Broadcast(parts[0], typ, all, parts[0]), p.Broadcast(parts[1], typ, all, parts[0]))
		}
		t.join(2)
	},
}, {
	ID:      "dynamic-nothing",
	Symptom: "A slice of a slice of a tensor without elements, another size of which is dynamic, is rejected: its offset is not below a size of 0.",
	Instead: "every value that has no elements is a broadcast",
	Targets: "all", First: "3.13.0", Last: "3.13.0", Text: AnyText, Shown: NoProgram,
	install: func(t *target) {
		for _, o := range op.All() {
			if t.Lower[o.ID] != nil && o.MakesValues() {
				t.lower(o.ID, nothing)
			}
		}
	},
}, {
	ID:      "dynamic-widening",
	Symptom: "For SPIR-V reductions of a widened value of dynamic sizes need unbounded memory of a workgroup.",
	Instead: "a barrier after the widening",
	Targets: "vulkan, metal", First: "3.13.0", Last: "3.13.0", Text: PortableText, Shown: NoProgram,
	install: func(t *target) {
		inner := t.Convert
		t.Convert = func(p *hlo.Printer, x hlo.Value, d dtype.DType) hlo.Value {
			v := inner(p, x, d)
			if from := x.Type.DType; !x.Type.Shape.IsStatic() && from.IsFloat() && d.IsFloat() && from.Bits() < d.Bits() {
				return p.Barrier(v)
			}
			return v
		}
	},
}, {
	ID:      "dynamic-widened-part",
	Symptom: "A widening conversion is repeated in the kernel of a concatenation that reads it; with dynamic sizes that kernel keeps the whole part on the stack, which has no bound.",
	Instead: "a barrier before the concatenation",
	Targets: "cpu", First: "3.13.0", Last: "3.13.0", Text: AnyText, Shown: NoProgram,
	install: func(t *target) { t.apart = append(t.apart, marks(t, widenedParts)) },
}}

// nothing prints a node whose result has no elements.
func nothing(p *hlo.Printer, n *dag.Node) bool {
	if len(n.Outputs) != 1 {
		return false
	}
	t := n.Outputs[0].Type
	if t.Shape.IsStatic() || !t.Shape.IsKnown() || t.Shape.Product().Size != 0 {
		return false
	}
	p.Bind(n, p.Fill(t, 0, hlo.Value{}))
	return true
}

// signless returns an unsigned dynamic value as the signed type of the same width.
func signless(p *hlo.Printer, v hlo.Value) hlo.Value {
	d, unsigned := hlo.SignedTwin[v.Type.DType]
	if !unsigned || v.Type.Shape.IsStatic() {
		return v
	}
	return p.Once("signless "+v.Name, func() hlo.Value { return p.Bitcast(v, d) })
}

// itself reports whether a and b are the same dynamic value of integers or bools.
func itself(a, b hlo.Value) bool {
	return a.Name == b.Name && !a.Type.DType.IsFloat() && !a.Type.Shape.IsStatic()
}

// spread is the operand of a broadcast.
type spread struct {
	of   hlo.Value
	dims []int64
}

type broadcast = func(p *hlo.Printer, x hlo.Value, t tensor.Type, dims []int64, like hlo.Value) hlo.Value

func joinedBroadcast(inner broadcast) broadcast {
	return func(p *hlo.Printer, x hlo.Value, t tensor.Type, dims []int64, like hlo.Value) hlo.Value {
		if first, ok := p.Noted(x).(spread); ok && !t.Shape.IsStatic() {
			outer := dims
			x, dims = first.of, make([]int64, len(first.dims))
			for i, d := range first.dims {
				dims[i] = outer[d]
			}
		}
		v := inner(p, x, t, dims, like)
		p.Note(v, spread{x, dims})
		return v
	}
}

// unitsAdded returns where the dimensions of s are in t, if all others of t are 1.
func unitsAdded(s, t shape.Shape) ([]int64, bool) {
	var dims []int64
	for i, d := range t {
		if len(dims) < len(s) && s[len(dims)].Same(d) {
			dims = append(dims, int64(i))
		} else if d.Size != 1 {
			return nil, false
		}
	}
	return dims, len(dims) == len(s)
}

// maxDynamicParts is how many tensors of dynamic sizes are concatenated at once.
const maxDynamicParts = 4

// join makes concatenations of dynamic sizes take at most so many tensors at once.
func (t *target) join(most int) {
	inner := t.Concat
	t.Concat = func(p *hlo.Printer, typ tensor.Type, dim int64, parts ...hlo.Value) hlo.Value {
		dynamic := slices.ContainsFunc(parts, func(v hlo.Value) bool { return !v.Type.Shape.IsStatic() })
		for dynamic && len(parts) > most {
			parts = partly(p, inner, parts, dim, most)
		}
		return inner(p, typ, dim, parts...)
	}
}

// partly concatenates the tensors in groups.
func partly(p *hlo.Printer, join func(*hlo.Printer, tensor.Type, int64, ...hlo.Value) hlo.Value, in []hlo.Value, dim int64, most int) []hlo.Value {
	var out []hlo.Value
	for part := range slices.Chunk(in, most) {
		if len(part) == 1 {
			out = append(out, part[0])
			continue
		}
		t := tensor.Type{DType: part[0].Type.DType, Shape: slices.Clone(part[0].Type.Shape)}
		for _, v := range part[1:] {
			t.Shape[dim] = t.Shape[dim].Plus(v.Type.Shape[dim])
		}
		out = append(out, p.Barrier(join(p, t, dim, part...)))
	}
	return out
}
