package hlo

import (
	"github.com/skainet-dev/skainet-go/compile/dag"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
)

var sourceLowerings = map[string]lowering{
	"constant": func(p *printer, n *dag.Node) {
		v := n.Attrs.Value("value")
		if p.external[n] {
			p.bind(n, p.load(n.Attrs.String("name"), v.Type))
			return
		}
		printed := v
		if p.byBits(v.Type.DType) {
			printed.Type.DType = dtype.I16
		}
		p.bind(n, p.def(v.Type, "stablehlo.constant dense<%s> : %s", p.dense(printed), p.typ(v.Type)))
	},
	"splat": func(p *printer, n *dag.Node) {
		p.bind(n, p.fill(n.Outputs[0].Type, n.Attrs.Float("value"), ssa{}))
	},
	"dim_size": func(p *printer, n *dag.Node) {
		x, dim := p.in(n, 0), int(n.Attrs.Int("dim"))
		if d := x.typ.Shape[dim]; d.IsStatic() {
			p.bind(n, p.splat(n.Outputs[0].Type, float64(d.Size)))
			return
		}
		size := p.dimension(x, dim)
		if !p.fused {
			// What is computed of a size and scalars the compiler moves to the host, with
			// copies of them that are wrong from the second call on, on Vulkan (IREE 3.13.0).
			size = p.barrier(size)
		}
		p.bind(n, size)
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
		p.bind(n, p.barrier(p.count(n.Outputs[0].Type, n.Attrs.Int("dim"), ssa{})))
	},
}

func (p *printer) load(name string, t tensor.Type) ssa {
	s := stored(t)
	return p.as(p.def(s, "util.global.load %s : %s", symbol(name), p.typ(s)), t.DType)
}

func (p *printer) splat(t tensor.Type, v float64) ssa {
	return p.def(t, "stablehlo.constant dense<%s> : %s", p.literal(t.DType, v), p.typ(t))
}
