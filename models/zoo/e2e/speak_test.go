//go:build integration

package e2e

import (
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/audio/wav"
)

// TestSound has the samples that ONNX Runtime gives for the whole model without noise.
func TestSound(t *testing.T) {
	var sentence struct{ Phonemes string }
	read(t, "SENTENCE", &sentence)
	want, err := wav.DecodeFile(path(t, "SOUND"))
	require.NoError(t, err)
	// The program, and the voice's file on the CPU backend.
	for _, from := range [][]string{nil, {"--model", path(t, "VOICE_FILE"), "--voice", path(t, "VOICE")}} {
		out := filepath.Join(t.TempDir(), "sound.wav")
		run(t, "SPEAK", append(from, "-o", out, "--noise-scale=0", "--noise-w=0", "--phonemes", sentence.Phonemes)...)
		got, err := wav.DecodeFile(out)
		require.NoError(t, err)
		require.Equal(t, want.Rate, got.Rate)
		require.Len(t, got.Samples, len(want.Samples))
		worst, power := 0.0, 0.0
		for i, x := range want.Samples {
			worst = max(worst, math.Abs(float64(x-got.Samples[i])))
			power += float64(x) * float64(x)
		}
		require.Greater(t, math.Sqrt(power/float64(len(want.Samples))), 0.05, "the record is no silence")
		// Sums in another order differ by 1e-5; rounding to 16 bits adds one step of 3e-5.
		require.Less(t, worst, 2e-4)
	}
}

// TestHeard lets Whisper write down what is said, with noise: phonemes as espeak-ng writes
// them for "The quick brown fox jumps over the lazy dog. This is a test."
func TestHeard(t *testing.T) {
	dir := t.TempDir()
	one, again, other := filepath.Join(dir, "1.wav"), filepath.Join(dir, "2.wav"), filepath.Join(dir, "3.wav")
	said := "ðə kwˈɪk bɹˈaʊn fˈɑːks dʒˈʌmps ˌoʊvɚ ðə lˈeɪzi dˈɑːɡ.\nðɪs ɪz ɐ tˈɛst."
	run(t, "SPEAK", "-o", one, "--phonemes", said)
	heard := strings.ToLower(run(t, "TRANSCRIBE", one))
	require.Contains(t, heard, "brown fox jumps over the lazy dog") // "quit" is what tiny.en hears of "quick"
	require.Contains(t, heard, "this is a test")

	run(t, "SPEAK", "-o", again, "--phonemes", said)
	run(t, "SPEAK", "-o", other, "--seed=2", "--phonemes", said)
	require.Equal(t, content(t, one), content(t, again), "noise is made from the seed")
	require.NotEqual(t, content(t, one), content(t, other))
}

func content(t *testing.T, path string) []byte {
	t.Helper()
	b, err := os.ReadFile(path)
	require.NoError(t, err)
	return b
}
