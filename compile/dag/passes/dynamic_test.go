package passes_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/backend/cpu"
	"github.com/skainet-dev/skainet-go/compile/contract"
	"github.com/skainet-dev/skainet-go/compile/dag"
	"github.com/skainet-dev/skainet-go/compile/dag/passes"
	"github.com/skainet-dev/skainet-go/lang"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
	"github.com/skainet-dev/skainet-go/tensor/shape"
)

// dynamicModel moves, broadcasts and joins dimensions known only by name, with
// something for each pass to find.
func dynamicModel(m *lang.Module) {
	batch, seq := shape.Named("batch"), shape.Named("seq")
	m.Entry("main", func(f *lang.Func) {
		x := f.InputOf("x", dtype.F32, batch, seq, shape.N(4))
		flipped := x.Transpose(1, 0, 2).Transpose(1, 0, 2) // x
		flat := flipped.Reshape(-1, 4).Reshape(-1)         // [4 batch seq]
		back := flat.ReshapeOf(batch, seq, shape.N(4))     // x again
		twice := back.Add(x.Negate().Negate())
		scaled := twice.Mul(f.SplatOf(dtype.F32, 1, twice.Dims()...)).Div(f.Splat(dtype.F32, 4))
		scores := scaled.Dot(x.Transpose(0, 2, 1), lang.Dims{LHS: []int{0}, RHS: []int{0}}, lang.Dims{LHS: []int{2}, RHS: []int{1}}) // [batch, seq, seq]
		weights := scores.Softmax(-1)
		f.Output("weights", weights)
		f.Output("joined", f.Concat(1, scaled, x, f.SplatOf(dtype.F32, 2, batch, shape.N(1), shape.N(4))))
		f.Output("count", x.Size(1).Add(x.Size(1)))
	})
}

func dynamicResults(t *testing.T, g *dag.Graph, batch, seq int64) []tensor.Value {
	t.Helper()
	data := make([]float32, batch*seq*4)
	for i := range data {
		data[i] = float32(i%7)/4 - 0.75 // exact in f16 too
	}
	x, err := tensor.Of(data, batch, seq, 4)
	require.NoError(t, err)
	f := g.Funcs[len(g.Funcs)-1]
	e := contract.Entry{Name: f.Name}
	for i, v := range f.Body.Args {
		e.Args = append(e.Args, contract.Named{Name: f.Args[i], DType: v.Type.DType, Shape: v.Type.Shape})
	}
	for i, v := range f.Body.Results {
		e.Results = append(e.Results, contract.Named{Name: f.Results[i], DType: v.Type.DType, Shape: v.Type.Shape})
	}
	p, err := cpu.Load(g, &contract.Contract{Schema: contract.Schema, Name: g.Name, Entries: []contract.Entry{e}}, nil)
	require.NoError(t, err)
	out, err := p.Call(context.Background(), f.Name, x)
	require.NoError(t, err)
	return out
}

// Every pass keeps the names of dynamic sizes and the results, whatever the
// sizes are.
func TestPassesOnDynamicSizes(t *testing.T) {
	capture := func(ps ...passes.Pass) *dag.Graph {
		g, err := lang.CaptureWith("dynamic", nil, dynamicModel, ps...)
		require.NoError(t, err)
		return g
	}
	plain := capture()
	types := func(g *dag.Graph) []string {
		var list []string
		for _, v := range g.Funcs[0].Body.Results {
			list = append(list, v.Type.String())
		}
		return list
	}
	for _, p := range []passes.Pass{
		{Name: "simplify", Run: passes.Simplify}, {Name: "layout", Run: passes.Layout}, {Name: "common", Run: passes.Common},
		{Name: "clean_up", Run: passes.CleanUp}, passes.Exact(cpu.Evaluate), passes.Int8(1), passes.Duplicates(nil),
		narrow(t, passes.Narrowing{To: dtype.BF16, KeepSignature: true}),
	} {
		t.Run(p.Name, func(t *testing.T) {
			g := capture(p)
			require.Equal(t, types(plain), types(g))
			for _, sizes := range [][2]int64{{1, 1}, {2, 3}, {3, 1}} {
				want, got := dynamicResults(t, plain, sizes[0], sizes[1]), dynamicResults(t, g, sizes[0], sizes[1])
				if p.Name != "narrow_bf16" {
					require.Equal(t, want, got)
					continue
				}
				for i := range want[:2] {
					a, err := tensor.Slice[float32](want[i])
					require.NoError(t, err)
					b, err := tensor.Slice[float32](got[i])
					require.NoError(t, err)
					require.InDeltaSlice(t, a, b, 3./(1<<8)) // three roundings of numbers up to 1
				}
				require.Equal(t, want[2], got[2])
			}
			lines := describe(g)
			require.NoError(t, passes.Run(g, p))
			require.Equal(t, lines, describe(g), "a second run finds something")
		})
	}
	require.NotContains(t, describe(capture(passes.Default...)), "transpose", "both cancel, and the product takes the third")
	require.NotContains(t, describe(capture(passes.Default...)), "reshape")
}
