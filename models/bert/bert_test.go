package bert

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/backend"
	"github.com/skainet-dev/skainet-go/backend/cpu"
	"github.com/skainet-dev/skainet-go/compile/contract"
	"github.com/skainet-dev/skainet-go/compile/iree"
	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/lang"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
	"github.com/skainet-dev/skainet-go/tensor/shape"
	_ "github.com/skainet-dev/skainet-go/test/errtest"
	"github.com/skainet-dev/skainet-go/text/tokenizer"
)

// indexOf returns the index of a BERT of these sizes.
func indexOf(c Config) *tensor.Index {
	x := &tensor.Index{Format: "safetensors"}
	add := func(name string, sizes ...int64) {
		s := tensor.Spec{Name: name, DType: dtype.F32, Shape: shape.Of(sizes...)}
		s.Bytes, _ = s.Type().Bytes()
		x.Tensors = append(x.Tensors, s)
	}
	linear := func(name string, out, in int64) { add(name+".weight", out, in); add(name+".bias", out) }
	norm := func(name string) { add(name+".weight", c.HiddenSize); add(name+".bias", c.HiddenSize) }
	add("embeddings.word_embeddings.weight", c.VocabSize, c.HiddenSize)
	add("embeddings.position_embeddings.weight", c.MaxPositions, c.HiddenSize)
	add("embeddings.token_type_embeddings.weight", 2, c.HiddenSize)
	norm("embeddings.LayerNorm")
	for i := range c.NumLayers {
		key := layer(i)
		for _, n := range []string{"query", "key", "value"} {
			linear(key+".attention.self."+n, c.HiddenSize, c.HiddenSize)
		}
		linear(key+".attention.output.dense", c.HiddenSize, c.HiddenSize)
		norm(key + ".attention.output.LayerNorm")
		linear(key+".intermediate.dense", c.IntermediateSize, c.HiddenSize)
		linear(key+".output.dense", c.HiddenSize, c.IntermediateSize)
		norm(key + ".output.LayerNorm")
	}
	return x
}

var small = Config{NumLayers: 2, HiddenSize: 12, IntermediateSize: 20, Heads: 3, MaxPositions: 16, VocabSize: 30}

// load opens a model with made-up weights on the CPU backend.
func load(t *testing.T) backend.Executable {
	g, err := lang.Capture("bert", indexOf(small), Heads(3))
	require.NoError(t, err)
	m, err := iree.Emit(g, iree.Options{})
	require.NoError(t, err)
	x, err := cpu.Load(g, m.Contract, func(_, key string) (tensor.Value, error) {
		s, err := indexOf(small).Lookup(key)
		if err != nil {
			return tensor.Value{}, err
		}
		n, _ := s.Shape.Elements()
		r := rand.New(rand.NewPCG(uint64(len(key)), uint64(n)))
		data := make([]float32, n)
		for i := range data {
			data[i] = float32(r.NormFloat64())
		}
		return tensor.Of(data, s.Shape.Sizes()...)
	})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, x.Close()) })
	return x
}

func words(t *testing.T) tokenizer.Tokenizer {
	lines := []string{"[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"}
	for c := 'a'; c <= 'l'; c++ {
		lines = append(lines, string(c), "##"+string(c))
	}
	tok, err := tokenizer.Parse([]byte(strings.Join(lines, "\n")))
	require.NoError(t, err)
	return tok
}

func TestConfigFrom(t *testing.T) {
	c, err := ConfigFrom(indexOf(small), 3)
	require.NoError(t, err)
	require.Equal(t, small, c)
	for name, tt := range map[string]struct {
		heads  int64
		change func(x *tensor.Index)
		where  string
	}{
		"nothing":      {3, func(x *tensor.Index) { x.Tensors = nil }, "word_embeddings"},
		"heads":        {5, func(*tensor.Index) {}, "5 heads"},
		"no_heads":     {0, func(*tensor.Index) {}, "0 heads"},
		"no_matrix":    {3, func(x *tensor.Index) { x.Tensors[0].Shape = shape.Of(3) }, "word_embeddings"},
		"no_layers":    {3, func(x *tensor.Index) { x.Tensors = x.Tensors[:5] }, "intermediate"},
		"no_positions": {3, func(x *tensor.Index) { x.Tensors[1].Shape = shape.Of(0, 12) }, "position_embeddings"},
	} {
		t.Run(name, func(t *testing.T) {
			x := indexOf(small)
			tt.change(x)
			_, err := ConfigFrom(x, tt.heads)
			require.Equal(t, CodeWeights, errs.CodeOf(err), "%v", err)
			require.ErrorContains(t, err, tt.where)
			_, captured := lang.Capture("bert", x, Heads(tt.heads))
			require.EqualError(t, captured, err.Error())
		})
	}
}

