package chat

import (
	"context"
	"strings"
	"unicode"

	"github.com/skainet-dev/skainet-go/errs"
)

// Span is the half-open range of bytes [Start, End) of a text.
type Span struct{ Start, End int }

// Conversation is a text and the spans of it that come from messages; the rest is the
// template's, such as the tokens between turns.
type Conversation struct {
	Text     string
	Verbatim []Span // ascending, apart from each other
}

// RenderVerbatim is Render that distinguishes the template's text from that of the
// messages, so that a message that spells a special token does not become one.
// commands finds the parts of a content that spell such tokens.
//
// The conversation is rendered a second time with marks around the trimmed content of
// each message, since templates trim. If the result without its marks differs, because
// the template inspects or splits messages, only the parts that commands finds are
// marked. CHAT_RENDER is a template for which that fails too, and messages that need
// too many or too long marks.
func (t *Template) RenderVerbatim(ctx context.Context, messages []Message, s Settings, commands func(content string) []Span) (Conversation, error) {
	s = s.dated()
	c := Conversation{}
	var err error
	if c.Text, err = t.Render(ctx, messages, s); err != nil {
		return c, err
	}
	m := newMarks(c.Text, messages)
	long := false
	for _, parts := range []func(string) []Span{core, commands} {
		marked, n, ok := m.put(messages, parts)
		if n == 0 {
			return c, nil
		}
		if long = !ok; long {
			continue
		}
		text, err := t.Render(ctx, marked, s)
		if ctx.Err() != nil {
			return c, err
		}
		if found, ok := m.take(text); err == nil && ok && found.Text == c.Text {
			return found, nil
		}
	}
	if long {
		return c, errs.New(CodeRender, "the messages spell too many tokens of the template, in a conversation that repeats U+E000 %d times", len(m.row)/len(rowOf)-1).
			Hint("leave such tokens, or such rows, out of the messages")
	}
	return c, errs.New(CodeRender, "a message spells tokens of the template, which changes messages so that they cannot be told apart").
		Hint("leave such tokens out of the messages, or use another template")
}

// core is a content without the space around it.
func core(content string) []Span {
	start := len(content) - len(strings.TrimLeftFunc(content, unicode.IsSpace))
	end := len(strings.TrimRightFunc(content, unicode.IsSpace))
	if start >= end {
		return nil
	}
	return []Span{{start, end}}
}

// marks stand before and after parts of messages: a row of runes for private use
// that is longer than any in the texts, and one of two that tells which it is.
type marks struct{ row string }

const (
	rowOf  = "\ue000"
	before = "\ue001"
	behind = "\ue002"

	// All marks of a conversation have at most marksBase bytes and marksEach times
	// those of its messages: more is only for rows that no one writes.
	marksBase = 1 << 20
	marksEach = 4
)

func newMarks(text string, messages []Message) marks {
	longest := 0
	look := func(s string) {
		for start, end := nextRow(s); start >= 0; start, end = nextRow(s) {
			longest = max(longest, end-start)
			s = s[end:]
		}
	}
	look(text)
	for _, m := range messages {
		look(m.Content)
	}
	return marks{strings.Repeat(rowOf, longest/len(rowOf)+1)}
}

// nextRow returns where the first row in s starts and ends; start is negative without.
func nextRow(s string) (start, end int) {
	start = strings.Index(s, rowOf)
	if start < 0 {
		return -1, 0
	}
	return start, len(s) - len(strings.TrimLeft(s[start:], rowOf))
}

// put marks parts of all messages and returns their number; ok is false if that is too long.
func (m marks) put(messages []Message, parts func(content string) []Span) (marked []Message, n int, ok bool) {
	spans := make([][]Span, len(messages))
	most := marksBase
	for i, message := range messages {
		spans[i] = parts(message.Content)
		n += len(spans[i])
		most += marksEach * len(message.Content)
	}
	if n > most/(2*(len(m.row)+len(before))) {
		return nil, n, false
	}
	for i, message := range messages {
		var b strings.Builder
		at := 0
		for _, s := range spans[i] {
			for _, part := range []string{message.Content[at:s.Start], m.row, before, message.Content[s.Start:s.End], m.row, behind} {
				b.WriteString(part)
			}
			at = s.End
		}
		b.WriteString(message.Content[at:])
		message.Content = b.String()
		marked = append(marked, message)
	}
	return marked, n, true
}

// take removes the marks from a text; ok reports whether they come in pairs.
func (m marks) take(text string) (c Conversation, ok bool) {
	var b strings.Builder
	open := -1
	for {
		start, end := nextRow(text)
		if start < 0 {
			break
		}
		rest := text[end:]
		if end-start < len(m.row) {
			b.WriteString(text[:end])
			text = rest
			continue
		}
		// A row of the text itself may be right before.
		b.WriteString(text[:end-len(m.row)])
		switch {
		case strings.HasPrefix(rest, before) && open < 0:
			open = b.Len()
		case strings.HasPrefix(rest, behind) && open >= 0:
			c.Verbatim = append(c.Verbatim, Span{open, b.Len()})
			open = -1
		default:
			return c, false
		}
		text = rest[len(before):]
	}
	b.WriteString(text)
	c.Text = b.String()
	return c, open < 0
}
