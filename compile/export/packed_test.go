package export

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/backend/cpu"
	"github.com/skainet-dev/skainet-go/compile/contract"
	"github.com/skainet-dev/skainet-go/compile/dag"
	"github.com/skainet-dev/skainet-go/compile/dag/passes"
	"github.com/skainet-dev/skainet-go/compile/iree"
	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/io/gguf"
	"github.com/skainet-dev/skainet-go/io/irpa"
	"github.com/skainet-dev/skainet-go/io/pack"
	"github.com/skainet-dev/skainet-go/io/weights"
	"github.com/skainet-dev/skainet-go/lang"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
	"github.com/skainet-dev/skainet-go/tensor/quant"
	"github.com/skainet-dev/skainet-go/tensor/shape"
)

const (
	vocabulary = 40
	width      = 256
)

// tied is a model like a decoder: an embedding that is also the head, and a linear
// layer between.
func tied(m *lang.Module) {
	m.Entry("main", func(f *lang.Func) {
		x := f.Param("embd").Take(f.InputOf("tokens", dtype.I32, shape.Named("seq")))
		linear := func(x lang.Tensor, key string) lang.Tensor {
			return x.Dot(f.Param(key), lang.Dims{}, lang.Dims{LHS: []int{1}, RHS: []int{1}})
		}
		f.Output("logits", linear(linear(x, "linear").Mul(f.Param("norm")), "embd"))
	})
	m.Entry("one", func(f *lang.Func) {
		x := f.Param("embd").Take(f.Input("token", dtype.I32, 1))
		f.Output("y", x.Dot(f.Param("linear"), lang.Dims{}, lang.Dims{LHS: []int{1}, RHS: []int{1}}))
	})
}

// tiedFile writes the model's weights in blocks.
func tiedFile(t *testing.T) string {
	r := rand.New(rand.NewPCG(6, 0))
	var items []gguf.Item
	for _, s := range []struct {
		name  string
		e     quant.Encoding
		sizes []int64
	}{{"embd", "Q8_0", []int64{vocabulary, width}}, {"linear", "Q4_K", []int64{width, width}}, {"norm", quant.Dense, []int64{width}}} {
		spec := tensor.Spec{Name: s.name, DType: dtype.F32, Shape: shape.Of(s.sizes...), Encoding: s.e}
		n, err := spec.Shape.Elements()
		require.NoError(t, err)
		values := make([]float32, n)
		for i := range values {
			values[i] = (r.Float32()*2 - 1) / 16
		}
		data := make([]byte, 4*n)
		if s.e.IsDense() {
			_, err = tensor.PutFloat32s(dtype.F32, data, values)
		} else {
			size, e := s.e.Size(n)
			require.NoError(t, e)
			data = data[:size]
			err = quant.Pack(s.e, data, values)
		}
		require.NoError(t, err)
		spec.Bytes = int64(len(data))
		items = append(items, gguf.Item{Spec: spec, Open: func() (io.Reader, error) { return bytes.NewReader(data), nil }})
	}
	path := filepath.Join(t.TempDir(), "m.gguf")
	_, err := gguf.Write(path, nil, items, gguf.Options{})
	require.NoError(t, err)
	return path
}

// runTied exports the model, packs its weights and returns the CPU's results.
func runTied(t *testing.T, w *weights.File, policy string) (*dag.Graph, *contract.Contract, *irpa.File, []float32) {
	index, err := w.Index()
	require.NoError(t, err)
	g, m, err := RunIndex(cpu.Evaluate, tied, index, Options{Name: "tied", Weights: policy})
	require.NoError(t, err)
	out := filepath.Join(t.TempDir(), "m.irpa")
	require.NoError(t, pack.Pack(out, m.Contract, "model", w, nil))
	a, err := irpa.Open(out)
	require.NoError(t, err)
	t.Cleanup(func() { a.Close() })
	require.NoError(t, pack.CheckArchive(m.Contract, "model", a))
	types := map[string]tensor.Type{}
	for _, p := range m.Contract.Parameters {
		types[p.Key], err = p.Stored()
		require.NoError(t, err)
	}
	x, err := cpu.Load(g, m.Contract, func(_, key string) (tensor.Value, error) {
		b, err := a.Tensor(key)
		if err != nil {
			return tensor.Value{}, err
		}
		data, err := b.Bytes()
		return tensor.Value{Type: types[key], Bytes: data}, err
	})
	require.NoError(t, err)
	tokens, err := tensor.Of([]int32{3, 39, 0, 7}, 4)
	require.NoError(t, err)
	results, err := x.Call(context.Background(), "main", tokens)
	require.NoError(t, err)
	logits, err := tensor.Slice[float32](results[0])
	require.NoError(t, err)
	return g, m.Contract, a, logits
}

