package fromgguf_test

import (
	"context"
	"math"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/backend/open"
	"github.com/skainet-dev/skainet-go/lang/nn/causal"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/test/families"
	"github.com/skainet-dev/skainet-go/test/families/familytest"
)

// A program with memories goes on where the last call ended, or begins anew: anything else
// gives no number, since there is no memory of an earlier position.
func TestMemoriesGoOn(t *testing.T) {
	all := families.More()
	recorded, err := families.Recorded()
	require.NoError(t, err)
	for _, name := range []string{"mamba", "granitehybrid", "qwen35"} {
		t.Run(name, func(t *testing.T) {
			want := recorded.Cases[name]
			f := all[slices.IndexFunc(all, func(f families.Family) bool { return f.Name == name })]
			g, path := familytest.Load(t, f, want.SHA256)
			x, err := open.Graph(context.Background(), g, open.Options{Backend: open.CPU, Weights: path})
			require.NoError(t, err)
			defer x.Close()
			for _, name := range []string{"prefill", "generate"} {
				e, err := x.Contract().Entry(name)
				require.NoError(t, err)
				require.Equal(t, causal.Resume, e.Args[1].Name)
			}
			most, _ := familytest.Tolerance(f)
			prefill := func(start int32, tokens ...int32) []float32 {
				at, err := tensor.Of([]int32{start})
				require.NoError(t, err)
				return familytest.Floats(t, x, "prefill", familytest.IDs(t, tokens...), at)
			}
			text := slices.Concat(recorded.Prompt, recorded.Rest)
			require.InDeltaSlice(t, want.Logits[7], prefill(0, text[:8]...), most)
			require.InDeltaSlice(t, want.Logits[11], prefill(8, text[8:12]...), most)
			require.InDeltaSlice(t, want.Logits[2], prefill(0, text[:3]...), most)
			require.InDeltaSlice(t, want.Logits[3], prefill(3, text[3]), most)
			for _, start := range []int32{1, 3, 5} {
				for _, v := range prefill(start, text[4]) {
					require.True(t, math.IsNaN(float64(v)), "from %d on: %v", start, v)
				}
				require.InDeltaSlice(t, want.Logits[3], prefill(0, text[:4]...), most)
			}
			require.InDeltaSlice(t, want.Logits[4], familytest.Floats(t, x, "decode", familytest.IDs(t, text[4])), most)
		})
	}
}
