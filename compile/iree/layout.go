package iree

import (
	"math"

	"github.com/skainet-dev/skainet-go/compile/dag"
	"github.com/skainet-dev/skainet-go/compile/hlo"
	"github.com/skainet-dev/skainet-go/compile/op"
	"github.com/skainet-dev/skainet-go/compile/op/id"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
)

var layoutRows = []Rewrite{{
	ID:      "reverse-unsigned",
	Symptom: "The reverse of an unsigned type is refused.",
	Instead: "the same bits go through the signed type",
	Targets: "all", First: Version, Last: Version, Text: AnyText, Shown: NoProgram,
	install: func(t *target) {
		inner := t.Reverse
		t.Reverse = func(p *hlo.Printer, x hlo.Value, dims []int64) hlo.Value {
			d := x.Type.DType
			if signed, ok := hlo.SignedTwin[d]; ok {
				x = p.Bitcast(x, signed)
			}
			return p.Bitcast(inner(p, x, dims), d)
		}
	},
}, {
	ID:      "pad-64",
	Symptom: "Two paddings by one value of 64 bits that is not 0 do not compile.",
	Instead: "a padding by 0, and a choice of the value outside",
	Targets: "all", First: Version, Last: Version, Text: AnyText, Shown: WholeModels,
	install: func(t *target) {
		t.lower(id.Pad, func(p *hlo.Printer, n *dag.Node) bool {
			x, v := p.In(n, 0), p.In(n, 1)
			if x.Type.DType.Bits() < 64 || isZero(n.Inputs[1]) {
				return false
			}
			pad := func(x, v hlo.Value) hlo.Value {
				return p.Pad(x, v, n.Attrs.Ints("low"), n.Attrs.Ints("high"), n.Outputs[0].Type.Shape)
			}
			there := tensor.Type{DType: dtype.Bool, Shape: x.Type.Shape}
			inside := pad(p.Fill(there, 1, x), p.Splat(tensor.TypeOf(dtype.Bool), 0))
			y := pad(x, p.Splat(v.Type, 0))
			p.Bind(n, p.Select(inside, y, p.Broadcast(v, y.Type, nil, y)))
			return true
		})
	},
}, {
	ID:      "pad-of-nothing",
	Symptom: "A sum of the padding of a tensor without elements counts one row of it.",
	Instead: "the padding's value everywhere",
	Targets: "all", First: Version, Last: Version, Text: AnyText, Shown: WrongNumbers,
	install: func(t *target) {
		t.lower(id.Pad, func(p *hlo.Printer, n *dag.Node) bool {
			x, out := p.In(n, 0), n.Outputs[0].Type
			if x.Type.Shape.Product().Size != 0 || !out.Shape.IsStatic() {
				return false
			}
			p.Bind(n, p.Broadcast(p.In(n, 1), out, nil, hlo.Value{}))
			return true
		})
	},
}}

// lower prints nodes of an operation by other means where print reports that it did.
func (t *target) lower(o id.ID, print func(p *hlo.Printer, n *dag.Node) bool) {
	inner := t.Lower[o]
	t.Lower[o] = func(p *hlo.Printer, n *dag.Node) {
		if !print(p, n) {
			inner(p, n)
		}
	}
}

// isZero reports whether v is a number of the graph that is 0, not -0.
func isZero(v *dag.Value) bool {
	return v.Node != nil && v.Node.Op.Role == op.Uniform && math.Float64bits(v.Node.Attrs.Float("value")) == 0
}
