package nn_test

import (
	"context"
	_ "embed"
	"encoding/binary"
	"encoding/json"
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/backend/cpu"
	"github.com/skainet-dev/skainet-go/compile/iree"
	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/lang"
	"github.com/skainet-dev/skainet-go/lang/nn"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
	"github.com/skainet-dev/skainet-go/tensor/shape"
	_ "github.com/skainet-dev/skainet-go/test/errtest"
)

// The oracle is NumPy in float64: testdata/gen_nn.py made the file.
//
//go:embed testdata/nn.json
var goldenJSON []byte

// array is [sizes, elements].
type array struct {
	Sizes []int64
	Data  []float32
}

func (a *array) UnmarshalJSON(b []byte) error {
	return json.Unmarshal(b, &[]any{&a.Sizes, &a.Data})
}

type golden struct {
	Inputs, Weights map[string]array
	Want            array
}

func goldens(t *testing.T) map[string]golden {
	var file struct {
		Origin string
		Cases  map[string]golden
	}
	require.NoError(t, json.Unmarshal(goldenJSON, &file))
	require.Contains(t, file.Origin, "NumPy")
	return file.Cases
}

// as stores numbers in an element type; each of them is exact in it.
func as(t *testing.T, d dtype.DType, a array) tensor.Value {
	v := tensor.Value{Type: tensor.TypeOf(d, a.Sizes...)}
	for _, x := range a.Data {
		switch d {
		case dtype.F16:
			v.Bytes = binary.LittleEndian.AppendUint16(v.Bytes, tensor.F32ToF16(x))
		case dtype.I32:
			v.Bytes = binary.LittleEndian.AppendUint32(v.Bytes, uint32(int32(x)))
		default:
			v.Bytes = binary.LittleEndian.AppendUint32(v.Bytes, math.Float32bits(x))
		}
	}
	require.NoError(t, v.Check())
	return v
}

// layer builds a layer from its inputs, which are given in the order of order.
type layer struct {
	order   []string
	inputs  dtype.DType
	weights dtype.DType
	build   func(f *lang.Func, in []lang.Tensor) lang.Tensor
}

func causal(scores lang.Tensor) lang.Tensor {
	f := scores.Func()
	square := append([]shape.Dim{shape.N(1)}, scores.Dims()[1:]...)
	row, column := f.IotaOf(dtype.I32, 1, square...), f.IotaOf(dtype.I32, 2, square...)
	return column.LessEqual(row).Select(scores, f.Splat(dtype.F32, math.Inf(-1)))
}

var one = []string{"x"}

var qkv = []string{"q", "k", "v"}

var layers = map[string]layer{
	"linear": {one, dtype.F32, dtype.F32, func(f *lang.Func, in []lang.Tensor) lang.Tensor { return nn.Linear(f, "l", in[0], nn.LinearOptions{}) }},
	"linear_no_bias": {one, dtype.F32, dtype.F32, func(f *lang.Func, in []lang.Tensor) lang.Tensor {
		return nn.Linear(f, "l", in[0], nn.LinearOptions{NoBias: true})
	}},
	"layer_norm": {one, dtype.F32, dtype.F32, func(f *lang.Func, in []lang.Tensor) lang.Tensor {
		return nn.LayerNorm(f, "n", in[0], nn.LayerNormOptions{})
	}},
	"conv1d": {one, dtype.F32, dtype.F32, func(f *lang.Func, in []lang.Tensor) lang.Tensor {
		return nn.Conv1D(f, "c", in[0], nn.Conv1DOptions{Padding: 1})
	}},
	"conv1d_stride": {one, dtype.F32, dtype.F32, func(f *lang.Func, in []lang.Tensor) lang.Tensor {
		return nn.Conv1D(f, "c", in[0], nn.Conv1DOptions{Stride: 2, Padding: 1})
	}},
	"conv1d_bare": {one, dtype.F32, dtype.F32, func(f *lang.Func, in []lang.Tensor) lang.Tensor { return nn.Conv1D(f, "c", in[0], nn.Conv1DOptions{}) }},
	"embedding": {[]string{"indices"}, dtype.I32, dtype.F16, func(f *lang.Func, in []lang.Tensor) lang.Tensor {
		return nn.Embedding(f, "e", in[0])
	}},
	"attention": {qkv, dtype.F32, dtype.F32, func(_ *lang.Func, in []lang.Tensor) lang.Tensor {
		return nn.Attention(in[0], in[1], in[2], nn.AttentionOptions{})
	}},
	"attention_causal": {qkv, dtype.F32, dtype.F32, func(_ *lang.Func, in []lang.Tensor) lang.Tensor {
		return nn.Attention(in[0], in[1], in[2], nn.AttentionOptions{Mask: causal})
	}},
	"heads": {one, dtype.F32, dtype.F32, func(_ *lang.Func, in []lang.Tensor) lang.Tensor { return nn.SplitHeads(in[0], 2) }},
}

