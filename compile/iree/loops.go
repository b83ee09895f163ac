package iree

import (
	"math"
	"slices"

	"github.com/skainet-dev/skainet-go/compile/dag"
	"github.com/skainet-dev/skainet-go/compile/dag/analysis"
	"github.com/skainet-dev/skainet-go/compile/hlo"
	"github.com/skainet-dev/skainet-go/compile/op"
	"github.com/skainet-dev/skainet-go/compile/op/id"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
)

var loopRows = []Rewrite{{
	ID:      "loop-shared-buffer",
	Symptom: `A value behind a barrier that is passed to the next iteration of a loop shares a buffer with similar values, and at the end the part is freed as if it were a buffer, which the Vulkan driver rejects ("buffer was not returned by Vulkan queue_alloca").`,
	Instead: "the sum with a zero that is opaque to the compiler",
	Targets: "vulkan", First: "3.13.0", Last: "3.13.0", Text: PortableText, Shown: OtherDevice,
	install: func(t *target) {
		inner := t.Round
		t.Round = func(p *hlo.Printer, result, arg *dag.Value, v hlo.Value) hlo.Value {
			if t.behindBarrier(p, result) {
				x := v
				if d := p.Form().Element(x.Type.DType); d != x.Type.DType {
					x = p.Bitcast(x, d)
				}
				v = p.Bitcast(p.Add(x, p.Barrier(p.Number(x, negativeZero(x.Type.DType)))), result.Type.DType)
			}
			return inner(p, result, arg, v)
		}
	},
}, {
	ID:      "loop-unread",
	Symptom: "The sizes of a dynamic value that a loop carries and no iteration reads are lost.",
	Instead: "a select of the previous value, which is never taken",
	Targets: "all", First: "3.13.0", Last: "3.13.0", Text: AnyText, Shown: NoProgram,
	install: func(t *target) {
		inner := t.Round
		t.Round = func(p *hlo.Printer, result, arg *dag.Value, v hlo.Value) hlo.Value {
			v = inner(p, result, arg, v)
			if result.Type.Shape.IsStatic() || p.Takers(arg) > 0 {
				return v
			}
			never := p.Barrier(p.Splat(tensor.TypeOf(dtype.Bool), 0))
			never = p.Broadcast(never, tensor.Type{DType: dtype.Bool, Shape: result.Type.Shape}, nil, v)
			return p.Select(never, p.Value(arg), v)
		}
	},
}, beginRow, inPlaceRow}

// negativeZero is the identity of addition for every value, including -0.
func negativeZero(d dtype.DType) float64 {
	if d.IsFloat() {
		return math.Copysign(0, -1)
	}
	return 0
}

// behindBarrier reports whether v's text ends in a barrier: the model's own, or one that
// a row inserts; or v is the result of a call whose function ends in one.
func (t *target) behindBarrier(p *hlo.Printer, v *dag.Value) bool {
	v = analysis.Owner(v)
	n := v.Node
	switch {
	case n == nil:
		return false
	case p.IsSeparate(v) || n.Op.ID == id.Barrier:
		return true
	case n.Op.Role == op.Calls:
		f, err := p.Graph().Func(n.Attrs.String("function"))
		return err == nil && t.behindBarrier(p, f.Body.Results[v.Port])
	}
	return slices.ContainsFunc(t.ends, func(ends func(n *dag.Node) bool) bool { return ends(n) })
}
