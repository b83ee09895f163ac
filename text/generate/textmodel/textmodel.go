// Package textmodel is a language model from text to text: a session of package
// generate with the tokenizer and the chat template of its weights.
//
// # Where these come from
//
// From the metadata of a GGUF file. A device has the compiled program and the
// archive of its weights, but not the original file; Extract therefore writes only its
// metadata, a few MB, as a GGUF file without tensors, when the program is built. Open
// takes that file or the original.
//
// # Errors
//
// GENERATE_* of package generate, TOKENIZER_*, CHAT_* and GGUF_* of those; of a
// prompt GENERATE_PROMPT for the empty one and TOKENIZER_UTF8 with the place of a
// byte that is not UTF-8; GENERATE_PROGRAM where tokenizer and program have different
// numbers of tokens.
//
// # Determinism
//
// Texts depend on the files, the prompts, the settings and, if the template prints it
// and Language.Date does not fix it, the date.
package textmodel

import (
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/io/gguf"
	"github.com/skainet-dev/skainet-go/text/chat"
	"github.com/skainet-dev/skainet-go/text/tokenizer"
)

const templateKey = "tokenizer.chat_template"

// Language is what a model needs to read and write text.
type Language struct {
	Tokens   tokenizer.Tokenizer
	Template *chat.Template // nil where the file has none: a model that only continues
	// Date is the date and time for templates that print it. The zero time is the local
	// one when a turn begins.
	Date time.Time
}

// Open reads them from a GGUF file, with or without tensors.
func Open(path string) (*Language, error) {
	f, err := gguf.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	l := &Language{}
	if l.Tokens, err = tokenizer.FromGGUF(f); err != nil {
		return nil, errs.WithFile(err, path)
	}
	if v, ok := f.Get(templateKey); ok {
		source, err := v.Text()
		if err == nil {
			l.Template, err = chat.Parse(source)
		}
		if err != nil {
			var e *errs.Error
			if errors.As(err, &e) && e.Node == "" {
				e.On(templateKey)
			}
			return nil, errs.WithFile(err, path)
		}
	}
	return l, nil
}

// Check is Open, and whether the file has a tokenizer at all: a program of one without is
// run with the tokenizer of another. The language is nil where it has none.
func Check(path string) (l *Language, has bool, err error) {
	f, err := gguf.Open(path)
	if err != nil {
		return nil, false, err
	}
	has = tokenizer.Described(f)
	if err := f.Close(); err != nil || !has {
		return nil, false, err
	}
	l, err = Open(path)
	return l, true, err
}

// Extract writes the metadata that Open reads from the GGUF file at from, and the
// keys that identify the model, to a GGUF file without tensors.
func Extract(from, to string) error {
	f, err := gguf.Open(from)
	if err != nil {
		return err
	}
	defer f.Close()
	var pairs []gguf.Pair
	for _, p := range f.Pairs() {
		if strings.HasPrefix(p.Key, "tokenizer.") || strings.HasPrefix(p.Key, "general.") && p.Key != "general.alignment" {
			pairs = append(pairs, p)
		}
	}
	_, err = gguf.Write(to, pairs, nil, gguf.Options{})
	return err
}

// encodePrompt returns the tokens of a text to continue.
func (l *Language) encodePrompt(prompt string) ([]int32, error) {
	if prompt == "" {
		return nil, noPrompt()
	}
	return l.Tokens.Encode(prompt, true)
}

// encodeChat returns the tokens of a conversation as its template writes it; messages
// are plain text, whatever tokens they spell. BOS is put first if the model wants it
// and the template does not write it.
func (l *Language) encodeChat(ctx context.Context, messages []chat.Message, s chat.Settings) ([]int32, error) {
	c, err := l.Template.RenderVerbatim(ctx, messages, s, func(content string) []chat.Span {
		var spans []chat.Span
		for _, s := range l.Tokens.Controls(content) {
			spans = append(spans, chat.Span(s))
		}
		return spans
	})
	if err != nil {
		return nil, err
	}
	o := tokenizer.Options{}
	for _, s := range c.Verbatim {
		o.Verbatim = append(o.Verbatim, tokenizer.Span(s))
	}
	tokens, err := l.Tokens.EncodeWith(c.Text, o)
	if err != nil {
		return nil, err
	}
	if s := l.Tokens.Specials(); s.AddBOS && (len(tokens) == 0 || tokens[0] != s.BOS) {
		tokens = append([]int32{s.BOS}, tokens...)
	}
	return tokens, nil
}

// begun returns the number of tokens that begin every text: 1 for BOS, or 0.
func (l *Language) begun(tokens []int32) int {
	if s := l.Tokens.Specials(); s.BOS >= 0 && len(tokens) > 0 && tokens[0] == s.BOS {
		return 1
	}
	return 0
}

// unsaid returns the number of tokens before the first user message: those that stay
// the same if the message changes.
func (l *Language) unsaid(ctx context.Context, messages []chat.Message, s chat.Settings, tokens []int32) int {
	first := slices.IndexFunc(messages, func(m chat.Message) bool { return m.Role == "user" })
	if first < 0 {
		return 0
	}
	other := slices.Clone(messages[:first+1])
	other[first].Content = "0"
	if strings.HasPrefix(strings.TrimSpace(messages[first].Content), "0") {
		other[first].Content = "1"
	}
	changed, err := l.encodeChat(ctx, other, s)
	if err != nil {
		return 0 // the template requires more turns; the text itself was good
	}
	n := 0
	for n < min(len(tokens), len(changed)) && tokens[n] == changed[n] {
		n++
	}
	return n
}

// settings configures how a conversation is rendered, from now on with the same date.
func (l *Language) settings() chat.Settings {
	spelled := func(id int32) string { s, _ := l.Tokens.Token(id); return s }
	s := l.Tokens.Specials()
	date := l.Date
	if date.IsZero() {
		date = time.Now()
	}
	return chat.Settings{BOS: spelled(s.BOS), EOS: spelled(s.EOS), Continue: true, Date: date}
}
