package whisper

import (
	"encoding/json"
	"math"
	"slices"

	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/internal/regular"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/text/tokenizer"
)

// CodeSettings is the code of a bad config.json.
const CodeSettings errs.Code = "WHISPER_SETTINGS"

// maxSettings is the maximum size of a config.json.
const maxSettings = 1 << 20

// Settings holds the decoding settings of a CTranslate2 Whisper's config.json.
type Settings struct {
	Suppress      []int32 `json:"suppress_ids"`       // tokens that are never speech
	SuppressFirst []int32 `json:"suppress_ids_begin"` // tokens that cannot come first
}

// LoadSettings reads a config.json.
func LoadSettings(path string) (Settings, error) {
	var s Settings
	data, err := regular.Read(path, maxSettings)
	if err != nil {
		return s, errs.Wrap(CodeSettings, err, "cannot read the settings").In(path)
	}
	if err := json.Unmarshal(data, &s); err != nil {
		return s, errs.Wrap(CodeSettings, err, "not the config.json of a CTranslate2 Whisper").In(path)
	}
	// Converters always write both; a file without them is not such a config.json.
	for _, f := range []struct {
		name string
		ids  []int32
	}{{"suppress_ids", s.Suppress}, {"suppress_ids_begin", s.SuppressFirst}} {
		if f.ids == nil {
			return s, errs.New(CodeSettings, "the list is missing").In(path).On(f.name).
				Hint("use the config.json that came with the weights")
		}
	}
	return s, nil
}

// biases returns what is added to the logits of every token and of the first one.
// Timestamps are forbidden too: the prompt requests text without them.
func (s Settings) biases(vocabulary int64, special *tokenizer.Whisper) (all, first tensor.Value, err error) {
	a, b := make([]float32, vocabulary), make([]float32, vocabulary)
	forbid := func(to []float32, ids []int32) error {
		for _, id := range ids {
			if id < 0 || int64(id) >= vocabulary {
				return errs.New(CodeSettings, "token %d is outside the vocabulary of %d", id, vocabulary).
					Hint("use the config.json that came with the weights")
			}
			to[id] = float32(math.Inf(-1))
		}
		return nil
	}
	if err := forbid(a, s.Suppress); err != nil {
		return all, first, err
	}
	if err := forbid(b, s.SuppressFirst); err != nil {
		return all, first, err
	}
	for id := int64(special.FirstTimestamp); id < vocabulary; id++ {
		a[id] = float32(math.Inf(-1))
	}
	if !slices.ContainsFunc(a, func(v float32) bool { return v == 0 }) {
		return all, first, errs.New(CodeSettings, "every token is forbidden").Hint("use the config.json that came with the weights")
	}
	if all, err = tensor.Of(a, vocabulary); err != nil {
		return all, first, err
	}
	first, err = tensor.Of(b, vocabulary)
	return all, first, err
}
