//go:build integration

package e2e

import (
	"context"
	"math/rand/v2"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/audio/wav"
	"github.com/skainet-dev/skainet-go/backend/iree"
	"github.com/skainet-dev/skainet-go/compile/contract"
	"github.com/skainet-dev/skainet-go/models/zoo/silero"
)

// TestSegments finds what silero-vad's own function finds with ONNX Runtime.
func TestSegments(t *testing.T) {
	var want struct {
		Silence  int
		Segments [][2]int
	}
	read(t, "SEGMENTS", &want)
	require.Greater(t, len(want.Segments), 1)
	clip, err := wav.DecodeFile(path(t, "CLIP"))
	require.NoError(t, err)
	require.Equal(t, silero.Rate, clip.Rate)
	c, err := contract.ReadFile(path(t, "CONTRACT"))
	require.NoError(t, err)
	x, err := iree.Open(iree.Options{
		Program: path(t, "PROGRAM"), Contract: c, Library: path(t, "LIBRARY"), Device: "local-sync",
		Archives: map[string][]string{"model": {path(t, "ARCHIVE")}},
	})
	require.NoError(t, err)
	defer x.Close()
	d, err := silero.New(x)
	require.NoError(t, err)
	found, err := d.Speech(context.Background(), append(clip.Samples, make([]float32, want.Silence)...))
	require.NoError(t, err)
	var got [][2]int
	for _, r := range found {
		got = append(got, [2]int{r.Start, r.End})
	}
	require.Equal(t, want.Segments, got)
}

// TestTranscribe says the same words as without a detector, and nothing of noise.
func TestTranscribe(t *testing.T) {
	clip, err := wav.DecodeFile(path(t, "CLIP"))
	require.NoError(t, err)
	// Ten seconds of noise before: louder than the pauses, softer than the words.
	r := rand.New(rand.NewPCG(1, 2))
	noise := make([]float32, 10*clip.Rate)
	for i := range noise {
		noise[i] = float32(r.NormFloat64()) * 0.01
	}
	dir := t.TempDir()
	alone, before := filepath.Join(dir, "noise.wav"), filepath.Join(dir, "before.wav")
	require.NoError(t, wav.EncodeFile(alone, noise, clip.Rate))
	require.NoError(t, wav.EncodeFile(before, append(noise, clip.Samples...), clip.Rate))
	require.Equal(t, "\n", run(t, "TRANSCRIBE", "--vad", alone))
	words := run(t, "TRANSCRIBE", "--vad", before)
	require.Contains(t, words, "my fellow Americans")
	require.Contains(t, words, "do for your country")
}
