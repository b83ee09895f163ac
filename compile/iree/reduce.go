package iree

import (
	"slices"

	"github.com/skainet-dev/skainet-go/compile/dag"
	"github.com/skainet-dev/skainet-go/compile/hlo"
	"github.com/skainet-dev/skainet-go/compile/op"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/shape"
)

var reduceRows = []Rewrite{longSumRow, {
	ID:      "reduce-order",
	Symptom: "For SPIR-V a reduction over dimensions other than the last ones overwrites parts of its operand that other invocations read: wrong numbers, no diagnostic; with dynamic sizes it does not compile.",
	Instead: "a barrier before the reduction",
	Targets: "vulkan, metal", First: "3.13.0", Last: "3.13.0", Text: PortableText, Shown: OtherDevice,
	install: func(t *target) {
		reduce, argmax := t.Reduce, t.Argmax
		t.Reduce = func(p *hlo.Printer, x hlo.Value, name string, init float64, dims []int64) hlo.Value {
			return reduce(p, ahead(p, x, dims), name, init, dims)
		}
		t.Argmax = func(p *hlo.Printer, x hlo.Value, dim int64, typ tensor.Type) hlo.Value {
			return argmax(p, ahead(p, x, []int64{dim}), dim, typ)
		}
	},
}, {
	ID:      "reduce-shared",
	Symptom: "For SPIR-V the result of a reduction fused with its consumers goes through workgroup memory without a barrier, and another subgroup reads it too early: wrong numbers, no diagnostic.",
	Instead: "a barrier after the reduction; on CPUs the fused form is faster, and correct",
	Targets: "vulkan, metal", First: "3.13.0", Last: "3.13.0", Text: PortableText, Shown: OtherDevice,
	install: func(t *target) {
		reduce, argmax := t.Reduce, t.Argmax
		t.Reduce = func(p *hlo.Printer, x hlo.Value, name string, init float64, dims []int64) hlo.Value {
			return p.Barrier(reduce(p, x, name, init, dims))
		}
		t.Argmax = func(p *hlo.Printer, x hlo.Value, dim int64, typ tensor.Type) hlo.Value {
			return p.Barrier(argmax(p, x, dim, typ))
		}
		t.ends = append(t.ends, func(n *dag.Node) bool { return n.Op.Family == op.Reduction })
	},
}, {
	ID:      "reduce-nothing",
	Symptom: "A reduction of an empty unsigned tensor becomes a constant of a type that IREE's dialects do not have.",
	Instead: "the same bits as a signed value",
	Targets: "all", First: "3.13.0", Last: "3.13.0", Text: AnyText, Shown: NoProgram,
	install: func(t *target) {
		inner := t.Reduce
		t.Reduce = func(p *hlo.Printer, x hlo.Value, name string, init float64, dims []int64) hlo.Value {
			d := x.Type.DType
			if slices.ContainsFunc(x.Type.Shape, func(d shape.Dim) bool { return d.Size == 0 }) {
				// Only the bits of init matter.
				if x = signless(p, x); x.Type.DType != d && init == hlo.Greatest(d) {
					init = -1
				}
			}
			return p.Bitcast(inner(p, x, name, init, dims), d)
		}
	},
}}

// ahead separates the operand of a reduction over dimensions other than the last ones
// from its producer.
func ahead(p *hlo.Printer, x hlo.Value, dims []int64) hlo.Value {
	for i, d := range x.Type.Shape {
		if d.Size != 1 && !slices.Contains(dims, int64(i)) && slices.ContainsFunc(dims, func(r int64) bool { return r < int64(i) }) {
			return p.Barrier(x)
		}
	}
	return x
}
