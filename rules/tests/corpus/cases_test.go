//go:build integration

package corpus

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/io/weights"
	"github.com/skainet-dev/skainet-go/test/badfiles"
)

var update = flag.Bool("update", false, "write cases.bzl again")

// corpora returns the corpora, in which each case has the code that the reader
// of any format returns: it does not recognise the first bytes of some of them.
func corpora(t *testing.T) []badfiles.Corpus {
	t.Helper()
	list := badfiles.All()
	for i, c := range list {
		cases := c.Bad()
		path := filepath.Join(t.TempDir(), "file")
		for j, bad := range cases {
			require.NoError(t, os.WriteFile(path, bad.Data, 0o644))
			if _, err := weights.FormatOf(path); err != nil {
				cases[j].Code, cases[j].Offset = errs.CodeOf(err), 0
				require.Equal(t, weights.CodeUnknown, cases[j].Code)
			}
		}
		list[i].Bad = func() []badfiles.Case { return cases }
	}
	return list
}

// TestCases: the names in BUILD files are those of the corpora.
func TestCases(t *testing.T) {
	var b strings.Builder
	b.WriteString(`"""The files of test/badfiles, and the code that a build must give for each.

Generated: go test -tags integration ./rules/tests/corpus -run TestCases -update
"""

CASES = {
`)
	for _, c := range corpora(t) {
		fmt.Fprintf(&b, "    %q: {\n", c.Name)
		for _, bad := range c.Bad() {
			fmt.Fprintf(&b, "        %q: %q,\n", bad.Name, bad.Code)
		}
		b.WriteString("    },\n")
	}
	b.WriteString("}\n")
	if *update {
		require.NoError(t, os.WriteFile("cases.bzl", []byte(b.String()), 0o644))
	}
	have, err := os.ReadFile("cases.bzl")
	require.NoError(t, err)
	if diff := cmp.Diff(string(have), b.String()); diff != "" {
		t.Errorf("cases.bzl differs (-have +want); its first lines say how to make it again:\n%s", diff)
	}
}
