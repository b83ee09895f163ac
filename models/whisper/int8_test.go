package whisper

import (
	"encoding/binary"
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/backend/cpu"
	"github.com/skainet-dev/skainet-go/compile/contract"
	"github.com/skainet-dev/skainet-go/compile/dag"
	"github.com/skainet-dev/skainet-go/compile/dag/passes"
	"github.com/skainet-dev/skainet-go/compile/iree"
	"github.com/skainet-dev/skainet-go/io/transform"
	"github.com/skainet-dev/skainet-go/lang"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
	"github.com/skainet-dev/skainet-go/tensor/shape"
)

// part returns a weight's rows as 8-bit integers, or their scales, like pack.
func part(t *testing.T, key string, s shape.Shape, p transform.Part) []byte {
	t.Helper()
	data, err := madeUp(key, s)
	require.NoError(t, err)
	v, err := tensor.Of(data, s.Sizes()...)
	require.NoError(t, err)
	tr, err := transform.Rows(tensor.Spec{Name: key, DType: dtype.F32, Shape: s, Bytes: int64(len(v.Bytes))}, p, transform.Options{})
	require.NoError(t, err)
	b, err := tr.Buffer(tensor.Owned(v.Bytes)).Bytes()
	require.NoError(t, err)
	return b
}

// shapes of the weights, by key.
func shapes() map[string]shape.Shape {
	out := map[string]shape.Shape{}
	for _, s := range indexOf(small).Tensors {
		out[s.Name] = s.Shape
	}
	return out
}

// calls returns the results of encode, prefill and two steps with weights from params.
func calls(t *testing.T, g *dag.Graph, params cpu.Params) []tensor.Value {
	t.Helper()
	m, err := iree.Emit(g, iree.Options{})
	require.NoError(t, err)
	x, err := cpu.Load(g, m.Contract, params)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, x.Close()) })
	var out []tensor.Value
	call := func(entry string, args ...tensor.Value) []tensor.Value {
		r, err := x.Call(t.Context(), entry, args...)
		require.NoError(t, err, entry)
		out = append(out, r...)
		return r
	}
	prompt, length := padded(t, 3, 1, 4)
	call("prefill", call("encode", testMel(t))[0], prompt, length)
	for token := range int32(2) {
		call("decode_step", of(t, []int32{token + 7}, 1))
	}
	return out
}

// worst returns the largest difference relative to the largest element of its result.
func worst(t *testing.T, want, got []tensor.Value) float64 {
	t.Helper()
	require.Len(t, got, len(want))
	off := 0.0
	for i := range want {
		a, b := slice[float32](t, want[i]), slice[float32](t, got[i])
		largest := 0.0
		for _, x := range a {
			largest = max(largest, math.Abs(float64(x)))
		}
		for j := range a {
			off = max(off, math.Abs(float64(a[j]-b[j]))/largest)
		}
	}
	return off
}

// A model with int8 weights computes the same as the f32 model with
// the dequantised weights, up to rounding, and the same as with
// the original weights within the error of 8 bits.
func TestInt8Model(t *testing.T) {
	g, err := lang.Capture("whisper", indexOf(small), Model)
	require.NoError(t, err)
	before := emitted(t, g)
	stored := map[string]bool{} // as int8
	sizes := shapes()
	int8s, err := lang.CaptureWith("whisper", indexOf(small), Model, passes.Int8(64))
	require.NoError(t, err)
	got := calls(t, int8s, func(_, key string) (tensor.Value, error) {
		if base, ok := strings.CutSuffix(key, contract.ScalesSuffix); ok {
			stored[base] = true
			return tensor.Value{Type: tensor.TypeOf(dtype.F32, sizes[base][0].Size), Bytes: part(t, base, sizes[base], transform.RowScales)}, nil
		}
		if params, err := int8s.Params(); err == nil {
			for _, p := range params {
				if p.Key == key && p.Type.DType == dtype.I8 {
					return tensor.Value{Type: p.Type, Bytes: part(t, key, sizes[key], transform.RowValues)}, nil
				}
			}
		}
		data, err := madeUp(key, sizes[key])
		require.NoError(t, err)
		return tensor.Of(data, sizes[key].Sizes()...)
	})
	// Linear layers and the embedding table; not convolutions, biases, norms
	// and positions.
	linears := 4*small.EncoderLayers + 7*small.DecoderLayers + 1
	require.Len(t, stored, int(linears))
	require.True(t, stored["decoder/embeddings/weight"])

	dequantised := calls(t, g, func(_, key string) (tensor.Value, error) {
		data, err := madeUp(key, sizes[key])
		require.NoError(t, err)
		if stored[key] {
			values, scales := part(t, key, sizes[key], transform.RowValues), part(t, key, sizes[key], transform.RowScales)
			row := len(values) / (len(scales) / 4)
			for i, q := range values {
				data[i] = float32(int8(q)) * math.Float32frombits(binary.LittleEndian.Uint32(scales[i/row*4:]))
			}
		}
		return tensor.Of(data, sizes[key].Sizes()...)
	})
	require.LessOrEqual(t, worst(t, dequantised, got), 1e-5) // f32, a hundred roundings
	original := calls(t, g, func(_, key string) (tensor.Value, error) {
		data, err := madeUp(key, sizes[key])
		require.NoError(t, err)
		return tensor.Of(data, sizes[key].Sizes()...)
	})
	off := worst(t, original, got)
	t.Logf("%.2g of the largest element", off)
	require.Positive(t, off)
	require.LessOrEqual(t, off, 0.05)

	m, err := iree.Emit(int8s, iree.Options{Kernels: true})
	require.NoError(t, err)
	sources := map[contract.Source]int{}
	for _, p := range m.Contract.Parameters {
		sources[p.Source]++
	}
	require.Equal(t, map[contract.Source]int{
		contract.FromRows: len(stored), contract.FromScales: len(stored), contract.FromWeights: len(sizes) - len(stored),
	}, sources)
	require.NotContains(t, before, "xi8>")
	text := emitted(t, int8s)
	require.NoError(t, passes.Run(int8s, passes.Int8(64)))
	if text != emitted(t, int8s) {
		t.Error("a second run changes the graph")
	}
}
