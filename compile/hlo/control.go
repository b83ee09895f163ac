package hlo

import (
	"fmt"
	"slices"
	"strings"

	"github.com/skainet-dev/skainet-go/compile/dag"
	"github.com/skainet-dev/skainet-go/compile/op"
	"github.com/skainet-dev/skainet-go/compile/op/id"
)

var controlLowerings = map[id.ID]Lowering{
	id.Barrier: func(p *Printer, n *dag.Node) { p.Bind(n, p.Barrier(p.In(n, 0))) },
	id.Shard:   func(p *Printer, n *dag.Node) { p.Bind(n, p.form.Split(p, n, p.In(n, 0))) },
	id.While: func(p *Printer, n *dag.Node) {
		states := p.form.InState(n)
		for i, v := range p.Ins(n) {
			if states[i] != "" {
				p.form.Keep(p, v, states[i], n.Inputs[i].Node.Op.Role == op.Variable)
			}
		}
		if len(states) > 0 {
			p.form.Between(p)
		}
		initial := p.Ins(n)
		for i, v := range initial {
			if states[i] == "" {
				initial[i] = p.form.Given(p, n, nil, i, v)
			}
		}
		initial = carriedOf(initial, states)
		label := p.next
		first := fmt.Sprintf("%%%d", label)
		p.next++
		assign := make([]string, len(initial))
		for i, v := range initial {
			name := fmt.Sprintf("%%c%d.%d", label, i)
			assign[i] = name + " = " + v.Name
			// Both regions use the same names for the carried values.
			for _, b := range n.Blocks {
				arg := carriedOf(b.Args, states)[i]
				p.values[arg], p.lies[name] = Value{name, v.Type}, arg
			}
		}
		count := ""
		if len(initial) != 1 {
			count = fmt.Sprintf(":%d", len(initial))
		}
		p.Line("%s%s = stablehlo.while(%s) : %s", first, count, strings.Join(assign, ", "), p.Types(initial))
		p.Line("cond {")
		p.region(n.Blocks[0])
		p.Line("} do {")
		p.carried(n, states)
		p.Line("}")
		p.results(carriedOf(n.Outputs, states), first)
		if len(states) > 0 {
			p.form.Between(p)
		}
		for i, v := range n.Outputs {
			if states[i] != "" && p.Takers(v) > 0 {
				p.values[v] = p.Load(states[i], v.Type)
			}
		}
	},
	id.Cond: func(p *Printer, n *dag.Node) {
		first := fmt.Sprintf("%%%d", p.next)
		p.next++
		count := ""
		if len(n.Outputs) != 1 {
			count = fmt.Sprintf(":%d", len(n.Outputs))
		}
		p.Line("%s%s = \"stablehlo.if\"(%s) ({", first, count, p.In(n, 0).Name)
		p.branch(n, n.Blocks[0])
		p.Line("}, {")
		p.branch(n, n.Blocks[1])
		out := make([]string, len(n.Outputs))
		for i, v := range n.Outputs {
			out[i] = p.Type(v.Type)
		}
		p.Line("}) : (%s) -> (%s)", p.Type(n.Inputs[0].Type), strings.Join(out, ", "))
		p.results(n.Outputs, first)
	},
	id.Call: func(p *Printer, n *dag.Node) {
		args := p.Ins(n)
		if f, err := p.g.Func(n.Attrs.String("function")); err == nil { // the graph has been verified
			args = append(args, append(p.sizesFor(f), p.passed(f)...)...)
		}
		first := fmt.Sprintf("%%%d", p.next)
		p.next++
		out := make([]string, len(n.Outputs))
		for i, v := range n.Outputs {
			out[i] = p.Type(v.Type)
		}
		assign := first + " = "
		if len(out) == 0 {
			assign = ""
		} else if len(out) > 1 {
			assign = fmt.Sprintf("%s:%d = ", first, len(out))
		}
		p.Line("%sfunc.call @%s(%s) : (%s) -> (%s)", assign, n.Attrs.String("function"), Names(args), p.Types(args), strings.Join(out, ", "))
		p.results(n.Outputs, first)
	},
}

// region prints a block whose results are given as they are.
func (p *Printer) region(b *dag.Block) {
	p.yielding(b, func(_ int, v Value) Value { return v })
}

// branch prints a block of a choice.
func (p *Printer) branch(n *dag.Node, b *dag.Block) {
	p.yielding(b, func(i int, v Value) Value { return p.form.Given(p, n, b, i, v) })
}

// yielding prints a block, with what given makes of its results.
func (p *Printer) yielding(b *dag.Block, given func(i int, v Value) Value) {
	p.indent++
	p.Inner(func() {
		p.block(b)
		vs := make([]Value, len(b.Results))
		for i, v := range b.Results {
			vs[i] = given(i, p.values[v])
		}
		p.terminator("stablehlo.return", vs)
	})
	p.indent--
}

// carried prints the body of a loop.
func (p *Printer) carried(n *dag.Node, states map[int]string) {
	b := n.Blocks[1]
	p.indent++
	p.Inner(func() {
		for i, v := range b.Args {
			if states[i] != "" {
				p.values[v] = p.Load(states[i], v.Type)
			}
		}
		p.block(b)
		for i, v := range b.Results {
			if states[i] != "" && v != b.Args[i] {
				p.form.Store(p, p.values[v], states[i])
			}
		}
		args, results := carriedOf(b.Args, states), carriedOf(b.Results, states)
		vs := make([]Value, len(results))
		for i, v := range results {
			vs[i] = p.form.Round(p, v, args[i], p.form.Given(p, n, b, slices.Index(b.Args, args[i]), p.values[v]))
		}
		p.Line("stablehlo.return %s : %s", Names(vs), p.Types(vs))
	})
	p.indent--
}

// carriedOf returns the list without values kept in state variables.
func carriedOf[T any](vs []T, states map[int]string) []T {
	var out []T
	for i, v := range vs {
		if states[i] == "" {
			out = append(out, v)
		}
	}
	return out
}

// Nested prints a region after its opening and returns its results.
func (p *Printer) Nested(opening string, body func() []Value) {
	p.Line("%s", opening)
	p.indent++
	p.Inner(func() {
		vs := body()
		p.Line("stablehlo.return %s : %s", Names(vs), p.Types(vs))
	})
	p.indent--
}

// Label returns a number that is unique in the function.
func (p *Printer) Label() int {
	p.next++
	return p.next - 1
}

func (p *Printer) results(vs []*dag.Value, first string) {
	for i, v := range vs {
		name := first
		if len(vs) > 1 {
			name = fmt.Sprintf("%s#%d", first, i)
		}
		p.values[v] = Value{name, v.Type}
	}
}
