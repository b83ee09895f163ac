//go:build integration

package e2e_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/bazelbuild/rules_go/go/runfiles"
	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/test/tokenizers"
	"github.com/skainet-dev/skainet-go/text/tokenizer"
)

// path returns the absolute path of the runfile that an environment variable names.
func path(t testing.TB, variable string) string {
	t.Helper()
	name := os.Getenv(variable)
	require.NotEmpty(t, name, "%s must name a runfile; run this test through Bazel", variable)
	p, err := runfiles.Rlocation(name)
	require.NoError(t, err)
	p, err = filepath.Abs(p)
	require.NoError(t, err)
	require.FileExists(t, p)
	return p
}

func open(t testing.TB, path string) tokenizer.Tokenizer {
	t.Helper()
	tok, err := tokenizers.Open(path)
	require.NoError(t, err)
	return tok
}

func encode(t testing.TB, tok tokenizer.Tokenizer, list []string, o tokenizer.Options) [][]int32 {
	t.Helper()
	out := make([][]int32, len(list))
	for i, line := range list {
		var err error
		out[i], err = tok.EncodeWith(line, o)
		require.NoError(t, err)
	}
	return out
}

// oracle returns what is recorded of a subject.
func oracle(t testing.TB, name string) tokenizers.Recorded {
	t.Helper()
	b, err := os.ReadFile(path(t, "ORACLE"))
	require.NoError(t, err)
	var all []tokenizers.Recorded
	require.NoError(t, json.Unmarshal(b, &all))
	require.Len(t, all, len(tokenizers.Subjects))
	for _, r := range all {
		if r.Name == name {
			require.Len(t, r.Whole, tokenizers.Whole)
			require.Len(t, r.Digests, tokenizers.LineCount/tokenizers.Group)
			return r
		}
	}
	t.Fatalf("nothing recorded of %s", name)
	return tokenizers.Recorded{}
}
