package hlo

import (
	"fmt"
	"strings"

	"github.com/skainet-dev/skainet-go/compile/dag"
)

var controlLowerings = map[string]lowering{
	"barrier": func(p *printer, n *dag.Node) { p.bind(n, p.barrier(p.in(n, 0))) },
	"while": func(p *printer, n *dag.Node) {
		initial := p.ins(n)
		label := p.next
		first := fmt.Sprintf("%%%d", label)
		p.next++
		assign := make([]string, len(initial))
		for i, v := range initial {
			name := fmt.Sprintf("%%c%d_%d", label, i)
			assign[i] = name + " = " + v.name
			// Both regions name the carried values alike.
			for _, b := range n.Blocks {
				p.values[b.Args[i]] = ssa{name, v.typ}
			}
		}
		count := ""
		if len(initial) != 1 {
			count = fmt.Sprintf(":%d", len(initial))
		}
		p.line("%s%s = stablehlo.while(%s) : %s", first, count, strings.Join(assign, ", "), p.typesOf(initial))
		p.line("cond {")
		p.region(n.Blocks[0])
		p.line("} do {")
		p.region(n.Blocks[1])
		p.line("}")
		p.results(n, first)
	},
	"call": func(p *printer, n *dag.Node) {
		args := p.ins(n)
		first := fmt.Sprintf("%%%d", p.next)
		p.next++
		out := make([]string, len(n.Outputs))
		for i, v := range n.Outputs {
			out[i] = p.typ(v.Type)
		}
		assign := first + " = "
		if len(out) == 0 {
			assign = ""
		} else if len(out) > 1 {
			assign = fmt.Sprintf("%s:%d = ", first, len(out))
		}
		p.line("%sfunc.call @%s(%s) : (%s) -> (%s)", assign, n.Attrs.String("function"), names(args), p.typesOf(args), strings.Join(out, ", "))
		p.results(n, first)
	},
}

func (p *printer) region(b *dag.Block) {
	p.indent++
	p.block(b)
	p.terminator("stablehlo.return", b)
	p.indent--
}

func (p *printer) results(n *dag.Node, first string) {
	for i, v := range n.Outputs {
		name := first
		if len(n.Outputs) > 1 {
			name = fmt.Sprintf("%s#%d", first, i)
		}
		p.values[v] = ssa{name, v.Type}
	}
}