// run captures a layer and computes it with the plain kernels of backend/cpu.
func run(t *testing.T, l layer, c golden) tensor.Value {
	t.Helper()
	return runWith(t, l, c, func(_ string, sizes []int64) shape.Shape { return shape.Of(sizes...) })
}

// runWith returns the inputs other, dynamic sizes when the layer is built.
func runWith(t *testing.T, l layer, c golden, dims func(name string, sizes []int64) shape.Shape) tensor.Value {
	t.Helper()
	index := &tensor.Index{Format: "test"}
	for key, w := range c.Weights {
		v := as(t, l.weights, w)
		index.Tensors = append(index.Tensors, tensor.Spec{Name: key, DType: l.weights, Shape: shape.Of(w.Sizes...), Bytes: int64(len(v.Bytes))})
	}
	g, err := lang.Capture("layer", index, func(m *lang.Module) {
		m.Entry("main", func(f *lang.Func) {
			var in []lang.Tensor
			for _, name := range l.order {
				in = append(in, f.InputOf(name, l.inputs, dims(name, c.Inputs[name].Sizes)...))
			}
			f.Output("y", l.build(f, in))
		})
	})
	require.NoError(t, err)
	m, err := iree.Emit(g, iree.Options{})
	require.NoError(t, err)
	x, err := cpu.Load(g, m.Contract, func(_, key string) (tensor.Value, error) { return as(t, l.weights, c.Weights[key]), nil })
	require.NoError(t, err)
	var args []tensor.Value
	for _, name := range l.order {
		args = append(args, as(t, l.inputs, c.Inputs[name]))
	}
	out, err := x.Call(context.Background(), "main", args...)
	require.NoError(t, err)
	return out[0]
}

// A layer sums at most nine products of numbers below ten in f32: some tens of
// roundings of 2^-24 of them, 1e-5.
const tolerance = 1e-5

func requireClose(t *testing.T, want array, got tensor.Value) {
	t.Helper()
	require.Equal(t, tensor.TypeOf(dtype.F32, want.Sizes...), got.Type)
	for i, w := range want.Data {
		require.InDelta(t, w, math.Float32frombits(binary.LittleEndian.Uint32(got.Bytes[4*i:])), tolerance, "element %d", i)
	}
}

func TestLayersAgainstNumPy(t *testing.T) {
	cases := goldens(t)
	require.Len(t, cases, len(layers))
	for name, l := range layers {
		t.Run(name, func(t *testing.T) {
			require.Contains(t, cases, name)
			requireClose(t, cases[name].Want, run(t, l, cases[name]))
		})
	}
}

// A key that ends with a dot is that of a module of PyTorch.
func TestWeightsOfPyTorch(t *testing.T) {
	names := strings.NewReplacer("/gamma", ".weight", "/beta", ".bias", "/", ".")
	for name, build := range map[string]func(f *lang.Func, in []lang.Tensor) lang.Tensor{
		"linear": func(f *lang.Func, in []lang.Tensor) lang.Tensor { return nn.Linear(f, "l.", in[0], nn.LinearOptions{}) },
		"layer_norm": func(f *lang.Func, in []lang.Tensor) lang.Tensor {
			return nn.LayerNorm(f, "n.", in[0], nn.LayerNormOptions{})
		},
		"conv1d": func(f *lang.Func, in []lang.Tensor) lang.Tensor {
			return nn.Conv1D(f, "c.", in[0], nn.Conv1DOptions{Padding: 1})
		},
	} {
		c, l := goldens(t)[name], layers[name]
		weights := map[string]array{}
		for key, w := range c.Weights {
			weights[names.Replace(key)] = w
		}
		c.Weights, l.build = weights, build
		requireClose(t, c.Want, run(t, l, c))
	}
}

