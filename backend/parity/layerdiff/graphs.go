package layerdiff

import (
	"context"
	"fmt"
	"slices"

	"github.com/skainet-dev/skainet-go/backend/parity"
	"github.com/skainet-dev/skainet-go/compile/dag"
	"github.com/skainet-dev/skainet-go/compile/op"
	"github.com/skainet-dev/skainet-go/tensor"
)

// withResults returns g with more results of f; the values are g's own.
func withResults(g *dag.Graph, f *dag.Func, more []*dag.Value) *dag.Graph {
	wide := *f
	wide.Results = slices.Clone(f.Results)
	for i := range more {
		wide.Results = append(wide.Results, fmt.Sprintf("inner_%d", i))
	}
	wide.Body = &dag.Block{Args: f.Body.Args, Nodes: f.Body.Nodes, Results: append(slices.Clone(f.Body.Results), more...)}
	to := &dag.Graph{Name: g.Name, States: g.States, Funcs: slices.Clone(g.Funcs)}
	to.Funcs[slices.Index(to.Funcs, f)] = &wide
	return to
}

// report describes v's operation, or descends into the function that it calls.
func (s *search) report(ctx context.Context, g *dag.Graph, f *dag.Func, calls []parity.Call, v *dag.Value, r parity.Result, agreed map[*dag.Value]parity.Result) (*Finding, error) {
	n := v.Node
	found := &Finding{Function: f.Name, Node: n, Index: slices.Index(f.Body.Nodes, n), Nodes: len(f.Body.Nodes), Result: r}
	for _, in := range n.Inputs {
		if q, ok := agreed[in]; ok {
			found.Inputs = append(found.Inputs, q)
		}
	}
	inputs, err := s.inputs(ctx, g, f, calls, n)
	if err != nil {
		return nil, err
	}
	if n.Op.Role == op.Calls {
		if inner := s.enter(ctx, g, n, inputs); inner != nil {
			return inner, nil
		}
	}
	found.Alone = s.alone(ctx, g, v, inputs)
	found.Runs = s.runs
	return found, nil
}

// inputs returns the reference's values of an operation's inputs.
func (s *search) inputs(ctx context.Context, g *dag.Graph, f *dag.Func, calls []parity.Call, n *dag.Node) ([]tensor.Value, error) {
	alone := &search{Options: s.Options}
	alone.Candidate = s.Reference // the candidate may not have all of them as results
	o, err := alone.run(ctx, withResults(g, f, n.Inputs), calls)
	if err != nil {
		return nil, err
	}
	return o.want[len(f.Results):], nil
}

// enter finds the operation within the function that n calls; it returns nil if
// the function agrees with the reference when called by itself.
func (s *search) enter(ctx context.Context, g *dag.Graph, n *dag.Node, args []tensor.Value) *Finding {
	callee, err := g.Func(n.Attrs.String("function"))
	if err != nil {
		return nil
	}
	entry := *callee
	entry.Entry = true
	inner := &dag.Graph{Name: g.Name, States: g.States}
	for _, f := range g.Funcs[:slices.Index(g.Funcs, callee)] {
		if !f.Entry {
			inner.Funcs = append(inner.Funcs, f)
		}
	}
	inner.Funcs = append(inner.Funcs, &entry)
	found, err := s.find(ctx, inner, []parity.Call{{Entry: callee.Name, Args: args}})
	if err != nil {
		return nil
	}
	return found
}

// alone runs one operation on the reference's inputs; it returns nil if that is
// impossible, as for an operation whose blocks use values from outside.
func (s *search) alone(ctx context.Context, g *dag.Graph, v *dag.Value, inputs []tensor.Value) *parity.Result {
	const entry = "alone"
	n := v.Node
	if len(n.Blocks) > 0 || n.Op.Role == op.Calls {
		return nil
	}
	f := &dag.Func{Name: entry, Entry: true, Results: []string{"result"}, Body: &dag.Block{}}
	made := &dag.Node{Op: n.Op, Origin: n.Origin, Attrs: n.Attrs}
	for i, in := range n.Inputs {
		f.Args = append(f.Args, fmt.Sprintf("input_%d", i))
		made.Inputs = append(made.Inputs, f.Body.AddArg(tensor.Type{DType: in.Type.DType, Shape: inputs[i].Type.Shape}))
	}
	for i, out := range n.Outputs {
		if !out.Type.Shape.IsStatic() {
			return nil
		}
		made.Outputs = append(made.Outputs, &dag.Value{Type: out.Type, Node: made, Port: i})
	}
	f.Body.Nodes = []*dag.Node{made}
	f.Body.Results = []*dag.Value{made.Outputs[v.Port]}
	o, err := s.run(ctx, &dag.Graph{Name: g.Name, Funcs: []*dag.Func{f}}, []parity.Call{{Entry: entry, Args: inputs}})
	if err != nil {
		return nil
	}
	r, err := s.compare(path(v), o.got[0], o.want[0])
	if err != nil {
		return nil
	}
	return &r
}

// Text describes the finding for a reader.
func (f *Finding) Text() string {
	t := fmt.Sprintf("the backends differ from %s on, operation %d of %d in %s\n", f.Node, f.Index+1, f.Nodes, f.Function)
	for _, r := range f.Inputs {
		t += fmt.Sprintf("  input  %s %s agrees: max abs %.3g, max rel %.3g\n", r.Name, r.Type, r.MaxAbs, r.MaxRel)
	}
	t += fmt.Sprintf("  result %s: %d of %d differ\n    first %s\n    worst %s\n", f.Result.Type, f.Result.Mismatches, f.Result.Elements, f.Result.First, f.Result.Worst)
	switch {
	case f.Alone == nil:
		t += "  it cannot be run on its own\n"
	case f.Alone.Mismatches > 0:
		t += fmt.Sprintf("  on its own, on the reference's inputs, it differs too: %d of %d, worst %s\n", f.Alone.Mismatches, f.Alone.Elements, f.Alone.Worst)
	default:
		t += fmt.Sprintf("  on its own, on the reference's inputs, it agrees (max abs %.3g): check the operations that it is fused with, and the tolerance\n", f.Alone.MaxAbs)
	}
	return t + fmt.Sprintf("  %d graphs were run\n", f.Runs)
}
