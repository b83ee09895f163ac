//go:build integration

// Package e2e tests MiniLM with its real weights against another implementation.
// README.md says what it proves.
package e2e

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/bazelbuild/rules_go/go/runfiles"
	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/backend"
	"github.com/skainet-dev/skainet-go/backend/cpu"
	"github.com/skainet-dev/skainet-go/backend/iree"
	"github.com/skainet-dev/skainet-go/backend/opencpu"
	"github.com/skainet-dev/skainet-go/compile/contract"
	"github.com/skainet-dev/skainet-go/compile/export"
	"github.com/skainet-dev/skainet-go/io/weights"
	"github.com/skainet-dev/skainet-go/lang"
	"github.com/skainet-dev/skainet-go/models/bert"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/text/tokenizer"
)

// tolerance of an element of a vector, which is about 0.05: 2.4e-7 was seen.
const tolerance = 1e-5

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

func read(t testing.TB, variable string) []byte {
	t.Helper()
	b, err := os.ReadFile(path(t, variable))
	require.NoError(t, err)
	return b
}

type reference struct {
	Text      string
	IDs       []int32
	Embedding []float32
}

func readContract(t testing.TB) *contract.Contract {
	t.Helper()
	c, err := contract.ReadFile(path(t, "CONTRACT"))
	require.NoError(t, err)
	return c
}

// check compares an executable with NumPy.
func check(t *testing.T, x backend.Executable) {
	t.Helper()
	var want []reference
	require.NoError(t, json.Unmarshal(read(t, "REFERENCE"), &want))
	require.Len(t, want, 7)
	tok, err := tokenizer.Load(path(t, "TOKENIZER"))
	require.NoError(t, err)
	// What the graph has to agree with.
	var settings struct {
		Type       string  `json:"model_type"`
		Heads      int     `json:"num_attention_heads"`
		Activation string  `json:"hidden_act"`
		Epsilon    float64 `json:"layer_norm_eps"`
		Positions  int     `json:"max_position_embeddings"`
		Kind       string  `json:"position_embedding_type"`
	}
	require.NoError(t, json.Unmarshal(read(t, "CONFIG"), &settings))
	require.Equal(t, "bert", settings.Type)
	require.Equal(t, 12, settings.Heads, "the constructor in the BUILD file says 12")
	require.Equal(t, "gelu", settings.Activation)
	require.InDelta(t, 1e-12, settings.Epsilon, 0)
	require.Contains(t, []string{"", "absolute"}, settings.Kind)
	e, err := bert.NewEmbedder(x, tok, settings.Positions)
	require.NoError(t, err)
	var texts []string
	for _, w := range want {
		texts = append(texts, w.Text)
		ids, _, err := e.Tokens(w.Text)
		require.NoError(t, err)
		require.Equal(t, w.IDs, ids)
	}
	together, err := e.Embed(context.Background(), texts...)
	require.NoError(t, err)
	for i, w := range want {
		require.InDeltaSlice(t, w.Embedding, together[i], tolerance, w.Text)
		alone, err := e.Embed(context.Background(), w.Text)
		require.NoError(t, err)
		require.InDeltaSlice(t, w.Embedding, alone[0], tolerance, w.Text)
	}
	require.InDelta(t, 0.82803, bert.Cosine(together[0], together[2]), 1e-5)
	require.InDelta(t, 0.00674, bert.Cosine(together[0], together[1]), 1e-5)
}

func TestProgram(t *testing.T) {
	for _, device := range []string{"local-sync", "local-task"} {
		x, err := iree.Open(iree.Options{
			Program: path(t, "PROGRAM"), Contract: readContract(t), Library: path(t, "LIBRARY"), Device: device, Workers: 2,
			Archives: map[string][]string{"model": {path(t, "ARCHIVE")}},
		})
		require.NoError(t, err)
		check(t, x)
		require.NoError(t, x.Close())
	}
}

