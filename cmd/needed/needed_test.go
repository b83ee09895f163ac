package main

import (
	"bytes"
	"context"
	"maps"
	"os"
	"regexp"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/compile/iree"
	"github.com/skainet-dev/skainet-go/lang"
	_ "github.com/skainet-dev/skainet-go/test/errtest"
)

// Each row has a model, and each model a row whose text differs without it.
func TestEveryRowHasAModel(t *testing.T) {
	var rows []string
	for _, r := range iree.Rewrites() {
		rows = append(rows, r.ID)
		f, ok := faults[r.ID]
		require.True(t, ok, "%s has no model", r.ID)
		require.Equal(t, r.Shown == iree.Costs, f.phase != "" && f.count != "", r.ID)
		g, err := lang.CaptureWith("needed", f.index(), f.build)
		require.NoError(t, err, r.ID)
		o := f.options(&r)
		with, err := iree.Emit(g, o)
		require.NoError(t, err, r.ID)
		o.Without = []string{r.ID}
		without, err := iree.Emit(g, o)
		require.NoError(t, err, r.ID)
		require.False(t, bytes.Equal(with.Text, without.Text), "%s changes nothing", r.ID)
		for _, column := range []string{r.Symptom, r.Instead, r.Targets, r.First, r.Last, string(r.Text), string(r.Shown)} {
			require.NotEmpty(t, column, r.ID)
		}
	}
	require.ElementsMatch(t, rows, slices.Collect(maps.Keys(faults)))
}

func TestUnknownRow(t *testing.T) {
	require.Equal(t, 1, run(context.Background(), []string{"--only=other"}, &bytes.Buffer{}))
}

// actual is what programs gave when the reports were written.
var actual = regexp.MustCompile("\nActual:( .*\n|\n\n```\n(.*\n)*?```\n)")

// The reports are those of the rows and their models as they are.
func TestReports(t *testing.T) {
	written, err := os.ReadFile("../../compile/iree/BUGS.md")
	require.NoError(t, err)
	got, err := tools{}.reports(context.Background())
	require.NoError(t, err)
	require.Equal(t, got, actual.ReplaceAllString(string(written), ""), "needed --bugs=compile/iree/BUGS.md writes it anew")
	for _, r := range reported() {
		require.Contains(t, got, "\n## "+r.ID+"\n")
	}
}
