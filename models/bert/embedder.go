package bert

import (
	"context"
	"strings"

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
	entry     string
	inputs    []input

	// Pooling is how one vector is made of those of the tokens, for programs that return
	// these; Mean by default.
	Pooling Pooling
	// Prompt is put in front of each text, such as "query: ".
	Prompt string
}

// MaxTexts is the maximum number of texts in one call.
const MaxTexts = 1024

// NewEmbedder binds a program to its tokenizer; positions is the maximum number
// of tokens of a text, including [CLS] and [SEP]: from 3 to the model's maximum, or
// 0 for the maximum. A program whose weights do not tell the maximum, since it has rotary
// positions or other names, needs the number. The caller closes the program.
//
// The program is this package's, or that of a BERT of another library, such as an ONNX
// file: with the arguments input_ids, attention_mask and perhaps token_type_ids, and
// the vectors of all tokens as its first result. Pooling makes one of them.
func NewEmbedder(program backend.Executable, tokens tokenizer.Tokenizer, positions int) (*Embedder, error) {
	e := &Embedder{program: program, tokens: tokens, positions: positions, Pooling: Mean}
	if err := e.bind(program.Contract()); err != nil {
		return nil, err
	}
	s := tokens.Specials()
	if s.BOS < 0 || s.SEP < 0 || s.PAD < 0 {
		return nil, errs.New(CodeProgram, "the tokenizer has no [CLS], [SEP] and [PAD]").
			Hint("use the tokenizer.json that came with the weights")
	}
	e.pad = s.PAD
	most, err := modelPositions(program.Contract())
	if err != nil && positions == 0 {
		return nil, err
	}
	if err != nil { // the caller knows
		most = max(positions, 3)
	}
	if positions == 0 {
		e.positions = most
	}
	if e.positions < 3 || e.positions > most {
		return nil, errs.New(CodePositions, "texts of at most %d tokens; the model has %d positions, and [CLS] and [SEP] take two of them", e.positions, most).
			Hint("give 3 to %d", most)
	}
	return e, nil
}

// ggufPositionKey is positionKey in a GGUF file.
const ggufPositionKey = "position_embd.weight"

// modelPositions returns the number of positions that the model has a vector for: beyond
// the last one a program reads out of bounds.
func modelPositions(c *contract.Contract) (int, error) {
	for _, p := range c.Parameters {
		// Quantised tables have a word behind their name.
		if (strings.Contains(p.Key, positionKey) || p.Key == ggufPositionKey) && p.Shape.Rank() == 2 && p.Shape[0].Size > 1 {
			return int(p.Shape[0].Size), nil
		}
	}
	return 0, errs.New(CodeProgram, "the program has no such weight, which tells how long texts may be").On(positionKey).
		Hint("give the number of positions that the model was trained for")
}

// Positions returns the maximum number of tokens of a text.
func (e *Embedder) Positions() int { return e.positions }

// Tokens returns the ids of a text as the model sees them; cut is the number of tokens
// that were left out at its end, since it was too long.
func (e *Embedder) Tokens(text string) (ids []int32, cut int, err error) {
	if ids, err = e.tokens.Encode(e.Prompt+text, true); err != nil {
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
	args, mask, err := e.arguments(rows, longest)
	if err != nil {
		return nil, err
	}
	out, err := e.program.Call(ctx, e.entry, args...)
	if err != nil {
		return nil, err
	}
	all, err := tensor.Slice[float32](out[0])
	if err != nil {
		return nil, err
	}
	if out[0].Type.Shape.Rank() == 3 {
		if all, err = e.Pooling.pool(all, mask, len(rows)); err != nil {
			return nil, err
		}
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
