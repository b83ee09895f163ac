package cpu

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/compile/dag"
	"github.com/skainet-dev/skainet-go/compile/op"
	"github.com/skainet-dev/skainet-go/tensor"
)

// The values and indices are those of numpy.argsort, stable, cut to k.
func TestTopK(t *testing.T) {
	for name, tt := range map[string]struct {
		k       int64
		largest bool
		values  []float32
		indices []int32
	}{
		"greatest": {2, true, []float32{7, 7, 5, 2}, []int32{1, 3, 2, 0}},
		"least":    {3, false, []float32{-1, 3, 7, 0, 1, 2}, []int32{2, 0, 1, 1, 3, 0}},
		"none":     {0, true, []float32{}, []int32{}},
	} {
		t.Run(name, func(t *testing.T) {
			x, err := tensor.Of([]float32{3, 7, -1, 7, 2, 0, 5, 1}, 2, 4)
			require.NoError(t, err)
			b := &dag.Block{}
			b.AddArg(x.Type)
			n, err := b.Add("top_k", "top", op.Attrs{"dim": int64(1), "k": tt.k, "largest": tt.largest}, b.Args...)
			require.NoError(t, err)
			b.Results = n.Outputs
			out, err := load(t, graphOf(b), noParams).Call(context.Background(), "main", x)
			require.NoError(t, err)
			values, err := tensor.Of(tt.values, 2, tt.k)
			require.NoError(t, err)
			indices, err := tensor.Of(tt.indices, 2, tt.k)
			require.NoError(t, err)
			require.Equal(t, []tensor.Value{values, indices}, out)
		})
	}
}
