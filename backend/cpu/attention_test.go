package cpu

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/compile/dag"
	"github.com/skainet-dev/skainet-go/compile/op"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
)

// Which keys each of six queries attends to, written by hand: with equal scores and the
// identity matrix as values, a row of the result is 1/n at each of its n keys.
func TestWhatAttentionSees(t *testing.T) {
	for name, c := range map[string]struct {
		attrs op.Attrs
		rows  []string
	}{
		"causal":   {op.Attrs{"causal": true}, []string{"1.....", "11....", "111...", "1111..", "11111.", "111111"}},
		"window 1": {op.Attrs{"window": int64(1)}, []string{"1.....", ".1....", "..1...", "...1..", "....1.", ".....1"}},
		"window 2": {op.Attrs{"window": int64(2)}, []string{"1.....", "11....", ".11...", "..11..", "...11.", "....11"}},
		"window 4": {op.Attrs{"window": int64(4)}, []string{"1.....", "11....", "111...", "1111..", ".1111.", "..1111"}},
		"decoding": {op.Attrs{"window": int64(2), "causal": true, "offset": int64(4)}, []string{"...11.", "....11"}},
		"nothing":  {op.Attrs{"causal": true, "offset": int64(-2)}, []string{"......", "......", "1....."}},
		"all":      {nil, []string{"111111", "111111"}},
	} {
		t.Run(name, func(t *testing.T) {
			n := int64(len(c.rows))
			q, err := tensor.Zero(tensor.TypeOf(dtype.F32, 1, 1, n, 4))
			require.NoError(t, err)
			k, err := tensor.Zero(tensor.TypeOf(dtype.F32, 1, 1, 6, 4))
			require.NoError(t, err)
			unit := make([]float32, 36)
			for i := range 6 {
				unit[7*i] = 1
			}
			v, err := tensor.Of(unit, 1, 1, 6, 6)
			require.NoError(t, err)
			b := &dag.Block{}
			node, err := b.Add("attention", "a", c.attrs, b.AddArg(q.Type), b.AddArg(k.Type), b.AddArg(v.Type))
			require.NoError(t, err)
			b.Results = node.Outputs
			out, err := load(t, graphOf(b), noParams).Call(context.Background(), "main", q, k, v)
			require.NoError(t, err)
			got := floats(out[0])
			for i, row := range c.rows {
				sees := 0.0
				for _, mark := range row {
					if mark == '1' {
						sees++
					}
				}
				for j, mark := range row {
					want := 0.0
					if mark == '1' {
						want = 1 / sees
					}
					require.InDelta(t, want, got[6*i+j], 1e-7, "query %d, key %d", i, j)
				}
			}
		})
	}
}
