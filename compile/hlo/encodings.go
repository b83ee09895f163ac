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

// encodingsOf returns the encodings that tensors of g carry: parameters say theirs, and
// operations that read blocks say that of the operand. Of two tensors with one name, the
// first counts.
func encodingsOf(g *dag.Graph) encodings {
	all := encodings{}
	note := func(name string, e quant.Encoding) {
		if _, known := all[name]; !known && name != "" && e != quant.NotCarried {
			all[name] = e
		}
	}
	for _, f := range g.Funcs {
		arguments := map[*dag.Value]string{}
		for i, v := range f.Body.Args {
			arguments[v] = f.Args[i]
		}
		f.Body.Walk(func(n *dag.Node) {
			e := quant.Encoding(n.Attrs.String("encoding"))
			if n.Op.Role == op.Weight {
				note(n.Attrs.String("key"), e)
			}
			for i, o := range n.Op.Operands {
				if o.Blocks {
					note(nameOf(analysis.Owner(n.Inputs[i]), arguments), e)
				}
			}
		})
	}
	return all
}

// nameOf returns the name of a stored tensor, or nothing for a computed one.
func nameOf(v *dag.Value, arguments map[*dag.Value]string) string {
	n := v.Node
	switch {
	case n == nil:
		return arguments[v]
	case n.Op.Role == op.Weight:
		return n.Attrs.String("key")
	case n.Op.Role == op.Literal && n.Attrs.String("name") != "":
		return n.Attrs.String("name")
	case n.Op.Role == op.Literal:
		return n.Path
	}
	return ""
}

// String returns the attributes of the module's header, or nothing.
func (e encodings) String() string {
	if len(e) == 0 {
		return ""
	}
	entries := make([]string, 0, len(e))
	for _, name := range slices.Sorted(maps.Keys(e)) {
		entries = append(entries, attributeName(name)+" = "+Quote(e[name].String()))
	}
	return " attributes {" + contract.EncodingsAttribute + " = {" + strings.Join(entries, ", ") + "}}"
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
