package passes

import (
	"crypto/sha256"
	"fmt"

	"github.com/skainet-dev/skainet-go/compile/dag"
	"github.com/skainet-dev/skainet-go/compile/op"
)

// Contents identifies the contents of parameters: keys for which it returns the
// same string have the same bytes, stored in the same way. It returns "" if unknown.
// For a weight file it is weights.File.Contents.
type Contents func(scope, key string) string

// Duplicates returns the pass that reads one parameter for all with equal
// contents: tied embeddings that a file has twice, norms that are all ones. The key
// that sorts first stays. Named constants of the model's code are merged too,
// by their bytes; contents may be nil for a model that has no parameters.
//
// Such a program fits only weights in which the same tensors are equal,
// which may not be true for a fine-tuned model.
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
	first    map[string]string // by contents
}

// eachKey visits the nodes that read from an archive, with the identity
// of their contents.
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
