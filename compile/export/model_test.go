package export

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/backend/cpu"
	"github.com/skainet-dev/skainet-go/compile/dag/graphjson"
	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/io/weights"
	"github.com/skainet-dev/skainet-go/lang"
)

// A model's graph file is exported as its constructor is: the same passes, so the same
// text and contract, in every precision and with every weight policy.
func TestAGraphFileIsExportedAsItsConstructor(t *testing.T) {
	w, err := weights.Open(tiedFile(t))
	require.NoError(t, err)
	defer w.Close()
	index, err := w.Index()
	require.NoError(t, err)
	g, err := lang.CaptureWith("captured", index, tied)
	require.NoError(t, err)
	doc, err := graphjson.Marshal(g)
	require.NoError(t, err)
	file := filepath.Join(t.TempDir(), "tied.graph.json")
	require.NoError(t, os.WriteFile(file, doc, 0o644))
	texts := map[string]bool{}
	for _, o := range []Options{{}, {DType: "f16"}, {DType: "int8"}, {DType: "int8_dynamic"}, {Weights: "bf16"}, {Weights: "packed,linear=int8"}} {
		o.Name = "tied"
		_, want, err := RunIndex(cpu.Evaluate, tied, index, o)
		require.NoError(t, err)
		_, got, err := Stored(file).RunIndex(cpu.Evaluate, index, o)
		require.NoError(t, err)
		require.Equal(t, string(want.Text), string(got.Text), "%+v", o)
		require.Equal(t, want.Contract, got.Contract, "%+v", o)
		texts[string(got.Text)] = true
	}
	require.Len(t, texts, 6, "the passes were run")

	_, _, err = Stored(file+".no").Run(cpu.Evaluate, Options{Name: "tied"})
	require.Error(t, err)
	require.NotEmpty(t, errs.CodeOf(err))
}
