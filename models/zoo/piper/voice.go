package piper

import (
	"encoding/json"
	"strings"

	"golang.org/x/text/unicode/norm"

	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/internal/regular"
)

// CodeVoice is the code of a file of settings that is not a voice's.
const CodeVoice errs.Code = "PIPER_VOICE" // smallest input: {}

// maxVoice is the size of the largest file of settings that is read.
const maxVoice = 1 << 20

// Voice is what the settings of a voice say, its .onnx.json.
type Voice struct {
	Rate     int    // Hz
	Language string // espeak-ng's name of the language, such as en-us
	Scales
	ids map[string][]int64
}

// Scales are how a sentence is spoken.
type Scales struct {
	Noise  float64 // variation of the sound
	Length float64 // of each phoneme: 2 is half as fast
	Width  float64 // variation of the lengths
}

// LoadVoice reads the settings of a voice.
func LoadVoice(path string) (*Voice, error) {
	data, err := regular.Read(path, maxVoice)
	if err != nil {
		return nil, err
	}
	v, err := ParseVoice(data)
	return v, errs.WithFile(err, path)
}

// ParseVoice reads the settings of a voice.
func ParseVoice(data []byte) (*Voice, error) {
	var doc struct {
		Audio struct {
			Rate int `json:"sample_rate"`
		} `json:"audio"`
		Espeak struct {
			Voice string `json:"voice"`
		} `json:"espeak"`
		Type      string `json:"phoneme_type"`
		Inference struct {
			Noise  *float64 `json:"noise_scale"`
			Length *float64 `json:"length_scale"`
			Width  *float64 `json:"noise_w"`
		} `json:"inference"`
		Speakers int                `json:"num_speakers"`
		IDs      map[string][]int64 `json:"phoneme_id_map"`
	}
	if err := json.Unmarshal(data, &doc); err != nil {
		return nil, errs.Wrap(CodeVoice, err, "the settings are not JSON of a voice")
	}
	v := &Voice{doc.Audio.Rate, doc.Espeak.Voice, Scales{0.667, 1, 0.8}, doc.IDs} // Piper's own scales
	switch {
	case v.Rate < 1:
		return nil, errs.New(CodeVoice, "audio.sample_rate is %d", v.Rate)
	case doc.Type != "" && doc.Type != "espeak":
		return nil, errs.New(CodeVoice, "phoneme_type is %q; this program speaks voices with the phonemes of espeak-ng", doc.Type)
	case doc.Speakers > 1:
		return nil, errs.New(CodeVoice, "num_speakers is %d; this program speaks voices of one", doc.Speakers)
	}
	for _, mark := range []string{start, pad, end} {
		if len(v.ids[mark]) == 0 {
			return nil, errs.New(CodeVoice, "phoneme_id_map has no %q", mark)
		}
	}
	for _, s := range []struct {
		name string
		from *float64
		to   *float64
	}{{"noise_scale", doc.Inference.Noise, &v.Noise}, {"length_scale", doc.Inference.Length, &v.Length}, {"noise_w", doc.Inference.Width, &v.Width}} {
		if s.from != nil {
			*s.to = *s.from
		}
	}
	if err := v.Check(); err != nil {
		return nil, err
	}
	return v, nil
}

// maxScale is far beyond what can be understood, and keeps lengths from overflowing.
const maxScale = 10

// Check refuses scales of which no speech comes.
func (s Scales) Check() error {
	if !(s.Noise >= 0 && s.Noise <= maxScale) || !(s.Width >= 0 && s.Width <= maxScale) || !(s.Length >= 0.1 && s.Length <= maxScale) {
		return errs.New(CodeVoice, "scales of %g for noise, %g for length, %g for the noise of lengths", s.Noise, s.Length, s.Width).
			Hint("noise is from 0 to %d, length from 0.1 to %d", maxScale, maxScale)
	}
	return nil
}

// What is round and between phonemes.
const (
	start = "^"
	pad   = "_"
	end   = "$"
)

// IDs returns the numbers of phonemes, a sentence in the alphabet of the voice, as the
// model was trained on them: with a start, an end, and a pad after each. Letters that the
// voice does not have are left out; unknown lists them.
func (v *Voice) IDs(phonemes string) (ids []int64, unknown string) {
	ids = append(append(ids, v.ids[start]...), v.ids[pad]...)
	for _, c := range norm.NFD.String(phonemes) {
		of, ok := v.ids[string(c)]
		if !ok {
			if !strings.ContainsRune(unknown, c) {
				unknown += string(c)
			}
			continue
		}
		ids = append(append(ids, of...), v.ids[pad]...)
	}
	return append(ids, v.ids[end]...), unknown
}
