package harness

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestSummarize(t *testing.T) {
	for _, c := range []struct {
		name    string
		figures []float64
		want    Summary
	}{
		{"one", []float64{2}, Summary{2, 2, 0}},
		{"odd", []float64{5, 1, 2}, Summary{1, 2, 4}},
		{"even", []float64{4, 1, 2, 8}, Summary{1, 3, 7}},
	} {
		t.Run(c.name, func(t *testing.T) {
			before := slices.Clone(c.figures)
			require.Equal(t, c.want, Summarize(c.figures))
			require.Equal(t, before, c.figures, "the caller's order stays")
		})
	}
}

func TestMachine(t *testing.T) {
	require.Equal(t, "Some CPU @ 2 GHz", modelName("processor\t: 0\nmodel name\t: Some CPU @ 2 GHz\nmodel name\t: other\n"))
	require.Contains(t, modelName("no such field\n"), " ")
	require.Contains(t, Machine("0.5 1 2"), " cores; load average 0.5 1 2 before, ")
}
