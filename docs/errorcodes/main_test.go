package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"
)

const source = `// Package a is one.
//
// # Errors
//
// A_CONST always; see a[0].
//
// Never twice.
//
// # Determinism
//
// None.
package a

import "errs"

// Codes.
const (
	one errs.Code = "A_CONST" // smallest input: nothing
	not string    = "A_STRING"
	two errs.Code = "lower"

	plain errs.Code = "A_PLAIN"
)

// CodeAlone is alone.
const CodeAlone errs.Code = "ALONE"

// CodeBoth is two
// lines
const CodeBoth errs.Code = "BOTH" // smallest input: --x

func f(c errs.Code) error {
	if c == one {
		return errs.New(plain, "A_TEXT")
	}
	return errs.Wrap(two, other.New("A_OTHER"), "").Hint("A_HINT")
}
`

const want = `// Made by //docs/errorcodes from the sources: ./bazelw run //docs:update

== DIR

pass:c[A_CONST always; see a[0\].]

pass:c[Never twice.]

[horizontal]
` + "`ALONE`:: pass:c[CodeAlone is alone.]\n`A_CONST`:: pass:c[smallest input: nothing]\n`A_PLAIN`:: {empty}\n`BOTH`:: pass:c[CodeBoth is two lines. Smallest input: --x]\n"

func TestReference(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	require.NoError(t, os.Mkdir("DIR", 0o755))
	require.NoError(t, os.Mkdir("none", 0o755))
	for name, text := range map[string]string{
		"DIR/a.go": source, "DIR/a_test.go": "not Go", "none/b.go": "package b\n",
	} {
		require.NoError(t, os.WriteFile(filepath.FromSlash(name), []byte(text), 0o644))
	}
	got, err := reference([]string{"none/b.go", "DIR/a.go", "DIR/a_test.go"})
	require.NoError(t, err)
	if diff := cmp.Diff(want, string(got)); diff != "" {
		t.Error(diff)
	}
	_, err = reference([]string{"DIR/none.go"})
	require.Error(t, err)
	inline := "package b\n\nvar e = errs.New(\"B_INLINE\", \"\")\n"
	require.NoError(t, os.WriteFile(filepath.FromSlash("none/b.go"), []byte(inline), 0o644))
	_, err = reference([]string{"none/b.go"})
	require.ErrorContains(t, err, "none has no constants of type errs.Code for B_INLINE")
}
