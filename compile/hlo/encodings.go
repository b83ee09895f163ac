package hlo

import (
	"maps"
	"slices"
	"strings"

	"github.com/skainet-dev/skainet-go/compile/contract"
	"github.com/skainet-dev/skainet-go/compile/dag"
	"github.com/skainet-dev/skainet-go/compile/dag/analysis"
	"github.com/skainet-dev/skainet-go/compile/op"
	"github.com/skainet-dev/skainet-go/tensor/quant"
)

// encodings maps the names of tensors to the encodings that they carry.
type encodings map[string]quant.Encoding

// encodingsOf returns the encodings that tensors of g carry. A parameter with one says its
// own; what operations read as blocks gives theirs to each named tensor that the bytes come
// from (analysis.Stored), on whichever way. Of two encodings for one name the first
// counts, in this order: parameters, whose entries in the contract say the same; state
// variables, constants and arguments of entry points; arguments of private functions. A
// name that a parameter or a constant has is never an argument's.
func encodingsOf(g *dag.Graph) encodings {
	all, private := encodings{}, encodings{}
	names := namesOf(g, all)
	stored, trails := analysis.NewStored(g), map[quant.Encoding]analysis.Trail{}
	for _, f := range g.Funcs {
		f.Body.Walk(func(n *dag.Node) {
			for i, in := range n.Inputs {
				if !n.Op.OperandAt(i).Blocks {
					continue
				}
				e := quant.Encoding(n.Attrs.String("encoding"))
				if _, ok := trails[e]; !ok {
					trails[e] = stored.Trail()
				}
				trails[e].Walk(in, func(v *dag.Value) {
					if name, hidden := names.of(v); hidden {
						private.note(name, e)
					} else {
						all.note(name, e)
					}
				})
			}
		})
	}
	for name, e := range private {
		all.note(name, e)
	}
	return all
}

func (e encodings) note(name string, what quant.Encoding) {
	if _, known := e[name]; !known && name != "" && what != quant.NotCarried {
		e[name] = what
	}
}

// names are those of arguments, of entry points and of private functions.
type names struct {
	entry, private map[*dag.Value]string
	taken          map[string]bool // by parameters and constants
}

// namesOf returns the names in g, and notes each parameter's own encoding in all.
func namesOf(g *dag.Graph, all encodings) names {
	a := names{map[*dag.Value]string{}, map[*dag.Value]string{}, map[string]bool{}}
	for _, f := range g.Funcs {
		of := a.private
		if f.Entry {
			of = a.entry
		}
		for i, v := range f.Body.Args {
			of[v] = f.Args[i]
		}
		f.Body.Walk(func(n *dag.Node) {
			switch n.Op.Role {
			case op.Weight:
				a.taken[n.Attrs.String("key")] = true
				all.note(n.Attrs.String("key"), quant.Encoding(n.Attrs.String("encoding")))
			case op.Literal:
				a.taken[n.Attrs.String("name")] = true
			}
		})
	}
	return a
}

// of returns the name of a stored tensor, or nothing for a computed one, and whether only
// a private function has it.
func (a names) of(v *dag.Value) (name string, private bool) {
	n := v.Node
	if n == nil {
		name, private = a.private[v]
		if !private {
			name = a.entry[v]
		}
		if a.taken[name] {
			name = ""
		}
		return name, private
	}
	switch n.Op.Role {
	case op.Weight:
		return n.Attrs.String("key"), false
	case op.Variable:
		return n.Attrs.String("name"), false
	case op.Literal:
		if name := n.Attrs.String("name"); name != "" {
			return name, false
		}
		return n.Path, false
	}
	return "", false
}

// header returns the attributes of the module: e, and those of a form.
func (e encodings) header(more []string) string {
	all := more
	if len(e) > 0 {
		all = append([]string{e.String()}, more...)
	}
	if len(all) == 0 {
		return ""
	}
	return " attributes {" + strings.Join(all, ", ") + "}"
}

// String returns the attribute of the module's header.
func (e encodings) String() string {
	entries := make([]string, 0, len(e))
	for _, name := range slices.Sorted(maps.Keys(e)) {
		entries = append(entries, attributeName(name)+" = "+Quote(e[name].String()))
	}
	return contract.EncodingsAttribute + " = {" + strings.Join(entries, ", ") + "}"
}

// attributeName spells the name of an attribute; MLIR wants it quoted unless it is
// letters, digits, '_', '$' and '.', and no digit comes first.
func attributeName(name string) string {
	bare := name != ""
	for i, c := range name {
		letter := c == '_' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
		bare = bare && (letter || i > 0 && (c >= '0' && c <= '9' || c == '$' || c == '.'))
	}
	if bare {
		return name
	}
	return Quote(name)
}

// Stored returns the encoding and the logical type, for people who compare texts: Q8_0 f32[48x64].
func (r ExternalParameterRef) Stored() string {
	p := dag.Param{Type: r.Type, Encoding: r.Encoding}
	return r.Encoding.Stored().String() + " " + p.Logical().String()
}
