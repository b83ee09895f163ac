package generate

import (
	"context"
	"slices"

	"github.com/skainet-dev/skainet-go/backend"
	"github.com/skainet-dev/skainet-go/errs"
)

// Options of a session.
type Options struct {
	// Chunk is the maximum number of tokens of one prefill; 0 means 512. Cancellation
	// takes effect between two chunks.
	Chunk int
	// Slide continues when the context is full: the oldest tokens after the first Keep
	// are dropped, and the newest half of the rest is prefilled again. Otherwise
	// generation ends there.
	Slide bool
	// Keep is the number of tokens at the beginning that sliding keeps, such as the
	// one that begins a text; less than half of the context.
	Keep int
	// Stateless is for a program that keeps nothing between calls, such as one that is
	// started for each. Only GenerateInOneCall works then, and takes the whole text.
	Stateless bool
}

// Session is a text that a program continues. It is not safe for concurrent use.
type Session struct {
	p       *program
	o       Options
	text    []int32 // what the model sees
	held    int     // how many tokens of text the caches hold
	at      int     // where the program's caches end: held, unless the text was cut
	cut     int     // tokens that Set left out
	slides  int
	working bool // a call did not come back: the caches hold anything
}

// NewSession returns a session with an empty text. The caller closes the program.
func NewSession(x backend.Executable, o Options) (*Session, error) {
	p, err := bind(x)
	if err != nil {
		return nil, err
	}
	if o.Chunk < 0 {
		return nil, errs.New(CodeOptions, "a prefill of %d tokens", o.Chunk).On("chunk")
	}
	if o.Chunk == 0 {
		o.Chunk = 512
	}
	s := &Session{p: p, o: o}
	if err := s.KeepFirst(o.Keep); err != nil {
		return nil, err
	}
	return s, nil
}

// KeepFirst changes Options.Keep, for a text that begins differently.
func (s *Session) KeepFirst(tokens int) error {
	if tokens < 0 || 2*tokens >= s.p.context && tokens > 0 {
		return errs.New(CodeOptions, "cannot keep %d tokens of a context of %d", tokens, s.p.context).On("keep").
			Hint("keep less than half of it")
	}
	s.o.Keep = tokens
	return nil
}

// Slides reports whether the session continues when the context is full.
func (s *Session) Slides() bool { return s.o.Slide }

// Context returns the number of tokens that the program's caches hold.
func (s *Session) Context() int { return s.p.context }

// VocabSize returns the number of tokens that the program knows.
func (s *Session) VocabSize() int { return s.p.vocabulary }

// Text returns the tokens that the model sees, the newest last. Sliding drops tokens
// from it.
func (s *Session) Text() []int32 { return slices.Clone(s.text) }

// Append adds tokens to the text. Work is done by the next Generate.
func (s *Session) Append(tokens ...int32) error {
	return s.Set(append(s.Text(), tokens...))
}

// Set replaces the text. The common prefix with the old text stays in the caches: a
// continued conversation is not recomputed. A text longer than the context is
// GENERATE_CONTEXT, or slides at once if Options.Slide is set: Truncated returns how
// many tokens were dropped. GENERATE_TOKEN is a token outside the vocabulary. After
// an error the text is unchanged.
func (s *Session) Set(tokens []int32) error {
	for i, t := range tokens {
		if t < 0 || int(t) >= s.p.vocabulary {
			return errs.New(CodeToken, "token %d of the text is %d, the vocabulary has %d", i, t, s.p.vocabulary).
				Hint("use the tokenizer that came with the weights")
		}
	}
	if len(tokens) > s.p.context && !s.o.Slide {
		return errs.New(CodeContext, "a text of %d tokens; the program's context holds %d", len(tokens), s.p.context).
			Hint("shorten the prompt, let it slide, or export the model with a larger context")
	}
	same := 0
	for same < min(len(tokens), len(s.text)) && tokens[same] == s.text[same] {
		same++
	}
	s.text, s.held = slices.Clone(tokens), min(s.held, same)
	if len(tokens) > s.p.context {
		s.slide()
	}
	s.cut = len(tokens) - len(s.text)
	return nil
}

// Truncated returns the number of tokens that the last Set dropped from its text.
func (s *Session) Truncated() int { return s.cut }

// slide drops tokens from the middle of the text: the first Keep stay, and of the
// others the newest that fill half of the room after those.
func (s *Session) slide() {
	newest := max(1, (s.p.context-s.o.Keep)/2)
	s.text = append(slices.Clone(s.text[:s.o.Keep]), s.text[len(s.text)-newest:]...)
	s.held = min(s.held, s.o.Keep)
	s.slides++
}

// advance brings the text into the caches and returns the logits after it; they are
// valid until the next call.
func (s *Session) advance(ctx context.Context) (logits []float32, err error) {
	if s.working {
		s.held, s.at = 0, 0
	}
	if s.held == len(s.text) {
		s.held-- // the logits after a token come with the token
	}
	if s.p.onward && s.held != s.at {
		s.held, s.at = 0, 0
	}
	for s.held < len(s.text) {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		next := s.text[s.held:min(len(s.text), s.held+s.o.Chunk)]
		s.working = true
		if len(next) == 1 && s.at == s.held && s.held > 0 {
			logits, err = s.p.decode(ctx, next[0])
		} else {
			logits, err = s.p.prefill(ctx, next, s.held)
		}
		if err != nil {
			return nil, err
		}
		s.working = false
		s.held += len(next)
		s.at = s.held
	}
	return logits, nil
}
