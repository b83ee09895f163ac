package hlo

import (
	"fmt"
	"slices"

	"github.com/skainet-dev/skainet-go/compile/dag"
	"github.com/skainet-dev/skainet-go/compile/op"
	"github.com/skainet-dev/skainet-go/tensor"
)

// Access lists the additional arguments and results of a function, in a form whose
// parameters and state variables are arguments. All are symbols: keys of parameters
// in the contract's order, then names of state variables in the graph's order;
// Writes are the state variables whose new values follow the results. The argument of
// such a variable is donated: a program may reuse its memory for that result.
type Access struct{ Parameters, States, Writes []string }

// access is Access with types.
type access struct{ takes, writes []symbolOf }

type symbolOf struct {
	name  string
	typ   tensor.Type
	state bool
}

// accesses computes what each function takes, including its callees.
func (p *Printer) accesses(m *Module) {
	p.access = map[*dag.Func]access{}
	var order []symbolOf
	for _, r := range m.Parameters {
		order = append(order, symbolOf{r.Key, r.Type, false})
	}
	for _, s := range p.g.States {
		order = append(order, symbolOf{s.Name, s.Type, true})
	}
	read := map[*dag.Func]map[string]bool{}
	var reads func(f *dag.Func) map[string]bool
	reads = func(f *dag.Func) map[string]bool {
		if known := read[f]; known != nil {
			return known
		}
		all := map[string]bool{}
		read[f] = all
		f.Body.Walk(func(n *dag.Node) {
			switch {
			case n.Op.Role == op.Weight:
				all[n.Attrs.String("key")] = true
			case n.Op.Role == op.Variable, p.external[n]:
				all[n.Attrs.String("name")] = true
			case n.Op.Role == op.Calls:
				if callee, err := p.g.Func(n.Attrs.String("function")); err == nil {
					for name := range reads(callee) {
						all[name] = true
					}
				}
			}
		})
		return all
	}
	for _, f := range p.g.Funcs {
		var a access
		takes := reads(f)
		for _, s := range order {
			writes := slices.ContainsFunc(f.Writes, func(w dag.Write) bool { return w.State == s.name })
			if takes[s.name] || writes {
				a.takes = append(a.takes, s)
			}
			if writes {
				a.writes = append(a.writes, s)
			}
		}
		p.access[f] = a
		if f.Entry {
			m.Access[f.Name] = a.names()
		}
	}
}

func (a access) names() Access {
	var out Access
	for _, s := range a.takes {
		if s.state {
			out.States = append(out.States, s.name)
		} else {
			out.Parameters = append(out.Parameters, s.name)
		}
	}
	for _, s := range a.writes {
		out.Writes = append(out.Writes, s.name)
	}
	return out
}

// arguments spells the additional arguments, after f's own.
func (a access) arguments(p *Printer, f *dag.Func) []string {
	out := make([]string, len(a.takes))
	for i, s := range a.takes {
		var donated []string
		if at := slices.IndexFunc(a.writes, func(w symbolOf) bool { return w.name == s.name }); at >= 0 && f.Entry {
			donated = []string{fmt.Sprintf("tf.aliasing_output = %d : i32", len(f.Results)+at)}
		}
		out[i] = fmt.Sprintf("%s: %s%s", argumentName(i), p.Type(s.typ), p.attributes(f, s.place(f), donated...))
	}
	return out
}

// argumentName contains a dot, unlike the names of models.
func argumentName(i int) string { return fmt.Sprintf("%%w.%d", i) }

// place returns s as an argument or a result of f.
func (s symbolOf) place(f *dag.Func) Place {
	kind := ParameterPlace
	if s.state {
		kind = StatePlace
	}
	return Place{kind, f.Name, s.name, s.typ}
}

func (a access) results(p *Printer, f *dag.Func) []string {
	out := make([]string, len(a.writes))
	for i, s := range a.writes {
		out[i] = p.Type(s.typ) + p.attributes(f, s.place(f))
	}
	return out
}

// argument returns the function's argument for the parameter or state variable.
func (p *Printer) argument(name string, t tensor.Type) Value {
	at := slices.IndexFunc(p.access[p.inside].takes, func(s symbolOf) bool { return s.name == name })
	return Value{argumentName(at), t}
}

// passed returns the arguments of a call in addition to those of the graph.
func (p *Printer) passed(callee *dag.Func) []Value {
	var out []Value
	for _, s := range p.access[callee].takes {
		out = append(out, p.argument(s.name, s.typ))
	}
	return out
}
