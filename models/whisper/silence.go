package whisper

import (
	"bytes"
	"compress/zlib"
	"io"
)

// silence is the peak below which a window is not recognised: half a step
// of 16-bit audio. Decoding it would hallucinate words.
const silence = 1.0 / 65536

// A window has no speech if the model is certain of it, or if it says so and its text is
// not to be trusted: it is unlikely, or repeats itself. OpenAI's decoding has the limits
// noSpeech, unlikely and repeats; the others are from what tiny.en and base gave. In
// windows of less than 5 s hum, noise, clicks and tones had probabilities of 0.6 to 0.96,
// and of 84 pieces of speech of 0.2 to 2 s ten lost their text, all of them of 0.8 s or less
// and eight of 0.2 or 0.3 s. In longer ones tones and noise had down to 0.18, and the 11 s of
// speech of our sample 0.03.
const (
	certain      = 0.8
	noSpeech     = 0.6
	noSpeechLong = 0.2
	long         = 5   // seconds
	unlikely     = -1  // mean log probability
	repeats      = 2.4 // bytes of text for one of its zlib stream
)

func (s *Segment) silent() bool {
	limit := noSpeech
	if s.End-s.Start >= long {
		limit = noSpeechLong
	}
	return s.NoSpeech > certain || s.NoSpeech > limit && (s.LogProb < unlikely || compression(s.Text) > repeats)
}

// compression is how many times smaller zlib makes a text.
func compression(text string) float64 {
	var b bytes.Buffer
	w := zlib.NewWriter(&b)
	_, _ = io.WriteString(w, text) // a buffer takes all
	_ = w.Close()
	return float64(len(text)) / float64(b.Len())
}
