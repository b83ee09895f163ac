package hlo

import (
	"github.com/skainet-dev/skainet-go/compile/dag"
	"github.com/skainet-dev/skainet-go/lang/tensor"
)

var sourceLowerings = map[string]lowering{
	"constant": func(p *printer, n *dag.Node) {
		v := n.Attrs.Value("value")
		if p.external[n] {
			p.bind(n, p.load(n.Attrs.String("name"), v.Type))
			return
		}
		p.bind(n, p.def(v.Type, "stablehlo.constant dense<%s> : %s", p.dense(v), p.typ(v.Type)))
	},
	"dim_size": func(p *printer, n *dag.Node) {
		x, dim, t := p.in(n, 0), n.Attrs.Int("dim"), n.Outputs[0].Type
		if d := x.typ.Shape[dim]; d.IsStatic() {
			p.bind(n, p.splat(t, float64(d.Size)))
			return
		}
		p.bind(n, p.def(t, "stablehlo.get_dimension_size %s, dim = %d : (%s) -> %s", x.name, dim, p.typ(x.typ), p.typ(t)))
	},
	"splat": func(p *printer, n *dag.Node) {
		p.bind(n, p.splat(n.Outputs[0].Type, n.Attrs.Float("value")))
	},
	"parameter": func(p *printer, n *dag.Node) {
		p.bind(n, p.load(n.Attrs.String("key"), n.Outputs[0].Type))
	},
	"state": func(p *printer, n *dag.Node) {
		p.bind(n, p.load(n.Attrs.String("name"), n.Outputs[0].Type))
	},
	// Index values made by iota and fused with a reduction do not compile for
	// SPIR-V (IREE 3.13.0), so they are kept apart from what uses them.
	"iota": func(p *printer, n *dag.Node) {
		t := n.Outputs[0].Type
		p.bind(n, p.barrier(p.def(t, "stablehlo.iota dim = %d : %s", n.Attrs.Int("dim"), p.typ(t))))
	},
}

func (p *printer) load(name string, t tensor.Type) ssa {
	return p.def(t, "util.global.load %s : %s", symbol(name), p.typ(t))
}

func (p *printer) splat(t tensor.Type, v float64) ssa {
	return p.def(t, "stablehlo.constant dense<%s> : %s", splat(t.DType, v), p.typ(t))
}
