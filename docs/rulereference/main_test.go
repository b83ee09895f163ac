package main

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"
)

// names are the names in Bazel's own text form of a message.
func names(t *testing.T, field, text string) []string {
	t.Helper()
	var out []string
	for _, m := range regexp.MustCompile(`(?m)^\s*`+field+`: "([^"]*)"$`).FindAllStringSubmatch(text, -1) {
		out = append(out, m[1])
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// Bazel writes the same message as text, which is read here without the numbers
// of its fields.
func TestEveryNameOfBazelsTextIsRead(t *testing.T) {
	for _, which := range []string{"RULES", "EXTENSION", "ASPECTS"} {
		message, err := os.ReadFile(os.Getenv(which))
		require.NoError(t, err)
		text, err := os.ReadFile(os.Getenv(which + "_TEXT"))
		require.NoError(t, err)
		m, err := readModule(message)
		require.NoError(t, err)

		got := map[string][]string{}
		see := func(kind string, name ...string) { got[kind] = append(got[kind], name...) }
		for _, r := range m.rules {
			see("rule_name", r.name)
			see("provider_name", r.provides...)
			for _, a := range r.attributes {
				see("name", a.name)
				see("provider_name", a.providers...)
			}
		}
		for _, a := range m.aspects {
			see("aspect_name", a.name)
			for _, a := range a.attributes {
				see("name", a.name)
			}
		}
		for _, p := range m.providers {
			see("provider_name", p.name)
			for _, f := range p.fields {
				see("name", f.name)
			}
		}
		for _, f := range m.functions {
			see("function_name", f.name)
			for _, p := range f.parameters {
				see("name", p.name)
			}
		}
		for _, e := range m.extensions {
			see("extension_name", e.name)
			for _, tag := range e.tags {
				see("tag_name", tag.name)
				for _, a := range tag.attributes {
					see("name", a.name)
				}
			}
		}
		for kind, list := range got {
			slices.Sort(list)
			want := names(t, kind, string(text))
			if kind == "name" { // where a thing comes from has names, too
				for _, other := range []string{"rule_name", "aspect_name", "function_name", "extension_name", "provider_name"} {
					want = slices.DeleteFunc(want, func(n string) bool {
						return slices.Contains(got[other], n) && !slices.Contains(list, n)
					})
				}
			}
			require.Empty(t, cmp.Diff(want, slices.Compact(list)), "%s of %s", kind, which)
		}
	}
}

func TestProse(t *testing.T) {
	for doc, want := range map[string]string{
		"":                                   "",
		"One line.":                          "One line.\n",
		"A list:\n\n  * a;\n  * b c\n    d.": "A list:\n\n* a;\n* b c\nd.\n",
		"Write\n\n    load(1)\n      x\n\nand go.": "Write\n\n....\nload(1)\n  x\n....\n\nand go.\n",
	} {
		require.Equal(t, want, prose(doc), doc)
	}
}

func TestAFileThatIsNoMessage(t *testing.T) {
	for text, want := range map[string]string{
		"":                 "no rule is documented",
		"\x0a\x05abc":      "field 1 at byte 1",
		"\xff\xff":         "tag at byte 0",
		"\x0a\x02\x1a\x05": "unexpected EOF",
	} {
		path := filepath.Join(t.TempDir(), "m")
		require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
		_, err := reference([]string{"T=" + path})
		require.ErrorContains(t, err, want)
	}
	_, err := reference([]string{"untitled"})
	require.ErrorContains(t, err, "TITLE=FILE")
	_, err = reference([]string{"T=" + filepath.Join(t.TempDir(), "none")})
	require.ErrorIs(t, err, os.ErrNotExist)
}

func TestAListHangsOnItsLine(t *testing.T) {
	m := module{rules: []rule{{name: "r", doc: "Does.", attributes: []attribute{{name: "a", kind: 4, value: `"x"`, doc: "One of\n\n  * b;\n  * c."}}}}}
	var page bytes.Buffer
	writeModule(&page, "T", &m)
	require.Contains(t, page.String(), "`a`:: _(string, `+\"x\"+`)_ One of\n+\n* b;\n* c.\n")
}
