package nn

import (
	"github.com/skainet-dev/skainet-go/internal/threefry"
	"github.com/skainet-dev/skainet-go/lang"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
)

// RandomBits returns i32 [n] whose element i is the first word that Threefry-2x32
// with 20 rounds makes of the counter (i, step) under the key seed: package
// internal/threefry is the same on the host. seed is i32 [2], the low and the high
// half of 64 bits; step is an i32 scalar.
func RandomBits(f *lang.Func, n int64, seed, step lang.Tensor) lang.Tensor {
	scalar := func(v int32) lang.Tensor { return lang.Const(f, []int32{v}) }
	k0, k1 := seed.Slice(0, 0, 1).Reshape(), seed.Slice(0, 1, 2).Reshape()
	schedule := [3]lang.Tensor{k0, k1, k0.Xor(k1).Xor(scalar(threefry.Parity))}
	x0 := f.Iota(dtype.I32, 0, n).Add(schedule[0])
	x1 := step.Add(schedule[1]).BroadcastTo(n)
	for r := range threefry.Rounds {
		x0 = x0.Add(x1)
		x1 = rotateLeft(x1, threefry.Rotations[r%8]).Xor(x0)
		if r%4 == 3 {
			s := r/4 + 1
			x0 = x0.Add(schedule[s%3])
			x1 = x1.Add(schedule[(s+1)%3].Add(scalar(int32(s))))
		}
	}
	return x0
}

// rotateLeft rotates the 32 bits of each element by n places, 0 < n < 32.
func rotateLeft(x lang.Tensor, n int) lang.Tensor {
	return x.ShiftLeft(x.Func().Splat(dtype.I32, float64(n))).Or(shiftDown(x, 32-n))
}

// shiftDown shifts right by n places, 0 < n < 32, and zeros come in.
func shiftDown(x lang.Tensor, n int) lang.Tensor {
	f := x.Func()
	return x.ShiftRight(f.Splat(dtype.I32, float64(n))).And(f.Splat(dtype.I32, float64(int64(1)<<(32-n)-1)))
}

// Gumbel returns f32 [n] of the standard Gumbel distribution: element i depends on
// (seed, step, i) only. With h the upper 31 bits of RandomBits,
//
//	v = min((h + 1/2) 2^-31, 1 - 2^-24)
//	gumbel = -log(-log1p(-v))
//
// each operation in f32. It is between -2.82 and 22.19.
func Gumbel(f *lang.Func, n int64, seed, step lang.Tensor) lang.Tensor {
	h := shiftDown(RandomBits(f, n, seed, step), 1).Convert(dtype.F32)
	v := h.AddScalar(0.5).MulScalar(1.0 / (1 << 31)).Min(f.Splat(dtype.F32, 1-1.0/(1<<24)))
	return v.Negate().Log1p().Negate().Log().Negate()
}
