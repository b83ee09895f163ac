package randgraph

import (
	"math"
	"slices"

	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
)

// Bounds of what graphs hold: the largest value, and the smallest that is not 0,
// which avoids subnormals, which some targets flush to 0.
var bounds = map[dtype.DType][2]float64{
	dtype.F16:  {1.0 / 1024, 4096},
	dtype.BF16: {1e-20, 1e6},
	dtype.F32:  {1e-20, 1e6},
	dtype.F64:  {1e-20, 1e6},
}

// loss bounds the distance of steady worlds relative to the largest element:
// beyond, a comparison would say little.
var loss = map[dtype.DType]float64{dtype.F16: 1.0 / 32, dtype.BF16: 1.0 / 8, dtype.F32: 1.0 / 1024, dtype.F64: 1e-6}

// most is the maximum number of elements of a tensor.
const most = 4096

// acceptable reports whether a tensor is fit to be compared: integers are the same in
// all worlds; floats are finite, of usual sizes, continuous and well conditioned. With
// special they may also be NaN, infinite or large, where they are so in all worlds.
func acceptable(w []tensor.Value, special bool) bool {
	d := w[0].Type.DType
	if n, err := w[0].Type.Shape.Elements(); err != nil || n > most || w[0].Type.Shape.Rank() > 6 {
		return false
	}
	same := equal(w)
	if !d.IsFloat() {
		return same
	}
	reference := numbers(w[0])
	usual := slices.Clone(reference)
	for i, x := range reference {
		size := math.Abs(x)
		switch {
		case math.IsInf(x, 0) && same: // of a maximum over nothing
		case special && isSpecial(d, x):
			usual[i] = 0
		case !(size <= bounds[d][1]), size != 0 && size < bounds[d][0]:
			return false
		}
	}
	if same {
		return true
	}
	near, far := 0.0, 0.0
	for i, v := range w[1:] {
		for j, x := range numbers(v) {
			if special && isSpecial(d, reference[j]) {
				if x != reference[j] && !(math.IsNaN(x) && math.IsNaN(reference[j])) {
					return false
				}
				continue
			}
			dist := math.Abs(x - reference[j])
			if !(dist <= bounds[d][1]) {
				return false
			}
			if i < steady {
				near = math.Max(near, dist)
			} else {
				far = math.Max(far, dist)
			}
		}
	}
	whole := 0.0
	for _, x := range usual {
		whole = math.Max(whole, math.Abs(x))
	}
	unit := math.Ldexp(whole, -d.Significand())
	return near <= whole*loss[d] && far <= whole/3 && far <= 4*coarse*(near+unit)
}

// Tolerances are the distances between the steady worlds times this, which is less
// than coarse: what lies within them was looked at by the rough worlds. Four
// distances, each of about one standard deviation, are all below 1/12 of it once in
// 50,000 elements; the usual distance in the tensor bounds those from below.
const factor = 12

// tolerances returns the allowed distance from the reference of each element.
func tolerances(w []tensor.Value) []float64 {
	reference := numbers(w[0])
	out := make([]float64, len(reference))
	if !w[0].Type.DType.IsFloat() || equal(w) {
		return out
	}
	relative := []float64{}
	for _, v := range w[1 : 1+steady] {
		for i, x := range numbers(v) {
			if dist := math.Abs(x - reference[i]); !math.IsNaN(dist) { // of NaN or infinities
				out[i] = math.Max(out[i], dist)
			}
		}
	}
	for i, x := range reference {
		if x != 0 && out[i] > 0 {
			relative = append(relative, out[i]/math.Abs(x))
		}
	}
	usual := 0.0
	if len(relative) > 0 {
		slices.Sort(relative)
		usual = relative[len(relative)/2]
	}
	for i, x := range reference {
		if size := math.Abs(x); size <= math.MaxFloat64 {
			out[i] = factor * math.Max(out[i], usual*size)
		}
	}
	return out
}

// difference is the first element of a result that is beyond its tolerance.
type difference struct {
	element   int
	got, want float64
	tolerance float64
}

// differs compares a result with the worlds; nil means that they agree.
func differs(got tensor.Value, w []tensor.Value) *difference {
	if !w[0].Type.DType.IsFloat() && got.Type.Equal(w[0].Type) {
		for i := range got.Bytes {
			if got.Bytes[i] != w[0].Bytes[i] {
				i /= max(w[0].Type.DType.Bits(), 8) / 8
				return &difference{i, numbers(got)[i], numbers(w[0])[i], 0}
			}
		}
		return nil
	}
	g, want, tol := numbers(got), numbers(w[0]), tolerances(w)
	for i, x := range g {
		if x != want[i] && !(math.IsNaN(x) && math.IsNaN(want[i])) && !(math.Abs(x-want[i]) <= tol[i]) {
			return &difference{i, x, want[i], tol[i]}
		}
	}
	return nil
}
