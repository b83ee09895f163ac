package generate_test

import (
	"context"
	"errors"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/compile/contract"
	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
	"github.com/skainet-dev/skainet-go/test/generatetest"
	"github.com/skainet-dev/skainet-go/text/generate"
)

func session(t *testing.T, o generate.Options) (*generatetest.Program, *generate.Session) {
	t.Helper()
	f := generatetest.New(t)
	s, err := generate.NewSession(f, o)
	require.NoError(t, err)
	require.Equal(t, generatetest.Context, s.Context())
	require.Equal(t, generatetest.Vocabulary, s.VocabSize())
	return f, s
}

var errBroken = errors.New("broken")

func TestSteps(t *testing.T) {
	f, s := session(t, generate.Options{Chunk: 4})
	prompt := []int32{1, 2, 3, 4, 5, 6}
	require.NoError(t, s.Append(prompt...))
	var seen []int32
	r, err := s.Generate(context.Background(), generate.Request{Tokens: 3, Token: func(token int32) error {
		seen = append(seen, token)
		return nil
	}})
	require.NoError(t, err)
	want := generatetest.Continued(prompt, 3)
	require.Equal(t, generate.Result{Tokens: want, Reason: generate.Length, Stop: -1}, r)
	require.Equal(t, want, seen)
	require.Equal(t, append(prompt, want...), s.Text())
	require.Equal(t, []string{"prefill", "prefill", "decode", "decode"}, f.Calls, "the last token is not needed yet")

	// The text goes on: what is held is not computed again.
	f.Calls = nil
	require.NoError(t, s.Append(7))
	text := s.Text()
	r, err = s.Generate(context.Background(), generate.Request{Tokens: 1})
	require.NoError(t, err)
	require.Equal(t, generatetest.Continued(text, 1), r.Tokens)
	require.Equal(t, []string{"prefill"}, f.Calls, "the last token and the new one")
}

func TestStopTokens(t *testing.T) {
	_, s := session(t, generate.Options{})
	prompt := []int32{9, 8}
	want := generatetest.Continued(prompt, 4)
	require.NoError(t, s.Append(prompt...))
	r, err := s.Generate(context.Background(), generate.Request{Stop: []int32{want[3], 49}})
	require.NoError(t, err)
	require.Equal(t, generate.Result{Tokens: want[:3], Reason: generate.Stopped, Stop: want[3]}, r)
	require.Equal(t, append(prompt, want...), s.Text())
}

// A text that is changed keeps what it has in common with the one before.
func TestSet(t *testing.T) {
	f, s := session(t, generate.Options{})
	require.NoError(t, s.Set([]int32{1, 2, 3, 4, 5}))
	_, err := s.Generate(context.Background(), generate.Request{Tokens: 2})
	require.NoError(t, err)
	for _, text := range [][]int32{{1, 2, 3, 9}, {1, 2, 3, 9}, {1, 2}, {1, 2, 7}, {6}} {
		f.Calls = nil
		require.NoError(t, s.Set(text))
		r, err := s.Generate(context.Background(), generate.Request{Tokens: 2})
		require.NoError(t, err)
		require.Equal(t, generatetest.Continued(text, 2), r.Tokens, "%v", text)
		require.Equal(t, []string{"prefill", "decode"}, f.Calls)
	}
}

func TestFullContextStops(t *testing.T) {
	_, s := session(t, generate.Options{})
	prompt := []int32{1, 2, 3}
	require.NoError(t, s.Append(prompt...))
	r, err := s.Generate(context.Background(), generate.Request{Tokens: 100})
	require.NoError(t, err)
	require.Equal(t, generate.Result{Tokens: generatetest.Continued(prompt, generatetest.Context-3), Reason: generate.Full, Stop: -1}, r)
	r, err = s.Generate(context.Background(), generate.Request{})
	require.NoError(t, err)
	require.Equal(t, generate.Result{Tokens: []int32{}, Reason: generate.Full, Stop: -1}, r)
	err = s.Append(1)
	require.Equal(t, generate.CodeContext, errs.CodeOf(err))
	require.ErrorContains(t, err, "17 tokens")
	require.Len(t, s.Text(), generatetest.Context)
}

