package hlo

import (
	"fmt"
	"math"
	"strings"

	"github.com/skainet-dev/skainet-go/compile/dag"
	"github.com/skainet-dev/skainet-go/compile/op"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
)

var controlLowerings = map[string]lowering{
	"barrier": func(p *printer, n *dag.Node) { p.bind(n, p.barrier(p.in(n, 0))) },
	"while": func(p *printer, n *dag.Node) {
		states := p.inState[n]
		for i, v := range p.ins(n) {
			if states[i] != "" && n.Inputs[i].Node.Op.Role != op.Variable {
				p.store(v, states[i])
			}
		}
		initial := carriedOf(p.ins(n), states)
		label := p.next
		first := fmt.Sprintf("%%%d", label)
		p.next++
		assign := make([]string, len(initial))
		for i, v := range initial {
			name := fmt.Sprintf("%%c%d.%d", label, i)
			assign[i] = name + " = " + v.name
			// Both regions name the carried values alike.
			for _, b := range n.Blocks {
				p.values[carriedOf(b.Args, states)[i]] = ssa{name, v.typ}
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
		p.carried(n.Blocks[1], states)
		p.line("}")
		p.results(carriedOf(n.Outputs, states), first)
		for i, v := range n.Outputs {
			if states[i] != "" && p.takers(v) > 0 {
				p.values[v] = p.load(states[i], v.Type)
			}
		}
	},
	"cond": func(p *printer, n *dag.Node) {
		first := fmt.Sprintf("%%%d", p.next)
		p.next++
		count := ""
		if len(n.Outputs) != 1 {
			count = fmt.Sprintf(":%d", len(n.Outputs))
		}
		p.line("%s%s = \"stablehlo.if\"(%s) ({", first, count, p.in(n, 0).name)
		p.region(n.Blocks[0])
		p.line("}, {")
		p.region(n.Blocks[1])
		out := make([]string, len(n.Outputs))
		for i, v := range n.Outputs {
			out[i] = p.typ(v.Type)
		}
		p.line("}) : (%s) -> (%s)", p.typ(n.Inputs[0].Type), strings.Join(out, ", "))
		p.results(n.Outputs, first)
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
		p.results(n.Outputs, first)
	},
}

func (p *printer) region(b *dag.Block) {
	p.indent++
	p.inner(func() {
		p.block(b)
		p.terminator("stablehlo.return", b)
	})
	p.indent--
}

// carried prints the body of a loop. A value behind a barrier that goes to the
// next round shares a buffer with others of its kind, and at the end of the loop
// IREE 3.13.0 frees that share as if it were a buffer, which Vulkan's driver
// refuses ("buffer was not returned by Vulkan queue_alloca"). A sum with a zero
// that the compiler does not see gives it a buffer of its own.
func (p *printer) carried(b *dag.Block, states map[int]string) {
	p.indent++
	p.inner(func() {
		for i, v := range b.Args {
			if states[i] != "" {
				p.values[v] = p.load(states[i], v.Type)
			}
		}
		p.block(b)
		for i, v := range b.Results {
			if states[i] != "" && v != b.Args[i] {
				p.store(p.values[v], states[i])
			}
		}
		args, results := carriedOf(b.Args, states), carriedOf(b.Results, states)
		vs := make([]ssa, len(results))
		for i, v := range results {
			vs[i] = p.values[v]
			if !p.fused && p.behindBarrier(v) {
				x := vs[i]
				if p.byBits(x.typ.DType) {
					x = p.as(x, dtype.I16)
				}
				vs[i] = p.as(p.same("stablehlo.add", x, p.barrier(p.number(x, negativeZero(x.typ.DType)))), v.Type.DType)
			}
			if arg := args[i]; !v.Type.Shape.IsStatic() && p.takers(arg) == 0 {
				// Of what no round reads the compiler loses the sizes (IREE 3.13.0).
				never := p.barrier(p.splat(tensor.TypeOf(dtype.Bool), 0))
				never = p.broadcast(never, tensor.Type{DType: dtype.Bool, Shape: v.Type.Shape}, nil, vs[i])
				vs[i] = p.choose(never, p.values[arg], vs[i])
			}
		}
		p.line("stablehlo.return %s : %s", names(vs), p.typesOf(vs))
	})
	p.indent--
}

// negativeZero is what changes no value by being added, -0 included.
func negativeZero(d dtype.DType) float64 {
	if d.IsFloat() {
		return math.Copysign(0, -1)
	}
	return 0
}

// behindBarrier says whether v's text is a barrier's, or a call's whose function
// ends in one.
func (p *printer) behindBarrier(v *dag.Value) bool {
	v = source(v)
	if v.Node != nil && v.Node.Op.Role == op.Calls {
		if f, err := p.g.Func(v.Node.Attrs.String("function")); err == nil {
			return p.behindBarrier(f.Body.Results[v.Port])
		}
	}
	return p.apart[v] || endsInBarrier(v)
}

// endsInBarrier: the lowerings of these operations do.
func endsInBarrier(v *dag.Value) bool {
	n := source(v).Node
	if n == nil {
		return false
	}
	switch n.Op.Name {
	case "reduce_sum", "reduce_max", "reduce_min", "argmax", "barrier", "take", "iota":
		return true
	case "dot_general":
		return isDynamic(n)
	}
	return false
}

func (p *printer) results(vs []*dag.Value, first string) {
	for i, v := range vs {
		name := first
		if len(vs) > 1 {
			name = fmt.Sprintf("%s#%d", first, i)
		}
		p.values[v] = ssa{name, v.Type}
	}
}
