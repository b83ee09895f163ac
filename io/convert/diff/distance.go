package diff

import "math"

// Distance measures how far apart the values of two tensors are. Pairs in which one
// value is NaN, or infinite where the other is not the same infinity, are
// counted and take no part in the sums; two NaNs are the same value.
type Distance struct {
	Elements  int64 `json:"elements"`
	Different int64 `json:"different"` // pairs whose values are not the same
	First     int64 `json:"first"`     // row-major index of the first of them; -1 for none
	NaNA      int64 `json:"nan_a"`     // NaNs
	NaNB      int64 `json:"nan_b"`
	NaNOne    int64 `json:"nan_one"`  // pairs with one NaN, which are different
	Infinite  int64 `json:"infinite"` // different pairs with an infinity and no NaN

	MaxAbs  float64 `json:"max_abs"`  // largest |a-b|
	MaxAt   int64   `json:"max_at"`   // its row-major index, the first; -1 for no difference
	MeanAbs float64 `json:"mean_abs"` // of |a-b|
	RMS     float64 `json:"rms"`      // root of the mean of (a-b)^2
	Cosine  float64 `json:"cosine"`   // 1 for two vectors of zeros, 0 for one
}

// Within reports whether every pair of values is the same, or at most so far apart: none
// has one NaN, or an infinity of one side.
func (d *Distance) Within(most float64) bool {
	return d.Different == 0 || d.MaxAbs <= most && d.Infinite+d.NaNOne == 0
}

// sums are the parts of a distance over some elements.
type sums struct {
	d                          Distance
	pairs                      int64 // that take part
	abs, square, aa, bb, cross float64
}

// none is a sum over no elements.
func none() sums { return sums{d: Distance{First: -1, MaxAt: -1}} }

// add adds the values of the elements from index at on.
func (s *sums) add(a, b []float64, at int64) {
	for i, x := range a {
		y := b[i]
		if x != x || y != y {
			s.odd(x, y, at+int64(i))
			continue
		}
		diff := x - y
		if x == y { // infinities too, whose difference is NaN
			diff = 0
		}
		if math.IsInf(x, 0) || math.IsInf(y, 0) {
			if x != y {
				s.differs(at + int64(i))
				s.d.Infinite++
			}
			continue
		}
		s.pairs++
		s.aa += x * x
		s.bb += y * y
		s.cross += x * y
		if diff == 0 {
			continue
		}
		s.differs(at + int64(i))
		diff = math.Abs(diff)
		s.abs += diff
		s.square += diff * diff
		if diff > s.d.MaxAbs {
			s.d.MaxAbs, s.d.MaxAt = diff, at+int64(i)
		}
	}
	s.d.Elements += int64(len(a))
}

// odd adds a pair with a NaN.
func (s *sums) odd(x, y float64, at int64) {
	if x != x {
		s.d.NaNA++
	}
	if y != y {
		s.d.NaNB++
	}
	if x == x || y == y {
		s.d.NaNOne++
		s.differs(at)
	}
}

func (s *sums) differs(at int64) {
	s.d.Different++
	if s.d.First < 0 {
		s.d.First = at
	}
}

// merge adds the sums over the elements that follow.
func (s *sums) merge(o sums) {
	s.d.Elements += o.d.Elements
	s.d.Different += o.d.Different
	if s.d.First < 0 {
		s.d.First = o.d.First
	}
	s.d.NaNA += o.d.NaNA
	s.d.NaNB += o.d.NaNB
	s.d.NaNOne += o.d.NaNOne
	s.d.Infinite += o.d.Infinite
	if o.d.MaxAbs > s.d.MaxAbs {
		s.d.MaxAbs, s.d.MaxAt = o.d.MaxAbs, o.d.MaxAt
	}
	s.pairs += o.pairs
	s.abs += o.abs
	s.square += o.square
	s.aa += o.aa
	s.bb += o.bb
	s.cross += o.cross
}

// distance completes the means. A sum of f64 values that is beyond f64 is given
// as the largest f64, since JSON has no infinity.
func (s *sums) distance() *Distance {
	d := s.d
	finite := func(x float64) float64 { return max(-math.MaxFloat64, min(x, math.MaxFloat64)) }
	d.MaxAbs = finite(d.MaxAbs)
	if s.pairs > 0 {
		d.MeanAbs = finite(s.abs / float64(s.pairs))
		d.RMS = finite(math.Sqrt(s.square / float64(s.pairs)))
	}
	switch {
	case s.aa == 0 && s.bb == 0:
		d.Cosine = 1
	case s.aa == 0 || s.bb == 0:
		d.Cosine = 0
	default:
		d.Cosine = s.cross / (math.Sqrt(s.aa) * math.Sqrt(s.bb))
		if d.Cosine != d.Cosine { // of infinite sums
			d.Cosine = 0
		}
	}
	return &d
}
