package tokenizer

import (
	"encoding/json"

	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/internal/jsonlimit"
)

// Limits on what a tokenizer.json holds, far above those of models, so that a file
// takes memory and time in proportion to its bytes.
const (
	maxNesting = 32      // values in values
	maxParts   = 32      // of one Sequence of components
	maxPieces  = 1 << 10 // of a template
	maxAround  = 1 << 10 // tokens that it puts around a text
	maxTokens  = 1 << 20 // all of a file, of a vocabulary.txt too: each takes 100 bytes
	maxAdded   = 1 << 18 // added tokens
	maxMerges  = 1 << 20
	maxPart    = 1 << 20 // bytes of a component, with those in it
)

// list reads an array of at most so many elements; they are counted before any is
// made, which may take a hundred times its bytes.
func list[T any](raw []byte, what string, most int) (out []T, err error) {
	if n := jsonlimit.Elements(raw); n > most {
		return nil, errs.New(CodeTooLarge, "%d elements, the limit is %d", n, most).On(what).
			Hint("the file is not a tokenizer.json of a model")
	}
	return out, json.Unmarshal(raw, &out)
}

type (
	hfParts       []hfPart
	hfPieces      []hfPiece
	hfAddedTokens []hfAdded
	hfMerges      []json.RawMessage
)

func (l *hfParts) UnmarshalJSON(raw []byte) (err error) {
	*l, err = list[hfPart](raw, "a Sequence of components", maxParts)
	return err
}

func (l *hfPieces) UnmarshalJSON(raw []byte) (err error) {
	*l, err = list[hfPiece](raw, "a template", maxPieces)
	return err
}

func (l *hfAddedTokens) UnmarshalJSON(raw []byte) (err error) {
	*l, err = list[hfAdded](raw, "added_tokens", maxAdded)
	return err
}

func (l *hfMerges) UnmarshalJSON(raw []byte) (err error) {
	*l, err = list[json.RawMessage](raw, "model.merges", maxMerges)
	return err
}

func (p *hfPart) UnmarshalJSON(raw []byte) error {
	if len(raw) > maxPart {
		return errs.New(CodeTooLarge, "a component of %d bytes, the limit is %d", len(raw), maxPart).
			Hint("the file is not a tokenizer.json of a model that this reader knows")
	}
	type fields hfPart // without this method
	return json.Unmarshal(raw, (*fields)(p))
}
