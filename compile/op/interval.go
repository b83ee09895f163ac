package op

import "math"

// Interval bounds the elements of a float tensor.
type Interval struct {
	Low, High float64
	NaN       bool // some may be NaN
}

// Bounds returns the interval of a result before rounding, given those
// of the operands, and false if nothing is known.
type Bounds func(in []Interval) (Interval, bool)

// Limits returns the limits within which an operation keeps its operand as it is, and to
// which it moves it from outside; other is the number that the second operand is, if there
// is one.
type Limits func(other float64) Interval

func from(low float64) Interval  { return Interval{Low: low, High: math.Inf(1)} }
func upTo(high float64) Interval { return Interval{Low: math.Inf(-1), High: high} }

func absBounds(in []Interval) (Interval, bool) {
	x := in[0]
	return Interval{max(x.Low, 0), max(math.Abs(x.Low), math.Abs(x.High)), x.NaN}, true
}

func minimumBounds(in []Interval) (Interval, bool) {
	a, b := in[0], in[1]
	return Interval{min(a.Low, b.Low), min(a.High, b.High), a.NaN || b.NaN}, true
}

func maximumBounds(in []Interval) (Interval, bool) {
	a, b := in[0], in[1]
	return Interval{max(a.Low, b.Low), max(a.High, b.High), a.NaN || b.NaN}, true
}

func clampBounds(in []Interval) (Interval, bool) {
	low, x, high := in[0], in[1], in[2]
	return Interval{min(max(x.Low, low.Low), high.Low), min(max(x.High, low.High), high.High), low.NaN || x.NaN || high.NaN}, true
}

func addBounds(in []Interval) (Interval, bool) {
	a, b := in[0], in[1]
	if math.IsInf(b.Low, 0) || math.IsInf(b.High, 0) {
		return Interval{}, false // infinities of opposite signs add up to NaN
	}
	return Interval{a.Low + b.Low, a.High + b.High, a.NaN || b.NaN}, true
}

func subtractBounds(in []Interval) (Interval, bool) {
	b := in[1]
	b.Low, b.High = -b.High, -b.Low
	return addBounds([]Interval{in[0], b})
}

// multiplyBounds handles products with one positive number.
func multiplyBounds(in []Interval) (Interval, bool) {
	a, b := in[0], in[1]
	if !(b.Low == b.High && b.Low > 0 && !math.IsInf(b.Low, 0)) {
		return Interval{}, false
	}
	return Interval{a.Low * b.Low, a.High * b.Low, a.NaN || b.NaN}, true
}