// Layers take any number of rows, or of places in a sequence; a bare convolution
// needs as many as its kernel has.
func TestLayersOfDynamicSizes(t *testing.T) {
	cases := goldens(t)
	blocked := layers["attention"]
	blocked.build = func(_ *lang.Func, in []lang.Tensor) lang.Tensor {
		return nn.Attention(in[0], in[1], in[2], nn.AttentionOptions{BlockRows: 1})
	}
	merged := layers["heads"]
	merged.build = func(_ *lang.Func, in []lang.Tensor) lang.Tensor {
		return nn.SplitHeads(nn.MergeHeads(nn.SplitHeads(in[0], 2)), 2)
	}
	all := map[string]layer{"attention": blocked, "heads": merged}
	for name, l := range layers {
		if name != "conv1d_bare" {
			all[name+" "] = l
		}
	}
	for name, l := range all {
		t.Run(name, func(t *testing.T) {
			c := cases[strings.TrimSpace(name)]
			requireClose(t, c.Want, runWith(t, l, c, func(_ string, sizes []int64) shape.Shape {
				dims := shape.Of(sizes...)
				dims[max(len(dims)-2, 0)] = shape.Named("n")
				return dims
			}))
		})
	}
}

// Attention by blocks of queries is attention, for each size of block.
func TestBlockedAttention(t *testing.T) {
	c := goldens(t)["attention"]
	for _, rows := range []int64{1, 2, 3, 6} {
		l := layers["attention"]
		l.build = func(_ *lang.Func, in []lang.Tensor) lang.Tensor {
			return nn.Attention(in[0], in[1], in[2], nn.AttentionOptions{BlockRows: rows})
		}
		requireClose(t, c.Want, run(t, l, c))
	}
}

func TestMergeHeadsUndoesSplitHeads(t *testing.T) {
	c := goldens(t)["heads"]
	l := layers["heads"]
	l.build = func(_ *lang.Func, in []lang.Tensor) lang.Tensor { return nn.MergeHeads(nn.SplitHeads(in[0], 2)) }
	requireClose(t, c.Inputs["x"], run(t, l, c))
}

func TestMissingWeight(t *testing.T) {
	_, err := lang.Capture("layer", &tensor.Index{Format: "test"}, func(m *lang.Module) {
		m.Entry("main", func(f *lang.Func) {
			f.Output("y", nn.Linear(f, "l", f.Input("x", dtype.F32, 1, 2), nn.LinearOptions{}))
		})
	})
	require.Equal(t, tensor.CodeIndexMissing, errs.CodeOf(err), "%v", err)
	require.ErrorContains(t, err, "l/weight")
}

func TestBlocksThatDoNotFit(t *testing.T) {
	_, err := lang.Capture("layer", nil, func(m *lang.Module) {
		m.Entry("main", func(f *lang.Func) {
			x := f.Input("x", dtype.F32, 1, 6, 2)
			f.Output("y", nn.Attention(x, x, x, nn.AttentionOptions{BlockRows: 4}))
		})
	})
	require.Equal(t, lang.CodeMisuse, errs.CodeOf(err), "%v", err)
}

// Without a rank there is no update, and A would have no rows.
func TestAdapterNeedsARank(t *testing.T) {
	for _, rank := range []int64{0, -1} {
		_, err := lang.Capture("m", nil, func(m *lang.Module) {
			m.Entry("main", func(f *lang.Func) {
				x := f.Input("x", dtype.F32, 1, 4)
				f.Output("y", nn.LoRA{Scope: "adapter", Rank: rank}.Delta(f, "layer", x, 4, nil))
			})
		})
		require.Equal(t, lang.CodeMisuse, errs.CodeOf(err), "%v", err)
		require.ErrorContains(t, err, "layer: an adapter of rank")
		require.ErrorContains(t, err, "r in adapter_config.json")
	}
}
