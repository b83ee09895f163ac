// Package xla writes a graph as texts for XLA's compiler: the plain StableHLO of package
// hlo, one text for each entry point.
//
// XLA compiles one function, @main, whose sizes are all known. So each text is the graph
// of one entry point with numbers for its named sizes; weights and state variables are
// arguments after the entry point's own, in the order of hlo.Access, and weights in blocks
// are unpacked by the operations that the table of compile/op says. The argument of a state
// variable that the call sets is donated: the new value is in its memory.
//
// A graph with a mesh of several devices (dag.Mesh) has the mesh and the shardings of its
// values in the text, as Shardy's attributes: XLA makes one program for all devices of it,
// with the collectives that it needs.
//
// EmitBucket writes a text for a range of sizes: that for the largest ones, with the sizes of
// the call as arguments.
//
// Rewrites is the table of forms that XLA refuses or gets wrong, with what the text has
// instead.
//
// # Errors
//
// Those of package hlo, of which HLO_BUCKET is one of EmitBucket, and of dag.Specialize; XLA_DYNAMIC for a dynamic size without a number; XLA_REWRITE for an unknown name in
// Options.Without; XLA_LEVEL for an unknown level, XLA_TARGET for an
// unknown target.
//
// # Determinism
//
// As in package hlo: the bytes depend only on the graph, the sizes and the options.
package xla

import (
	"github.com/skainet-dev/skainet-go/compile/dag"
	"github.com/skainet-dev/skainet-go/compile/hlo"
	"github.com/skainet-dev/skainet-go/compile/op"
	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/tensor"
)

// Options configures a text.
type Options struct {
	Constants hlo.ConstantPolicy // nil means hlo.InlineAlways
	Scope     string             // of external constants; "" means "model"
	// Without names rows of Rewrites to omit, to see their effect.
	Without []string
}

// CodeDynamic is the code of a dynamic size without a number.
const CodeDynamic errs.Code = "XLA_DYNAMIC" // smallest input: no size of an entry point that takes an n?

// Main is the name of the function that XLA compiles.
const Main = "main"

// Emit writes the text of an entry point for these sizes of its dynamic dimensions, by
// name; an entry point without them needs none. The module's contract and its Access name
// the entry point Main.
func Emit(g *dag.Graph, entry string, sizes map[string]int64, o Options) (*hlo.Module, error) {
	form, err := formOf(o)
	if err != nil {
		return nil, err
	}
	f, err := g.Func(entry)
	if err != nil {
		return nil, err
	}
	types := make([]tensor.Type, len(f.Body.Args))
	for i, v := range f.Body.Args {
		types[i].DType = v.Type.DType
		if types[i].Shape, err = v.Type.Shape.Bind(sizes); err != nil {
			return nil, err
		}
		if !types[i].Shape.IsStatic() {
			return nil, errs.New(CodeDynamic, "the argument %q has the type %s, and not all of its sizes are given", f.Args[i], v.Type).On(entry).Hint("give each of its names a number")
		}
	}
	one, err := dag.Specialize(g, entry, types...)
	if err != nil {
		return nil, err
	}
	renamed(one, entry)
	one.Mesh = g.Mesh.Entry(entry, Main).Within(one) // another entry point has weights of its own
	if one.Mesh.Spans() {
		onMesh(form, one.Mesh)
	}
	return hlo.EmitAs(one, hlo.Options{Constants: o.Constants, Scope: o.Scope}, form)
}

// renamed makes entry the only entry point, named Main. g is changed: a function that
// has the name gets another one.
func renamed(g *dag.Graph, entry string) {
	names := map[string]string{entry: Main}
	taken := map[string]bool{}
	for _, f := range g.Funcs {
		taken[f.Name] = true
		f.Entry = f.Name == entry
	}
	if taken[Main] && entry != Main {
		other := Main + "_"
		for taken[other] {
			other += "_"
		}
		names[Main] = other
	}
	for _, f := range g.Funcs {
		if name := names[f.Name]; name != "" {
			f.Name = name
		}
		f.Body.Walk(func(n *dag.Node) {
			if n.Op.Role != op.Calls {
				return
			}
			if name := names[n.Attrs.String("function")]; name != "" {
				n.Attrs["function"] = name
			}
		})
	}
}
