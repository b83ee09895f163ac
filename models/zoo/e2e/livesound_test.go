//go:build integration

package e2e

import (
	"math"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/audio/wav"
	"github.com/skainet-dev/skainet-go/io/npy"
	"github.com/skainet-dev/skainet-go/models/zoo/piper"
	"github.com/skainet-dev/skainet-go/tensor"
)

// TestLiveSound compares the sentence that ONNX Runtime speaks now, without noise, with the
// recorded one. That is the whole file; the record of its two parts is made by a file that
// is cut.
func TestLiveSound(t *testing.T) {
	var sentence struct{ Phonemes string }
	read(t, "SENTENCE", &sentence)
	voice, err := piper.LoadVoice(path(t, "VOICE"))
	require.NoError(t, err)
	ids, unknown := voice.IDs(sentence.Phonemes)
	require.Empty(t, unknown)
	input, err := tensor.Of(ids, 1, int64(len(ids)))
	require.NoError(t, err)
	lengths, err := tensor.Of([]int64{int64(len(ids))}, 1)
	require.NoError(t, err)
	scales, err := tensor.Of([]float32{0, 1, 0}, 3)
	require.NoError(t, err)
	arguments := filepath.Join(t.TempDir(), "sentence.npz")
	require.NoError(t, npy.WriteArchive(arguments, []npy.Array{{Name: "input", Value: input}, {Name: "input_lengths", Value: lengths}, {Name: "scales", Value: scales}}))
	got, err := tensor.Slice[float32](rerun(t, arguments)["output"])
	require.NoError(t, err)
	want, err := wav.DecodeFile(path(t, "SOUND"))
	require.NoError(t, err)
	require.Len(t, got, len(want.Samples))
	top := 0.0
	for _, x := range got {
		top = max(top, math.Abs(float64(x)))
	}
	require.NotZero(t, top)
	for i, x := range want.Samples {
		// A step of 16 bits is 3e-5.
		require.InDelta(t, x, float64(got[i])/top, 2e-4)
	}
}
