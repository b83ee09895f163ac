package iree

import (
	"github.com/skainet-dev/skainet-go/compile/dag"
	"github.com/skainet-dev/skainet-go/compile/hlo"
	"github.com/skainet-dev/skainet-go/compile/op/id"
)

var layoutRows = []Rewrite{{
	ID:      "reverse-unsigned",
	Symptom: "A reverse of an unsigned type is rejected.",
	Instead: "the same bits as the signed type",
	Targets: "all", First: "3.13.0", Last: "3.13.0", Text: AnyText, Shown: NoProgram,
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
	ID:      "pad-of-nothing",
	Symptom: "A sum over a padded empty tensor counts one row of the padding.",
	Instead: "the padding's value everywhere",
	Targets: "all", First: "3.13.0", Last: "3.13.0", Text: AnyText, Shown: WrongNumbers,
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

// lower uses print for nodes of an operation; print reports whether it handled the node.
func (t *target) lower(o id.ID, print func(p *hlo.Printer, n *dag.Node) bool) {
	inner := t.Lower[o]
	t.Lower[o] = func(p *hlo.Printer, n *dag.Node) {
		if !print(p, n) {
			inner(p, n)
		}
	}
}
