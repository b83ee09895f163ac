package whisper

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/backend/cpu"
	"github.com/skainet-dev/skainet-go/compile/dag"
	"github.com/skainet-dev/skainet-go/compile/dag/passes"
	"github.com/skainet-dev/skainet-go/compile/iree"
	"github.com/skainet-dev/skainet-go/lang"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
)

// all calls every entry point: two windows step by step, then one in a single call.
func all(t *testing.T, g *dag.Graph) []tensor.Value {
	t.Helper()
	m, err := iree.Emit(g, iree.Options{})
	require.NoError(t, err)
	x := loadGraph(t, g, m.Contract)
	var out []tensor.Value
	call := func(entry string, args ...tensor.Value) []tensor.Value {
		r, err := x.Call(context.Background(), entry, args...)
		require.NoError(t, err, entry)
		out = append(out, r...)
		return r
	}
	prompt, length := padded(t, 3, 1, 4)
	for range 2 {
		encoded := call("encode", testMel(t))[0]
		call("prefill", encoded, prompt, length)
		for token := range int32(5) {
			call("decode_step", of(t, []int32{token + 7}, 1))
		}
	}
	none := of(t, make([]float32, small.VocabSize), small.VocabSize)
	call("transcribe", testMel(t), prompt, length, of(t, []int32{2}), none, none, of(t, []int32{12}), of(t, []int32{9}))
	return out
}

func emitted(t *testing.T, g *dag.Graph) string {
	t.Helper()
	m, err := iree.Emit(g, iree.Options{Kernels: true})
	require.NoError(t, err)
	return string(m.Text)
}

// The exact passes keep every bit of a complete model's results, however
// its weights are stored, make its text smaller, and are idempotent.
func TestExactPassesKeepTheModel(t *testing.T) {
	for _, d := range []dtype.DType{dtype.F32, dtype.F16} {
		index := indexIn(small, d)
		g, err := lang.CaptureWith("whisper", index, Model)
		require.NoError(t, err)
		want, before := all(t, g), emitted(t, g)
		for _, p := range []passes.Pass{{Name: "clean_up", Run: passes.CleanUp}, passes.Exact(cpu.Evaluate)} {
			g, err := lang.CaptureWith("whisper", index, Model, p)
			require.NoError(t, err)
			require.Equal(t, want, all(t, g), p.Name)
			after := emitted(t, g)
			require.Less(t, len(after), len(before))
			require.NoError(t, passes.Run(g, p))
			if after != emitted(t, g) {
				t.Error("a second run changes the graph")
			}
		}
	}
}
