package chat

import (
	"context"

	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/text/chat/jinja"
)

// Template is a chat template. It may be used by several goroutines at once.
type Template struct {
	parsed *jinja.Template
	bytes  int // of its source
}

// Parse reads a template.
func Parse(source string) (*Template, error) {
	t, err := jinja.Parse(source)
	if err != nil {
		return nil, errs.Wrap(CodeTemplate, err, "not a valid Jinja template, or it uses an unsupported feature").
			Hint("use another template")
	}
	return &Template{t, len(source)}, nil
}

// Render returns the text of a conversation.
func (t *Template) Render(ctx context.Context, messages []Message, s Settings) (string, error) {
	bytes := t.bytes
	list := make([]any, len(messages))
	for i, m := range messages {
		bytes += len(m.Role) + len(m.Content)
		list[i] = jinja.Map{{Name: "role", Value: m.Role}, {Name: "content", Value: m.Content}}
	}
	values := jinja.Map{
		{Name: "messages", Value: list}, {Name: "add_generation_prompt", Value: s.Continue},
		{Name: "bos_token", Value: s.BOS}, {Name: "eos_token", Value: s.EOS},
		{Name: "tools", Value: nil}, {Name: "documents", Value: nil},
		{Name: "strftime_now", Value: jinja.Clock(s.dated().Date)},
	}
	text, err := t.parsed.Render(ctx, values, jinja.Limits{Steps: MaxSteps, Bytes: BytesBase + BytesEach*(bytes+len(s.BOS)+len(s.EOS))})
	if err != nil {
		return "", errs.Wrap(CodeRender, err, "the template refuses the conversation, or fails on it").
			Hint("change the conversation, or use another template")
	}
	return text, nil
}
