package iree

import (
	"fmt"

	"github.com/skainet-dev/skainet-go/compile/dag"
	"github.com/skainet-dev/skainet-go/compile/hlo"
	"github.com/skainet-dev/skainet-go/compile/op"
	"github.com/skainet-dev/skainet-go/compile/op/id"
)

// A device or a pool of threads runs what a program has queued while the program goes
// on. The compiler adds what each kernel waits for, in the rows below not all of it.

var waitRows = []Rewrite{{
	ID:      "carried-barrier",
	Symptom: "In a loop, what reads a carried value through a barrier does not wait until the round before has written it: wrong numbers on every device that computes while the program goes on, threads included.",
	Instead: "no barrier: what a loop carries is in memory already. A function that puts its argument behind one gets a copy",
	Targets: "all", First: "3.13.0", Last: "3.13.0", Text: AnyText, Shown: WrongNumbers,
	install: func(t *target) {
		var loops map[*dag.Value]bool                                  // arguments of loops
		behind, printed := map[*dag.Value]bool{}, map[*dag.Func]bool{} // arguments of functions that are put behind barriers
		t.Starts = append(t.Starts, func(p *hlo.Printer) { loops = carried(p.Graph()) })
		returning, barrier, call := t.Returning, t.Barrier, t.Lower[id.Call]
		t.Returning = func(p *hlo.Printer, f *dag.Func) {
			printed[f] = true
			returning(p, f)
		}
		t.Barrier = func(p *hlo.Printer, v hlo.Value) hlo.Value {
			switch a := p.Argument(v); {
			case a == nil:
			case loops[a]:
				return v
			default:
				behind[a] = true
			}
			return barrier(p, v)
		}
		t.Lower[id.Call] = func(p *hlo.Printer, n *dag.Node) {
			f, err := p.Graph().Func(n.Attrs.String("function"))
			for i, x := range n.Inputs {
				v := p.Value(x)
				a := p.Argument(v)
				if err != nil || a == nil || printed[f] && !behind[f.Body.Args[i]] {
					continue
				}
				if !loops[a] {
					behind[a] = true
					continue
				}
				p.Set(x, copied(p, v))
				defer p.Set(x, v)
			}
			call(p, n)
		}
	},
}, {
	ID:      "moved-access",
	Symptom: "A store to a variable is moved behind a loop that loads it, and a load before a loop that stores it: wrong numbers, or kernels that do not wait for each other.",
	Instead: "a call before and after the loop, of a function that is not inlined and does nothing that the compiler can know",
	Targets: "all", First: "3.13.0", Last: "3.13.0", Text: AnyText, Shown: WrongNumbers,
	install: func(t *target) {
		name := ""
		t.Globals = append(t.Globals, func(p *hlo.Printer, m *hlo.Module) error {
			if name = ""; !keepsState(t, p.Graph()) {
				return nil
			}
			name = hlo.Symbol(unused(p.Graph(), m, "between"))
			p.Line("util.func private %s() attributes {inlining_policy = #util.inline.never} {", name)
			p.Line("  %%0 = arith.constant 0 : i32")
			p.Line("  %%1 = util.optimization_barrier %%0 : i32")
			p.Line("  util.return")
			p.Line("}")
			return nil
		})
		t.Between = func(p *hlo.Printer) { p.Line("util.call %s() : () -> ()", name) }
	},
}, {
	ID:      "loop-load",
	Symptom: "In a loop that carries only numbers of the host, a load of a variable does not wait for the kernels that write the variable before the loop.",
	Instead: "what the variable holds is stored behind a barrier, where the program waits for it",
	Targets: "devices and threads", First: "3.13.0", Last: "3.13.0", Text: AnyText, Shown: OtherDevice,
	install: func(t *target) {
		t.Keep = func(p *hlo.Printer, v hlo.Value, name string, _ bool) { t.Store(p, p.Barrier(v), name) }
	},
}}

// carried are the arguments of loops.
func carried(g *dag.Graph) map[*dag.Value]bool {
	found := map[*dag.Value]bool{}
	for _, f := range g.Funcs {
		f.Body.Walk(func(n *dag.Node) {
			if n.Op.Role != op.Loops {
				return
			}
			for _, b := range n.Blocks {
				for _, v := range b.Args {
					found[v] = true
				}
			}
		})
	}
	return found
}

// unused returns name, with a number that makes it a symbol that the module does not have.
func unused(g *dag.Graph, m *hlo.Module, name string) string {
	taken := map[string]bool{}
	for _, f := range g.Funcs {
		taken[f.Name] = true
	}
	for _, s := range g.States {
		taken[s.Name] = true
	}
	for _, r := range m.Parameters {
		taken[r.Key] = true
	}
	free := name
	for i := 1; taken[free]; i++ {
		free = fmt.Sprintf("%s_%d", name, i)
	}
	return free
}

// keepsState reports whether some loop keeps values in state variables.
func keepsState(t *target, g *dag.Graph) bool {
	any := false
	for _, f := range g.Funcs {
		f.Body.Walk(func(n *dag.Node) { any = any || n.Op.Role == op.Loops && len(t.InState(n)) > 0 })
	}
	return any
}
