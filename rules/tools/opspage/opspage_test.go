package opspage

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/lang"
	"github.com/skainet-dev/skainet-go/lang/operator"
	_ "github.com/skainet-dev/skainet-go/test/errtest"
)

var twice = operator.Definition{
	Name: "acme.twice", Doc: "2 x.",
	Operands:  []operator.Operand{{Name: "x", Class: operator.Float}},
	Rule:      operator.Same,
	Decompose: func(_ *operator.Call, in []lang.Tensor) []lang.Tensor { return []lang.Tensor{in[0].Add(in[0])} },
	Examples:  []operator.Example{{Shapes: [][]int64{{2}}, Gives: [][]int64{{2}}}},
}

// A page has registered operations beside those of the table; a mistake in any is an error.
func TestPage(t *testing.T) {
	require.NoError(t, operator.Register(twice).Err())
	out := filepath.Join(t.TempDir(), "page")
	for format, want := range map[string]string{
		"asciidoc": "// Made by //:page\n",
		"markdown": "| `acme.twice` |",
		"json":     `"package": "github.com/skainet-dev/skainet-go/rules/tools/opspage"`,
	} {
		require.Equal(t, 0, Main("//:page", []string{"--format=" + format, "--output=" + out}, os.Stderr))
		page, err := os.ReadFile(out)
		require.NoError(t, err)
		require.Contains(t, string(page), want)
		require.Contains(t, string(page), "acme.twice")
		require.Contains(t, string(page), "dot_general")
	}
	var stderr bytes.Buffer
	require.Equal(t, 2, Main("//:page", []string{"--format=pdf", "--output=" + out}, &stderr))
	require.Error(t, operator.Register(twice).Err())
	require.Equal(t, 1, Main("//:page", []string{"--output=" + out}, &stderr))
	require.Contains(t, stderr.String(), "OPERATOR_NAME")
}
