package whisper

import (
	"context"
	"slices"
	"testing"

	"github.com/skainet-dev/skainet-go/audio/wav"
	"github.com/stretchr/testify/require"
)

func TestSilenceIsNotRecognised(t *testing.T) {
	// 26 s of speech, a silent window, then speech.
	clip := noise(80, [2]float64{25, 60})
	r, f := recognizer(t, false, []int32{0}, []int32{1})
	var progress []float64
	got, err := r.Transcribe(context.Background(), clip, Options{Progress: func(s float64) { progress = append(progress, s) }})
	require.NoError(t, err)
	require.Equal(t, 2, f.count("transcribe"))
	require.Equal(t, "one two", got.Text)
	require.Len(t, got.Segments, 2)
	require.Greater(t, got.Segments[1].Start, 50.0)
	require.Equal(t, 80.0, progress[len(progress)-1])

	// Nothing at all, and less than half a step of 16 bits.
	for name, samples := range map[string][]float32{"empty": {}, "zeros": make([]float32, 16000), "below a step": slices.Repeat([]float32{1e-5, -1e-5}, 8000)} {
		r, f := recognizer(t, false)
		got, err := r.Transcribe(context.Background(), &wav.Clip{Samples: samples, Rate: 16000}, Options{})
		require.NoError(t, err, name)
		require.Empty(t, f.calls, name)
		require.Empty(t, got.Text, name)
		require.Equal(t, []Segment{}, got.Segments, "a list in JSON, not null")
	}
}

// A window in which nobody speaks has no text, whatever the model made up, and its
// language is not that of the clip.
func TestNoSpeech(t *testing.T) {
	for name, tt := range map[string]struct {
		noSpeech, logProb float32
		silent            bool
	}{
		"speech": {0.19, -20, false}, "speech in doubt": {0.79, -3.9, false},
		"silence": {0.81, -0.4, true}, "silence in doubt": {0.21, -4.1, true},
	} {
		r, f := recognizer(t, true, []int32{0, 1, 3}, []int32{1})
		f.silence, f.logProb = []float32{tt.noSpeech, 0}, tt.logProb
		f.peak, _ = r.tokens.ID("<|de|>")
		got, err := r.Transcribe(context.Background(), noise(40), Options{})
		require.NoError(t, err, name)
		require.Len(t, got.Segments, 2)
		require.InDelta(t, tt.noSpeech, got.Segments[0].NoSpeech, 1e-6, name)
		require.Equal(t, "de", got.Language)
		if !tt.silent {
			require.Equal(t, "one twofour two", got.Text, name)
			require.Equal(t, 1, f.count("prefill"), "the language is detected once")
			continue
		}
		require.Equal(t, "two", got.Text, name)
		require.Empty(t, got.Segments[0].Text)
		require.Equal(t, []int32{}, got.Segments[0].Tokens, "a list in JSON, not null")
		require.Equal(t, 2, f.count("prefill"), "the second window detects the language")
	}
}
