package hlo

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/skainet-dev/skainet-go/compile/dag"
	"github.com/skainet-dev/skainet-go/compile/op"
	"github.com/skainet-dev/skainet-go/compile/op/id"
	"github.com/skainet-dev/skainet-go/errs"
)

// The text of a registered operation is the body of a private function, one for all calls
// with the same types and attributes. That for any target is StableHLO in a func.func. One
// for processors is in whatever dialects IREE reads, in a util.func, whose types are
// signless.

// withRegistered adds the lowering of the registered operations that graphs of texts have.
func withRegistered(all map[id.ID]Lowering) map[id.ID]Lowering {
	for _, o := range op.Registered() {
		if len(o.Custom.Texts) > 0 {
			all[o.ID] = (*Printer).registered
		}
	}
	return all
}

// IsWritten reports whether a node is a call of a registered operation with a text of its
// own for the target, which has no unsigned types.
func IsWritten(n *dag.Node, t op.Target) bool {
	if n.Op.Custom == nil || !n.Op.Custom.Has(t) {
		return false
	}
	unsigned := func(v *dag.Value) bool { return v.Type.DType.IsUnsigned() }
	return !slices.ContainsFunc(n.Inputs, unsigned) && !slices.ContainsFunc(n.Outputs, unsigned)
}

// written are the functions that texts of operations became, in the order of their first
// calls.
type written struct {
	symbols map[string]string // by the function without its name
	list    []string
}

func (p *Printer) registered(n *dag.Node) {
	dialect, target := "func", op.AnyTarget
	if p.form.Target != target && IsWritten(n, p.form.Target) {
		dialect, target = "util", p.form.Target
	}
	s := op.Shapes{Op: n.Op, Attrs: n.Attrs, Spell: p.Type}
	args := make([]Value, len(n.Inputs))
	for i, x := range p.Ins(n) {
		t := op.Widened(x.Type)
		args[i] = p.Convert(x, t.DType)
		s.In = append(s.In, t)
	}
	outs := make([]string, len(n.Outputs))
	for i, v := range n.Outputs {
		t := op.Widened(v.Type)
		s.Out = append(s.Out, t)
		outs[i] = p.Type(t)
	}
	body, err := n.Op.Custom.Text(target, s)
	if err != nil {
		if p.err == nil {
			p.err = errs.Wrap(op.CodeText, errors.Unwrap(err), "%s has no text for %s here", n.Op.Name, target).On(n.Path).
				Hint("its text is a template that %s registers", n.Op.Custom.Package)
		}
		return
	}
	first := p.Fresh(s.Out[0])
	name, assign := p.writtenAs(n.Op, dialect, s, outs, body), first.Name
	if len(outs) > 1 {
		assign = fmt.Sprintf("%s:%d", first.Name, len(outs))
	}
	p.Line("%s = %s.call @%s(%s) : (%s) -> (%s)", assign, dialect, name, Names(args), p.Types(args), strings.Join(outs, ", "))
	p.results(n.Outputs, first.Name)
	for i, v := range n.Outputs {
		y := p.Convert(Value{p.values[v].Name, s.Out[i]}, v.Type.DType)
		if p.unfused[v] {
			y = p.Barrier(y)
		}
		p.values[v] = y
	}
}

// writtenAs returns the symbol of the function with this body.
func (p *Printer) writtenAs(o *op.Op, dialect string, s op.Shapes, outs []string, body string) string {
	args := make([]string, len(s.In))
	for i, t := range s.In {
		args[i] = fmt.Sprintf("%%%s: %s", o.Operands[i].Name, p.Type(t))
	}
	var b strings.Builder
	fmt.Fprintf(&b, "(%s) -> (%s) {\n", strings.Join(args, ", "), strings.Join(outs, ", "))
	for line := range strings.Lines(strings.Trim(body, "\n")) {
		fmt.Fprintf(&b, "    %s\n", strings.TrimRight(line, "\r\n\t "))
	}
	text := b.String() + "  }\n"
	key := dialect + o.Name + text
	if name := p.written.symbols[key]; name != "" {
		return name
	}
	name := ""
	for i := 1; name == "" || p.taken[name] != ""; i++ {
		name = fmt.Sprintf("%s_%d", o.Symbol(), i)
	}
	if p.written.symbols == nil {
		p.written.symbols = map[string]string{}
	}
	p.taken[name], p.written.symbols[key] = "operation "+o.Name, name
	p.written.list = append(p.written.list, fmt.Sprintf("  %s.func private @%s%s", dialect, name, text))
	return name
}

// functions prints the functions of registered operations.
func (p *Printer) functions() {
	for _, f := range p.written.list {
		p.Text(f)
	}
}
