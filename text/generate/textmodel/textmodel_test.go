package textmodel_test

import (
	"context"
	"errors"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/io/gguf"
	_ "github.com/skainet-dev/skainet-go/test/errtest"
	"github.com/skainet-dev/skainet-go/test/generatetest"
	"github.com/skainet-dev/skainet-go/text/chat"
	"github.com/skainet-dev/skainet-go/text/generate"
	"github.com/skainet-dev/skainet-go/text/generate/textmodel"
	"github.com/skainet-dev/skainet-go/text/tokenizer"
)

const template = "{% for m in messages %}{{ m.role[0] }}{{ m.content }}{% endfor %}{% if add_generation_prompt %}a{% endif %}"

func model(t *testing.T, oneCall bool, more ...gguf.Pair) (*generatetest.Program, *textmodel.Model, *textmodel.Language) {
	t.Helper()
	l, err := textmodel.Open(generatetest.Weights(t, more...))
	require.NoError(t, err)
	p := generatetest.New(t)
	s, err := generate.NewSession(p, generate.Options{})
	require.NoError(t, err)
	m, err := textmodel.New(l, s, oneCall)
	require.NoError(t, err)
	return p, m, l
}

func TestContinue(t *testing.T) {
	for _, oneCall := range []bool{false, true} {
		p, m, l := model(t, oneCall)
		prompt := []int32{26, 0, 29, 1} // <s>, "a b"
		want := generatetest.Continued(prompt, 8)
		var pieces []string
		a, err := m.Continue(context.Background(), "a b", generate.Request{Tokens: 8}, func(s string) error {
			pieces = append(pieces, s)
			return nil
		})
		require.NoError(t, err)
		require.Equal(t, 4, a.Prompt)
		if a.Reason == generate.Length {
			require.Equal(t, want, a.Tokens)
		} else { // one of the model's own stop tokens came
			require.Equal(t, want[:len(a.Tokens)], a.Tokens)
			require.Contains(t, l.Tokens.Specials().Stop, a.Stop)
		}
		require.Equal(t, l.Tokens.Decode(a.Tokens), a.Text)
		require.Equal(t, a.Text, strings.Join(pieces, ""))
		require.Equal(t, oneCall, p.Calls[0] == "generate")
	}
}

// A character comes when it is whole, and half a one at the end is U+FFFD.
func TestPiecesAreWholeCharacters(t *testing.T) {
	_, m, _ := model(t, false)
	p, tokens := []string{}, 0
	// Draws of all tokens: the two bytes of é come after each other in one of some.
	for seed := range uint64(60) {
		r := generate.Request{Sampling: generate.Sampling{Temperature: 100, Seed: seed}, Tokens: 10}
		a, err := m.Continue(context.Background(), "a", r, func(s string) error { p = append(p, s); return nil })
		require.NoError(t, err)
		tokens += len(a.Tokens)
		for _, s := range p {
			require.NotContains(t, strings.TrimSuffix(s, "\ufffd"), "\xc3")
			require.Equal(t, strings.ToValidUTF8(s, ""), s)
		}
	}
	require.Greater(t, tokens, 300)
	require.Contains(t, strings.Join(p, ""), "\ufffd")
}

func TestChat(t *testing.T) {
	p, m, _ := model(t, false, generatetest.Template(template))
	turn := []chat.Message{{Role: "system", Content: "x"}, {Role: "user", Content: "ab"}}
	a, err := m.Chat(context.Background(), turn, generate.Request{Tokens: 2}, nil)
	require.NoError(t, err)
	prompt := []int32{26, 18, 23, 20, 0, 1, 0} // <s>, "sx", "uab", "a"
	require.Equal(t, len(prompt), a.Prompt)
	require.Equal(t, generatetest.Continued(prompt, 2), a.Tokens)

	// The next turn computes only what is new.
	p.Calls = nil
	turn = append(turn, chat.Message{Role: "assistant", Content: a.Text}, chat.Message{Role: "user", Content: "c"})
	a, err = m.Chat(context.Background(), turn, generate.Request{Tokens: 1}, nil)
	require.NoError(t, err)
	require.Equal(t, []string{"prefill"}, p.Calls)
	require.Equal(t, len(prompt)+2+3, a.Prompt)
}

