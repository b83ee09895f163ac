package talk

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"time"

	"golang.org/x/term"

	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/internal/atomicfile"
	"github.com/skainet-dev/skainet-go/text/chat"
	"github.com/skainet-dev/skainet-go/text/generate"
	"github.com/skainet-dev/skainet-go/text/generate/textmodel"
)

// Codes of this program.
const (
	codeFlags      errs.Code = "CHAT_FLAGS"      // flags that cannot be combined, with each other or with the model
	codeInput      errs.Code = "CHAT_INPUT"      // standard input cannot be read
	codeLine       errs.Code = "CHAT_LINE"       // a line of more than 16 MiB
	codeUnanswered errs.Code = "CHAT_UNANSWERED" // lines without an answer, each of which was reported
)

// talker is a conversation.
type talker struct {
	options
	model          *textmodel.Model
	chat           bool // use the model's template
	together       bool // all tokens of an answer are generated in one call
	turns          []chat.Message
	stdout, stderr io.Writer
}

func (t *talker) run(ctx context.Context, stdin io.Reader) error {
	if t.system != "" {
		if !t.chat {
			why := "the model has no chat template"
			if t.plain {
				why = "--plain uses none"
			}
			return errs.New(codeFlags, "--system needs a chat template, and %s", why).Hint("write it into the prompt")
		}
		t.turns = append(t.turns, chat.Message{Role: "system", Content: t.system})
	}
	if t.prompted {
		_, err := t.answer(ctx, t.prompt)
		return err
	}
	f, ok := stdin.(*os.File)
	return t.lines(ctx, stdin, ok && term.IsTerminal(int(f.Fd())))
}

// figures are the statistics of an answer.
type figures struct {
	Text     string          `json:"text"`
	Tokens   []int32         `json:"tokens"`
	Reason   generate.Reason `json:"reason"`
	Slides   int             `json:"slides"`
	Prompt   int             `json:"prompt_tokens"`
	Cut      int             `json:"cut_tokens"`          // tokens dropped from a prompt longer than the context
	First    float64         `json:"first_token_seconds"` // time to the first token; 0 if all came in one call
	Total    float64         `json:"total_seconds"`
	PerToken float64         `json:"tokens_per_second"` // after the first; 0 if there are none, or all came in one call
	Error    string          `json:"error,omitempty"`
}

// answer writes the model's answer to a turn, and returns whether its figures were reported.
func (t *talker) answer(ctx context.Context, prompt string) (reported bool, err error) {
	var first, last time.Time
	start := time.Now()
	r := generate.Request{Sampling: t.sampling, Tokens: t.tokens, Token: func(int32) error {
		if last = time.Now(); first.IsZero() {
			first = last
		}
		return nil
	}}
	say := func(piece string) error {
		if _, err := io.WriteString(t.stdout, piece); err != nil {
			return errs.Wrap(atomicfile.CodeWrite, err, "cannot write the text")
		}
		return nil
	}
	var a textmodel.Answer
	if t.chat {
		turn := append(t.turns, chat.Message{Role: "user", Content: prompt})
		if a, err = t.model.Chat(ctx, turn, r, say); err == nil {
			t.turns = append(turn, chat.Message{Role: "assistant", Content: a.Text})
		}
	} else {
		a, err = t.model.Continue(ctx, prompt, r, say)
	}
	if err != nil && len(a.Tokens) == 0 {
		return false, err
	}
	f := figures{Text: a.Text, Tokens: a.Tokens, Reason: a.Reason, Slides: a.Slides, Prompt: a.Prompt, Cut: a.Cut, Total: time.Since(start).Seconds()}
	if err != nil {
		f.Error = err.Error()
	}
	if n := len(a.Tokens); n > 0 && !t.together {
		f.First = first.Sub(start).Seconds()
		if spent := last.Sub(first).Seconds(); n > 1 && spent > 0 {
			f.PerToken = float64(n-1) / spent
		}
	}
	if e := t.report(f); err == nil {
		err = e
	}
	return true, err
}

// put ends the line of text, and writes the figures as JSON if requested.
func (t *talker) put(f figures) error {
	end := "\n"
	if t.json {
		line, err := json.Marshal(f)
		if err != nil {
			return errs.Wrap(atomicfile.CodeWrite, err, "cannot write the statistics")
		}
		end += string(line) + "\n"
	}
	if _, err := io.WriteString(t.stdout, end); err != nil {
		return errs.Wrap(atomicfile.CodeWrite, err, "cannot write the text")
	}
	return nil
}

// report is like put, and also prints the figures.
func (t *talker) report(f figures) error {
	if err := t.put(f); err != nil {
		return err
	}
	fmt.Fprintf(t.stderr, "chat: prompt of %d tokens", f.Prompt)
	if f.Cut > 0 {
		fmt.Fprintf(t.stderr, ", longer than the context: %d of the oldest tokens after the first were dropped", f.Cut)
	}
	if f.First > 0 {
		fmt.Fprintf(t.stderr, ", first token after %.3f s", f.First)
	}
	fmt.Fprintf(t.stderr, "; %d tokens in %.3f s", len(f.Tokens), f.Total)
	switch {
	case t.together:
		fmt.Fprint(t.stderr, " including the prompt, in one call")
	case f.PerToken > 0:
		fmt.Fprintf(t.stderr, ", %.1f tokens/s after the first", f.PerToken)
	}
	fmt.Fprintf(t.stderr, "; ended by %s", f.Reason)
	if f.Slides > 0 {
		fmt.Fprintf(t.stderr, ", the context was full %d times and the oldest tokens were dropped", f.Slides)
	}
	fmt.Fprintln(t.stderr)
	return nil
}
