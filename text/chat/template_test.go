package chat

import (
	"context"
	_ "embed"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

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

// The form is that of Llama's templates: they print a date unasked. The text is that
// of Python's Jinja and datetime.
func TestDate(t *testing.T) {
	template, err := Parse(`{% if not date_string is defined %}{% if strftime_now is defined %}{% set date_string = strftime_now("%d %b %Y") %}` +
		`{% else %}{% set date_string = "26 Jul 2024" %}{% endif %}{% endif %}Today Date: {{ date_string }}, {{ strftime_now('%Y') }}`)
	require.NoError(t, err)
	text, err := template.Render(context.Background(), nil, Settings{Date: time.Date(2026, 7, 5, 23, 59, 0, 0, time.UTC)})
	require.NoError(t, err)
	require.Equal(t, "Today Date: 05 Jul 2026, 2026", text)

	before := time.Now()
	text, err = template.Render(context.Background(), nil, Settings{})
	require.NoError(t, err)
	require.Contains(t, []string{before.Format("Today Date: 02 Jan 2006, 2006"), time.Now().Format("Today Date: 02 Jan 2006, 2006")}, text)
}

// Both renderings of RenderVerbatim have the same time, which passes between them.
func TestVerbatimHasOneDate(t *testing.T) {
	template, err := Parse("{{ strftime_now('%T.%f') }}{% for m in messages %}{% for i in range(20000) %}{% endfor %}[{{ m.content }}]{% endfor %}")
	require.NoError(t, err)
	c, err := template.RenderVerbatim(context.Background(), []Message{{Role: "user", Content: "a <b>"}}, Settings{}, nil)
	require.NoError(t, err)
	require.Len(t, c.Verbatim, 1)
	require.Equal(t, "a <b>", c.Text[c.Verbatim[0].Start:c.Verbatim[0].End])
}