// Sliding keeps the first token and the newest half of the others, and prefills
// them again; the tokens are what that text goes on with.
func TestFullContextSlides(t *testing.T) {
	_, s := session(t, generate.Options{Slide: true, Keep: 1})
	text := []int32{42, 2, 3}
	require.NoError(t, s.Append(text...))
	r, err := s.Generate(context.Background(), generate.Request{Tokens: 40})
	require.NoError(t, err)
	var want []int32
	slides := 0
	for range 40 {
		if len(text) == generatetest.Context {
			text = append([]int32{42}, text[len(text)-7:]...)
			slides++
		}
		next := generatetest.Continued(text, 1)
		text, want = append(text, next...), append(want, next...)
	}
	require.Equal(t, generate.Result{Tokens: want, Reason: generate.Length, Stop: -1, Slides: slides}, r)
	require.Equal(t, text, s.Text())
	require.Equal(t, 4, slides)

	// So does a text that is too long from the start.
	long := make([]int32, 30)
	for i := range long {
		long[i] = int32(i)
	}
	require.NoError(t, s.Set(long))
	require.Equal(t, []int32{0, 23, 24, 25, 26, 27, 28, 29}, s.Text())
	require.Equal(t, 22, s.Truncated())
	require.NoError(t, s.KeepFirst(4))
	require.NoError(t, s.Set(long))
	require.Equal(t, []int32{0, 1, 2, 3, 24, 25, 26, 27, 28, 29}, s.Text())
	require.Equal(t, 20, s.Truncated())
	require.NoError(t, s.KeepFirst(1))
	require.NoError(t, s.Set(long))
	require.True(t, s.Slides())
	r, err = s.Generate(context.Background(), generate.Request{Tokens: 1})
	require.NoError(t, err)
	require.Equal(t, generatetest.Continued(s.Text()[:8], 1), r.Tokens)
}

// Steps and one call choose the same tokens, for each reason to end.
func TestGenerateInOneCall(t *testing.T) {
	prompt := []int32{5, 6, 7}
	drawn := generate.Sampling{Temperature: 2, TopK: 20, TopP: 0.95, MinP: 0.01, RepeatPenalty: 1.3, Seed: 1<<40 + 3}
	tokens := generatetest.Continued(prompt, 6)
	for name, r := range map[string]generate.Request{
		"greedy":  {Tokens: 5},
		"stopped": {Tokens: 9, Stop: tokens[5:]},
		"at once": {Tokens: 9, Stop: tokens[:1]},
		"drawn":   {Sampling: drawn, Tokens: 9},
		"full":    {Sampling: drawn},
		"as full": {Tokens: generatetest.Context - 3},
	} {
		t.Run(name, func(t *testing.T) {
			_, steps := session(t, generate.Options{})
			f, whole := session(t, generate.Options{})
			for turn := range 2 {
				require.NoError(t, steps.Append(prompt...))
				require.NoError(t, whole.Append(prompt...))
				want, err := steps.Generate(context.Background(), r)
				require.NoError(t, err)
				var seen []int32
				once := r
				once.Token = func(token int32) error { seen = append(seen, token); return nil }
				got, err := whole.GenerateInOneCall(context.Background(), once)
				require.NoError(t, err)
				require.Equal(t, want.Reason, got.Reason)
				require.Equal(t, want.Stop, got.Stop)
				require.Equal(t, want.Tokens, got.Tokens)
				require.Equal(t, got.Tokens, append([]int32{}, seen...))
				require.Equal(t, steps.Text(), whole.Text())
				require.Equal(t, slices.Repeat([]string{"generate"}, turn+1), f.Calls)
				if len(steps.Text()) > generatetest.Context-3 {
					break
				}
			}
		})
	}
	_, s := session(t, generate.Options{})
	require.NoError(t, s.Append(make([]int32, generatetest.Context)...))
	r, err := s.GenerateInOneCall(context.Background(), generate.Request{})
	require.NoError(t, err)
	require.Equal(t, generate.Full, r.Reason)
}

func TestCancel(t *testing.T) {
	_, s := session(t, generate.Options{Chunk: 2})
	prompt := []int32{1, 2, 3, 4, 5}
	require.NoError(t, s.Append(prompt...))
	ctx, cancel := context.WithCancel(context.Background())
	n := 0
	r, err := s.Generate(ctx, generate.Request{Token: func(int32) error {
		if n++; n == 3 {
			cancel()
		}
		return nil
	}})
	require.Equal(t, generate.CodeCanceled, errs.CodeOf(err))
	require.ErrorIs(t, err, context.Canceled)
	require.ErrorContains(t, err, "after 3 tokens")
	want := generatetest.Continued(prompt, 5)
	require.Equal(t, generate.Result{Tokens: want[:3], Reason: generate.Canceled, Stop: -1}, r)

	// The session goes on where it was.
	r, err = s.Generate(context.Background(), generate.Request{Tokens: 2})
	require.NoError(t, err)
	require.Equal(t, want[3:], r.Tokens)

	// Between two pieces of a prompt.
	f, s := session(t, generate.Options{Chunk: 2})
	require.NoError(t, s.Append(prompt...))
	ctx, cancel = context.WithCancel(context.Background())
	f.Before = func(string) error { cancel(); return nil }
	_, err = s.Generate(ctx, generate.Request{})
	require.Equal(t, generate.CodeCanceled, errs.CodeOf(err))
	require.Equal(t, []string{"prefill"}, f.Calls)

	_, err = s.GenerateInOneCall(ctx, generate.Request{})
	require.Equal(t, generate.CodeCanceled, errs.CodeOf(err))
}

