package blocks_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/docs/blocks"
)

// readers are the tests that read blocks from pages, other than the scripts of //docs/blocks/run.
var readers = []string{
	"//e2e/tests/gomodule:gomodule_test",
	"//e2e/tests/smoke:smoke_test",
	"//models/llama/adapters:adapters_test",
	"//tools/ci/drill:drill_test",
}

// Each block of commands or of Go says how it is tested, in one way.
func TestEveryBlockIsTested(t *testing.T) {
	pages, err := filepath.Glob("../modules/ROOT/pages/*.adoc")
	require.NoError(t, err)
	require.Greater(t, len(pages), 20)
	for _, page := range pages {
		found, err := blocks.Read(page)
		require.NoError(t, err)
		for _, b := range found {
			var ways []string
			for _, way := range blocks.Ways {
				if b.Attributes[way] != "" {
					ways = append(ways, way)
				}
			}
			if b.NeedsWay() && len(ways) != 1 {
				t.Errorf("%s: a block of %s needs one of %v, and has %v", b.At(), b.Language, blocks.Ways, ways)
			}
			if test := b.Attributes["test"]; test != "" {
				require.Contains(t, readers, test, b.At())
			}
			if file := b.Attributes["file"]; file != "" {
				text, err := os.ReadFile(filepath.Join("../..", file))
				require.NoError(t, err, b.At())
				require.True(t, b.Has(string(text)), "%s: %s does not have these lines together:\n%s", b.At(), file, b.Text)
			}
		}
	}
}

// Each command of the README is on a page, whose block says how it is tested.
func TestReadme(t *testing.T) {
	pages, err := filepath.Glob("../modules/ROOT/pages/*.adoc")
	require.NoError(t, err)
	var lines []string
	for _, page := range pages {
		found, err := blocks.Read(page)
		require.NoError(t, err)
		for _, b := range found {
			if !b.NeedsWay() || b.Language == "go" {
				continue
			}
			commands, err := b.Commands()
			require.NoError(t, err)
			for _, c := range commands {
				line, _, _ := strings.Cut(c.Line, " # ")
				lines = append(lines, strings.TrimSpace(line))
			}
		}
	}
	readme, err := os.ReadFile("../../README.md")
	require.NoError(t, err)
	commands, fenced := 0, false
	for line := range strings.Lines(string(readme)) {
		if strings.HasPrefix(line, "```") {
			fenced = !fenced
		}
		if block, ok := strings.CutPrefix(line, "    "); ok && !fenced {
			for command := range strings.SplitSeq(strings.TrimSpace(block), " && ") {
				require.Contains(t, lines, command)
				commands++
			}
		}
	}
	require.Greater(t, commands, 2)
}

func page(t *testing.T, text string) ([]blocks.Block, error) {
	t.Helper()
	dir := t.TempDir()
	for _, name := range []string{"pages", "examples"} {
		require.NoError(t, os.Mkdir(filepath.Join(dir, name), 0o777))
	}
	require.NoError(t, os.WriteFile(filepath.Join(dir, "examples", "x.go.txt"), []byte("a\n// tag::one[]\nb\n// end::one[]\nc\n"), 0o666))
	path := filepath.Join(dir, "pages", "p.adoc")
	require.NoError(t, os.WriteFile(path, []byte(text), 0o666))
	return blocks.Read(path)
}

func TestRead(t *testing.T) {
	found, err := page(t, `= Page

[source,console,run=page]
----
$ echo a \
    b
a b
$ true
----

.Title
[source,sh,sketch="It takes a phone, or two."]
----
one # comment

two <<'END'
$ three
END
four
----

[source,go,file=x.go]
.Title
----
include::example$x.go.txt[tag=one]
----

[source,go]
----
include::example$x.go.txt[]
----

----
plain
----
`)
	require.NoError(t, err)
	want := []blocks.Block{
		{Line: 4, Language: "console", Attributes: map[string]string{"run": "page"}, Text: "$ echo a \\\n    b\na b\n$ true\n"},
		{Line: 13, Language: "sh", Attributes: map[string]string{"sketch": "It takes a phone, or two."}, Text: "one # comment\n\ntwo <<'END'\n$ three\nEND\nfour\n"},
		{Line: 24, Language: "go", Attributes: map[string]string{"file": "x.go"}, Text: "b\n"},
		{Line: 29, Language: "go", Attributes: map[string]string{}, Text: "a\nb\nc\n"},
		{Line: 33, Attributes: map[string]string{}, Text: "plain\n"},
	}
	for i := range want {
		want[i].Page = "p.adoc"
	}
	require.Empty(t, cmp.Diff(want, found))

	commands, err := found[0].Commands()
	require.NoError(t, err)
	require.Empty(t, cmp.Diff([]blocks.Command{{Line: "echo a \\\n    b", Output: "a b\n"}, {Line: "true"}}, commands))
	commands, err = found[1].Commands()
	require.NoError(t, err)
	require.Empty(t, cmp.Diff([]blocks.Command{{Line: "one # comment"}, {Line: "two <<'END'\n$ three\nEND"}, {Line: "four"}}, commands))
}

func TestFaults(t *testing.T) {
	for text, want := range map[string]string{
		"[source,sh]\n----\nx\n----\n.. Step\n+\n----\ny\n":    "p.adoc:7: the block has no end",
		"[source,sh]\n----\nx\n":                               "p.adoc:2: the block has no end",
		"[source,sh,sketch=\"x]\n----\nx\n----\n":              `p.adoc:2: cannot read the attributes from "sketch=\"x" on`,
		"[source,go]\n----\ninclude::example$no.txt[]\n----\n": "p.adoc:3: open ",
	} {
		_, err := page(t, text)
		require.ErrorContains(t, err, want)
	}
	found, err := page(t, "[source,console]\n----\nx\n----\n")
	require.NoError(t, err)
	_, err = found[0].Commands()
	require.EqualError(t, err, `p.adoc:2: "x" stands before the first "$ "`)
}

func TestHas(t *testing.T) {
	file := "func f() error {\n\ta()\n\tb, err := b()\n\tif err != nil {\n\t\treturn err\n\t}\n\tc()\n}\n"
	for text, want := range map[string]bool{
		"a()\nb, err := b()\n": true,
		"b, err := b()\nc()\n": true,
		"b, err := b()\nif err != nil {\n\treturn err\n}\nc()\n": true,
		"a()\n// ...\nc()\n": true,
		"a()\nc()\n":         false,
		"c()\n}\nd()\n":      false,
		"// ...\n":           true,
		"a()\n// ...\nd()\n": false,
	} {
		require.Equal(t, want, blocks.Block{Text: text}.Has(file), strings.TrimSpace(text))
	}
}
