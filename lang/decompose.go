package lang

import (
	"github.com/skainet-dev/skainet-go/compile/dag"
	"github.com/skainet-dev/skainet-go/compile/op"
	"github.com/skainet-dev/skainet-go/errs"
)

// Decomposition returns what package operator registers: an operation that build writes
// in this language. Its panics are errors that name the operation.
func Decomposition(build func(c *op.Call, in []Tensor) []Tensor) op.Build {
	return func(c *op.Call, in []op.Ref, add op.Adder) (out []op.Ref, err error) {
		d := &decomposition{add: add, refs: map[*dag.Value]op.Ref{}}
		f := &Func{inner: d, path: c.Op.Name}
		defer func() {
			if r := recover(); r != nil {
				out, err = nil, recovered(r)
				if errs.CodeOf(err) == CodePanic {
					err = c.Failf(op.CodeForm, "its decomposition panicked: %v", r).Hint("this is a fault in the decomposition of %s, which %s registers", c.Op.Name, c.Op.Custom.Package)
				}
			}
		}()
		for _, t := range build(c, f.outputs(d.node(in))) {
			ref, ok := d.refs[t.v]
			if !ok {
				return nil, c.Failf(op.CodeForm, "its decomposition returns a tensor of another function")
			}
			out = append(out, ref)
		}
		return out, nil
	}
}

// decomposition is where a decomposition adds operations.
type decomposition struct {
	add  op.Adder
	refs map[*dag.Value]op.Ref
}

// node returns a node with these results, which is in no block.
func (d *decomposition) node(refs []op.Ref) *dag.Node {
	n := &dag.Node{}
	for i, r := range refs {
		v := &dag.Value{Type: r.Type, Port: i}
		d.refs[v], n.Outputs = r, append(n.Outputs, v)
	}
	return n
}

func (d *decomposition) apply(name string, a attrs, in []Tensor) *dag.Node {
	refs := make([]op.Ref, len(in))
	for i, t := range in {
		refs[i] = d.refs[t.v]
	}
	out, err := d.add(name, a, refs)
	if err != nil {
		panic(err)
	}
	return d.node(out)
}

// whole panics inside a decomposition, which has no arguments, weights, states or blocks of
// its own.
func (f *Func) whole(what string) {
	if f.inner != nil {
		panic(f.misuse("%s inside the decomposition of an operation", what).
			Hint("a decomposition computes from the operation's operands alone: make this an operand"))
	}
}

// registrations returns the first mistake in the registration of an operation.
func registrations() error {
	if list := op.Mistakes(); len(list) > 0 {
		return list[0]
	}
	return nil
}