// After a call that failed the caches hold anything: the text is computed anew.
func TestFailedCall(t *testing.T) {
	for name, run := range map[string]func(*generate.Session, generate.Request) (generate.Result, error){
		"steps": func(s *generate.Session, r generate.Request) (generate.Result, error) {
			return s.Generate(context.Background(), r)
		},
		"whole": func(s *generate.Session, r generate.Request) (generate.Result, error) {
			return s.GenerateInOneCall(context.Background(), r)
		},
	} {
		t.Run(name, func(t *testing.T) {
			f, s := session(t, generate.Options{})
			prompt := []int32{1, 2}
			require.NoError(t, s.Append(prompt...))
			_, err := run(s, generate.Request{Tokens: 2})
			require.NoError(t, err)
			text := s.Text()
			f.Before = func(string) error { f.Cache = nil; return errBroken }
			r, err := run(s, generate.Request{Tokens: 2})
			require.ErrorIs(t, err, errBroken)
			require.Equal(t, generate.Failed, r.Reason)
			require.Equal(t, text, s.Text())
			f.Before = nil
			r, err = run(s, generate.Request{Tokens: 2})
			require.NoError(t, err)
			require.Equal(t, generatetest.Continued(text, 2), r.Tokens)
			// The caller's own error is passed on, with the token in the result.
			r, err = run(s, generate.Request{Tokens: 2, Token: func(int32) error { return errBroken }})
			require.True(t, errors.Is(err, errBroken) && r.Reason == generate.Failed && len(r.Tokens) > 0)
		})
	}
}

func TestSessionRefusals(t *testing.T) {
	for _, o := range []generate.Options{{Chunk: -1}, {Keep: -1}, {Keep: generatetest.Context / 2}} {
		_, err := generate.NewSession(generatetest.New(t), o)
		require.Equal(t, generate.CodeOptions, errs.CodeOf(err), "%+v", o)
	}
	_, s := session(t, generate.Options{})
	require.False(t, s.Slides())
	require.Equal(t, generate.CodeOptions, errs.CodeOf(s.KeepFirst(generatetest.Context/2)))
	ctx := context.Background()
	code := func(r generate.Request) errs.Code {
		_, err := s.Generate(ctx, r)
		_, whole := s.GenerateInOneCall(ctx, r)
		require.Equal(t, errs.CodeOf(err), errs.CodeOf(whole))
		return errs.CodeOf(err)
	}
	require.Equal(t, generate.CodePrompt, code(generate.Request{}))
	require.NoError(t, s.Append(1))
	require.Equal(t, generate.CodeOptions, code(generate.Request{Tokens: -1}))
	require.Equal(t, generate.CodeSampling, code(generate.Request{Sampling: generate.Sampling{TopK: -1}}))
	require.Equal(t, generate.CodeToken, code(generate.Request{Stop: []int32{generatetest.Vocabulary}}))
	require.Equal(t, generate.CodeToken, errs.CodeOf(s.Append(-1)))
	require.Equal(t, generate.CodeToken, errs.CodeOf(s.Append(generatetest.Vocabulary)))
	require.Equal(t, []int32{1}, s.Text())
}

func TestOtherPrograms(t *testing.T) {
	for name, damage := range map[string]func(c *contract.Contract){
		"no generate":                    func(c *contract.Contract) { c.Entries = c.Entries[:2] },
		"no prefill":                     func(c *contract.Contract) { c.Entries = c.Entries[1:] },
		"no decode":                      func(c *contract.Contract) { c.Entries = append(c.Entries[:1:1], c.Entries[2:]...) },
		"no tokens":                      func(c *contract.Contract) { c.Entries[2].Results = nil },
		"no sizes":                       func(c *contract.Contract) { c.Entries[2].Results[0].Shape[0].Size = -1 },
		"a context that no memory holds": func(c *contract.Contract) { c.Entries[2].Results[0].Shape[0].Size = 1 << 40 },
		"fewer arguments":                func(c *contract.Contract) { c.Entries[0].Args = c.Entries[0].Args[:1] },
		"another type":                   func(c *contract.Contract) { c.Entries[1].Args[0].DType = dtype.I64 },
		"another size":                   func(c *contract.Contract) { c.Entries[1].Args[0].Shape[0].Size = 2 },
		"another rank":                   func(c *contract.Contract) { c.Entries[2].Results[1].Shape = c.Entries[2].Results[0].Shape },
		"fewer logits": func(c *contract.Contract) {
			c.Entries[1].Results = []contract.Named{generatetest.Named("logits", dtype.F32, 1, 49)}
		},
	} {
		f := generatetest.New(t)
		damage(f.Document)
		_, err := generate.NewSession(f, generate.Options{})
		require.Equal(t, generate.CodeProgram, errs.CodeOf(err), name)
	}
}

