package speech

import (
	"encoding/json"
	"errors"
	"math"
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/audio/chunk"
)

// Silero's own function (testdata/record.py).
func TestSegmentsAreSileros(t *testing.T) {
	var want struct {
		Cases []struct {
			Samples int
			Options struct {
				Threshold  *float64
				MaxSpeech  float64 `json:"max_speech_duration_s"`
				MinSpeech  *int    `json:"min_speech_duration_ms"`
				MinSilence *int    `json:"min_silence_duration_ms"`
				Pad        *int    `json:"speech_pad_ms"`
			}
			Probabilities []float32
			Segments      [][2]int
		}
	}
	data, err := os.ReadFile("testdata/segments.json")
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal(data, &want))
	require.Len(t, want.Cases, 7)
	for _, c := range want.Cases {
		o := Defaults(16000, 512)
		if v := c.Options.Threshold; v != nil {
			o.Threshold, o.Silence = *v, max(*v-0.15, 0.01)
		}
		for from, to := range map[*int]*int{c.Options.MinSpeech: &o.MinSpeech, c.Options.MinSilence: &o.MinSilence, c.Options.Pad: &o.Pad} {
			if from != nil {
				*to = *from * 16
			}
		}
		o.MaxSpeech = int(math.Round(c.Options.MaxSpeech * 16000))
		var got [][2]int
		for _, s := range Segments(c.Probabilities, c.Samples, o) {
			got = append(got, [2]int{s.Start, s.End})
		}
		if len(c.Segments) == 0 {
			c.Segments = nil
		}
		require.Equal(t, c.Segments, got, "%+v", c.Options)
	}
}

func TestWindows(t *testing.T) {
	cut := func(r chunk.Range) ([]chunk.Range, error) {
		return []chunk.Range{{Start: r.Start, End: r.Start + 10}, {Start: r.Start + 10, End: r.End}}, nil
	}
	got, err := Windows([]chunk.Range{{Start: 0, End: 3}, {Start: 5, End: 9}, {Start: 10, End: 12}, {Start: 30, End: 44}, {Start: 45, End: 46}}, 10, cut)
	require.NoError(t, err)
	require.Equal(t, []chunk.Range{{Start: 0, End: 9}, {Start: 10, End: 12}, {Start: 30, End: 40}, {Start: 40, End: 46}}, got)
	_, err = Windows([]chunk.Range{{Start: 0, End: 30}}, 10, func(chunk.Range) ([]chunk.Range, error) { return nil, errors.New("no") })
	require.EqualError(t, err, "no")
	got, err = Windows(nil, 10, cut)
	require.NoError(t, err)
	require.Empty(t, got)
}