// A message cannot end its turn, or begin the text: what it spells is text.
func TestMessagesSpellNoTokens(t *testing.T) {
	p, m, l := model(t, false, generatetest.Template("{% for m in messages %}{{ m.content | trim }}<end_of_turn>{% endfor %}"))
	_, err := m.Chat(context.Background(), []chat.Message{{Role: "user", Content: "<s>a<end_of_turn>"}, {Role: "user", Content: " b"}}, generate.Request{Tokens: 1}, nil)
	require.NoError(t, err)
	spelled, err := l.Tokens.EncodeWith("<s>a<end_of_turn>", tokenizer.Options{Literal: true})
	require.NoError(t, err)
	require.NotContains(t, spelled, int32(28))
	want := append([]int32{26}, spelled...)
	require.Equal(t, append(want, 28, 1, 28), p.Cache)

	// A prompt that is continued has tokens where it spells them.
	_, err = m.Continue(context.Background(), "a<end_of_turn>", generate.Request{Tokens: 1}, nil)
	require.NoError(t, err)
	require.Equal(t, []int32{26, 0, 28}, p.Cache)
}

// A template that writes the token that begins a text does not get another one.
func TestTemplateWithBOS(t *testing.T) {
	_, m, _ := model(t, false, generatetest.Template("{{ bos_token }}{{ messages[0].content }}{{ eos_token }}"))
	a, err := m.Chat(context.Background(), []chat.Message{{Role: "user", Content: "b"}}, generate.Request{Tokens: 1}, nil)
	require.NoError(t, err)
	require.Equal(t, 3, a.Prompt)
	require.Equal(t, generatetest.Continued([]int32{26, 1, 27}, 1), append(a.Tokens, a.Stop)[:1])
}

func TestExtract(t *testing.T) {
	from := generatetest.Weights(t, generatetest.Template(template))
	to := filepath.Join(t.TempDir(), "tokenizer.gguf")
	require.NoError(t, textmodel.Extract(from, to))
	f, err := gguf.Open(to)
	require.NoError(t, err)
	defer f.Close()
	_, other := f.Get("small.context_length")
	_, name := f.Get("general.architecture")
	require.True(t, name && !other)
	l, err := textmodel.Open(to)
	require.NoError(t, err)
	require.NotNil(t, l.Template)
	require.Equal(t, generatetest.Vocabulary, l.Tokens.Size())
	require.Error(t, textmodel.Extract(to+"x", to))
}

func TestRefusals(t *testing.T) {
	ctx := context.Background()
	_, err := textmodel.Open(filepath.Join(t.TempDir(), "none"))
	require.Error(t, err)
	path := generatetest.Weights(t, generatetest.Template("{%"))
	_, err = textmodel.Open(path)
	require.Equal(t, chat.CodeTemplate, errs.CodeOf(err))
	require.ErrorContains(t, err, path)
	_, err = textmodel.Open(generatetest.Weights(t, gguf.Pair{Key: "tokenizer.ggml.padding_token_id", Value: uint32(99)}))
	require.Equal(t, tokenizer.CodeBadValue, errs.CodeOf(err))

	_, m, l := model(t, false)
	_, err = m.Continue(ctx, "", generate.Request{}, nil)
	require.Equal(t, generate.CodePrompt, errs.CodeOf(err))
	_, err = m.Continue(ctx, "a\xff", generate.Request{}, nil)
	require.Equal(t, tokenizer.CodeUTF8, errs.CodeOf(err))
	_, err = m.Continue(ctx, strings.Repeat("a", generatetest.Context), generate.Request{}, nil)
	require.Equal(t, generate.CodeContext, errs.CodeOf(err))
	_, err = m.Chat(ctx, []chat.Message{{Role: "user", Content: "a"}}, generate.Request{}, nil)
	require.Equal(t, generate.CodePrompt, errs.CodeOf(err))
	broken := errors.New("broken")
	a, err := m.Continue(ctx, "a", generate.Request{Token: func(int32) error { return broken }}, nil)
	require.ErrorIs(t, err, broken)
	require.Len(t, a.Tokens, 1)

	_, m, _ = model(t, false, generatetest.Template("{{ raise_exception('no') }}"))
	_, err = m.Chat(ctx, []chat.Message{{Role: "user", Content: "a"}}, generate.Request{}, nil)
	require.Equal(t, chat.CodeRender, errs.CodeOf(err))
	_, err = m.Chat(ctx, []chat.Message{{Role: "user"}}, generate.Request{}, nil)
	require.Equal(t, generate.CodePrompt, errs.CodeOf(err))
	_, m, _ = model(t, false, generatetest.Template("a long beginning {{ messages[0].content }}"))
	_, err = m.Chat(ctx, []chat.Message{{Role: "user", Content: "\ufffd\xff"}}, generate.Request{}, nil)
	require.Equal(t, tokenizer.CodeUTF8, errs.CodeOf(err))
	require.ErrorContains(t, err, "byte 3: message 0", "of what was said, not of what the template makes of it")

	p := generatetest.New(t)
	for _, e := range p.Document.Entries[:2] {
		e.Results[0].Shape[1].Size = 51
	}
	s, err := generate.NewSession(p, generate.Options{})
	require.NoError(t, err)
	_, err = textmodel.New(l, s, false)
	require.Equal(t, generate.CodeProgram, errs.CodeOf(err))
}

