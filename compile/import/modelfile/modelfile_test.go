package modelfile

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/compile/dag/graphjson"
	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/io/gguf"
	"github.com/skainet-dev/skainet-go/lang"
	"github.com/skainet-dev/skainet-go/lang/nn/causal"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
	"github.com/skainet-dev/skainet-go/test/badfiles"
	_ "github.com/skainet-dev/skainet-go/test/errtest"
	"github.com/skainet-dev/skainet-go/test/families"
)

func write(t *testing.T, name string, data []byte) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	require.NoError(t, os.WriteFile(path, data, 0o644))
	return path
}

// document is a graph file, of a model with a weight.
func document(t *testing.T) []byte {
	t.Helper()
	g, err := lang.Capture("line", nil, func(m *lang.Module) {
		m.Entry("main", func(f *lang.Func) { f.Output("y", f.Input("x", dtype.F32, 2).Exp()) })
	})
	require.NoError(t, err)
	doc, err := graphjson.Marshal(g)
	require.NoError(t, err)
	return doc
}

// The name of a file says nothing.
func TestAGraphFile(t *testing.T) {
	m, err := Open(write(t, "model.onnx", document(t)))
	require.NoError(t, err)
	defer m.Close()
	require.Equal(t, Graph, m.Format())
	require.Nil(t, m.Weights())
	index, err := m.Index()
	require.NoError(t, err)
	require.Empty(t, index.Tensors)
	require.Equal(t, []Fact{{"name", "line"}}, m.Facts())
	require.Equal(t, "x", m.Inputs()[0].Name)
	g, err := m.Graph(Options{})
	require.NoError(t, err)
	doc, err := graphjson.Marshal(g)
	require.NoError(t, err)
	require.Equal(t, string(document(t)), string(doc))
	g, err = m.Graph(Options{Name: "other"})
	require.NoError(t, err)
	require.Equal(t, "other", g.Name)
	_, err = m.Graph(Options{Outputs: []string{"y"}})
	require.Equal(t, CodeOption, errs.CodeOf(err))
}

func TestAGGUFFile(t *testing.T) {
	all := families.All()
	f := all[slices.IndexFunc(all, func(f families.Family) bool { return f.Name == "qwen3" })]
	data, err := f.Encode()
	require.NoError(t, err)
	m, err := Open(write(t, "model.bin", data))
	require.NoError(t, err)
	defer m.Close()
	require.Equal(t, gguf.Format, m.Format())
	require.Equal(t, []Fact{{"general.architecture", "qwen3"}}, m.Facts())
	require.Equal(t, "tokens", m.Inputs()[0].Name)
	g, err := m.Graph(Options{Context: 64})
	require.NoError(t, err)
	require.Equal(t, "qwen3", g.Name)
	require.EqualValues(t, 64, g.States[1].Type.Shape[0].Size)
	index, err := m.Index()
	require.NoError(t, err)
	_, err = index.Lookup("blk.1.attn_q_norm.weight")
	require.NoError(t, err)
	_, err = m.Graph(Options{Outputs: []string{"y"}})
	require.Equal(t, CodeOption, errs.CodeOf(err))
	_, err = m.Graph(Options{Context: -1})
	require.Equal(t, causal.CodeContext, errs.CodeOf(err))

	// A file that no row knows opens, and says so when its graph is asked for.
	other, err := Open(write(t, "rwkv7.gguf", bytes.ReplaceAll(data, []byte("qwen3"), []byte("rwkv7"))))
	require.NoError(t, err)
	defer other.Close()
	require.Empty(t, other.Inputs())
	_, err = other.Graph(Options{})
	require.Equal(t, causal.CodeArchitecture, errs.CodeOf(err))
}

func TestOpenRefuses(t *testing.T) {
	for name, c := range map[string]struct {
		data []byte
		code errs.Code
		want string
	}{
		"empty":   {nil, CodeUnknown, "the file is empty"},
		"text":    {[]byte("text"), CodeUnknown, "known formats are"},
		"weights": {badfiles.CT2Good(), CodeUnknown, "a file of weights, of format ctranslate2"},
		"pickle":  {[]byte("\x80\x02x"), CodeUnknown, "looks like a pickle, not like a model"},
		"XLA":     {append(append([]byte("PK\x03\x04"), make([]byte, 26)...), "manifest.json"...), CodeUnknown, "a file of XLA's programs (.xla), not like a model of a known format; the known formats"},
		"GGUF":    {badfiles.GGUFGood()[:20], gguf.CodeTruncated, "GGUF"},
		"cut":     {document(t)[:100], graphjson.CodeJSON, "cut"},
	} {
		_, err := Open(write(t, name, c.data))
		require.Equal(t, c.code, errs.CodeOf(err), "%s: %v", name, err)
		require.ErrorContains(t, err, c.want, name)
	}
	_, err := Open(filepath.Join(t.TempDir(), "none"))
	require.ErrorContains(t, err, "none")
	_, err = Open(t.TempDir())
	require.Error(t, err)
}
