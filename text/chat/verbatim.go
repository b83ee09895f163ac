package chat

import (
	"context"
	"strings"
	"unicode"

	"github.com/skainet-dev/skainet-go/internal/errs"
)

// Span is the bytes of a text from Start on and before End.
type Span struct{ Start, End int }

// Conversation is a text, and where in it messages speak: all else is the template's,
// such as the tokens between turns.
type Conversation struct {
	Text     string
	Verbatim []Span // ascending, apart from each other
}

// RenderVerbatim is Render that keeps apart what the template says and what the
// messages say, so that a message which spells a token of the template does not
// become one. commands finds the parts of a content that spell such tokens.
//
// The conversation is rendered a second time with marks in the messages, around all
// that is between the space at both ends, since templates trim. Where that without
// its marks is another text, as the template looks at messages or takes them apart,
// the marks are put around what commands finds. CHAT_RENDER is a template for which
// that does not do either.
func (t *Template) RenderVerbatim(ctx context.Context, messages []Message, s Settings, commands func(content string) []Span) (Conversation, error) {
	c := Conversation{}
	var err error
	if c.Text, err = t.Render(ctx, messages, s); err != nil {
		return c, err
	}
	m := newMarks(c.Text, messages)
	for _, parts := range []func(string) []Span{core, commands} {
		marked, n := m.put(messages, parts)
		if n == 0 {
			return c, nil
		}
		text, err := t.Render(ctx, marked, s)
		if ctx.Err() != nil {
			return c, err
		}
		if found, ok := m.take(text); err == nil && ok && found.Text == c.Text {
			return found, nil
		}
	}
	return c, errs.New(CodeRender, "a message spells tokens of the template, which changes messages so that they cannot be told apart").
		Hint("leave such tokens out of the messages, or give another template")
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

// marks stand before and behind parts of messages: a row of runes for private use
// that is longer than any in the texts, and one of two that tells which it is.
type marks struct{ row string }

const (
	rowOf  = "\ue000"
	before = "\ue001"
	behind = "\ue002"
)

func newMarks(text string, messages []Message) marks {
	longest := 0
	look := func(s string) {
		for i := strings.Index(s, rowOf); i >= 0; i = strings.Index(s, rowOf) {
			rest := strings.TrimLeft(s[i:], rowOf)
			longest = max(longest, (len(s)-i-len(rest))/len(rowOf))
			s = rest
		}
	}
	look(text)
	for _, m := range messages {
		look(m.Content)
	}
	return marks{strings.Repeat(rowOf, longest+1)}
}

// put marks parts of all messages, and says how many.
func (m marks) put(messages []Message, parts func(content string) []Span) (marked []Message, n int) {
	for _, message := range messages {
		var b strings.Builder
		at := 0
		for _, s := range parts(message.Content) {
			b.WriteString(message.Content[at:s.Start] + m.row + before + message.Content[s.Start:s.End] + m.row + behind)
			at = s.End
			n++
		}
		message.Content = b.String() + message.Content[at:]
		marked = append(marked, message)
	}
	return marked, n
}

// take takes the marks out of a text; ok says that they come in pairs.
func (m marks) take(text string) (c Conversation, ok bool) {
	var b strings.Builder
	open := -1
	for {
		i := strings.Index(text, m.row)
		if i < 0 {
			break
		}
		// A row of the text itself may be right before.
		rest := strings.TrimLeft(text[i:], rowOf)
		b.WriteString(text[:len(text)-len(rest)-len(m.row)])
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
