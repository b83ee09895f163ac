package cpu

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/compile/op/id"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
)

// Loops over rows agree with the plain kernels, for any number of processors: bit for
// bit if each element is rounded once from float64, or else within the roundings that
// differ. Rows have 1 to a few thousand elements, so that they are split in several
// ways.
func TestRowsAreAsPlainOnes(t *testing.T) {
	r := rand.New(rand.NewPCG(21, 22))
	for _, s := range [][2]int{{1, 1}, {3, 7}, {40, 8}, {5, 1000}, {700, 129}, {2, 70000}} {
		rows, n := s[0], s[1]
		x, y := randomArray(r, dtype.F32, int64(rows), int64(n)), randomArray(r, dtype.F32, int64(rows), int64(n))
		g := randomArray(r, dtype.F32, int64(n)).data
		a, b := x.data.(vec[float32]), y.data
		for name, c := range map[string]struct {
			f    func() storage
			ulps float64 // of the larger of the two results
			abs  float64
		}{
			"exp":        {func() storage { return a.unary(id.Exp) }, 1, 0},
			"logistic":   {func() storage { return a.unary(id.Logistic) }, 1, 0},
			"tanh":       {func() storage { return a.unary(id.Tanh) }, 1, 0},
			"erf":        {func() storage { return a.unary(id.Erf) }, 1, 0},
			"gelu":       {func() storage { return a.unary(id.Gelu) }, 1, 0},
			"gelu_tanh":  {func() storage { return a.unary(id.GeluTanh) }, 1, 0},
			"silu":       {func() storage { return a.unary(id.Silu) }, 1, 0},
			"softmax":    {func() storage { return a.softmaxRows(n, 1) }, 2, 0},
			"layer_norm": {func() storage { return a.layerNorm(g, g, n, 1e-5) }, 1, 0x1p-40},
			"reduce_max": {func() storage { return a.reduceRows(id.ReduceMax, rows, n, dtype.F32) }, 0, 0},
			"reduce_min": {func() storage { return a.reduceRows(id.ReduceMin, rows, n, dtype.F32) }, 0, 0},
			// The plain sum is in float32: Higham's bound of it, with |x| < 6.
			"reduce_sum": {func() storage { return a.reduceRows(id.ReduceSum, rows, n, dtype.F32) }, 1, float64(n) * 0x1p-24 * 6 * float64(n)},
			"add":        {func() storage { return a.binary(id.Add, b) }, 0, 0},
			"divide":     {func() storage { return a.binary(id.Divide, b) }, 0, 0},
			"maximum":    {func() storage { return a.binary(id.Maximum, b) }, 0, 0},
		} {
			want := plainly(c.f).(vec[float32])
			got := atProcessors(1, c.f).(vec[float32])
			require.Len(t, got, len(want))
			for i, w := range want {
				far := math.Abs(float64(w) - float64(got[i]))
				if !(far <= c.abs+c.ulps*ulp(math.Max(math.Abs(float64(w)), math.Abs(float64(got[i]))), dtype.F32)) {
					t.Fatalf("%s of %v: element %d is %v, want %v", name, s, i, got[i], w)
				}
			}
			require.Equal(t, got, atProcessors(4, c.f).(vec[float32]), name)
		}
	}
}
