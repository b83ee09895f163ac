package nn

import (
	"math"

	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/lang"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
	"github.com/skainet-dev/skainet-go/tensor/shape"
)

// Rotary is a rotary position embedding (Su et al. 2021) for some positions: how far each
// pair of a head's elements is rotated at each of them.
type Rotary struct {
	cos, sin    lang.Tensor // [T, D/2]
	interleaved bool
}

// Frequencies are the rotations of the D/2 pairs of a head from one position to the
// next, in units of 2^-32 turns, modulo one turn: Whole, an i32, and the Rest,
// an f32. A product of Whole with a position wraps where a turn is full and is exact,
// so that angles are within 1e-6 of those of exact arithmetic up to position 32768; in
// f32, radians are wrong by 2e-3 there.
type Frequencies struct{ Whole, Rest lang.Tensor } // [D/2]

// restUnits is the resolution of Rest, so that a text holds it in a byte.
const restUnits = 128

// NewFrequencies returns base^(-2i/size)/factor radians for each of the size/2 pairs of
// a head. A factor above 1 scales the context linearly: it divides the positions.
func NewFrequencies(f *lang.Func, base, factor float64, size int64) Frequencies {
	radians := make([]float64, size/2)
	for i := range radians {
		radians[i] = math.Pow(base, -2*float64(i)/float64(size)) / factor
	}
	return FrequenciesOf(f, radians)
}

// FrequenciesOf returns the frequencies of pairs that turn by so many radians from one
// position to the next.
func FrequenciesOf(f *lang.Func, radians []float64) Frequencies {
	pairs := int64(len(radians))
	whole, rest := make([]int32, pairs), make([]int8, pairs)
	for i, r := range radians {
		t := r / (2 * math.Pi)
		t = (t - math.Floor(t+0.5)) * (1 << 32)
		n := math.Min(math.Round(t), math.MaxInt32)
		whole[i], rest[i] = int32(n), int8(math.Round((t-n)*restUnits))
	}
	return Frequencies{lang.Const(f, whole, pairs), lang.Const(f, rest, pairs).Convert(dtype.F32).MulScalar(1.0 / restUnits)}
}

// Div divides the frequencies by d f32 [D/2]; where d is 1
// they stay as they are. They must be below half a turn per position.
func (x Frequencies) Div(d lang.Tensor) Frequencies {
	t := x.Whole.Convert(dtype.F32).Add(x.Rest).Div(d)
	whole := t.Round()
	same := d.Equal(d.Func().Splat(dtype.F32, 1).BroadcastOf(d.Dims()...))
	return Frequencies{same.Select(x.Whole, whole.Convert(dtype.I32)), same.Select(x.Rest, t.Sub(whole))}
}

// NewRotary computes the tables for positions [T], an i32. Interleaved pairs are
// adjacent elements; others are of the two halves of a head.
func NewRotary(positions lang.Tensor, x Frequencies, interleaved bool) Rotary {
	p := positions.Unsqueeze(1)
	angles := p.Mul(x.Whole.Unsqueeze(0)).Convert(dtype.F32).Add(p.Convert(dtype.F32).Mul(x.Rest.Unsqueeze(0))).MulScalar(2 * math.Pi / (1 << 32))
	return Rotary{angles.Cosine(), angles.Sine(), interleaved}
}

// RotaryFromTables returns the Rotary whose tables [T, D/2] another function computed.
func RotaryFromTables(cos, sin lang.Tensor, interleaved bool) Rotary {
	return Rotary{cos, sin, interleaved}
}

// Tables returns cosines and sines [T, D/2].
func (r Rotary) Tables() (cos, sin lang.Tensor) { return r.cos, r.sin }

// Apply rotates x [T, H, D].
func (r Rotary) Apply(x lang.Tensor) lang.Tensor {
	f, half := x.Func(), x.Dim(2)/2
	if r.cos.Dim(1) != half {
		panic(errs.New(lang.CodeMisuse, "the tables are for %d pairs, and the heads have %d elements", r.cos.Dim(1), x.Dim(2)))
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
