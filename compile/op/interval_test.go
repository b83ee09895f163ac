package op

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
)

// The results of a scalar function for operands within their intervals are within the bounds.
func TestBoundsHold(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	number := func() float64 {
		if rng.IntN(8) == 0 {
			return math.Inf(1 - 2*rng.IntN(2))
		}
		return math.Ldexp(rng.NormFloat64(), rng.IntN(12)-4)
	}
	checked := 0
	for _, o := range All() {
		if o.Bounds == nil || o.Scalar.IsZero() {
			continue
		}
		checked++
		for range 3000 {
			in, x := make([]Interval, len(o.Operands)), make([]float64, len(o.Operands))
			for i := range in {
				a, b := number(), number()
				in[i] = Interval{Low: min(a, b), High: max(a, b)}
				if rng.IntN(3) == 0 {
					in[i].High = in[i].Low
				}
				x[i] = in[i].Low
				if share := rng.Float64(); !math.IsInf(in[i].High-in[i].Low, 0) && in[i].High > in[i].Low {
					x[i] = in[i].Low + share*(in[i].High-in[i].Low)
				}
			}
			got, known := o.Bounds(in)
			if !known {
				continue
			}
			var y float64
			if len(x) == 1 {
				y = o.Scalar.Unary(x[0])
			} else {
				y = o.Scalar.Binary(x[0], x[1])
			}
			require.False(t, y < got.Low || y > got.High || math.IsNaN(y) && !got.NaN, "%s(%v) of %v = %g, not in %v", o.Name, x, in, y, got)
		}
	}
	require.GreaterOrEqual(t, checked, 6)
}

func TestClampBounds(t *testing.T) {
	got, known := clampBounds([]Interval{{0, 0, false}, {math.Inf(-1), math.Inf(1), true}, {255, 255, false}})
	require.True(t, known)
	require.Equal(t, Interval{0, 255, true}, got)
}

// What an operation says of its limits is what its function does.
func TestLimitsHold(t *testing.T) {
	limited := 0
	for _, o := range All() {
		if o.Limits == nil {
			continue
		}
		limited++
		for _, other := range []float64{-3, 0, 0.5} {
			for _, x := range []float64{-7, -3, -1, 0, 0.25, 0.5, 4, 6, 9} {
				r := o.Limits(other)
				got := 0.0
				if o.Scalar.Unary != nil {
					got = o.Scalar.Unary(x)
				} else {
					got = o.Scalar.Binary(x, other)
				}
				require.Equal(t, min(max(x, r.Low), r.High), got, "%s of %g and %g", o.Name, x, other)
			}
		}
	}
	require.GreaterOrEqual(t, limited, 4)
}
