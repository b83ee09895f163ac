package cpu

import (
	"context"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/compile/dag"
	"github.com/skainet-dev/skainet-go/compile/dag/passes"
	"github.com/skainet-dev/skainet-go/compile/op"
	"github.com/skainet-dev/skainet-go/tensor"
)

// With its operands as constants, every case returns the same bits before and
// after the passes, and still agrees with NumPy.
func TestPassesKeepResultsOfEveryOperation(t *testing.T) {
	for i, c := range readCases(t) {
		t.Run(fmt.Sprintf("%s/%d", c.Op, i), func(t *testing.T) {
			o, err := op.Lookup(c.Op)
			require.NoError(t, err)
			b := newBuilder(t)
			var in []*dag.Value
			for _, text := range c.In {
				in = append(in, b.node("constant", op.Attrs{"value": parseTensor(t, text)}))
			}
			dead := b.node("iota", op.Attrs{"type": tensor.TypeOf(i32.DType, 3), "dim": int64(0)}).Node
			b.Results = []*dag.Value{b.node(c.Op, c.attrs(t, o), in...)}
			g := graphOf(b.Block)
			params := func(scope, key string) (tensor.Value, error) { return parseTensor(t, c.Params), nil }
			run := func() tensor.Value {
				out, err := load(t, g, params).Call(context.Background(), "main")
				require.NoError(t, err)
				return out[0]
			}
			before := run()
			require.NoError(t, passes.Run(g, passes.Default...))
			g.Funcs[0].Body.Walk(func(n *dag.Node) {
				require.NotSame(t, dead, n, "dead code is left")
			})
			after := run()
			require.Equal(t, before, after)
			require.NoError(t, passes.Run(g, passes.Fold(Evaluate, 1<<20), passes.Exact(Evaluate)))
			require.Equal(t, before, run())
			requireClose(t, parseTensor(t, c.Out), after, c.ULPs, c.Abs)
		})
	}
}
