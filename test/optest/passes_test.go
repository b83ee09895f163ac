package optest

import (
	"context"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/backend/cpu"
	"github.com/skainet-dev/skainet-go/compile/dag"
	"github.com/skainet-dev/skainet-go/compile/dag/passes"
	"github.com/skainet-dev/skainet-go/compile/iree"
	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/lang"
	"github.com/skainet-dev/skainet-go/tensor"
)

// results calls all entry points of g, those with state four times. change (if
// any) is applied to each argument.
func results(t *testing.T, g *dag.Graph, change ...func(v tensor.Value) tensor.Value) map[string][]tensor.Value {
	t.Helper()
	m, err := iree.Emit(g, iree.Options{})
	require.NoError(t, err)
	cases, err := Cases(m.Contract)
	require.NoError(t, err)
	x, err := cpu.Load(g, m.Contract, func(_, key string) (tensor.Value, error) {
		return tensor.Value{}, errs.New("TEST", "no parameter %s", key)
	})
	require.NoError(t, err)
	out := map[string][]tensor.Value{}
	for _, call := range cases[0].Calls {
		args := slices.Clone(call.Args)
		for _, f := range change {
			for i := range args {
				args[i] = f(args[i])
			}
		}
		r, err := x.Call(context.Background(), call.Entry, args...)
		require.NoError(t, err, call.Entry)
		out[call.Entry] = append(out[call.Entry], r...)
	}
	require.NoError(t, x.Close())
	return out
}

func nodes(g *dag.Graph) (n int) {
	for _, f := range g.Funcs {
		f.Body.Walk(func(*dag.Node) { n++ })
	}
	return n
}

// Every variant of an operation returns the same bits before and after the passes that
// keep results, and a second run of them changes nothing.
func TestExactPassesKeepTheBitsOfEveryEntry(t *testing.T) {
	for name, build := range map[string]lang.Constructor{"narrow": Model, "wide": CPUOnly, "dynamic": Dynamic} {
		g, err := lang.CaptureWith("optest", nil, build)
		require.NoError(t, err)
		want := results(t, g)
		first := nodes(g)
		for _, p := range []passes.Pass{
			{Name: "splat", Run: passes.Splat}, {Name: "common", Run: passes.Common}, {Name: "simplify", Run: passes.Simplify},
			{Name: "layout", Run: passes.Layout}, {Name: "dead_code", Run: passes.DeadCode}, {Name: "clean_up", Run: passes.CleanUp},
			passes.Fold(cpu.Evaluate, passes.FoldLimit), passes.Fold(cpu.Evaluate, 1<<20), passes.Exact(cpu.Evaluate),
		} {
			t.Run(name+"/"+p.Name, func(t *testing.T) {
				// Each pass alone on the graph as it was written.
				g, err := lang.CaptureWith("optest", nil, build, p)
				require.NoError(t, err)
				got := results(t, g)
				require.Len(t, got, len(want))
				for entry := range want {
					require.Equal(t, want[entry], got[entry], entry)
				}
				text := emit(t, g)
				require.NoError(t, passes.Run(g, p))
				if text != emit(t, g) {
					t.Error("a second run changes the graph")
				}
				t.Logf("%d nodes of %d, %d bytes of text", nodes(g), first, len(text))
			})
		}
	}
}

// The passes of an export leave something of every operation to be compiled, so
// that the programs of this package test them all.
func TestExactPassesLeaveEveryOperation(t *testing.T) {
	used := func(ps ...passes.Pass) map[string]bool {
		names := map[string]bool{}
		for _, build := range []lang.Constructor{Model, CPUOnly, Dynamic} {
			g, err := lang.CaptureWith("optest", nil, build, ps...)
			require.NoError(t, err)
			for _, f := range g.Funcs {
				f.Body.Walk(func(n *dag.Node) { names[n.Op.Name] = true })
			}
		}
		return names
	}
	require.Equal(t, used(), used(passes.Exact(cpu.Evaluate)))
}

func emit(t *testing.T, g *dag.Graph) string {
	t.Helper()
	m, err := iree.Emit(g, iree.Options{})
	require.NoError(t, err)
	return string(m.Text)
}
