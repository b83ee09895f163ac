package cpu

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/compile/dag"
	"github.com/skainet-dev/skainet-go/compile/op"
	"github.com/skainet-dev/skainet-go/compile/op/id"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
)

// plainly runs f with the plain kernels, without blocks, views and assembly.
func plainly[T any](f func() T) T {
	defer func(old bool) { plainProducts = old }(plainProducts)
	plainProducts = true
	return f()
}

func randomArray(r *rand.Rand, d dtype.DType, sizes ...int64) array {
	a := zeros(tensor.TypeOf(d, sizes...))
	for i := range a.data.(vec[float32]) {
		a.data.(vec[float32])[i] = float32(r.NormFloat64())
	}
	return roundToDType(a)
}

func absolute(a array) array {
	return array{a.typ, a.data.unary(id.Abs)}
}

// requireSums compares two sums of k products that are in any order: each is
// within Higham's bound of the exact sum, so they are within twice that; size is
// the sum of absolute values.
func requireSums(t *testing.T, want, got, size array, k int) {
	t.Helper()
	unit := 0x1p-24
	rounding := map[dtype.DType]float64{dtype.F32: 0, dtype.BF16: 0x1p-8, dtype.F16: 0x1p-11}[want.typ.DType]
	w, g, s := want.data.(vec[float32]), got.data.(vec[float32]), size.data.(vec[float32])
	require.Len(t, g, len(w))
	for i := range w {
		bound := (2*float64(k+2)*unit+2*rounding)*float64(s[i]) + 0x1p-24 // F16 may be subnormal
		if !(math.Abs(float64(w[i])-float64(g[i])) <= bound) {
			t.Fatalf("element %d: %v, want %v", i, g[i], w[i])
		}
	}
}

// Contractions over random dimensions, some of them 0 or 1, in random order: the
// fast kernels agree with the plain ones.
func TestContractionsAreAsPlainOnes(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 12))
	kernel := kernels[id.DotGeneral]
	for trial := range 400 {
		size := func() int64 {
			switch r.IntN(8) {
			case 0:
				return 1
			case 1:
				return int64(r.IntN(2))
			}
			return 1 + int64(r.IntN(12))
		}
		some := func(n int) []int64 {
			s := make([]int64, r.IntN(n))
			for i := range s {
				s[i] = size()
			}
			return s
		}
		batch, depth := some(3), some(3)
		operand := func() (array, op.Attrs, []int64) {
			rows := some(3)
			all := slices.Concat(batch, rows, depth)
			at := r.Perm(len(all)) // dimension i of all is dimension at[i] of the operand
			if r.IntN(2) == 0 {
				slices.Sort(at)
			}
			sizes := make([]int64, len(all))
			var places []int64
			for i, p := range at {
				sizes[p] = all[i]
				places = append(places, int64(p))
			}
			d := []dtype.DType{dtype.F32, dtype.BF16, dtype.F16}[trial%3]
			return randomArray(r, d, sizes...), op.Attrs{"b": places[:len(batch)], "c": places[len(all)-len(depth):]}, rows
		}
		a, aDims, _ := operand()
		b, bDims, _ := operand()
		block := &dag.Block{}
		block.AddArg(a.typ)
		block.AddArg(b.typ)
		n, err := block.Add("dot_general", "case", op.Attrs{
			"lhs_batching": aDims["b"], "lhs_contracting": aDims["c"],
			"rhs_batching": bDims["b"], "rhs_contracting": bDims["c"],
		}, block.Args...)
		require.NoError(t, err)
		run := func(in ...array) array {
			out, err := kernel(nil, n, in)
			require.NoError(t, err)
			return out[0]
		}
		k := 1
		for _, d := range depth {
			k *= int(d)
		}
		want := plainly(func() array { return run(a, b) })
		sum := plainly(func() array { return run(absolute(a), absolute(b)) })
		requireSums(t, want, run(a, b), sum, k)
	}
}

// Large operands need several blocks and several workers, whose number never
// affects the result.
func TestLargeContractionsAreAsPlainOnes(t *testing.T) {
	r := rand.New(rand.NewPCG(13, 14))
	for _, s := range []struct{ batch, m, n, k int64 }{{1, 1000, 70, 300}, {6, 65, 130, 64}, {1, 1, 3000, 129}, {1, 3000, 1, 129}, {200, 3, 5, 17}} {
		x, y := randomArray(r, dtype.F32, s.batch, s.m, s.k), randomArray(r, dtype.F32, s.batch, s.n, s.k)
		out := tensor.TypeOf(dtype.F32, s.batch, s.m, s.n)
		run := func(x, y array) array {
			return array{out, x.data.gemm(y.data, int(s.batch), int(s.m), int(s.n), int(s.k))}
		}
		want := plainly(func() array { return run(x, y) })
		sum := plainly(func() array { return run(absolute(x), absolute(y)) })
		one := atProcessors(1, func() array { return run(x, y) })
		requireSums(t, want, one, sum, int(s.k))
		four := atProcessors(4, func() array { return run(x, y) })
		require.Equal(t, one.value().Bytes, four.value().Bytes)
	}
}
