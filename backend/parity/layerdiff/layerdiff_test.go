package layerdiff

import (
	"context"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/backend"
	"github.com/skainet-dev/skainet-go/backend/cpu"
	"github.com/skainet-dev/skainet-go/backend/parity"
	"github.com/skainet-dev/skainet-go/compile/dag"
	"github.com/skainet-dev/skainet-go/compile/iree"
	"github.com/skainet-dev/skainet-go/compile/op"
	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/lang"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
	_ "github.com/skainet-dev/skainet-go/test/errtest"
)

func onCPU(_ context.Context, g *dag.Graph) (backend.Executable, error) {
	m, err := iree.Emit(g, iree.Options{})
	if err != nil {
		return nil, err
	}
	return cpu.Load(g, m.Contract, nil)
}

// mistaken computes the operation at one path as another operation.
func mistaken(t *testing.T, path, as string) Open {
	wrong, err := op.Lookup(as)
	require.NoError(t, err)
	return func(ctx context.Context, g *dag.Graph) (backend.Executable, error) {
		g = clone(g)
		for _, f := range g.Funcs {
			f.Body.Walk(func(n *dag.Node) {
				if n.Path == path {
					n.Op = wrong
				}
			})
		}
		return onCPU(ctx, g)
	}
}

func options(g *dag.Graph, candidate Open) Options {
	return Options{Graph: g, Reference: onCPU, Candidate: candidate, Rules: parity.Default()}
}

// clone copies the nodes, of graphs without inner blocks.
func clone(g *dag.Graph) *dag.Graph {
	to := &dag.Graph{Name: g.Name, States: g.States}
	for _, f := range g.Funcs {
		values := map[*dag.Value]*dag.Value{}
		b := &dag.Block{}
		for _, a := range f.Body.Args {
			values[a] = b.AddArg(a.Type)
		}
		all := func(vs []*dag.Value) (out []*dag.Value) {
			for _, v := range vs {
				out = append(out, values[v])
			}
			return out
		}
		for _, n := range f.Body.Nodes {
			m := &dag.Node{Op: n.Op, Origin: n.Origin, Attrs: n.Attrs, Inputs: all(n.Inputs)}
			for i, v := range n.Outputs {
				values[v] = &dag.Value{Type: v.Type, Node: m, Port: i}
				m.Outputs = append(m.Outputs, values[v])
			}
			b.Nodes = append(b.Nodes, m)
		}
		b.Results = all(f.Body.Results)
		h := *f
		h.Body, h.Writes = b, nil
		for _, w := range f.Writes {
			h.Writes = append(h.Writes, dag.Write{State: w.State, Value: values[w.Value]})
		}
		to.Funcs = append(to.Funcs, &h)
	}
	return to
}

// chain is n layers of sine and addition with a side branch in each, and at the end
// a product that hides no difference.
func chain(t *testing.T, n int) *dag.Graph {
	g, err := lang.Capture("chain", nil, func(m *lang.Module) {
		m.Entry("main", func(f *lang.Func) {
			x := f.Input("x", dtype.F32, 8)
			h := x
			for i := range n {
				f.Scope(fmt.Sprintf("layer_%d", i), func() { h = h.Add(h.Sinh().Tanh()).Add(h.Atan()) })
			}
			f.Output("y", h)
			f.Output("z", h.Mul(x))
		})
	})
	require.NoError(t, err)
	return g
}

func calls(t *testing.T, entry string) []parity.Call {
	x, err := tensor.Of([]float32{0.5, -1, 1.5, 2, -2.5, 3, 0.25, 1}, 8)
	require.NoError(t, err)
	return []parity.Call{{Entry: entry, Args: []tensor.Value{x}}}
}

func TestThePlantedFaultIsNamed(t *testing.T) {
	g := chain(t, 60)
	for _, layer := range []int{0, 1, 31, 59} {
		for _, name := range []string{"sinh", "atan"} {
			path := fmt.Sprintf("main/layer_%d/%s", layer, name)
			found, err := Find(context.Background(), options(g, mistaken(t, path, "exp")), calls(t, "main"))
			require.NoError(t, err, path)
			require.Equal(t, path, found.Node.Path)
			require.Positive(t, found.Result.Mismatches)
			require.NotNil(t, found.Alone)
			require.Positive(t, found.Alone.Mismatches, "the operation is wrong by itself")
			require.Contains(t, found.Text(), "the backends differ from "+path)
			require.Contains(t, found.Text(), "on its own, on the reference's inputs, it differs too")
			require.LessOrEqual(t, found.Runs, 12, "of 240 operations")
		}
	}
}

// A fault within a function that is called is found there.
func TestAFaultInAFunction(t *testing.T) {
	x := tensor.TypeOf(dtype.F32, 8)
	layer := &dag.Func{Name: "layer", Args: []string{"x"}, Results: []string{"y"}, Body: &dag.Block{}}
	v := layer.Body.AddArg(x)
	for _, name := range []string{"exp", "tanh", "sinh"} {
		n, err := layer.Body.Add(name, "layer/"+name, nil, v)
		require.NoError(t, err)
		v = n.Outputs[0]
	}
	layer.Body.Results = []*dag.Value{v}
	main := &dag.Func{Name: "main", Entry: true, Args: []string{"x"}, Results: []string{"y"}, Body: &dag.Block{}}
	v = main.Body.AddArg(x)
	for i := range 3 {
		n, err := main.Body.AddCall(fmt.Sprintf("call_%d", i), layer, v)
		require.NoError(t, err)
		v = n.Outputs[0]
	}
	main.Body.Results = []*dag.Value{v}
	g := &dag.Graph{Name: "calls", Funcs: []*dag.Func{layer, main}}
	path := "layer/tanh"
	found, err := Find(context.Background(), options(g, mistaken(t, path, "abs")), calls(t, "main"))
	require.NoError(t, err)
	require.Equal(t, path, found.Node.Path)
	require.Equal(t, "layer", found.Function)
}

func TestNothingDiffers(t *testing.T) {
	g := chain(t, 3)
	_, err := Find(context.Background(), options(g, onCPU), calls(t, "main"))
	require.Equal(t, CodeAgree, errs.CodeOf(err))
}

// A backend that is wrong only if no inner value is a result.
func TestAFaultOfTheWhole(t *testing.T) {
	g := chain(t, 3)
	path := g.Funcs[0].Body.Nodes[0].Path
	wrong := mistaken(t, path, "exp")
	_, err := Find(context.Background(), options(g, func(ctx context.Context, h *dag.Graph) (backend.Executable, error) {
		if len(h.Funcs[0].Results) > 2 {
			return onCPU(ctx, h)
		}
		return wrong(ctx, h)
	}), calls(t, "main"))
	require.Equal(t, CodeWhole, errs.CodeOf(err))
}
