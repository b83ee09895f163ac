package nn_test

import (
	"context"
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/backend/cpu"
	"github.com/skainet-dev/skainet-go/compile/iree"
	"github.com/skainet-dev/skainet-go/internal/threefry"
	"github.com/skainet-dev/skainet-go/lang"
	"github.com/skainet-dev/skainet-go/lang/nn"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
	"github.com/skainet-dev/skainet-go/tensor/shape"
)

// compute runs an entry point of the inputs in args.
func compute(t *testing.T, build func(f *lang.Func), args ...tensor.Value) []tensor.Value {
	t.Helper()
	g, err := lang.Capture("layer", nil, func(m *lang.Module) { m.Entry("main", build) })
	require.NoError(t, err)
	m, err := iree.Emit(g, iree.Options{})
	require.NoError(t, err)
	x, err := cpu.Load(g, m.Contract, nil)
	require.NoError(t, err)
	out, err := x.Call(context.Background(), "main", args...)
	require.NoError(t, err)
	return out
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

// The words are those of the host's function, which its authors' known answers
// check.
func TestRandomBits(t *testing.T) {
	const n = 100
	for _, key := range [][2]uint32{{}, {1, 0xffffffff}, {0x13198a2e, 0x83707344}} {
		for _, step := range []uint32{0, 7, 0xfffffff0} {
			out := compute(t, func(f *lang.Func) {
				f.Output("bits", nn.RandomBits(f, n, f.Input("seed", dtype.I32, 2), f.Input("step", dtype.I32)))
			}, of(t, []int32{int32(key[0]), int32(key[1])}, 2), of(t, []int32{int32(step)}))
			for i, w := range slice[int32](t, out[0]) {
				require.Equal(t, threefry.Words(key, [2]uint32{uint32(i), step})[0], uint32(w))
			}
		}
	}
}

// Mean and variance of the standard Gumbel distribution are Euler's constant and
// pi^2/6; of 100,000 draws the mean is within 0.012 and the variance within 0.03 of
// them but for one in a thousand seeds.
func TestGumbel(t *testing.T) {
	const n = 100000
	out := compute(t, func(f *lang.Func) {
		f.Output("g", nn.Gumbel(f, n, f.Input("seed", dtype.I32, 2), f.Input("step", dtype.I32)))
	}, of(t, []int32{1, 2}, 2), of(t, []int32{3}))
	sum, squares := 0.0, 0.0
	for _, v := range slice[float32](t, out[0]) {
		require.True(t, v > -2.83 && v < 22.2, v)
		sum += float64(v)
		squares += float64(v) * float64(v)
	}
	mean := sum / n
	require.InDelta(t, 0.5772156649, mean, 0.014)
	require.InDelta(t, math.Pi*math.Pi/6, squares/n-mean*mean, 0.035)
}

// At the ends of a row, of the last row that is not full, and the first of equals.
func TestGreedy(t *testing.T) {
	for _, n := range []int64{1, 2, 5, 16, 17, 63} {
		for want := range n {
			logits := make([]float32, n)
			for i := range logits {
				logits[i] = -3
			}
			logits[want], logits[n-1] = -2, -2
			out := compute(t, func(f *lang.Func) { f.Output("i", nn.Greedy(f.Input("x", dtype.F32, n))) }, of(t, logits, n))
			require.Equal(t, []int32{int32(want)}, slice[int32](t, out[0]), "%d of %d", want, n)
		}
	}
}

func TestPenalize(t *testing.T) {
	logits := []float32{3, -1, 0, 2}
	for _, tt := range []struct {
		recent []int32
		want   []float32
	}{
		{[]int32{-1, -1, -1}, []float32{3, -1, 0, 2}},
		{[]int32{-1, 1, 1}, []float32{3, -2, 0, 2}},
		{[]int32{0, -1, 3}, []float32{1.5, -1, 0, 1}},
		{[]int32{2, 1, 0}, []float32{1.5, -2, 0, 2}},
	} {
		out := compute(t, func(f *lang.Func) {
			x, recent := f.Input("x", dtype.F32, 4), f.Input("recent", dtype.I32, 3)
			f.Output("y", nn.Penalize(x, recent, f.Input("penalty", dtype.F32)))
		}, of(t, logits, 4), of(t, tt.recent, 3), of(t, []float32{2}))
		require.Equal(t, tt.want, slice[float32](t, out[0]), "%v", tt.recent)
	}
}

func TestRecent(t *testing.T) {
	for _, tt := range []struct{ tokens, want []int32 }{
		{[]int32{5}, []int32{-1, 5, 9}},
		{[]int32{5, 6, 7, 8}, []int32{7, 8, 9}},
	} {
		out := compute(t, func(f *lang.Func) {
			recent := nn.Recent(f.InputOf("tokens", dtype.I32, shape.Named("seq")), 3)
			f.Output("recent", nn.Remember(recent, f.Splat(dtype.I32, 9)))
		}, of(t, tt.tokens, int64(len(tt.tokens))))
		require.Equal(t, tt.want, slice[int32](t, out[0]))
	}
}