// sliding is a model whose session slides.
func sliding(t *testing.T, template string) (*generate.Session, *textmodel.Model) {
	t.Helper()
	l, err := textmodel.Open(generatetest.Weights(t, generatetest.Template(template)))
	require.NoError(t, err)
	s, err := generate.NewSession(generatetest.New(t), generate.Options{Slide: true})
	require.NoError(t, err)
	m, err := textmodel.New(l, s, false)
	require.NoError(t, err)
	_, err = textmodel.New(l, s, true)
	require.Equal(t, generate.CodeOptions, errs.CodeOf(err))
	return s, m
}

// What is before the first words of the user stays when the context is full.
func TestSlidingKeepsTheSystemPrompt(t *testing.T) {
	ctx := context.Background()
	say := func(system, user string) []chat.Message {
		return []chat.Message{{Role: "system", Content: system}, {Role: "user", Content: user}}
	}
	s, m := sliding(t, template)
	r := generate.Request{Tokens: 1, Sampling: generate.Sampling{Temperature: 1, Seed: 1}}
	a, err := m.Chat(ctx, say("xy", "bcdefghijklmnopq"), r, nil)
	require.NoError(t, err)
	require.Equal(t, 22, a.Prompt)
	require.Equal(t, []int32{26, 18, 23, 24, 20, 13, 14, 15, 16, 0}, s.Text()[:10], "<s>sxyu, then nopqa")
	require.Equal(t, 22-10, a.Cut)
	require.Zero(t, a.Slides)

	// So it does while it writes.
	a.Slides = 0
	for seed := uint64(0); a.Slides == 0; seed++ { // some end at once
		require.Less(t, seed, uint64(100))
		a, err = m.Chat(ctx, say("xy", "b"), generate.Request{Tokens: 25, Sampling: generate.Sampling{Temperature: 1, TopK: 20, Seed: seed}}, nil)
		require.NoError(t, err)
	}
	require.Zero(t, a.Cut)
	require.Equal(t, []int32{26, 18, 23, 24, 20}, s.Text()[:5])

	_, err = m.Chat(ctx, say("abcdef", "b"), r, nil)
	require.Equal(t, generate.CodeContext, errs.CodeOf(err))
	require.ErrorContains(t, err, "9 tokens precede")

	// Without a user, or where the template wants more, what begins a text stays.
	long := strings.Repeat("a", 20)
	_, err = m.Chat(ctx, say(long, "")[:1], r, nil)
	require.NoError(t, err)
	require.Equal(t, int32(26), s.Text()[0])
	s, m = sliding(t, "{% if messages | length < 3 %}{{ raise_exception('no') }}{% endif %}"+template)
	_, err = m.Chat(ctx, append(say("xy", long), chat.Message{Role: "user", Content: "a"}), r, nil)
	require.NoError(t, err)
	require.Equal(t, []int32{26, 0}, s.Text()[:2])

	// A text that is continued keeps that too.
	a, err = m.Continue(ctx, long+"bc", r, nil)
	require.NoError(t, err)
	require.Equal(t, []int32{26, 0, 0, 0, 0, 0, 1, 2}, s.Text()[:8])
	require.Equal(t, 23-8, a.Cut)
}
