package hlo

import (
	"fmt"
	"math"
	"strings"

	"github.com/skainet-dev/skainet-go/compile/dag"
	"github.com/skainet-dev/skainet-go/compile/op"
	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
)

// states declares the mutable globals. The pinned compiler lets two mutable
// globals that start from one value share a buffer, and in-place updates of one
// then change the other (IREE 3.13.0; wrong numbers, no diagnostic). So each
// gets an initial value of its own: float variables that ask for the same one
// are told apart by the smallest steps from it.
func (p *printer) states() error {
	used, whole := map[string]bool{}, map[string]bool{}
	for _, s := range p.g.States {
		if p.integerF16 && !s.Type.DType.IsFloat() { // which f16 must keep out of the way of
			whole[splat(s.Type.DType, s.Init)] = true
		}
	}
	for _, s := range p.g.States {
		init := s.Init
		bits := p.literal(s.Type.DType, init)
		for used[bits] || whole[bits] && s.Type.DType.IsFloat() {
			if !s.Type.DType.IsFloat() {
				return errs.New(CodeAlias, "two state variables of a type that is not float start from %s; the compiler would let them share memory", bits).
					On(s.Name).Hint("give each its own initial value, or one of them another type")
			}
			init = above(s.Type.DType, init)
			bits = p.literal(s.Type.DType, init)
		}
		used[bits] = true
		p.line("util.global private mutable %s = dense<%s> : %s", symbol(s.Name), bits, p.typ(stored(s.Type)))
	}
	return nil
}

// above gives a value just above v that differs from it in the element type.
// From zero it takes steps of 1e-30 rather than subnormals, which some devices
// flush to zero; a half has nothing but subnormals there.
func above(d dtype.DType, v float64) float64 {
	switch {
	case d == dtype.F16:
		return float64(tensor.F16ToF32(tensor.F32ToF16(float32(v)) + 1))
	case math.Abs(v) < 1e-28:
		return v + 1e-30
	case d == dtype.BF16:
		return v * (1 + 1.0/64)
	}
	return v * (1 + 1.0/(1<<22))
}

func (p *printer) function(f *dag.Func) {
	p.next, p.scope = 0, newScope()
	typ := p.typ
	if f.Entry {
		typ = p.signature
	}
	args := make([]string, len(f.Args))
	for i, n := range f.Args {
		v := f.Body.Args[i]
		p.values[v] = ssa{"%" + n, v.Type}
		args[i] = fmt.Sprintf("%%%s: %s", n, typ(v.Type))
	}
	visibility := ""
	if !f.Entry {
		visibility = "private "
	}
	results := make([]string, len(f.Body.Results))
	for i, v := range f.Body.Results {
		p.node = v.Node // an error names what made the value
		results[i] = typ(v.Type)
	}
	arrow := ""
	if len(results) > 0 {
		arrow = " -> (" + strings.Join(results, ", ") + ")"
	}
	p.line("func.func %s@%s(%s)%s {", visibility, f.Name, strings.Join(args, ", "), arrow)
	p.indent++
	for _, v := range f.Body.Args {
		if f.Entry {
			p.values[v] = p.entering(p.values[v])
		}
		p.learn(p.values[v])
	}
	p.block(f.Body)
	for _, w := range f.Writes {
		if made := w.Value.Node; made == nil || p.inState[made][w.Value.Port] != w.State {
			p.store(p.values[w.Value], w.State)
		}
	}
	p.keepArguments(f)
	p.leave(f)
	p.indent--
	p.line("}")
}

// keepArguments puts the results of f that are its arguments behind barriers
// where something else uses the argument: an update or a scatter may be done in
// the argument's own memory, and the pinned compiler then returns the updated
// values for both (IREE 3.13.0).
func (p *printer) keepArguments(f *dag.Func) {
	used := map[*dag.Value]bool{}
	f.Body.Walk(func(n *dag.Node) {
		if n.Op.Memory == op.Same { // no copy: its users count
			return
		}
		for _, v := range n.Inputs {
			used[source(v)] = true
		}
	})
	kept := map[*dag.Value]bool{}
	for _, v := range f.Body.Results {
		if arg := source(v); arg.Node == nil && used[arg] && !kept[v] {
			kept[v] = true
			p.values[v] = p.barrier(p.values[v])
		}
	}
}

func (p *printer) block(b *dag.Block) {
	for _, n := range b.Nodes {
		p.node = n
		if c, ok := p.calls[n]; ok {
			c.print(p, n)
			continue
		}
		if p.skipped[n] {
			continue
		}
		lower, ok := lowerings[n.Op.Name]
		if !ok {
			p.fail("HLO_NO_LOWERING", "operation %q has no StableHLO form", n.Op.Name)
			return
		}
		lower(p, n)
	}
}

// leave prints the end of f.
func (p *printer) leave(f *dag.Func) {
	if !f.Entry || !p.integerF16 || len(f.Body.Results) == 0 {
		p.terminator("return", f.Body)
		return
	}
	vs, types := make([]ssa, len(f.Body.Results)), make([]string, len(f.Body.Results))
	for i, v := range f.Body.Results {
		vs[i], types[i] = p.leaving(p.values[v]), p.signature(v.Type)
	}
	p.line("return %s : %s", names(vs), strings.Join(types, ", "))
}

func (p *printer) terminator(name string, b *dag.Block) {
	if len(b.Results) == 0 {
		p.line("%s", name)
		return
	}
	vs := make([]ssa, len(b.Results))
	for i, v := range b.Results {
		vs[i] = p.values[v]
	}
	p.line("%s %s : %s", name, names(vs), p.typesOf(vs))
}
