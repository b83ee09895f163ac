//go:build integration

// Package e2e tests Whisper with its real weights against other
// implementations, and the programs that users run. README.md says what each
// file proves.
package e2e

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/bazelbuild/rules_go/go/runfiles"
	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/audio/mel"
	"github.com/skainet-dev/skainet-go/audio/wav"
	"github.com/skainet-dev/skainet-go/backend"
	"github.com/skainet-dev/skainet-go/backend/iree"
	"github.com/skainet-dev/skainet-go/compile/contract"
	"github.com/skainet-dev/skainet-go/tensor"
)

var ctx = context.Background()

// path returns the absolute path of the runfile that an environment variable names.
func path(t testing.TB, variable string) string {
	t.Helper()
	name := os.Getenv(variable)
	require.NotEmpty(t, name, "%s must name a runfile; run this test through Bazel", variable)
	p, err := runfiles.Rlocation(name)
	require.NoError(t, err)
	p, err = filepath.Abs(p)
	require.NoError(t, err)
	require.FileExists(t, p)
	return p
}

// golden is the content of flax_tiny_en.json; testdata/gen_golden.py documents it.
type golden struct {
	Prompt, IDs, Rows, Tokens []int32
	Text                      string
	Encoded                   [][]float64
	Logits                    []float64
}

func flax(t testing.TB) golden {
	t.Helper()
	b, err := os.ReadFile(path(t, "FLAX"))
	require.NoError(t, err)
	var g golden
	require.NoError(t, json.Unmarshal(b, &g))
	require.Len(t, g.Encoded, 20)
	require.Len(t, g.Logits, 250)
	require.Len(t, g.IDs, 24)
	return g
}

// options are those of tiny.en compiled for one target; the caller adds the
// runtime.
func options(t testing.TB, program string) iree.Options {
	t.Helper()
	c, err := contract.ReadFile(path(t, "CONTRACT"))
	require.NoError(t, err)
	return iree.Options{
		Program: path(t, program), Contract: c,
		Archives: map[string][]string{"model": {path(t, "ARCHIVE")}},
	}
}

// window returns the log-mel spectrogram of the clip, from our own audio packages:
// 11 s at 16 kHz, padded to 30.
func window(t testing.TB, c *contract.Contract) tensor.Value {
	t.Helper()
	clip, err := wav.DecodeFile(path(t, "CLIP"))
	require.NoError(t, err)
	require.Equal(t, mel.SampleRate, clip.Rate)
	x, err := mel.New(mel.Config{Mels: 80})
	require.NoError(t, err)
	features, err := x.LogMel(clip.Samples)
	require.NoError(t, err)
	e, err := c.Entry("encode")
	require.NoError(t, err)
	return of(t, features, e.Args[0].Shape.Sizes()...)
}

// prompt pads the ids to the length that programs take.
func prompt(t testing.TB, ids []int32) tensor.Value {
	t.Helper()
	all := make([]int32, 8)
	require.LessOrEqual(t, copy(all, ids), 8)
	return of(t, all, 8)
}

func of[T tensor.Element](t testing.TB, data []T, sizes ...int64) tensor.Value {
	t.Helper()
	v, err := tensor.Of(data, sizes...)
	require.NoError(t, err)
	return v
}

func slice[T tensor.Element](t testing.TB, v tensor.Value) []T {
	t.Helper()
	s, err := tensor.Slice[T](v)
	require.NoError(t, err)
	return s
}

// one calls an entry point that has one result.
func one(t testing.TB, x backend.Executable, entry string, args ...tensor.Value) tensor.Value {
	t.Helper()
	out, err := x.Call(ctx, entry, args...)
	require.NoError(t, err)
	require.Len(t, out, 1)
	return out[0]
}
