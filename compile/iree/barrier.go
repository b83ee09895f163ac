package iree

import (
	"strings"

	"github.com/skainet-dev/skainet-go/compile/dag"
	"github.com/skainet-dev/skainet-go/compile/hlo"
	"github.com/skainet-dev/skainet-go/compile/op"
	"github.com/skainet-dev/skainet-go/compile/op/id"
	"github.com/skainet-dev/skainet-go/tensor"
)

// Values that are kept behind optimization barriers, so that the compiler does not fuse
// them with their consumers.

var barrierRows = []Rewrite{{
	ID:      "barrier-sizes",
	Symptom: "The sizes of a dynamic value are lost at an optimization_barrier, and later passes need them.",
	Instead: "the sizes are read before the barrier and tied to its result (flow.tensor.tie_shape)",
	Targets: "all", First: "3.13.0", Last: "3.13.0", Text: AnyText, Shown: NoProgram,
	install: func(t *target) {
		inner := t.Barrier
		t.Barrier = func(p *hlo.Printer, v hlo.Value) hlo.Value {
			if v.Type.Shape.IsStatic() {
				return inner(p, v)
			}
			d := v.Type.DType
			v = signless(p, v)
			b := inner(p, v)
			var dims []string
			for i, d := range v.Type.Shape {
				if !d.IsStatic() {
					dims = append(dims, p.Def(tensor.Type{}, "tensor.dim %s, %s : %s", v.Name, indexNumber(p, int64(i)).Name, p.Type(v.Type)).Name)
				}
			}
			return p.Bitcast(p.Def(v.Type, "flow.tensor.tie_shape %s : %s{%s}", b.Name, p.Type(v.Type), strings.Join(dims, ", ")), d)
		}
	},
}, {
	ID:      "indices-fused",
	Symptom: "For SPIR-V, indices from iota or rows from gather do not compile in one kernel with a reduction.",
	Instead: "a barrier after them",
	Targets: "vulkan, metal", First: "3.13.0", Last: "3.13.0", Text: AnyText, Shown: NoProgram,
	install: func(t *target) {
		t.Places = (*hlo.Printer).Barrier
		t.apart = append(t.apart, separate(func(n *dag.Node) bool { return n.Op.Role == op.Counts || n.Op.ID == id.Take }))
	},
}, {
	ID:      "softmax-exponential",
	Symptom: "An exponential that feeds a sum and a quotient is computed twice: 15 times slower on x86-64. With the place of the row's greatest element beside them there is no program: the kernel of all cannot be distributed.",
	Instead: "a barrier after it",
	Targets: "cpu", First: "3.13.0", Last: "3.13.0", Text: AnyText, Shown: Costs,
	install: func(t *target) {
		t.Reused = (*hlo.Printer).Barrier
		t.apart = append(t.apart, marks(t, summedExponentials))
	},
}, {
	ID:      "long-row",
	Symptom: "For SPIR-V a reduction of a long row that something else reads too goes through it one by one; Mesa's software driver ends such a loop after 65535 rounds, with a wrong maximum. Of a row of unknown length a processor makes each element again where it is read.",
	Instead: "a barrier before the reduction",
	Targets: "vulkan, metal, cpu", First: "3.13.0", Last: "3.13.0", Text: AnyText, Shown: Costs,
	install: func(t *target) { t.apart = append(t.apart, marks(t, longRows)) },
}, {
	ID:      "unknown-rows",
	Symptom: "A norm of an unknown number of rows, in the kernel that computes them, goes through each row element by element: 5 times slower with AVX-512, 11 times with AVX2.",
	Instead: "a barrier before the norm",
	Targets: "cpu", First: "3.13.0", Last: "3.13.0", Text: KernelText, Shown: Time,
	install: func(t *target) { t.apart = append(t.apart, marks(t, unknownRows)) },
}, resummedRow, {
	ID:      "sliced-widening",
	Symptom: "For SPIR-V a widened slice, or a tensor that was widened and then scaled, is copied into the kernel of the product that reads it, where invocations read what others have not yet written: wrong numbers that vary from run to run.",
	Instead: "a barrier before the product",
	Targets: "vulkan", First: "3.13.0", Last: "3.13.0", Text: PortableText, Shown: OtherDevice,
	install: func(t *target) { t.apart = append(t.apart, marks(t, copiedWidenings)) },
}, {
	ID:      "transposed-product",
	Symptom: "For GPUs the transposed result of a product, and a norm that reads it, become a kernel that cannot be distributed.",
	Instead: "a barrier after the transpose",
	Targets: "vulkan, metal, cuda, rocm", First: "3.13.0", Last: "3.13.0", Text: PortableText, Shown: NoProgram,
	install: func(t *target) { t.apart = append(t.apart, marks(t, transposedProducts)) },
}, {
	ID:      "constant-kernel",
	Symptom: "A kernel that reads nothing but constants in its own code, and has two results, stores one of them in place of both.",
	Instead: "a barrier after the constant, which is then read from memory",
	Targets: "all", First: "3.13.0", Last: "3.13.0", Text: AnyText, Shown: WrongNumbers,
	install: func(t *target) { t.apart = append(t.apart, marks(t, lonelyConstants)) },
}, {
	ID:      "element-reshaped",
	Symptom: "A slice of one element that is reshaped to more dimensions, and read by another operation and returned, is rejected: expected rank to be smaller or equal to the other rank.",
	Instead: "a barrier after the slice",
	Targets: "all", First: "3.13.0", Last: "3.13.0", Text: AnyText, Shown: NoProgram,
	install: func(t *target) { t.apart = append(t.apart, marks(t, reshapedElements)) },
}}

// separate marks the results of nodes of one kind.
func separate(is func(n *dag.Node) bool) func(p *hlo.Printer) {
	return func(p *hlo.Printer) {
		for _, f := range p.Graph().Funcs {
			f.Body.Walk(func(n *dag.Node) {
				if is(n) {
					p.Separate(n.Outputs[0])
				}
			})
		}
	}
}

// marks marks the values that an analysis finds.
func marks(t *target, find func(t *target, p *hlo.Printer) map[*dag.Value]bool) func(p *hlo.Printer) {
	return func(p *hlo.Printer) {
		for v := range find(t, p) {
			p.Separate(v)
		}
	}
}
