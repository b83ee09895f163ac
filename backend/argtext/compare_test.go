package argtext

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/backend/parity"
	"github.com/skainet-dev/skainet-go/errs"
)

func TestCompare(t *testing.T) {
	const table = "y: f32[2x3] = [[1 2 3] [4 5 6.5]]\n"
	for name, c := range map[string]struct {
		printed, expected string
		atol, rtol        float64
		want              string // of RUN_MISMATCH
	}{
		"same":         {printed: table, expected: table},
		"other end":    {printed: table, expected: "\ny: f32[2x3] = [[1 2 3] [4 5 6.5]]\n\n"},
		"spelling":     {printed: table, expected: "y: f32[2x3] = [[1 2 3.0] [4 5 65e-1]]\n"},
		"none":         {},
		"NaN":          {printed: "y: f32[2] = [NaN 1]", expected: "y: f32[2] = [NaN 1.5]", atol: 0.5},
		"absolute":     {printed: "y: f32 = 1.5", expected: "y: f32 = 1", atol: 0.5},
		"relative":     {printed: "y: f32 = 110", expected: "y: f32 = 100", rtol: 0.11},
		"empty result": {printed: "y: f32[0] = []", expected: "y: f32[0] = []\n"},
		"element": {
			printed: table, expected: "y: f32[2x3] = [[1 2 3] [4 5.5 6.5]]", atol: 0.25, rtol: 0.01,
			want: "y: 1 of 6 elements differ by more than 0.25 + 0.01 times what is wanted; first y[1 1]: got 5, want 5.5 (differs by 0.5); if",
		},
		"worst": {
			printed: table, expected: "y: f32[2x3] = [[2 2 3] [4 5 60]]",
			want: "y: 2 of 6 elements differ by more than 0 + 0 times what is wanted; first y[0 0]: got 1, want 2 (differs by 1); worst y[1 2]: got 6.5, want 60 (differs by 53.5); ",
		},
		"no number": {printed: "ok: i1 = true", expected: "ok: i1 = false", want: "first ok: got true, want false; if"},
		"one NaN":   {printed: "y: f32[2] = [NaN 1]", expected: "y: f32[2] = [0 2]", want: "first y[0]: got NaN, want 0 (differs by NaN); if"},
		"type":      {printed: "y: f16 = 1", expected: "y: f32 = 1", want: "y: it is f16, want f32"},
		"name":      {printed: "y: f32 = 1", expected: "z: f32 = 1", want: `result 0 is "y", want "z"`},
		"missing":   {printed: "", expected: "z: f32 = 1", want: `result "z" is not printed`},
		"more":      {printed: "y: f32 = 1\nz: f32 = 1", expected: "y: f32 = 1", want: `result "z" is printed but not expected`},
		"count":     {printed: "y: f32[3] = [1 2 3]", expected: "y: f32[3] = [1 2]", want: "y: 3 elements, want 2"},
		"long":      {printed: "y: f32[100] = [1 2 ... 100 elements]", expected: "y: f32[100] = [1 3 ... 100 elements]", want: "first y[1 of all in row-major order]: got 2, want 3"},
	} {
		t.Run(name, func(t *testing.T) {
			err := Compare(c.printed, c.expected, parity.Tolerance{Abs: c.atol, Rel: c.rtol})
			if c.want == "" {
				require.NoError(t, err)
				return
			}
			require.Equal(t, CodeMismatch, errs.CodeOf(err), "%v", err)
			require.ErrorContains(t, err, c.want)
		})
	}
}

func TestCompareNeedsLines(t *testing.T) {
	for bad, want := range map[string]string{
		"y":                         `"y" is not of the form "NAME: TYPE = VALUE"; write lines as the program prints them, such as "y: f32[2x2] = [[1 2] [3 4]]"`,
		"[1 2]":                     "is not of the form",
		"y: f32[2] = [1 2":          "has a [ without its ]",
		"y: f32[2] = 1 2]":          "has a ] without its [",
		"y: f32[2x2] = [[1 2] [3]]": "has rows of 2 and of 1",
	} {
		err := Compare("y: f32[2] = [1 2]", bad, parity.Tolerance{})
		require.Equal(t, CodeExpected, errs.CodeOf(err), "%v", err)
		require.ErrorContains(t, err, want)
	}
}
