package whisper

import (
	"fmt"
	"hash/fnv"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/backend"
	"github.com/skainet-dev/skainet-go/backend/cpu"
	"github.com/skainet-dev/skainet-go/compile/contract"
	"github.com/skainet-dev/skainet-go/compile/dag"
	"github.com/skainet-dev/skainet-go/compile/iree"
	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/lang"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
	"github.com/skainet-dev/skainet-go/tensor/shape"
)

// small has the structure of a Whisper with tiny sizes.
var small = Config{
	MelBins: 80, AudioContext: 10, TextContext: 240, HiddenSize: 8,
	EncoderLayers: 2, DecoderLayers: 3, EncoderHeads: 2, DecoderHeads: 4, VocabSize: 50,
}

// indexOf returns what CTranslate2's converter writes for a Whisper of these sizes.
func indexOf(c Config) *tensor.Index { return indexIn(c, dtype.F32) }

// indexIn is indexOf with weights of another type.
func indexIn(c Config, d dtype.DType) *tensor.Index {
	x := &tensor.Index{
		Format: "ctranslate2",
		Scalars: map[string]int64{
			"encoder/num_heads": c.EncoderHeads, "decoder/num_heads": c.DecoderHeads,
			"decoder/activation": 3, "decoder/alibi": 0, "decoder/pre_norm": 1,
			"decoder/scale_embeddings": 0, "decoder/start_from_zero_embedding": 0,
		},
		Aliases: map[string]string{"decoder/projection/weight": "decoder/embeddings/weight"},
	}
	add := func(name string, sizes ...int64) {
		s := tensor.Spec{Name: name, DType: d, Shape: shape.Of(sizes...)}
		s.Bytes, _ = s.Type().Bytes()
		x.Tensors = append(x.Tensors, s)
	}
	linear := func(name string, out, in int64) { add(name+"/weight", out, in); add(name+"/bias", out) }
	norm := func(name string) { add(name+"/gamma", c.HiddenSize); add(name+"/beta", c.HiddenSize) }
	w := c.HiddenSize
	add("encoder/conv1/weight", w, c.MelBins, 3)
	add("encoder/conv1/bias", w)
	add("encoder/conv2/weight", w, w, 3)
	add("encoder/conv2/bias", w)
	add("encoder/position_encodings/encodings", c.AudioContext, w)
	add("decoder/position_encodings/encodings", c.TextContext, w)
	add("decoder/embeddings/weight", c.VocabSize, w)
	for _, side := range []struct {
		name   string
		layers int64
	}{{"encoder", c.EncoderLayers}, {"decoder", c.DecoderLayers}} {
		for i := range side.layers {
			key := fmt.Sprintf("%s/layer_%d", side.name, i)
			norm(key + "/self_attention/layer_norm")
			linear(key+"/self_attention/linear_0", 3*w, w)
			linear(key+"/self_attention/linear_1", w, w)
			if side.name == "decoder" {
				norm(key + "/attention/layer_norm")
				linear(key+"/attention/linear_0", w, w)
				linear(key+"/attention/linear_1", 2*w, w)
				linear(key+"/attention/linear_2", w, w)
			}
			norm(key + "/ffn/layer_norm")
			linear(key+"/ffn/linear_0", 4*w, w)
			linear(key+"/ffn/linear_1", w, 4*w)
		}
		norm(side.name + "/layer_norm")
	}
	return x
}

// without returns the index without one tensor.
func without(x *tensor.Index, name string) *tensor.Index {
	out := &tensor.Index{Format: x.Format, Scalars: maps.Clone(x.Scalars), Aliases: maps.Clone(x.Aliases)}
	for _, s := range x.Tensors {
		if s.Name != name {
			out.Tensors = append(out.Tensors, s)
		}
	}
	return out
}

// with returns the index with one tensor of another type.
func with(x *tensor.Index, name string, d dtype.DType, sizes ...int64) *tensor.Index {
	out := without(x, name)
	out.Tensors = append(out.Tensors, tensor.Spec{Name: name, DType: d, Shape: shape.Of(sizes...)})
	return out
}

func capture(t *testing.T, c Config) (*dag.Graph, *contract.Contract) {
	t.Helper()
	g, err := lang.Capture("whisper", indexOf(c), Model)
	require.NoError(t, err)
	m, err := iree.Emit(g, iree.Options{})
	require.NoError(t, err)
	return g, m.Contract
}

// load opens the graph on the CPU with weights that depend only on their names.
// Embeddings and biases are small, or the model would repeat one token forever:
// the previous token, whose embedding is its own projection, or the one that
// the last bias favours.
func load(t *testing.T, c Config) backend.Executable {
	t.Helper()
	g, doc := capture(t, c)
	return loadGraph(t, g, doc)
}

// madeUp returns made-up elements of a weight.
func madeUp(key string, s shape.Shape) ([]float32, error) {
	n, err := s.Elements()
	if err != nil {
		return nil, err
	}
	h := fnv.New64a()
	h.Write([]byte(key))
	r := rand.New(rand.NewPCG(h.Sum64(), 7))
	scale := 0.8
	if key == "decoder/embeddings/weight" || strings.HasSuffix(key, "/beta") {
		scale = 0.2
	}
	data := make([]float32, n)
	for i := range data {
		data[i] = float32(scale * r.NormFloat64())
	}
	return data, nil
}

// loadGraph opens the graph with weights in the types that it declares.
func loadGraph(t *testing.T, g *dag.Graph, doc *contract.Contract) backend.Executable {
	t.Helper()
	x, err := cpu.Load(g, doc, func(_, key string) (tensor.Value, error) {
		i := slices.IndexFunc(doc.Parameters, func(p contract.Parameter) bool { return p.Key == key })
		if i < 0 {
			return tensor.Value{}, errs.New("TEST", "no parameter %s", key)
		}
		s := doc.Parameters[i]
		data, err := madeUp(key, s.Shape)
		if err != nil {
			return tensor.Value{}, err
		}
		v, err := tensor.Of(data, s.Shape.Sizes()...)
		if s.DType == dtype.F32 || err != nil {
			return v, err
		}
		narrow := tensor.Value{Type: tensor.Type{DType: s.DType, Shape: s.Shape}, Bytes: make([]byte, s.Bytes)}
		_, err = tensor.PutFloat32s(s.DType, narrow.Bytes, data)
		return narrow, err
	})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, x.Close()) })
	return x
}

func of[T tensor.Element](t *testing.T, data []T, sizes ...int64) tensor.Value {
	t.Helper()
	v, err := tensor.Of(data, sizes...)
	require.NoError(t, err)
	return v
}

func slice[T tensor.Element](t *testing.T, v tensor.Value) []T {
	t.Helper()
	s, err := tensor.Slice[T](v)
	require.NoError(t, err)
	return s
}