// A text's vector has length 1 and does not depend on the other texts of the batch.
func TestEmbed(t *testing.T) {
	e, err := NewEmbedder(load(t), words(t), 16)
	require.NoError(t, err)
	texts := []string{"a", "abc def", "gh i j k l a b c", ""}
	together, err := e.Embed(context.Background(), texts...)
	require.NoError(t, err)
	for i, text := range texts {
		alone, err := e.Embed(context.Background(), text)
		require.NoError(t, err)
		require.InDelta(t, 1, Cosine(alone[0], alone[0]), 1e-6)
		require.Len(t, alone[0], 12)
		for k := range alone[0] {
			// Sums of other lengths may be in another order.
			require.InDelta(t, alone[0][k], together[i][k], 1e-6, "text %d", i)
		}
	}
	require.Less(t, math.Abs(Cosine(together[0], together[2])), 0.9999, "other texts have other vectors")

	ids, cut, err := e.Tokens(strings.Repeat("a ", 100))
	require.NoError(t, err)
	require.Equal(t, 86, cut)
	require.Len(t, ids, 16)
	require.EqualValues(t, 3, ids[15]) // [SEP]
}

// fake is a program with one entry point that returns a given result.
type fake struct {
	entry     contract.Entry
	out       []float32
	err       error
	positions int64
	missing   int // 1 for no positions
}

func (f *fake) Contract() *contract.Contract {
	p := contract.Parameter{Key: positionKey, Shape: shape.Of(f.positions, 12)}
	return &contract.Contract{Entries: []contract.Entry{f.entry}, Parameters: []contract.Parameter{p}[f.missing:]}
}
func (f *fake) Close() error { return nil }
func (f *fake) Call(context.Context, string, ...tensor.Value) ([]tensor.Value, error) {
	v, _ := tensor.Of(f.out, int64(len(f.out)))
	return []tensor.Value{v}, f.err
}

func TestEmbedderRefuses(t *testing.T) {
	good := load(t).Contract().Entries[0]
	other, err := tokenizer.Parse([]byte("a\nb\n"))
	require.NoError(t, err)
	bare := good
	bare.Args = bare.Args[:1]
	unnamed := good
	unnamed.Name = "other"
	for _, tt := range []struct {
		entry     contract.Entry
		tok       tokenizer.Tokenizer
		positions int
		code      errs.Code
	}{
		{unnamed, words(t), 16, CodeProgram},
		{bare, words(t), 16, CodeProgram},
		{good, other, 16, CodeProgram},
		{good, words(t), 2, CodePositions},
		{good, words(t), 1, CodePositions},
		{good, words(t), -1, CodePositions},
		{good, words(t), 17, CodePositions},
		{good, words(t), 3, ""},
	} {
		_, err := NewEmbedder(&fake{entry: tt.entry, positions: 16}, tt.tok, tt.positions)
		require.Equal(t, tt.code, errs.CodeOf(err), "%v", err)
	}
	_, err = NewEmbedder(&fake{entry: good, positions: 2}, words(t), 0)
	require.Equal(t, CodePositions, errs.CodeOf(err))
	_, err = NewEmbedder(&fake{entry: good, positions: 16, missing: 1}, words(t), 0)
	require.Equal(t, CodeProgram, errs.CodeOf(err))

	e, err := NewEmbedder(&fake{entry: good, out: make([]float32, 5), positions: 16}, words(t), 0)
	require.NoError(t, err)
	require.Equal(t, 16, e.Positions())
	_, err = e.Embed(context.Background())
	require.Equal(t, CodeText, errs.CodeOf(err))
	_, err = e.Embed(context.Background(), make([]string, MaxTexts+1)...)
	require.Equal(t, CodeText, errs.CodeOf(err))
	_, err = e.Embed(context.Background(), "a", "\xff")
	require.Equal(t, tokenizer.CodeUTF8, errs.CodeOf(err))
	_, err = e.Embed(context.Background(), "a", "b")
	require.Equal(t, CodeProgram, errs.CodeOf(err))
	e, err = NewEmbedder(&fake{entry: good, err: errors.New("broken"), positions: 16}, words(t), 16)
	require.NoError(t, err)
	_, err = e.Embed(context.Background(), "a")
	require.EqualError(t, err, "broken")
}

func TestParityCases(t *testing.T) {
	x := load(t)
	cases, err := ParityCases(x.Contract())
	require.NoError(t, err)
	require.Len(t, cases, 1)
	require.Len(t, cases[0].Calls, 4)
	_, err = ParityCases(&contract.Contract{})
	require.Error(t, err, fmt.Sprint(cases))
}

// A cut of all layers is the model; a cut of one reads the weights of that one alone.
func TestCut(t *testing.T) {
	capture := func(build lang.Constructor) (string, error) {
		g, err := lang.Capture("bert", indexOf(small), build)
		if err != nil {
			return "", err
		}
		m, err := iree.Emit(g, iree.Options{})
		if err != nil {
			return "", err
		}
		return string(m.Text), nil
	}
	whole, err := capture(Heads(3))
	require.NoError(t, err)
	all, err := capture(Cut(3, small.NumLayers))
	require.NoError(t, err)
	require.Equal(t, whole, all)
	one, err := capture(Cut(3, 1))
	require.NoError(t, err)
	require.Contains(t, one, "encoder.layer.0.")
	require.NotContains(t, one, "encoder.layer.1.")
	for _, n := range []int64{-1, 0, small.NumLayers + 1} {
		_, err := capture(Cut(3, n))
		require.Equal(t, CodeWeights, errs.CodeOf(err), n)
	}
}
