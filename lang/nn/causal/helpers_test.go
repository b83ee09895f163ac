package causal_test

import (
	"context"
	_ "embed"
	"encoding/binary"
	"encoding/json"
	"math"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/backend"
	"github.com/skainet-dev/skainet-go/backend/cpu"
	"github.com/skainet-dev/skainet-go/compile/iree"
	"github.com/skainet-dev/skainet-go/lang"
	"github.com/skainet-dev/skainet-go/lang/nn/causal"
	"github.com/skainet-dev/skainet-go/tensor"
	_ "github.com/skainet-dev/skainet-go/test/errtest"
)

// The oracle is NumPy in float64: testdata/gen_causal.py made the file.
//
//go:embed testdata/causal.json
var goldenJSON []byte

type golden struct {
	Config struct {
		causal.Config
		Activation               string
		Window                   int64
		GlobalBase, GlobalFactor float64
		LocalBase                float64
	}
	Logits [][]float32
}

// config is the case's, as the package has it.
func (g golden) config() causal.Config {
	c := g.Config.Config
	c.MaxPositions = c.Context
	c.Global = causal.Attention{RopeBase: g.Config.GlobalBase, RopeScale: g.Config.GlobalFactor}
	c.Local = causal.Attention{RopeBase: g.Config.LocalBase, RopeScale: 1, Window: g.Config.Window}
	c.Activation = map[string]func(lang.Tensor) lang.Tensor{"silu": lang.Tensor.SiLU, "gelu_tanh": lang.Tensor.GELUTanh}[g.Config.Activation]
	return c
}

func goldens(t *testing.T) (ids []int32, cases map[string]golden) {
	t.Helper()
	var file struct {
		Origin string
		IDs    []int32
		Cases  map[string]golden
	}
	require.NoError(t, json.Unmarshal(goldenJSON, &file))
	require.Contains(t, file.Origin, "NumPy")
	require.Len(t, file.Cases, 4)
	return file.IDs, file.Cases
}

// numbers are those of gen_causal.py.
func numbers(name string, n int64) []float32 {
	h := uint32(2166136261)
	for i := range len(name) {
		h = (h ^ uint32(name[i])) * 16777619
	}
	list := make([]float32, n)
	for i := range list {
		x := uint32(i)*2654435761 + h
		x ^= x >> 16
		x *= 0x85ebca6b
		x ^= x >> 13
		x *= 0xc2b2ae35
		x ^= x >> 16
		list[i] = float32(float64(x)/(1<<31) - 1)
	}
	return list
}

// weight is a tensor of the made-up model.
func weight(s tensor.Spec) (tensor.Value, error) {
	n, err := s.Shape.Elements()
	if err != nil {
		return tensor.Value{}, err
	}
	list := numbers(s.Name, n)
	if s.Shape.Rank() == 1 {
		for i, v := range list {
			list[i] = 1 + 0.25*v
		}
	}
	return tensor.Of(list, s.Shape.Sizes()...)
}

// indexOf lists the weights of a model in f32.
func indexOf(c causal.Config) *tensor.Index {
	x := &tensor.Index{Format: "gguf", Metadata: map[string]string{}, Scalars: map[string]int64{}}
	for _, s := range c.Tensors() {
		s.Bytes, _ = s.Type().Bytes()
		x.Tensors = append(x.Tensors, s)
	}
	return x
}

// load makes the model run on the CPU; the last number of weights that are damaged is
// none.
func load(t *testing.T, c causal.Config, damaged ...string) backend.Executable {
	t.Helper()
	x := indexOf(c)
	g, err := lang.Capture("small", x, func(m *lang.Module) { causal.Model(m, c) })
	require.NoError(t, err)
	m, err := iree.Emit(g, iree.Options{})
	require.NoError(t, err)
	e, err := cpu.Load(g, m.Contract, func(_, key string) (tensor.Value, error) {
		s, err := x.Lookup(key)
		if err != nil {
			return tensor.Value{}, err
		}
		v, err := weight(s)
		if err == nil && slices.Contains(damaged, key) {
			binary.LittleEndian.PutUint32(v.Bytes[len(v.Bytes)-4:], math.Float32bits(float32(math.NaN())))
		}
		return v, err
	})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, e.Close()) })
	return e
}

func of[T tensor.Element](t *testing.T, data []T, sizes ...int64) tensor.Value {
	t.Helper()
	v, err := tensor.Of(data, sizes...)
	require.NoError(t, err)
	return v
}

func scalar[T tensor.Element](t *testing.T, v T) tensor.Value { return of(t, []T{v}) }

func slice[T tensor.Element](t *testing.T, v tensor.Value) []T {
	t.Helper()
	s, err := tensor.Slice[T](v)
	require.NoError(t, err)
	return append([]T{}, s...)
}

// call returns the results of an entry point.
func call(t *testing.T, x backend.Executable, entry string, args ...tensor.Value) []tensor.Value {
	t.Helper()
	out, err := x.Call(context.Background(), entry, args...)
	require.NoError(t, err)
	return out
}

func prefill(t *testing.T, x backend.Executable, ids []int32, start int) []float32 {
	t.Helper()
	return slice[float32](t, call(t, x, "prefill", of(t, ids, int64(len(ids))), scalar(t, int32(start)))[0])
}

func decode(t *testing.T, x backend.Executable, id int32) []float32 {
	t.Helper()
	return slice[float32](t, call(t, x, "decode", of(t, []int32{id}, 1))[0])
}