// One file yields archives of every policy; those of blocks hold the bytes of the file.
// Programs compute what the unpacked weights compute: to the last places, or within the
// error of a smaller type: half of 1/127, or 2^-9, of each weight, in three products; with
// int8_dynamic also that of the other operand.
func TestWeightPolicies(t *testing.T) {
	w, err := weights.Open(tiedFile(t))
	require.NoError(t, err)
	defer w.Close()
	_, c, _, want := runTied(t, w, "f32")
	for _, p := range c.Parameters {
		require.Equal(t, quant.Dense, p.Encoding)
	}
	largest := 0.0
	for _, v := range want {
		largest = max(largest, math.Abs(float64(v)))
	}
	for policy, tolerance := range map[string]float64{"": 1e-6, "packed": 1e-6, "bf16": 3. / 512, "f16": 3. / 4096, "int8": 3. / 254, "packed,embd=int8": 3. / 254, "int8_dynamic": 6. / 254} {
		t.Run(policy, func(t *testing.T) {
			_, c, a, got := runTied(t, w, policy)
			for i := range want {
				require.InDelta(t, want[i], got[i], tolerance*largest)
			}
			blocks := 0
			for _, p := range c.Parameters {
				if p.Encoding.IsDense() {
					continue
				}
				blocks++
				require.Equal(t, dtype.F32, p.DType)
				want, got := bytesOf(t, w, p.Key), bytesOf(t, a, p.Key)
				require.Equal(t, want, got)
				require.Len(t, got, int(p.Bytes))
			}
			require.Equal(t, map[string]int{"": 2, "packed": 2, "packed,embd=int8": 1}[policy], blocks)
		})
	}
}

func bytesOf(t *testing.T, f interface {
	Tensor(name string) (tensor.Buffer, error)
}, key string) []byte {
	b, err := f.Tensor(key)
	require.NoError(t, err)
	data, err := b.Bytes()
	require.NoError(t, err)
	return data
}

var floatTensor = regexp.MustCompile(`tensor<([0-9x]+)xf32>|memref<([0-9x]+)xf32>|vector<([0-9x]+)xf32>`)

// The text for CPUs, kernels included, has no float tensor of a weight's size; the text
// with unpacked weights has.
func TestPackedTextHoldsNoUnpackedWeight(t *testing.T) {
	w, err := weights.Open(tiedFile(t))
	require.NoError(t, err)
	defer w.Close()
	largest := func(policy string) int64 {
		g, _, _, _ := runTied(t, w, policy)
		m, err := iree.Emit(g, iree.Options{Kernels: true})
		require.NoError(t, err)
		most := int64(0)
		for _, found := range floatTensor.FindAllStringSubmatch(string(m.Text), -1) {
			n := int64(1)
			for s := range strings.SplitSeq(found[1]+found[2]+found[3], "x") {
				d, err := strconv.ParseInt(s, 10, 64)
				require.NoError(t, err)
				n *= d
			}
			most = max(most, n)
		}
		return most
	}
	require.Less(t, largest(""), int64(vocabulary*width))
	require.Equal(t, int64(width*width), largest("f32"))
}

func TestWeightPolicyThatFitsNothing(t *testing.T) {
	w, err := weights.Open(tiedFile(t))
	require.NoError(t, err)
	defer w.Close()
	index, err := w.Index()
	require.NoError(t, err)
	for _, policy := range []string{"Q4_K", "packed,head=int8"} {
		_, _, err := RunIndex(cpu.Evaluate, tied, index, Options{Name: "tied", Weights: policy})
		require.Equal(t, passes.CodeWeights, errs.CodeOf(err), fmt.Sprint(policy, err))
	}
}
