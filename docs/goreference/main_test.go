package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"
)

// write writes files below a new folder, which becomes the working directory.
func write(t *testing.T, files map[string]string) {
	t.Helper()
	t.Chdir(t.TempDir())
	for name, text := range files {
		name = filepath.FromSlash(name)
		require.NoError(t, os.MkdirAll(filepath.Dir(name), 0o755))
		require.NoError(t, os.WriteFile(name, []byte(text), 0o644))
	}
}

func TestFields(t *testing.T) {
	write(t, map[string]string{
		"a.go": `package a

// Document is one.
type Document struct {
	Parts []Part ` + "`json:\"parts\"`" + ` // each a [Part]
	// Note is
	// text.
	Note string ` + "`json:\"note,omitempty\"`" + `
	memo int
}

type plain struct{ x int }

const (
	One  Kind = "one" // the first | only
	more      = "x"
)
`,
		"b.go": "package a\n\ntype D struct {\n\tX int `json:\"x\"`\n}\n",
		"c.go": "package a\n\nconst C Kind = \"c\"\n",
	})
	got, err := fields([]string{"a.go"})
	require.NoError(t, err)
	want := made + `
== Document

pass:c[Document is one.]

[cols="2,2,5"]
|===
|Field |Type |What it is

|` + "`parts` |list of `Part`" + ` |pass:c[each a [Part\]]
|` + "`note` |`string`" + ` |pass:c[text (left out if it is empty)]
|===

== Kind

[cols="1,4"]
|===
|Value |What it says

|` + "`\"one\"`" + ` |pass:c[the first \| only]
|===
`
	require.Empty(t, cmp.Diff(want, string(got)))
	_, err = fields([]string{"b.go"})
	require.ErrorContains(t, err, "b.go: field x of D has no comment")
	_, err = fields([]string{"c.go"})
	require.ErrorContains(t, err, "c.go: constant C has no comment")
}

func TestPackages(t *testing.T) {
	write(t, map[string]string{
		"b/c/x.go":        "package c\n",
		"b/c/y.go":        "// Package c is two. It is more.\npackage c\n",
		"a/x.go":          "// Package a is one (Doe et al.\n// 2020). More.\npackage a\n",
		"a/x_test.go":     "not Go",
		"a/internal/x.go": "package internal\n",
		"cmd/x/x.go":      "package x\n",
		"p/main.go":       "// Command p runs.\npackage main\n",
		"none/x.go":       "package none\n",
	})
	got, err := packages([]string{"b/c/x.go", "b/c/y.go", "a/x.go", "a/x_test.go", "a/internal/x.go", "cmd/x/x.go", "p/main.go"})
	require.NoError(t, err)
	want := made + "[cols=\"1,3\"]\n|===\n|Package |What it is\n\n|`a` |pass:c[Package a is one (Doe et al. 2020).]\n|`b/c` |pass:c[Package c is two.]\n|===\n"
	require.Empty(t, cmp.Diff(want, string(got)))
	_, err = packages([]string{"none/x.go"})
	require.ErrorContains(t, err, "none: the package has no comment")
	_, err = packages([]string{"gone/x.go"})
	require.ErrorIs(t, err, os.ErrNotExist)
}
