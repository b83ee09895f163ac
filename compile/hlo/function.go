package hlo

import (
	"fmt"
	"strings"

	"github.com/skainet-dev/skainet-go/compile/dag"
	"github.com/skainet-dev/skainet-go/tensor"
)

func (p *Printer) function(f *dag.Func) {
	p.next, p.scope, p.inside, p.lies = 0, newScope(), f, map[string]*dag.Value{}
	typ := p.Type
	if f.Entry {
		typ = p.signature
	}
	args := make([]string, len(f.Args))
	for i, n := range f.Args {
		v := f.Body.Args[i]
		p.values[v] = Value{"%" + n, v.Type}
		p.lies["%"+n] = v
		args[i] = fmt.Sprintf("%%%s: %s%s", n, typ(v.Type), p.attributes(f, Place{OwnArgument, f.Name, n, v.Type}))
	}
	visibility := ""
	if !f.Entry {
		visibility = "private "
	}
	results := make([]string, len(f.Body.Results))
	for i, v := range f.Body.Results {
		p.node = v.Node // an error names what made the value
		results[i] = typ(v.Type) + p.attributes(f, Place{OwnResult, f.Name, f.Results[i], v.Type})
	}
	more := p.access[f]
	args = append(args, p.sizeArguments(f)...)
	args = append(args, more.arguments(p, f)...)
	results = append(results, more.results(p, f)...)
	arrow := ""
	if len(results) > 0 {
		arrow = " -> (" + strings.Join(results, ", ") + ")"
	}
	p.Line("func.func %s@%s(%s)%s {", visibility, f.Name, strings.Join(args, ", "), arrow)
	p.indent++
	for _, v := range f.Body.Args {
		if f.Entry {
			p.values[v] = p.form.Entering(p, p.values[v])
		}
		p.learn(p.values[v])
	}
	p.block(f.Body)
	for _, w := range f.Writes {
		if made := w.Value.Node; made == nil || p.form.InState(made)[w.Value.Port] != w.State {
			p.form.Store(p, p.values[w.Value], w.State)
		}
	}
	p.form.Returning(p, f)
	p.leave(f)
	p.indent--
	p.Line("}")
}

// attributes spells those of an argument or a result of f, after others.
func (p *Printer) attributes(f *dag.Func, of Place, others ...string) string {
	if f.Entry {
		others = append(p.form.Attributes(of), others...)
	}
	if len(others) == 0 {
		return ""
	}
	return " {" + strings.Join(others, ", ") + "}"
}

func (p *Printer) block(b *dag.Block) {
	for _, n := range b.Nodes {
		p.node = n
		if p.form.Node(p, n) {
			continue
		}
		lower, ok := p.form.Lower[n.Op.ID]
		if !ok {
			p.Fail(CodeNoLowering, "operation %q has no StableHLO form", n.Op.Name)
			return
		}
		lower(p, n)
	}
}

// leave prints the end of f.
func (p *Printer) leave(f *dag.Func) {
	var vs []Value
	var types []string
	for _, v := range f.Body.Results {
		printed, t := p.values[v], p.Type(v.Type)
		if f.Entry {
			printed, t = p.form.Leaving(p, printed), p.signature(v.Type)
		}
		vs, types = append(vs, printed), append(types, t)
	}
	for _, s := range p.access[f].writes {
		for _, w := range f.Writes {
			if w.State == s.name {
				vs, types = append(vs, p.values[w.Value]), append(types, p.Type(s.typ))
			}
		}
	}
	if len(vs) == 0 {
		p.Line("return")
		return
	}
	p.Line("return %s : %s", Names(vs), strings.Join(types, ", "))
}

// signature spells the type of an argument or result of an entry point.
func (p *Printer) signature(t tensor.Type) string { return p.form.Signature(p, t) }

func (p *Printer) terminator(name string, vs []Value) {
	if len(vs) == 0 {
		p.Line("%s", name)
		return
	}
	p.Line("%s %s : %s", name, Names(vs), p.Types(vs))
}
