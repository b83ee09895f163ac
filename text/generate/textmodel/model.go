package textmodel

import (
	"context"
	"strings"
	"unicode/utf8"

	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/text/chat"
	"github.com/skainet-dev/skainet-go/text/generate"
	"github.com/skainet-dev/skainet-go/text/tokenizer"
)

// Model continues texts and answers in conversations. It is not safe for concurrent
// use.
type Model struct {
	language *Language
	session  *generate.Session
	oneCall  bool
}

// New joins a session with the language of its model. oneCall makes the program
// choose all tokens of an answer in one call (generate.Session.GenerateInOneCall)
// instead of one call per token; such a call cannot slide, so a session that slides is
// GENERATE_OPTIONS. The model sets what sliding keeps (generate.Options.Keep).
func New(l *Language, s *generate.Session, oneCall bool) (*Model, error) {
	if n := l.Tokens.Size(); n != s.VocabSize() {
		return nil, errs.New(generate.CodeProgram, "the tokenizer has %d tokens, but the program has %d", n, s.VocabSize()).
			Hint("use the tokenizer that came with the weights")
	}
	if oneCall && s.Slides() {
		return nil, errs.New(generate.CodeOptions, "a session that slides cannot generate an answer in one call").
			On("slide").Hint("let it stop when the context is full, or generate with one call per token")
	}
	return &Model{l, s, oneCall}, nil
}

// Answer is the generated text.
type Answer struct {
	// Text is the text of the tokens. A character that was incomplete when generation
	// ended is U+FFFD.
	Text string
	// Prompt is the number of tokens of the prompt, and Cut how many of them were
	// dropped because they were too many and the session slides.
	Prompt, Cut int
	generate.Result
}

// Continue continues the prompt. Special tokens spelled in it, such as <end_of_turn>,
// become those tokens. piece, if set, is called with each piece of text as it is
// generated; its error ends the generation.
func (m *Model) Continue(ctx context.Context, prompt string, r generate.Request, piece func(string) error) (Answer, error) {
	tokens, err := m.language.encodePrompt(prompt)
	if err != nil {
		return none(), err
	}
	return m.write(ctx, tokens, m.language.begun(tokens), r, piece)
}

// Chat generates the next turn of a conversation, with the model's template; a model
// without one is GENERATE_PROMPT. Special tokens spelled in messages, such as
// <end_of_turn>, are plain text. The common prefix with the previous call is not
// recomputed.
//
// A session that slides keeps the beginning of the conversation before the first user
// message: BOS and the system prompt, which must be less than half of the context.
func (m *Model) Chat(ctx context.Context, messages []chat.Message, r generate.Request, piece func(string) error) (Answer, error) {
	if m.language.Template == nil {
		return none(), errs.New(generate.CodePrompt, "the model has no chat template; it only continues a text").
			Hint("give a non-empty prompt")
	}
	if len(messages) == 0 || messages[len(messages)-1].Content == "" {
		return none(), noPrompt()
	}
	for i, message := range messages {
		if at := firstBroken(message.Content); at >= 0 {
			return none(), errs.New(tokenizer.CodeUTF8, "message %d is not valid UTF-8", i).At(int64(at)).Hint("convert the text to UTF-8")
		}
	}
	settings := m.language.settings()
	tokens, err := m.language.encodeChat(ctx, messages, settings)
	if err != nil {
		return none(), err
	}
	keep := m.language.begun(tokens)
	if m.session.Slides() {
		keep = max(keep, m.language.unsaid(ctx, messages, settings, tokens))
	}
	if n := m.session.Context(); 2*keep >= n {
		return none(), errs.New(generate.CodeContext, "%d tokens precede the first user message; when the context of %d slides, fewer than half can be kept", keep, n).
			Hint("shorten the system prompt, or let it stop where the context is full")
	}
	return m.write(ctx, tokens, keep, r, piece)
}

// firstBroken returns the offset of the first byte that is not UTF-8, or -1.
func firstBroken(text string) int {
	for i, r := range text {
		if r == utf8.RuneError && !strings.HasPrefix(text[i:], "\ufffd") {
			return i
		}
	}
	return -1
}

func none() Answer {
	return Answer{Result: generate.Result{Tokens: []int32{}, Reason: generate.Failed, Stop: -1}}
}

func noPrompt() error {
	return errs.New(generate.CodePrompt, "the prompt is empty").Hint("write something")
}

// write continues tokens until a stop token of the model or of the request. keep is
// how many tokens sliding keeps.
func (m *Model) write(ctx context.Context, tokens []int32, keep int, r generate.Request, piece func(string) error) (Answer, error) {
	if err := m.session.KeepFirst(keep); err != nil {
		return none(), err
	}
	if err := m.session.Set(tokens); err != nil {
		return none(), err
	}
	a := Answer{Prompt: len(tokens), Cut: m.session.Truncated()}
	r.Stop = append(append([]int32{}, r.Stop...), m.language.Tokens.Specials().Stop...)
	stream := m.language.Tokens.Stream()
	var text strings.Builder
	say := func(s string) error {
		text.WriteString(s)
		if s == "" || piece == nil {
			return nil
		}
		return piece(s)
	}
	token := r.Token
	r.Token = func(id int32) error {
		if token != nil {
			if err := token(id); err != nil {
				return err
			}
		}
		s, err := stream.Add(id)
		if err != nil {
			return err
		}
		return say(s)
	}
	run := m.session.Generate
	if m.oneCall {
		run = m.session.GenerateInOneCall
	}
	var err error
	a.Result, err = run(ctx, r)
	if rest := say(stream.Flush()); err == nil {
		err = rest
	}
	a.Text = text.String()
	return a, err
}