func TestCPUBackend(t *testing.T) {
	index, err := export.ReadIndex(path(t, "INDEX"))
	require.NoError(t, err)
	g, err := lang.Capture("bert", index, bert.Heads(12))
	require.NoError(t, err)
	file, err := weights.Open(path(t, "WEIGHTS"))
	require.NoError(t, err)
	defer file.Close()
	x, err := cpu.Load(g, readContract(t), func(_, key string) (tensor.Value, error) {
		s, err := index.Lookup(key)
		if err != nil {
			return tensor.Value{}, err
		}
		b, err := file.Tensor(s.Name)
		if err != nil {
			return tensor.Value{}, err
		}
		data, err := b.Bytes()
		return tensor.Value{Type: s.Type(), Bytes: data}, err
	})
	require.NoError(t, err)
	defer x.Close()
	check(t, x)
}

// With int8_dynamic the weights, and the operands of their products, have 8 bits: the vectors
// are near those of NumPy, at most so far from them, and no closer than rounding makes them.
func TestInt8Dynamic(t *testing.T) {
	file, err := weights.Open(path(t, "WEIGHTS"))
	require.NoError(t, err)
	defer file.Close()
	index, err := file.Index()
	require.NoError(t, err)
	g, m, err := export.RunIndex(cpu.Evaluate, bert.Heads(12), index, export.Options{Name: "bert", DType: "int8_dynamic"})
	require.NoError(t, err)
	x, err := opencpu.Load(g, m.Contract, t.TempDir(), opencpu.Options{Weights: path(t, "WEIGHTS")})
	require.NoError(t, err)
	defer x.Close()
	tok, err := tokenizer.Load(path(t, "TOKENIZER"))
	require.NoError(t, err)
	e, err := bert.NewEmbedder(x, tok, 256)
	require.NoError(t, err)
	var want []reference
	require.NoError(t, json.Unmarshal(read(t, "REFERENCE"), &want))
	for _, w := range want {
		got, err := e.Embed(context.Background(), w.Text)
		require.NoError(t, err)
		likeness := bert.Cosine(w.Embedding, got[0])
		require.Greater(t, likeness, 0.98, w.Text) // 0.985 to 0.996 were seen
		require.Less(t, likeness, 0.9999, "%s: nothing was rounded to 8 bits", w.Text)
		require.InDeltaSlice(t, w.Embedding, got[0], 0.04, w.Text) // 0.028 was seen
	}
}

// The program that users run.
func TestEmbed(t *testing.T) {
	out, err := exec.Command(path(t, "EMBED"), "The capital of France is Paris.", "A cat sits on the mat.", "Paris is the largest city in France.").Output()
	require.NoError(t, err)
	const a, b, c = `"The capital of France is Paris."`, `"A cat sits on the mat."`, `"Paris is the largest city in France."`
	require.Equal(t, fmt.Sprintf("0.0067  %s  %s\n0.8280  %s  %s\n0.0089  %s  %s\n", a, b, a, c, b, c), string(out))
}

// A long text is cut where sentence-transformers cuts it, and the program says so.
func TestLongText(t *testing.T) {
	var want struct {
		Text string
		IDs  []int32
		All  int
	}
	require.NoError(t, json.Unmarshal(read(t, "LONG"), &want))
	positions, err := bert.LoadPositions(path(t, "SETTINGS"))
	require.NoError(t, err)
	require.Equal(t, 256, positions)
	tok, err := tokenizer.Load(path(t, "TOKENIZER"))
	require.NoError(t, err)
	x, err := iree.Open(iree.Options{
		Program: path(t, "PROGRAM"), Contract: readContract(t), Library: path(t, "LIBRARY"), Device: "local-task", Workers: 2,
		Archives: map[string][]string{"model": {path(t, "ARCHIVE")}},
	})
	require.NoError(t, err)
	defer x.Close()
	e, err := bert.NewEmbedder(x, tok, positions)
	require.NoError(t, err)
	ids, cut, err := e.Tokens(want.Text)
	require.NoError(t, err)
	require.Equal(t, want.IDs, ids)
	require.Equal(t, want.All-256, cut)
	vectors, err := e.Embed(context.Background(), want.Text)
	require.NoError(t, err)

	var stderr bytes.Buffer
	cmd := exec.Command(path(t, "EMBED"), "--json", want.Text)
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	require.NoError(t, err)
	var got struct{ Embeddings [][]float32 }
	require.NoError(t, json.Unmarshal(out, &got))
	require.InDeltaSlice(t, vectors[0], got.Embeddings[0], tolerance)
	require.Contains(t, stderr.String(), fmt.Sprintf("truncated to 256 of %d tokens", want.All))
}
