package fromonnx

import (
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/tensor/shape"
)

// worked is a number beside the fraction that it is for some sizes of a call.
type worked struct {
	x    number
	want *big.Rat
}

func (w worked) String() string { return fmt.Sprintf("%s/%d", w.x, w.x.over) }

// grow makes a number by random arithmetic; its names are 1 to 9.
func grow(r *rand.Rand, sizes map[string]int64, depth int) worked {
	if depth == 0 || r.IntN(4) == 0 {
		if r.IntN(2) == 0 {
			n := r.Int64N(13) - 6
			return worked{integer(n), big.NewRat(n, 1)}
		}
		name := string(rune('a' + r.IntN(3)))
		return worked{sizeOf(shape.Named(name)), big.NewRat(sizes[name], 1)}
	}
	a, b := grow(r, sizes, depth-1), grow(r, sizes, depth-1)
	switch r.IntN(6) {
	case 0:
		return worked{a.x.times(b.x), new(big.Rat).Mul(a.want, b.want)}
	case 1:
		return worked{a.x.minus(b.x), new(big.Rat).Sub(a.want, b.want)}
	case 2:
		if b.want.Sign() != 0 {
			return worked{a.x.dividedBy(b.x), new(big.Rat).Quo(a.want, b.want)}
		}
	case 3:
		return worked{a.x.floor(), floor(a.want)}
	case 4:
		up := floor(new(big.Rat).Neg(a.want))
		return worked{a.x.ceil(), up.Neg(up)}
	}
	return worked{a.x.plus(b.x), new(big.Rat).Add(a.want, b.want)}
}

func floor(x *big.Rat) *big.Rat {
	return new(big.Rat).SetInt(new(big.Int).Div(x.Num(), x.Denom()))
}

// Arithmetic on numbers is arithmetic on what they are in a call; an order and a bound
// hold for the call. big.Rat is the oracle.
func TestNumbersAreThoseOfTheCall(t *testing.T) {
	r := rand.New(rand.NewPCG(17, 1))
	known, ordered, bounded := 0, 0, 0
	for i := range 20000 {
		sizes := map[string]int64{"a": 1 + r.Int64N(9), "b": 1 + r.Int64N(9), "c": 1 + r.Int64N(9)}
		got := func(x number) *big.Rat {
			n := x.n
			if x.isNamed() {
				plus := func(a, b int64) int64 { return a + b }
				times := func(a, b int64) int64 { return a * b }
				down := func(a, by int64) int64 { return int64(math.Floor(float64(a) / float64(by))) }
				n = shape.Fold(x.d, func(n int64) int64 { return n }, func(name string) int64 { return sizes[name] }, plus, times, down)
			}
			return big.NewRat(n, x.over)
		}
		v, w := grow(r, sizes, 4), grow(r, sizes, 2)
		what := fmt.Sprintf("%d: %s and %s for %v", i, v, w, sizes)
		if !v.x.known {
			continue
		}
		known++
		require.Zero(t, got(v.x).Cmp(v.want), what)
		if order, ok := v.x.order(w.x); ok {
			ordered++
			require.Equal(t, v.want.Cmp(w.want), order, what)
		}
		if v.x.notBelow(w.x) {
			require.GreaterOrEqual(t, v.want.Cmp(w.want), 0, what)
		}
		for n := int64(-3); n < 4; n++ {
			if v.x.atLeast(n) {
				bounded++
				require.GreaterOrEqual(t, v.want.Cmp(big.NewRat(n, 1)), 0, what)
			}
		}
	}
	require.Greater(t, known, 10000)
	require.Greater(t, ordered, 3000)
	require.Greater(t, bounded, 10000)
}

// Integers that overflow are unknown, never wrong.
func TestNumbersDoNotWrap(t *testing.T) {
	most, least := integer(math.MaxInt64), integer(math.MinInt64)
	for name, x := range map[string]number{
		"sum": most.plus(integer(1)), "difference": least.minus(integer(1)), "product": most.times(integer(2)), "negative": least.times(integer(-1)),
		"named": most.times(sizeOf(shape.Named("n"))).times(integer(2)), "nothing": integer(1).dividedBy(integer(0)), "unknown": number{}.plus(integer(1)),
	} {
		require.False(t, x.known, name)
	}
	require.Equal(t, "-3", sizeOf(shape.Named("n")).minus(sizeOf(shape.Named("n")).plus(integer(3))).String())
}
