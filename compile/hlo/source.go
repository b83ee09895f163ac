package hlo

import (
	"github.com/skainet-dev/skainet-go/compile/dag"
	"github.com/skainet-dev/skainet-go/compile/op/id"
	"github.com/skainet-dev/skainet-go/tensor"
)

var sourceLowerings = map[id.ID]Lowering{
	id.Constant: func(p *Printer, n *dag.Node) {
		v := n.Attrs.Value("value")
		if p.external[n] {
			p.Bind(n, p.Load(n.Attrs.String("name"), v.Type))
			return
		}
		printed := v
		printed.Type.DType = p.form.Element(v.Type.DType)
		p.Bind(n, p.Def(v.Type, "stablehlo.constant dense<%s> : %s", p.dense(printed), p.Type(v.Type)))
	},
	id.Splat: func(p *Printer, n *dag.Node) {
		p.Bind(n, p.Fill(n.Outputs[0].Type, n.Attrs.Float("value"), Value{}))
	},
	id.DimSize: func(p *Printer, n *dag.Node) {
		x, dim := p.In(n, 0), int(n.Attrs.Int("dim"))
		if d := x.Type.Shape[dim]; d.IsStatic() {
			p.Bind(n, p.Splat(n.Outputs[0].Type, float64(d.Size)))
			return
		}
		p.Bind(n, p.Dimension(x, dim))
	},
	id.Parameter: func(p *Printer, n *dag.Node) {
		p.Bind(n, p.Load(n.Attrs.String("key"), n.Outputs[0].Type))
	},
	id.State: func(p *Printer, n *dag.Node) {
		p.Bind(n, p.Load(n.Attrs.String("name"), n.Outputs[0].Type))
	},
	id.Iota: func(p *Printer, n *dag.Node) {
		p.Bind(n, p.Iota(n.Outputs[0].Type, n.Attrs.Int("dim"), Value{}))
	},
}

// Splat returns a tensor of a static type filled with one value.
func (p *Printer) Splat(t tensor.Type, v float64) Value {
	return p.Def(t, "stablehlo.constant dense<%s> : %s", p.Literal(t.DType, v), p.Type(t))
}
