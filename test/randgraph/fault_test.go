package randgraph

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/backend"
	"github.com/skainet-dev/skainet-go/compile/dag"
	"github.com/skainet-dev/skainet-go/compile/dag/graphjson"
	"github.com/skainet-dev/skainet-go/compile/op"
	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/io/npy"
)

// mistaken computes one operation as another.
func mistaken(t *testing.T, name, as string) Backend {
	wrong, err := op.Lookup(as)
	require.NoError(t, err)
	return Backend{Name: "mistaken", Open: func(ctx context.Context, g *dag.Graph) (backend.Executable, error) {
		for _, f := range g.Funcs {
			f.Body.Walk(func(n *dag.Node) {
				if n.Op.Name == name {
					n.Op = wrong
				}
			})
		}
		return onCPU.Open(ctx, g)
	}}
}

func TestAMistakeIsFoundAndShrunk(t *testing.T) {
	for _, dynamic := range []bool{false, true} {
		dir := t.TempDir()
		var out bytes.Buffer
		only := []string{"sinh", "add", "transpose", "concatenate", "reduce_sum", "while"}
		k := Check{Options: Options{MaxOps: 12, Only: only, Dynamic: dynamic}, Graphs: 12, Batch: 12, Backends: []Backend{onCPU, mistaken(t, "sinh", "asinh")}, Dir: dir}
		err := k.Run(context.Background(), &out)
		require.Equal(t, CodeMismatch, errs.CodeOf(err))
		require.Contains(t, out.String(), "they diverge at sinh; 1 of ")
		require.NotContains(t, out.String(), "on cpu:")
		folders, err := filepath.Glob(filepath.Join(dir, "seed_*_mistaken"))
		require.NoError(t, err)
		require.NotEmpty(t, folders)
		// The written files are the graph and its results.
		g, err := graphjson.ReadFile(filepath.Join(folders[0], "graph.json"))
		require.NoError(t, err)
		x, err := onCPU.Open(context.Background(), g)
		require.NoError(t, err)
		in, err := npy.ReadFile(filepath.Join(folders[0], "x0.npy"))
		require.NoError(t, err)
		got, err := x.Call(context.Background(), "g0", in)
		require.NoError(t, err)
		want, err := npy.ReadFile(filepath.Join(folders[0], "y0.npy"))
		require.NoError(t, err)
		require.Equal(t, want, got[0])
	}
}

// A fault of a whole graph that no part shows is reported as a whole.
func TestAFaultOfTheWhole(t *testing.T) {
	c, err := Make(3, Options{MaxOps: 30})
	require.NoError(t, err)
	require.Greater(t, c.Ops(), 1)
	whole := c.Ops()
	b := Backend{Name: "whole", Open: func(ctx context.Context, g *dag.Graph) (backend.Executable, error) {
		if len(g.Funcs[len(g.Funcs)-1].Results) == len(c.results) && len(c.results) > 1 {
			return nil, errs.New("TEST_REFUSED", "too many results")
		}
		return onCPU.Open(ctx, g)
	}}
	failures, err := Compare(context.Background(), b, []*Case{c})
	require.NoError(t, err)
	require.Len(t, failures, 1)
	small, err := Shrink(context.Background(), b, failures[0])
	require.NoError(t, err)
	require.Equal(t, whole, small.Case.Ops())
	require.ErrorContains(t, small.Err, "TEST_REFUSED")
}

// Of several graphs in one program, the one that cannot be compiled is found.
func TestTheGraphThatIsRefused(t *testing.T) {
	var cases []*Case
	for seed := range uint64(9) {
		c, err := Make(seed, Options{MaxOps: 2, Only: []string{"exp", "add"}})
		require.NoError(t, err)
		cases = append(cases, c)
	}
	bad, err := Make(1, Options{MaxOps: 1, Only: []string{"tanh"}})
	require.NoError(t, err)
	cases = slices.Insert(cases, 6, bad)
	b := Backend{Name: "picky", Open: func(ctx context.Context, g *dag.Graph) (backend.Executable, error) {
		for _, f := range g.Funcs {
			if slices.ContainsFunc(f.Body.Nodes, func(n *dag.Node) bool { return n.Op.Name == "tanh" }) {
				return nil, errs.New("TEST_REFUSED", "no tanh here")
			}
		}
		return onCPU.Open(ctx, g)
	}}
	failures, err := Compare(context.Background(), b, cases)
	require.NoError(t, err)
	require.Len(t, failures, 1)
	require.Same(t, bad, failures[0].Case)
}

func TestAFolderThatCannotBeMade(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	require.NoError(t, os.WriteFile(file, nil, 0o600))
	k := Check{Options: Options{MaxOps: 1, Only: []string{"sinh"}}, Graphs: 1, Backends: []Backend{mistaken(t, "sinh", "asinh")}, Dir: file}
	require.ErrorContains(t, k.Run(context.Background(), &bytes.Buffer{}), string(CodeWrite))
}
