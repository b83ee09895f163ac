package main

import (
	"bytes"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/bench/harness"
	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/internal/command"
	"github.com/skainet-dev/skainet-go/io/gguf"
	_ "github.com/skainet-dev/skainet-go/test/errtest"
)

// What the published models have, to three digits: TinyLlama's model card, Meta's
// model cards and papers. SmolLM2 ties its head to the embeddings, which the table
// here does not.
func TestParameters(t *testing.T) {
	want := map[string]float64{"1B": 1.10e9, "7B": 6.74e9, "13B": 13.0e9, "70B": 69.0e9}
	for _, s := range shapes {
		n, err := s.parameters()
		require.NoError(t, err)
		if w := want[s.name]; w != 0 {
			require.InDelta(t, w, float64(n), 0.005*w, s.name)
		}
	}
}

// A file of 38 gigabytes is made of a header: our own reader takes it, and the disk
// holds little.
func TestAFileOfHolesIsAModel(t *testing.T) {
	s := shapes[len(shapes)-1]
	path := filepath.Join(t.TempDir(), "m.gguf")
	require.NoError(t, s.write(path))
	f, err := gguf.Open(path)
	require.NoError(t, err)
	defer f.Close()
	require.Len(t, f.Tensors(), len(s.config.Tensors()))
	info, err := os.Stat(path)
	require.NoError(t, err)
	require.Greater(t, info.Size(), int64(38e9))
}

func TestReport(t *testing.T) {
	rows := []row{
		{shape: shapes[0], parameters: 1e7, text: 1000, export: step{ran: true, cpu: 1}},
		{shape: shapes[1], parameters: 1e8, text: 5000, export: step{ran: true, cpu: 4}, compile: step{ran: true, cpu: 2, mebibytes: 3}, program: 1000},
	}
	var out bytes.Buffer
	require.NoError(t, report(&out, rows))
	lines := strings.Split(out.String(), "\n")
	require.Equal(t, []string{"10M", "1e+07", "6", "0.00", "1", "-", "-", "-", "-", "-", "0.00", "1.00", "0", "-", "-", "-", "-", "-", "-"}, strings.Fields(lines[1]))
	require.Contains(t, out.String(), "From 10M to 135M: 10 times the parameters, 5.0 times the layers, 5.0 times the text, 4.0 times the export's CPU time")
	path := filepath.Join(t.TempDir(), "p.svg")
	require.NoError(t, drawn(path, rows))
	svg, err := os.ReadFile(path)
	require.NoError(t, err)
	require.Contains(t, string(svg), "text, kB")
	require.NotContains(t, string(svg), "pack, ms", "nothing was packed")
	require.False(t, math.IsNaN(rows[0].export.cpu))
}

func TestErrors(t *testing.T) {
	_, err := choose([]string{"7B", "8B"})
	require.Equal(t, command.CodeUsage, errs.CodeOf(err))
	_, err = find()
	require.Equal(t, harness.CodeRunfiles, errs.CodeOf(err))
	_, err = measure(t.Context(), []string{"sh", "-c", "echo why >&2; exit 3"})
	require.Equal(t, harness.CodeContestant, errs.CodeOf(err))
	require.ErrorContains(t, err, "why")
	_, err = (&hole{left: 1}).WriteTo(&bytes.Buffer{})
	require.Error(t, err)
}
