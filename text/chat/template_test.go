package chat

import (
	"context"
	_ "embed"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/errs"
	_ "github.com/skainet-dev/skainet-go/test/errtest"
)

// The oracle is Python's Jinja: testdata/gen_templates.py made the file.
//
//go:embed testdata/templates.json
var templatesJSON []byte

func TestTemplatesAsJinjaRendersThem(t *testing.T) {
	var f struct {
		Origin        string
		Templates     map[string]string
		Conversations map[string][]Message
		Cases         []struct {
			Template, Conversation string
			Continue               bool
			Text, Refused          string
		}
	}
	require.NoError(t, json.Unmarshal(templatesJSON, &f))
	require.Contains(t, f.Origin, "Jinja")
	parsed := map[string]*Template{}
	for name, source := range f.Templates {
		var err error
		parsed[name], err = Parse(source)
		require.NoError(t, err, name)
	}
	for _, c := range f.Cases {
		t.Run(fmt.Sprint(c.Template, " ", c.Conversation, " ", c.Continue), func(t *testing.T) {
			text, err := parsed[c.Template].Render(context.Background(), f.Conversations[c.Conversation],
				Settings{BOS: "<bos>", EOS: "<eos>", Continue: c.Continue})
			if c.Refused != "" {
				require.Equal(t, CodeRender, errs.CodeOf(err))
				require.ErrorContains(t, err, c.Refused)
				return
			}
			require.NoError(t, err)
			require.Empty(t, cmp.Diff(c.Text, text))
		})
	}
}

func TestRefusals(t *testing.T) {
	for name, source := range map[string]string{
		"cut":       "{%",
		"no end":    "{% for m in messages %}",
		"no block":  "{% include 'other' %}",
		"no filter": "{{ messages | a_filter_that_is_not_there }}",
		"long":      strings.Repeat("a", MaxTemplate+1),
	} {
		_, err := Parse(source)
		require.Equal(t, CodeTemplate, errs.CodeOf(err), name)
	}
	render := func(ctx context.Context, source string) error {
		template, err := Parse(source)
		require.NoError(t, err, source)
		_, err = template.Render(ctx, []Message{{Role: "user", Content: "a"}}, Settings{})
		return err
	}
	for source, want := range map[string]string{
		"{{ raise_exception('not so') }}":                 "not so",
		"{{ 1 // 0 }}":                                    "line 1",
		"{% macro m() %}{{ m() }}{% endmacro %}{{ m() }}": "JINJA_LIMIT",
		"{{ 'x' * 1000000000 }}":                          "JINJA_LIMIT",
		"{% set t = 'x' * 1000000 %}{% for i in range(99) %}{{ t }}{% endfor %}": "JINJA_LIMIT",
	} {
		err := render(context.Background(), source)
		require.Equal(t, CodeRender, errs.CodeOf(err), source)
		require.ErrorContains(t, err, want)
	}
	ended, cancel := context.WithCancel(context.Background())
	cancel()
	require.Equal(t, CodeRender, errs.CodeOf(render(ended, strings.Repeat("{% for a in range(60000) %}", 3)+strings.Repeat("{% endfor %}", 3))))
}

// Templates look whether there is a date, and have one of their own where not.
func TestNoDate(t *testing.T) {
	template, err := Parse("{% if strftime_now is defined %}{{ strftime_now('%Y') }}{% else %}none{% endif %} {{ range(1, 4) | list }} {{ range(3, 0, -2) | list }}")
	require.NoError(t, err)
	text, err := template.Render(context.Background(), nil, Settings{})
	require.NoError(t, err)
	require.Equal(t, "none [1, 2, 3] [3, 1]", text)
}
