package passes

import (
	"crypto/sha256"
	"fmt"

	"github.com/skainet-dev/skainet-go/compile/dag"
	"github.com/skainet-dev/skainet-go/compile/op"
)

// Contents says what parameters hold: keys for which it gives the same text hold
// the same bytes, stored in the same way. It gives "" for what it does not know.
// That of a weight file is weights.File.Contents.
type Contents func(scope, key string) string

// Duplicates returns the pass that reads one parameter for all that hold the same:
// tied embeddings that a file has twice, norms that are all ones. The key that
// sorts first stays. Constants with a name of the model's own code are treated
// alike, by their bytes; contents may be nil for a model that has no others.
//
// A program that was written so fits only weights in which the same tensors are
// equal, as a fine-tune of the model may not have them.
func Duplicates(contents Contents) Pass {
	return Pass{Name: "duplicates", Run: func(g *dag.Graph) {
		d := &duplicates{contents: contents, first: map[string]string{}}
		d.eachKey(g, func(group, key string, _ func(string)) {
			if f, ok := d.first[group]; !ok || key < f {
				d.first[group] = key
			}
		})
		d.eachKey(g, func(group, _ string, rename func(string)) { rename(d.first[group]) })
		CleanUp(g)
	}}
}

type duplicates struct {
	contents Contents
	first    map[string]string // by what they hold
}

// eachKey visits the nodes that read from an archive, with what tells their
// contents from others'.
func (d *duplicates) eachKey(g *dag.Graph, visit func(group, key string, rename func(string))) {
	for _, f := range g.Funcs {
		f.Body.Walk(func(n *dag.Node) {
			group, attr := d.group(n)
			if group == "" {
				return
			}
			visit(group, n.Attrs.String(attr), func(key string) {
				if n.Attrs.String(attr) != key {
					n.Attrs = with(n.Attrs, attr, key)
				}
			})
		})
	}
}

func (d *duplicates) group(n *dag.Node) (group, attr string) {
	switch n.Op.Role {
	case op.Weight:
		if d.contents == nil {
			return "", ""
		}
		scope := n.Attrs.String("scope")
		if text := d.contents(scope, n.Attrs.String("key")); text != "" {
			return fmt.Sprintf("parameter %q %s %s", scope, n.Outputs[0].Type, text), "key"
		}
	case op.Literal:
		if n.Attrs.String("name") != "" {
			v := n.Attrs.Value("value")
			return fmt.Sprintf("constant %s %x", v.Type, sha256.Sum256(v.Bytes)), "name"
		}
	}
	return "", ""
}
