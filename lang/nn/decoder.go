package nn

import (
	"math"

	"github.com/skainet-dev/skainet-go/internal/errs"
	"github.com/skainet-dev/skainet-go/lang"
	"github.com/skainet-dev/skainet-go/lang/dtype"
	"github.com/skainet-dev/skainet-go/lang/shape"
)

// Project gives x W^T for x [..., in] and the weight key [out, in].
func Project(f *lang.Func, key string, x lang.Tensor) lang.Tensor {
	var y lang.Tensor
	f.Scope(key, func() {
		y = x.Dot(Param(f, key), lang.Dims{}, lang.Dims{LHS: []int{-1}, RHS: []int{1}})
	})
	return y
}

// Rotary holds how far each pair of a head's elements is turned at each position
// (rotary position embedding, Su et al. 2021).
type Rotary struct {
	cos, sin    lang.Tensor // [T, D/2]
	interleaved bool
}

// Frequencies gives base^(-2i/size)/factor for each of the size/2 pairs of a head:
// radians a position. A factor above 1 stretches the positions that a model has
// learnt over a longer context.
func Frequencies(base, factor float64, size int64) []float32 {
	list := make([]float32, size/2)
	for i := range list {
		list[i] = float32(math.Pow(base, -2*float64(i)/float64(size)) / factor)
	}
	return list
}

// NewRotary prepares turns of positions [T], an i32, by frequencies [D/2].
// Interleaved pairs are neighbours; others are of the two halves of a head.
func NewRotary(positions, frequencies lang.Tensor, interleaved bool) Rotary {
	angles := positions.Convert(dtype.F32).Unsqueeze(1).Mul(frequencies.Unsqueeze(0))
	return Rotary{angles.Cosine(), angles.Sine(), interleaved}
}

// RotaryOf is the one whose tables [T, D/2] another function has made.
func RotaryOf(cos, sin lang.Tensor, interleaved bool) Rotary { return Rotary{cos, sin, interleaved} }

// Tables gives cosines and sines [T, D/2].
func (r Rotary) Tables() (cos, sin lang.Tensor) { return r.cos, r.sin }

// Turn turns x [T, H, D].
func (r Rotary) Turn(x lang.Tensor) lang.Tensor {
	f, half := x.Func(), x.Dim(2)/2
	if r.cos.Dim(1) != half {
		panic(errs.New(lang.CodeMisuse, "tables for %d pairs turn heads of %d elements", r.cos.Dim(1), x.Dim(2)))
	}
	cos, sin := r.cos.Unsqueeze(1), r.sin.Unsqueeze(1)
	turn := func(a, b lang.Tensor) (lang.Tensor, lang.Tensor) {
		return a.Mul(cos).Sub(b.Mul(sin)), b.Mul(cos).Add(a.Mul(sin))
	}
	if !r.interleaved {
		a, b := turn(x.Slice(2, 0, half), x.Slice(2, half, 2*half))
		return f.Concat(2, a, b)
	}
	pairs := x.ReshapeOf(x.DimOf(0), x.DimOf(1), shape.N(half), shape.N(2))
	a, b := turn(pairs.Slice(3, 0, 1).Squeeze(3), pairs.Slice(3, 1, 2).Squeeze(3))
	return f.Concat(3, a.Unsqueeze(3), b.Unsqueeze(3)).ReshapeOf(x.Dims()...)
}

// GLU is a gated linear unit (Shazeer 2020): the activation of gate times up.
func GLU(gate, up lang.Tensor, activation func(lang.Tensor) lang.Tensor) lang.Tensor {
	return activation(gate).Mul(up)
}
