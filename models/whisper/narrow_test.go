package whisper

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/compile/dag"
	"github.com/skainet-dev/skainet-go/compile/dag/passes"
	"github.com/skainet-dev/skainet-go/lang"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
)

// A model in f16 or bf16 takes and returns f32, keeps its weights and all of
// its caches narrow, inside and outside its loops, and returns the f32 model's
// results up to rounding: each result has gone through about forty products and
// normalisations, whose errors are independent, so sqrt(40) roundings of half
// an ulp, about six, and twice that for the worst of many elements.
func TestNarrowModel(t *testing.T) {
	for _, stored := range []dtype.DType{dtype.F32, dtype.F16} {
		for d, unit := range map[dtype.DType]float64{dtype.F16: 1. / (1 << 11), dtype.BF16: 1. / (1 << 8)} {
			index := indexIn(small, stored)
			g, err := lang.Capture("whisper", index, Model)
			require.NoError(t, err)
			want := all(t, g)
			pass, err := passes.Narrow(passes.Narrowing{To: d, KeepSignature: true})
			require.NoError(t, err)
			require.NoError(t, passes.Run(g, pass))

			for _, s := range g.States {
				if s.Name != "position" {
					require.Equal(t, d, s.Type.DType, s.Name)
				}
			}
			params, err := g.Params()
			require.NoError(t, err)
			for _, p := range params {
				require.Equal(t, d, p.Type.DType, p.Key)
			}
			for _, f := range g.Funcs {
				f.Body.Walk(func(n *dag.Node) {
					switch n.Op.Name {
					case "dot_general", "dynamic_update_slice":
						require.NotEqual(t, dtype.F32, n.Outputs[0].Type.DType, n.Path)
					case "while":
						for _, v := range n.Outputs { // the log probability is a sum
							require.False(t, v.Type.DType == dtype.F32 && v.Type.Shape.Rank() > 0, n.Path)
						}
					case "softmax", "layer_norm":
						require.Equal(t, dtype.F32, n.Outputs[0].Type.DType, n.Path)
					}
				})
			}

			got := all(t, g)
			worst := 0.0
			for i := range want[:len(want)-4] { // the rest are results of transcribe, whose choice may differ
				require.True(t, want[i].Type.Equal(got[i].Type))
				a, b := slice[float32](t, want[i]), slice[float32](t, got[i])
				largest := 0.0
				for _, x := range a {
					largest = max(largest, math.Abs(float64(x)))
				}
				for j := range a {
					worst = max(worst, math.Abs(float64(a[j]-b[j]))/largest)
				}
			}
			t.Logf("%s of %s: %.2g", d, stored, worst)
			require.LessOrEqual(t, worst, 12*unit) // 0.013 and 0.001 were seen
			require.Positive(t, worst)
			require.Positive(t, slice[int32](t, got[len(got)-3])[0])
			text := emitted(t, g)
			require.NoError(t, passes.Run(g, pass))
			if text != emitted(t, g) {
				t.Error("a second run changes the graph")
			}
			require.Contains(t, text, "tensor<1x80x20xf32>", "the signature stays")
		}
	}
}
