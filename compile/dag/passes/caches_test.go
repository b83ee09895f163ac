package passes_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/compile/dag"
	"github.com/skainet-dev/skainet-go/compile/dag/passes"
	"github.com/skainet-dev/skainet-go/compile/op"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
)

// decoder attends to a KV cache of 64 rows, which a private function
// updates, as in the layers of lang/nn/causal.
func decoder(t *testing.T, cache dtype.DType) *dag.Graph {
	t.Helper()
	rows, token := tensor.TypeOf(cache, 64, 1, 4), tensor.TypeOf(dtype.F32, 1, 1, 4)

	turn := &dag.Block{}
	var next [2]*dag.Value
	keys, values, k, v, at := turn.AddArg(rows), turn.AddArg(rows), turn.AddArg(token), turn.AddArg(token), turn.AddArg(i32)
	for i, x := range []*dag.Value{k, v} {
		if cache != dtype.F32 {
			x = add(t, turn, "convert", op.Attrs{"dtype": cache}, x)
		}
		next[i] = add(t, turn, "update_rows", nil, []*dag.Value{keys, values}[i], x, at)
	}
	turn.Results = next[:]
	private := entry("turn", turn)
	private.Entry, private.Results = false, []string{"keys", "values"}

	b := &dag.Block{}
	q, start := b.AddArg(tensor.TypeOf(dtype.F32, 1, 2, 4)), b.AddArg(i32)
	newest := b.AddArg(token)
	var old [2]*dag.Value
	for i, name := range []string{"keys", "values"} {
		old[i] = add(t, b, "state", op.Attrs{"type": rows, "name": name})
	}
	call, err := b.AddCall("main/turn", private, old[0], old[1], newest, newest, start)
	require.NoError(t, err)
	b.Results = []*dag.Value{add(t, b, "cached_attention", nil, q, call.Outputs[0], call.Outputs[1], start)}

	g := &dag.Graph{
		Name:   "decoder",
		States: []*dag.State{{Name: "keys", Type: rows}, {Name: "values", Type: rows}},
		Funcs: []*dag.Func{private, entry("main", b,
			dag.Write{State: "keys", Value: call.Outputs[0]}, dag.Write{State: "values", Value: call.Outputs[1]})},
	}
	require.NoError(t, dag.Verify(g))
	return g
}

// A cache that update_rows writes is stored in the narrow type, and no call converts
// a complete cache.
func TestNarrowKeepsCachesWhole(t *testing.T) {
	for _, cache := range []dtype.DType{dtype.F16, dtype.F32, dtype.BF16} {
		for _, to := range []dtype.DType{dtype.F16, dtype.BF16} {
			for _, keep := range []bool{false, true} {
				g := decoder(t, cache)
				require.NoError(t, passes.Run(g, narrow(t, passes.Narrowing{To: to, KeepSignature: keep})))
				whole := 0
				for _, f := range g.Funcs {
					f.Body.Walk(func(n *dag.Node) {
						if n.Op.Name == "convert" && n.Outputs[0].Type.Shape[0].Size == 64 {
							whole++
						}
					})
				}
				require.Zero(t, whole, "caches of %s narrowed to %s", cache, to)
				require.Equal(t, to, g.States[0].Type.DType)
				require.Equal(t, to, g.States[1].Type.DType)
			}
		}
	}
}