// Weights that are damaged are an error, with the tokens before it, whoever chooses.
func TestNoChoice(t *testing.T) {
	for _, sampling := range []generate.Sampling{{}, {Temperature: 1, Seed: 3}} {
		for _, broken := range []int{1, 4} {
			text := []int32{1, 2}
			r := generate.Request{Sampling: sampling, Tokens: 9, Stop: slices.Repeat([]int32{49}, 70)}
			f, s := session(t, generate.Options{})
			f.Broken = broken
			require.NoError(t, s.Set(text))
			want, err := s.Generate(context.Background(), r)
			require.Equal(t, generate.CodeLogits, errs.CodeOf(err))
			require.Len(t, want.Tokens, max(broken-1, 0))

			f, s = session(t, generate.Options{})
			f.Broken = broken
			require.NoError(t, s.Set(text))
			var seen []int32
			r.Token = func(token int32) error { seen = append(seen, token); return nil }
			got, err := s.GenerateInOneCall(context.Background(), r)
			require.Equal(t, generate.CodeLogits, errs.CodeOf(err))
			require.Equal(t, want, got)
			require.Equal(t, want.Tokens, append([]int32{}, seen...))

			// With good weights it goes on from there.
			f.Broken = 0
			text = s.Text()
			got, err = s.GenerateInOneCall(context.Background(), generate.Request{Tokens: 1})
			require.NoError(t, err)
			require.Equal(t, generatetest.Continued(text, 1), got.Tokens)
		}
	}
}

// A program gives tokens of its vocabulary.
func TestImpossibleTokens(t *testing.T) {
	f, s := session(t, generate.Options{})
	f.Broken = 1
	f.Count = func(int32) int32 { return 1 }
	require.NoError(t, s.Append(1, 2))
	_, err := s.GenerateInOneCall(context.Background(), generate.Request{Tokens: 3})
	require.Equal(t, generate.CodeProgram, errs.CodeOf(err))
	require.ErrorContains(t, err, "token -1")
}

// A program that is not what it says must not lead to tokens out of nowhere.
func TestImpossibleCounts(t *testing.T) {
	for _, count := range []int32{-1, 2, 4, generatetest.Context + 1} {
		f, s := session(t, generate.Options{})
		f.Count = func(int32) int32 { return count }
		require.NoError(t, s.Append(1))
		_, err := s.GenerateInOneCall(context.Background(), generate.Request{Tokens: 3})
		require.Equal(t, generate.CodeProgram, errs.CodeOf(err), count)
	}
}

// A program that cannot go back computes a text anew unless it goes on where the last call
// ended: its fake fails the test where a call begins at another position.
func TestOnward(t *testing.T) {
	f := generatetest.New(t)
	f.GoesOn()
	s, err := generate.NewSession(f, generate.Options{Chunk: 4, Slide: true, Keep: 1})
	require.NoError(t, err)
	run := func(calls ...string) {
		t.Helper()
		text := s.Text()
		f.Calls = nil
		r, err := s.Generate(context.Background(), generate.Request{Tokens: 1})
		require.NoError(t, err)
		require.Equal(t, generatetest.Continued(text, 1), r.Tokens)
		require.Equal(t, calls, f.Calls)
	}
	require.NoError(t, s.Append(1, 2, 3, 4, 5))
	run("prefill", "decode")
	run("decode")
	require.NoError(t, s.Set([]int32{1, 2, 3, 4, 5}))
	run("prefill", "decode")
	require.NoError(t, s.Set([]int32{1, 2, 9}))
	run("prefill")
	for _, penalty := range []float32{1, 1.5} {
		text := s.Text()
		r, err := s.GenerateInOneCall(context.Background(), generate.Request{Tokens: 2, Sampling: generate.Sampling{RepeatPenalty: penalty}})
		require.NoError(t, err)
		require.Len(t, r.Tokens, 2)
		if penalty == 1 {
			require.Equal(t, generatetest.Continued(text, 2), r.Tokens)
		}
		require.NoError(t, s.Append(7))
	}
	for range generatetest.Context { // slides
		_, err := s.Generate(context.Background(), generate.Request{Tokens: 1})
		require.NoError(t, err)
	}
}
