package xla

import (
	"github.com/skainet-dev/skainet-go/compile/dag"
	"github.com/skainet-dev/skainet-go/compile/hlo"
	"github.com/skainet-dev/skainet-go/compile/op"
	"github.com/skainet-dev/skainet-go/errs"
)

// CodeBucket is the code of an entry point that has no text for a range of sizes.
const CodeBucket = hlo.CodeBucket

// Bucket is a text for calls of different sizes.
type Bucket struct {
	*hlo.Module
	// Sizes are the names whose sizes are arguments, one tensor<i32> each, after those of the
	// entry point: the sizes of the call.
	Sizes []string
}

// EmitBucket writes the text of an entry point for calls in which each name in most has a size
// of 1 to that number, and each in sizes that size. Its arguments and results are as large as for
// the largest sizes: what lies behind those of the call in an argument may be anything, and what
// lies behind them in a result is nothing. State variables are as in Emit.
//
// HLO_BUCKET is the error of an entry point that has no such text: one with an operation about which the
// table does not say that it is right there (op.Traits.Padding), a size that has no largest one,
// such as batch-seq, or a mesh of several devices.
func EmitBucket(g *dag.Graph, entry string, sizes, most map[string]int64, o Options) (*Bucket, error) {
	form, err := formOf(o)
	if err != nil {
		return nil, err
	}
	f, err := g.Func(entry)
	if err != nil {
		return nil, err
	}
	one, err := only(g, f)
	if err != nil {
		return nil, err
	}
	names := hlo.SizeNames(f)
	for _, name := range names {
		if most[name] < 1 && sizes[name] < 1 {
			return nil, errs.New(CodeDynamic, "the size %s has neither a number nor a largest one", name).On(entry).Hint("give each of its names a number")
		}
	}
	hlo.Bucketed(form, sizes, most)
	m, err := hlo.EmitAs(one, hlo.Options{Constants: o.Constants, Scope: o.Scope}, form)
	if err != nil {
		return nil, err
	}
	return &Bucket{m, names}, nil
}

// only returns the graph of f, as Main, and of the functions that it calls. The nodes are those of g.
func only(g *dag.Graph, f *dag.Func) (*dag.Graph, error) {
	if g.Mesh.Spans() {
		return nil, errs.New(CodeBucket, "a graph for several devices has exact sizes").On(f.Name)
	}
	used := map[*dag.Func]bool{}
	var reach func(f *dag.Func)
	reach = func(f *dag.Func) {
		if used[f] {
			return
		}
		used[f] = true
		f.Body.Walk(func(n *dag.Node) {
			if n.Op.Role == op.Calls {
				if callee, err := g.Func(n.Attrs.String("function")); err == nil {
					reach(callee)
				}
			}
		})
	}
	reach(f)
	one := &dag.Graph{Name: g.Name, States: g.States}
	for _, x := range g.Funcs {
		if !used[x] {
			continue
		}
		if x != f && x.Name == Main {
			return nil, errs.New(CodeBucket, "it calls a function named %s", Main).On(f.Name).Hint("give the function another name")
		}
		made := *x
		if made.Entry = x == f; made.Entry {
			made.Name = Main
		}
		one.Funcs = append(one.Funcs, &made)
	}
	return one, nil
}
