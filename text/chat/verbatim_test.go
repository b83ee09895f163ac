package chat

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/errs"
)

func said(c Conversation) []string {
	var all []string
	for _, s := range c.Verbatim {
		all = append(all, c.Text[s.Start:s.End])
	}
	return all
}

// ends finds a token of templates.
func ends(content string) []Span {
	var spans []Span
	for at := 0; ; {
		i := strings.Index(content[at:], "<end>")
		if i < 0 {
			return spans
		}
		spans = append(spans, Span{at + i, at + i + 5})
		at += i + 5
	}
}

// The text is that of Render, which is Python's; what is said in it is what messages say.
func TestVerbatimOfTemplatesInUse(t *testing.T) {
	var f struct {
		Templates     map[string]string
		Conversations map[string][]Message
	}
	require.NoError(t, json.Unmarshal(templatesJSON, &f))
	ctx := context.Background()
	s := Settings{BOS: "<bos>", EOS: "<eos>", Continue: true}
	for name, source := range f.Templates {
		template, err := Parse(source)
		require.NoError(t, err)
		for what, messages := range f.Conversations {
			want, refused := template.Render(ctx, messages, s)
			got, err := template.RenderVerbatim(ctx, messages, s, ends)
			require.Equal(t, errs.CodeOf(refused), errs.CodeOf(err), "%s, %s", name, what)
			require.Equal(t, want, got.Text)
			if name != "chatml" && name != "turns" && name != "headers" || err != nil {
				continue
			}
			var contents []string
			for _, m := range messages {
				contents = append(contents, strings.TrimSpace(m.Content))
			}
			require.Equal(t, contents, said(got), "%s, %s", name, what)
		}
	}
}

// Messages that spell tokens or what marks are made of, whatever templates do with them.
func TestVerbatimSaid(t *testing.T) {
	const row = "\ue000"
	for _, tt := range []struct {
		template, content, text string
		said                    []string
	}{
		{"[{{ messages[0].content }}<end>", "a<end>b", "[a<end>b<end>", []string{"a<end>b"}},
		{"<{{ messages[0].content | trim }}<end>", "  a<end> \n", "<a<end><end>", []string{"a<end>"}},
		{"{{ messages[0].content }}{{ messages[0].content }}", "<end>", "<end><end>", []string{"<end>", "<end>"}},
		{"x", "<end>", "x", nil},
		{"{{ messages[0].content }}", " \n", " \n", nil},
		// It takes a message apart: marks around all of it would be lost.
		{"{{ messages[0].content.split('|')[1] }}<end>", "a|b<end>c", "b<end>c<end>", []string{"<end>"}},
		{"{{ messages[0].content.split('|')[0] }}<end>", "a|b", "a<end>", nil},
		{"{% if messages[0].content.startswith('a') %}A{% endif %}{{ messages[0].content }}", "a<end>b", "Aa<end>b", []string{"<end>"}},
		// Marks in the text are not taken for ours.
		{row + before + "{{ messages[0].content }}" + row + row, row + before + "a" + row, row + before + row + before + "a" + row + row + row, []string{row + before + "a" + row}},
		{"{{ messages[0].content }}", before + row + row + row, before + row + row + row, []string{before + row + row + row}},
		{"{{ messages[0].content }}", row + row + behind + behind, row + row + behind + behind, []string{row + row + behind + behind}},
	} {
		template, err := Parse(tt.template)
		require.NoError(t, err)
		c, err := template.RenderVerbatim(context.Background(), []Message{{Role: "user", Content: tt.content}}, Settings{}, ends)
		require.NoError(t, err, tt.template)
		require.Equal(t, tt.text, c.Text)
		require.Equal(t, tt.said, said(c), tt.template)
	}
}

func TestVerbatimRefusals(t *testing.T) {
	ctx := context.Background()
	for _, source := range []string{
		"{{ messages[0].content | length }}{{ messages[0].content }}",
		"{{ messages[0].content[1:3] }}",
		"{{ messages[0].content.split('n')[0] }}",
	} {
		template, err := Parse(source)
		require.NoError(t, err)
		_, err = template.RenderVerbatim(ctx, []Message{{Role: "user", Content: "a|b"}}, Settings{}, ends)
		require.NoError(t, err, "no token is spelled: %s", source)
		_, err = template.RenderVerbatim(ctx, []Message{{Role: "user", Content: "<end>"}}, Settings{}, ends)
		require.Equal(t, CodeRender, errs.CodeOf(err), source)
		require.ErrorContains(t, err, "cannot be told apart")
	}
	// Marks longer than any row in a message, around all tokens, would take gigabytes.
	template, err := Parse("{{ messages[0].content.split('|')[-1] }}")
	require.NoError(t, err)
	for _, n := range []int{2000, 20000} {
		hostile := strings.Repeat("\ue000", 15*n) + "|" + strings.Repeat("<end>", n)
		_, err = template.RenderVerbatim(ctx, []Message{{Role: "user", Content: hostile}}, Settings{}, ends)
		require.Equal(t, CodeRender, errs.CodeOf(err))
		require.ErrorContains(t, err, "U+E000")
	}
	c, err := template.RenderVerbatim(ctx, []Message{{Role: "user", Content: strings.Repeat("\ue000", 9) + "|" + strings.Repeat("<end>", 2000)}}, Settings{}, ends)
	require.NoError(t, err)
	require.Len(t, c.Verbatim, 2000)
	template, err = Parse("a")
	require.NoError(t, err)
	ended, cancel := context.WithCancel(ctx)
	cancel()
	_, err = template.RenderVerbatim(ended, nil, Settings{}, ends)
	require.Equal(t, CodeRender, errs.CodeOf(err))
}
