package chat

import (
	"context"
	"errors"
	"fmt"

	"github.com/ardanlabs/jinja"

	"github.com/skainet-dev/skainet-go/internal/errs"
)

// Template is a chat template. It may be used by several goroutines at once.
type Template struct{ compiled *jinja.Template }

// Parse reads a template.
func Parse(source string) (_ *Template, err error) {
	if len(source) > MaxTemplate {
		return nil, errs.New(CodeTemplate, "the template has %d bytes, at most %d are taken", len(source), MaxTemplate)
	}
	defer func() {
		if r := recover(); r != nil {
			err = errs.New(CodeTemplate, "the template library failed: %v", r)
		}
	}()
	t, err := jinja.Compile(source)
	if err != nil {
		return nil, errs.Wrap(CodeTemplate, err, "the template is no Jinja, or uses what this program does not have").
			Hint("give another template")
	}
	return &Template{t}, nil
}

// Render gives the text of a conversation.
func (t *Template) Render(ctx context.Context, messages []Message, s Settings) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, MaxTime)
	defer cancel()
	values := s.values(messages)
	type result struct {
		text string
		err  error
	}
	done := make(chan result, 1)
	go func() {
		defer func() {
			if r := recover(); r != nil {
				done <- result{err: fmt.Errorf("the template library failed: %v", r)}
			}
		}()
		text, err := t.compiled.RenderValues(values)
		done <- result{text, err}
	}()
	select {
	case <-ctx.Done():
		return "", errs.Wrap(CodeRender, ctx.Err(), "the template was given up before it ended")
	case r := <-done:
		if r.err == nil {
			return r.text, nil
		}
		return "", errs.Wrap(CodeRender, r.err, "the template refuses the conversation, or fails on it").
			Hint("change the conversation, or give another template")
	}
}

// values is what a template can name.
func (s Settings) values(messages []Message) map[string]jinja.Value {
	list := make([]jinja.Value, len(messages))
	for i, m := range messages {
		list[i] = jinja.NewDict()
		list[i].AsDict().Set("role", jinja.NewString(m.Role))
		list[i].AsDict().Set("content", jinja.NewString(m.Content))
	}
	return map[string]jinja.Value{
		"messages":              jinja.NewList(list),
		"add_generation_prompt": jinja.NewBool(s.Continue),
		"bos_token":             jinja.NewString(s.BOS),
		"eos_token":             jinja.NewString(s.EOS),
		"tools":                 jinja.None(),
		"documents":             jinja.None(),
		"range":                 jinja.NewCallable("range", numbers),
		// The library's own gives the time of day.
		"strftime_now": jinja.Undefined(),
	}
}

// numbers is range with a bound.
func numbers(args []jinja.Value, _ map[string]jinja.Value) (jinja.Value, error) {
	bounds := make([]int64, len(args))
	for i, a := range args {
		if !a.IsInt() {
			return jinja.Undefined(), errors.New("range takes whole numbers")
		}
		bounds[i] = a.AsInt()
	}
	start, stop, step := int64(0), int64(0), int64(1)
	switch len(bounds) {
	case 1:
		stop = bounds[0]
	case 2:
		start, stop = bounds[0], bounds[1]
	case 3:
		start, stop, step = bounds[0], bounds[1], bounds[2]
	default:
		return jinja.Undefined(), errors.New("range takes one to three numbers")
	}
	if step == 0 {
		return jinja.Undefined(), errors.New("range in steps of 0")
	}
	list := []jinja.Value{}
	for i := start; step > 0 && i < stop || step < 0 && i > stop; i += step {
		if len(list) == MaxRange {
			return jinja.Undefined(), fmt.Errorf("range over more than %d numbers", MaxRange)
		}
		list = append(list, jinja.NewInt(i))
	}
	return jinja.NewList(list), nil
}
