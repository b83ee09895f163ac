package generate

import (
	"context"
	"encoding/json"
	"math"
	"slices"

	"github.com/skainet-dev/skainet-go/backend"
	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
	"github.com/skainet-dev/skainet-go/tensor/shape"
)

// Perplexity is how well a model predicts a text. In JSON, infinities are null.
type Perplexity struct {
	Tokens     int     // scored: all, but the first where no BOS is before it
	Nats       float64 // mean of minus the natural log probability
	Perplexity float64 // e^Nats
}

// MarshalJSON returns tokens, nats_per_token and perplexity.
func (p Perplexity) MarshalJSON() ([]byte, error) {
	finite := func(v float64) *float64 {
		if math.IsInf(v, 0) {
			return nil
		}
		return &v
	}
	return json.Marshal(struct {
		Tokens     int      `json:"tokens"`
		Nats       *float64 `json:"nats_per_token"`
		Perplexity *float64 `json:"perplexity"`
	}{p.Tokens, finite(p.Nats), finite(p.Perplexity)})
}

// Windows configures the windows of a text that a model sees at once.
type Windows struct {
	// Size is the number of tokens, including BOS and the last one, after which
	// nothing is predicted: at least 2, and at most one more than the program takes.
	Size int
	// BOS is the token that begins each window; -1 for a model that has none.
	BOS int32
	// Progress, if set, is called with the number of the text's tokens that are done.
	Progress func(done int)
}

// Measure returns the perplexity of a text by the entry point logits. Windows begin half
// of their size apart. Each token is scored in the first that has it: in the first
// window all are, and in another one its newer half, after the older half. It takes
// 4 V bytes of memory for each token of a window.
func Measure(ctx context.Context, x backend.Executable, text []int32, w Windows) (Perplexity, error) {
	p := Perplexity{}
	vocabulary, err := logitsSize(x)
	if err != nil {
		return p, err
	}
	if err := w.check(x, text, vocabulary); err != nil {
		return p, err
	}
	var lead []int32
	if w.BOS >= 0 {
		lead = []int32{w.BOS}
	}
	row := make([]float32, vocabulary)
	unscored := 1 - len(lead) // the token that has nothing before it
	sum, scored := 0.0, unscored
	for first := 0; scored < len(text); first += w.Size / 2 {
		if err := ctx.Err(); err != nil {
			return p, errs.Wrap(CodeCanceled, err, "canceled after %d tokens", scored)
		}
		last := min(len(text), first+w.Size-len(lead))
		out, err := x.Call(ctx, "logits", list(slices.Concat(lead, text[first:last-1])))
		if err != nil {
			return p, err
		}
		for ; scored < last; scored++ {
			at := 4 * vocabulary * (len(lead) + scored - first - 1)
			if err := tensor.Float32s(dtype.F32, row, out[0].Bytes[at:at+4*vocabulary]); err != nil {
				return p, err
			}
			nats, err := surprise(row, text[scored])
			if err != nil {
				return p, err
			}
			sum += nats
		}
		if w.Progress != nil {
			w.Progress(scored)
		}
	}
	p.Tokens = scored - unscored
	p.Nats = sum / float64(p.Tokens)
	p.Perplexity = math.Exp(p.Nats)
	return p, nil
}

// check validates windows and text before anything is computed.
func (w *Windows) check(x backend.Executable, text []int32, vocabulary int) error {
	if w.Size < 2 {
		return errs.New(CodeOptions, "a window of %d tokens", w.Size).On("window").Hint("give 2 or more")
	}
	lead := 0
	if w.BOS >= 0 {
		lead = 1
	}
	if int(w.BOS) >= vocabulary {
		return errs.New(CodeToken, "the token before the text is %d, the vocabulary has %d", w.BOS, vocabulary)
	}
	if room, ok := positions(x); ok && int64(min(w.Size, lead+len(text))-1) > room {
		return errs.New(CodeOptions, "a window of %d tokens; the program takes %d and predicts the next one", w.Size, room).
			On("window").Hint("give %d or less, or build the program for a longer context", room+1)
	}
	if lead+len(text) < 2 {
		return errs.New(CodePrompt, "a text of %d tokens has nothing to predict", len(text)).Hint("give a longer text")
	}
	for i, t := range text {
		if t < 0 || int(t) >= vocabulary {
			return errs.New(CodeToken, "token %d of the text is %d, the vocabulary has %d", i, t, vocabulary)
		}
	}
	return nil
}

// positions returns how many tokens the program takes, from the entry point generate.
func positions(x backend.Executable) (int64, bool) {
	e, err := x.Contract().Entry("generate")
	if err != nil || len(e.Results) == 0 || e.Results[0].Shape.Rank() != 1 || !e.Results[0].Shape.IsStatic() {
		return 0, false
	}
	return e.Results[0].Shape[0].Size, true
}

// Vocabulary returns the number of tokens that a program knows, by its entry point
// logits.
func Vocabulary(x backend.Executable) (int, error) { return logitsSize(x) }

// logitsSize checks the entry point and returns V.
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
	if v > maxSize {
		return 0, errs.New(CodeProgram, "a vocabulary of %d", v).On(c.Name)
	}
	s := signature{"logits", []tensor.Type{anyI32}, []tensor.Type{{DType: dtype.F32, Shape: shape.Of(shape.Dynamic, max(v, 1))}}}
	return int(v), s.check(c)
}

// surprise returns minus the natural log probability of token, in double precision.
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
