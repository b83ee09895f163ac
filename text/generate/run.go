package generate

import (
	"context"
	"math"
	"slices"

	"github.com/skainet-dev/skainet-go/errs"
)

// Request configures a generation.
type Request struct {
	Sampling
	// Tokens is the maximum number of tokens; 0 means until the context is full.
	Tokens int
	// Stop are tokens that end the text. They are not part of the result.
	Stop []int32
	// Token, if set, is called with each token as it is chosen. Its error ends
	// the generation and is returned.
	Token func(token int32) error
}

// Reason is why a generation ended.
type Reason string

// The reasons.
const (
	Stopped  Reason = "stop"     // a stop token was chosen
	Length   Reason = "length"   // as many tokens as asked for
	Full     Reason = "context"  // the context is full, and sliding was not asked for
	Canceled Reason = "canceled" // the caller's context ended
	Failed   Reason = "error"    // the program, or the caller's function, failed
)

// Result is what was generated, also if there was an error.
type Result struct {
	Tokens []int32 // without the stop token
	Reason Reason
	Stop   int32 // the stop token, or -1
	Slides int   // how often the context was full and the oldest tokens were dropped
}

func failed() Result { return Result{Tokens: []int32{}, Reason: Failed, Stop: -1} }

// Generate continues the text token by token, with one call of the program per token.
// The tokens chosen, including the stop token, become part of the text.
//
// A canceled context is GENERATE_CANCELED, between two calls of the program; the
// result has what was generated so far. An empty text is GENERATE_PROMPT.
func (s *Session) Generate(ctx context.Context, r Request) (Result, error) {
	limit, err := s.check(r)
	if err != nil {
		return failed(), err
	}
	sampler, err := NewSampler(r.Sampling)
	if err != nil {
		return failed(), err
	}
	sampler.Observe(s.text...)
	before := s.slides
	result := failed()
	result.Reason = Length
	for len(result.Tokens) < limit {
		if len(s.text) >= s.p.context {
			if !s.o.Slide {
				result.Reason = Full
				break
			}
			s.slide()
		}
		if err = s.step(ctx, r, sampler, &result); err != nil || result.Stop >= 0 {
			break
		}
	}
	result.Slides = s.slides - before
	return s.end(ctx, result, err)
}

// step chooses one token.
func (s *Session) step(ctx context.Context, r Request, sampler *Sampler, result *Result) error {
	logits, err := s.advance(ctx)
	if err != nil {
		return err
	}
	token, err := sampler.Next(logits)
	if err != nil {
		return err
	}
	sampler.Observe(token)
	s.text = append(s.text, token)
	if slices.Contains(r.Stop, token) {
		result.Stop, result.Reason = token, Stopped
		return nil
	}
	result.Tokens = append(result.Tokens, token)
	if r.Token != nil {
		return r.Token(token)
	}
	return nil
}

// GenerateInOneCall continues the text in one call of the program, which chooses the
// tokens itself: the same ones, except for choices that depend on a last bit. Token is
// called after all are chosen. It needs no state from earlier calls; it does not slide,
// and a running call is not canceled.
func (s *Session) GenerateInOneCall(ctx context.Context, r Request) (Result, error) {
	result := failed()
	limit, err := s.check(r)
	if err != nil {
		return result, err
	}
	if err := ctx.Err(); err != nil {
		return s.end(ctx, result, err)
	}
	room := s.p.context - len(s.text)
	if room == 0 {
		result.Reason = Full
		return result, nil
	}
	if s.working || s.o.Stateless {
		s.held = 0
	}
	start := min(s.held, len(s.text)-1)
	if r.penalty() != 1 { // the program looks back over the tokens of this call
		start = min(start, max(0, len(s.text)-Window))
	}
	if s.p.onward && start != s.at {
		start = 0
	}
	most := min(limit, room)
	s.working = true
	tokens, stop, err := s.p.whole(ctx, s.text[start:], start, most, r.Sampling, r.Stop)
	if tokens == nil {
		return s.end(ctx, result, err)
	}
	result.Tokens, result.Stop = tokens, stop
	s.text = append(s.text, tokens...)
	switch {
	case err != nil: // the caches hold no text that goes on
	case stop >= 0:
		result.Reason = Stopped
		s.text = append(s.text, stop)
	case len(tokens) < limit:
		result.Reason = Full
	default:
		result.Reason = Length
	}
	if err == nil {
		s.working = false
		s.held = len(s.text)
		s.at = s.held
	}
	for _, t := range tokens {
		if r.Token == nil {
			break
		}
		if err := r.Token(t); err != nil {
			return s.end(ctx, result, err)
		}
	}
	return s.end(ctx, result, err)
}

// check returns the number of tokens to choose at most.
func (s *Session) check(r Request) (int, error) {
	if len(s.text) == 0 {
		return 0, errs.New(CodePrompt, "no text to continue").
			Hint("give a prompt, or the token that begins a text")
	}
	if r.Tokens < 0 {
		return 0, errs.New(CodeOptions, "%d tokens were requested", r.Tokens).On("tokens")
	}
	if err := r.Check(); err != nil {
		return 0, err
	}
	for _, t := range r.Stop {
		if t < 0 || int(t) >= s.p.vocabulary {
			return 0, errs.New(CodeToken, "the stop token %d is outside the vocabulary of %d", t, s.p.vocabulary)
		}
	}
	if r.Tokens > 0 {
		return r.Tokens, nil
	}
	if s.o.Slide {
		return math.MaxInt32, nil
	}
	return s.p.context, nil
}

// end returns how a generation ended.
func (s *Session) end(ctx context.Context, result Result, err error) (Result, error) {
	switch {
	case err == nil:
		return result, nil
	case ctx.Err() != nil:
		result.Reason = Canceled
		return result, errs.Wrap(CodeCanceled, err, "generation was canceled after %d tokens", len(result.Tokens))
	}
	result.Reason = Failed
	return result, err
}
