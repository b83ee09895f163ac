package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"golang.org/x/term"

	"github.com/skainet-dev/skainet-go/internal/errs"
	"github.com/skainet-dev/skainet-go/text/chat"
	"github.com/skainet-dev/skainet-go/text/generate"
	"github.com/skainet-dev/skainet-go/text/generate/textmodel"
)

// maxLine is the length of a turn that is read, in bytes.
const maxLine = 16 << 20

// talker is a conversation.
type talker struct {
	options
	model          *textmodel.Model
	chat           bool // the model has a template
	turns          []chat.Message
	stdout, stderr io.Writer
}

func (t *talker) run(ctx context.Context, stdin io.Reader) error {
	if t.system != "" {
		if !t.chat {
			return errs.New("CHAT_FLAGS", "--system is given, and the model has no chat template").Hint("write it into the prompt")
		}
		t.turns = append(t.turns, chat.Message{Role: "system", Content: t.system})
	}
	if t.prompted {
		return t.answer(ctx, t.prompt)
	}
	f, ok := stdin.(*os.File)
	mark := ok && term.IsTerminal(int(f.Fd()))
	lines := bufio.NewScanner(stdin)
	lines.Buffer(nil, maxLine)
	for {
		if mark {
			fmt.Fprint(t.stderr, "> ")
		}
		if !lines.Scan() {
			break
		}
		if strings.TrimSpace(lines.Text()) == "" {
			continue
		}
		if err := t.answer(ctx, lines.Text()); err != nil {
			return err
		}
	}
	if err := lines.Err(); err != nil {
		return errs.Wrap("CHAT_INPUT", err, "cannot read the standard input").Hint("a line has at most %d bytes", maxLine)
	}
	return nil
}

// figures of an answer.
type figures struct {
	Text     string          `json:"text"`
	Tokens   []int32         `json:"tokens"`
	Reason   generate.Reason `json:"reason"`
	Slides   int             `json:"slides"`
	Prompt   int             `json:"prompt_tokens"`
	First    float64         `json:"first_token_seconds"` // to the first token
	Total    float64         `json:"total_seconds"`
	PerToken float64         `json:"tokens_per_second"` // behind the first; 0 where there are none
}

// answer writes what the model says to a turn.
func (t *talker) answer(ctx context.Context, prompt string) error {
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
			return errs.Wrap("FILE_WRITE", err, "cannot write the text")
		}
		return nil
	}
	var a textmodel.Answer
	var err error
	if t.chat {
		turn := append(t.turns, chat.Message{Role: "user", Content: prompt})
		if a, err = t.model.Chat(ctx, turn, r, say); err == nil {
			t.turns = append(turn, chat.Message{Role: "assistant", Content: a.Text})
		}
	} else {
		a, err = t.model.Continue(ctx, prompt, r, say)
	}
	if err != nil && len(a.Tokens) == 0 {
		return err
	}
	f := figures{Text: a.Text, Tokens: a.Tokens, Reason: a.Reason, Slides: a.Slides, Prompt: a.Prompt, Total: time.Since(start).Seconds()}
	if n := len(a.Tokens); n > 0 {
		f.First = first.Sub(start).Seconds()
		if spent := last.Sub(first).Seconds(); n > 1 && spent > 0 && !t.one {
			f.PerToken = float64(n-1) / spent
		}
	}
	if e := t.report(f); err == nil {
		err = e
	}
	return err
}

// report ends the line of text, and gives the figures.
func (t *talker) report(f figures) error {
	end := "\n"
	if t.json {
		line, err := json.Marshal(f)
		if err != nil {
			return errs.Wrap("FILE_WRITE", err, "cannot write the figures")
		}
		end += string(line) + "\n"
	}
	if _, err := io.WriteString(t.stdout, end); err != nil {
		return errs.Wrap("FILE_WRITE", err, "cannot write the text")
	}
	fmt.Fprintf(t.stderr, "chat: prompt of %d tokens, first token after %.3f s; %d tokens in %.3f s", f.Prompt, f.First, len(f.Tokens), f.Total)
	if f.PerToken > 0 {
		fmt.Fprintf(t.stderr, ", %.1f tokens/s", f.PerToken)
	}
	fmt.Fprintf(t.stderr, "; ended by %s", f.Reason)
	if f.Slides > 0 {
		fmt.Fprintf(t.stderr, ", the context was full %d times and the oldest tokens were forgotten", f.Slides)
	}
	fmt.Fprintln(t.stderr)
	return nil
}
