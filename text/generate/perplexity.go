package generate

import (
	"context"
	"math"

	"github.com/skainet-dev/skainet-go/backend"
	"github.com/skainet-dev/skainet-go/internal/errs"
	"github.com/skainet-dev/skainet-go/lang/dtype"
	"github.com/skainet-dev/skainet-go/lang/shape"
	"github.com/skainet-dev/skainet-go/lang/tensor"
)

// Perplexity is how well a model expects a text.
type Perplexity struct {
	Tokens     int     `json:"tokens"`         // scored: all but the first
	Nats       float64 `json:"nats_per_token"` // mean of minus the natural log probability
	Perplexity float64 `json:"perplexity"`     // e^Nats
}

// Measure gives the perplexity of a text of at least two tokens, by the entry point
// logits. The text is looked at in windows of so many tokens; each but the first
// begins with half a window whose tokens were scored before, so that every token
// is scored once, the first ones aside after at least half a window. A window is of no
// more tokens than the program looks at, and one. It takes 4 V bytes a token of memory. progress, if set, is called with the tokens done.
func Measure(ctx context.Context, x backend.Executable, text []int32, window int, progress func(done int)) (Perplexity, error) {
	p := Perplexity{}
	vocabulary, err := logitsSize(x)
	if err != nil {
		return p, err
	}
	if window < 2 {
		return p, errs.New(CodeOptions, "a window of %d tokens", window).On("window").Hint("give 2 or more")
	}
	if room, ok := positions(x); ok && int64(min(window, len(text))-1) > room {
		return p, errs.New(CodeOptions, "a window of %d tokens, the program looks at %d and the one after them", window, room).
			On("window").Hint("give %d or less, or build the program for a longer context", room+1)
	}
	if len(text) < 2 {
		return p, errs.New(CodePrompt, "a text of %d tokens has none to expect", len(text)).Hint("give a longer text")
	}
	for i, t := range text {
		if t < 0 || int(t) >= vocabulary {
			return p, errs.New(CodeToken, "token %d of the text is %d, the vocabulary has %d", i, t, vocabulary)
		}
	}
	row := make([]float32, vocabulary)
	sum, scored := 0.0, 1 // the first token has nothing before it
	for first := 0; scored < len(text); first += window / 2 {
		if err := ctx.Err(); err != nil {
			return p, errs.Wrap(CodeCanceled, err, "canceled after %d tokens", scored-1)
		}
		last := min(len(text), first+window)
		out, err := x.Call(ctx, "logits", list(text[first:last-1]))
		if err != nil {
			return p, err
		}
		for ; scored < last; scored++ {
			at := 4 * vocabulary * (scored - 1 - first)
			if err := tensor.Float32s(dtype.F32, row, out[0].Bytes[at:at+4*vocabulary]); err != nil {
				return p, err
			}
			nats, err := surprise(row, text[scored])
			if err != nil {
				return p, err
			}
			sum += nats
		}
		if progress != nil {
			progress(scored)
		}
	}
	p.Tokens = scored - 1
	p.Nats = sum / float64(p.Tokens)
	p.Perplexity = math.Exp(p.Nats)
	return p, nil
}

// positions gives how many tokens the program looks at, which generate tells.
func positions(x backend.Executable) (int64, bool) {
	e, err := x.Contract().Entry("generate")
	if err != nil || len(e.Results) == 0 || e.Results[0].Shape.Rank() != 1 || !e.Results[0].Shape.IsStatic() {
		return 0, false
	}
	return e.Results[0].Shape[0].Size, true
}

// Vocabulary gives the number of tokens that a program knows, by its entry point
// logits.
func Vocabulary(x backend.Executable) (int, error) { return logitsSize(x) }

// logitsSize checks the entry point and gives V.
func logitsSize(x backend.Executable) (int, error) {
	c := x.Contract()
	e, err := c.Entry("logits")
	if err != nil {
		return 0, noProgram(err)
	}
	v := int64(0)
	if len(e.Results) == 1 && e.Results[0].Shape.Rank() == 2 {
		v = e.Results[0].Shape[1].Size
	}
	s := signature{"logits", []tensor.Type{anyI32}, []tensor.Type{{DType: dtype.F32, Shape: shape.Of(shape.Dynamic, max(v, 1))}}}
	return int(v), s.check(c)
}

// surprise gives minus the natural log probability of token, in double precision.
func surprise(logits []float32, token int32) (float64, error) {
	best, err := likeliest(logits)
	if err != nil {
		return 0, err
	}
	top, sum := float64(logits[best]), 0.0
	for _, v := range logits {
		sum += math.Exp(float64(v) - top)
	}
	return math.Log(sum) + top - float64(logits[token]), nil
}
