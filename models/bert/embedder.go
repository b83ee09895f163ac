package bert

import (
	"context"

	"github.com/skainet-dev/skainet-go/backend"
	"github.com/skainet-dev/skainet-go/compile/contract"
	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/text/tokenizer"
)

// Embedder turns texts into vectors.
type Embedder struct {
	program   backend.Executable
	tokens    tokenizer.Tokenizer
	positions int
	pad       int32
}

// MaxTexts is the maximum number of texts in one call.
const MaxTexts = 1024

// NewEmbedder binds a program to its tokenizer; positions is the maximum number
// of tokens of a text, including [CLS] and [SEP]: from 3 to the model's maximum, or
// 0 for the maximum. The caller closes the program.
func NewEmbedder(program backend.Executable, tokens tokenizer.Tokenizer, positions int) (*Embedder, error) {
	entry, err := program.Contract().Entry("embed")
	if err != nil {
		return nil, errs.Wrap(CodeProgram, err, "the program has no entry point embed")
	}
	if len(entry.Args) != 2 || len(entry.Results) != 1 {
		return nil, errs.New(CodeProgram, "embed has %d arguments and %d results, want 2 and 1", len(entry.Args), len(entry.Results))
	}
	s := tokens.Specials()
	if s.BOS < 0 || s.SEP < 0 || s.PAD < 0 {
		return nil, errs.New(CodeProgram, "the tokenizer has no [CLS], [SEP] and [PAD]").
			Hint("use the tokenizer.json that came with the weights")
	}
	most, err := modelPositions(program.Contract())
	if err != nil {
		return nil, err
	}
	if positions == 0 {
		positions = most
	}
	if positions < 3 || positions > most {
		return nil, errs.New(CodePositions, "texts of at most %d tokens; the model has %d positions, and [CLS] and [SEP] take two of them", positions, most).
			Hint("give 3 to %d", most)
	}
	return &Embedder{program, tokens, positions, s.PAD}, nil
}

// modelPositions returns the number of positions that the model has a vector for: beyond
// the last one a program reads out of bounds.
func modelPositions(c *contract.Contract) (int, error) {
	for _, p := range c.Parameters {
		if p.Key == positionKey && p.Shape.Rank() == 2 {
			return int(p.Shape[0].Size), nil
		}
	}
	return 0, errs.New(CodeProgram, "the program has no such weight").On(positionKey)
}

// Positions returns the maximum number of tokens of a text.
func (e *Embedder) Positions() int { return e.positions }

// Tokens returns the ids of a text as the model sees them; cut is the number of tokens
// that were left out at its end, since it was too long.
func (e *Embedder) Tokens(text string) (ids []int32, cut int, err error) {
	if ids, err = e.tokens.Encode(text, true); err != nil {
		return nil, 0, err
	}
	if cut = max(len(ids)-e.positions, 0); cut > 0 {
		last := ids[len(ids)-1]
		ids = append(ids[:e.positions-1], last)
	}
	return ids, cut, nil
}

// Embed returns a vector of length 1 for each text.
func (e *Embedder) Embed(ctx context.Context, texts ...string) ([][]float32, error) {
	if len(texts) == 0 || len(texts) > MaxTexts {
		return nil, errs.New(CodeText, "%d texts, want 1 to %d", len(texts), MaxTexts)
	}
	rows := make([][]int32, len(texts))
	longest := 0
	for i, t := range texts {
		var err error
		if rows[i], _, err = e.Tokens(t); err != nil {
			return nil, err
		}
		longest = max(longest, len(rows[i]))
	}
	ids, mask := make([]int32, 0, longest*len(rows)), make([]int32, 0, longest*len(rows))
	for _, row := range rows {
		for i := range longest {
			id, real := e.pad, int32(0)
			if i < len(row) {
				id, real = row[i], 1
			}
			ids, mask = append(ids, id), append(mask, real)
		}
	}
	sizes := []int64{int64(len(rows)), int64(longest)}
	a, err := tensor.Of(ids, sizes...)
	if err != nil {
		return nil, err
	}
	b, err := tensor.Of(mask, sizes...)
	if err != nil {
		return nil, err
	}
	out, err := e.program.Call(ctx, "embed", a, b)
	if err != nil {
		return nil, err
	}
	all, err := tensor.Slice[float32](out[0])
	if err != nil {
		return nil, err
	}
	width := len(all) / len(rows)
	if width == 0 || width*len(rows) != len(all) {
		return nil, errs.New(CodeProgram, "the program returned %d numbers for %d texts", len(all), len(rows))
	}
	vectors := make([][]float32, len(rows))
	for i := range vectors {
		vectors[i] = all[i*width : (i+1)*width : (i+1)*width]
	}
	return vectors, nil
}

// Cosine returns the similarity of two vectors of length 1: 1 for the same direction.
func Cosine(a, b []float32) float64 {
	var sum float64
	for i := range min(len(a), len(b)) {
		sum += float64(a[i]) * float64(b[i])
	}
	return sum
}
