package fromonnx

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/backend/open"
	"github.com/skainet-dev/skainet-go/io/onnx"
)

// What a model needs of its sizes is in the types of its arguments, and no more than that.
func TestNarrowedSizes(t *testing.T) {
	want := map[string]string{
		"multiples_found": "x f32[n?x3x4*h?x4*w?]",
		"equal_found":     "x f32[a?x3] y f32[a?x3] z f32[a?x3]",
		"least_found":     "x f32[batch?x1xn+4?] p f32[batch?xh+2?xw+2?]",
		"one_found":       "x f32[1xseq?x6]",
		"mirrored":        "x f32[batch?xn+3?]",
		"positions":       "ids i64[batch?xseq?]", // needs nothing
		"whole_rows":      "x f32[1xn?]",          // nor does it
	}
	for _, c := range recordedCases(t) {
		if want[c.Name] == "" {
			continue
		}
		m, err := onnx.ParseModel(c.Model)
		require.NoError(t, err)
		notes := 0
		g, err := Import(m, Options{Evaluate: open.Evaluate, Note: func(text string) {
			notes++
			require.Contains(t, text, " is f32[")
			require.Contains(t, text, "sizes for which the whole model was found to hold; for any size it does not: ")
		}})
		require.NoError(t, err)
		require.Equal(t, c.Name != "positions" && c.Name != "whole_rows", notes == 1, c.Name)
		var args []string
		for i, a := range g.Funcs[0].Body.Args {
			args = append(args, g.Funcs[0].Args[i]+" "+a.Type.String())
		}
		require.Equal(t, want[c.Name], strings.Join(args, " "), c.Name)
		delete(want, c.Name)
	}
	require.Empty(t, want)
}
