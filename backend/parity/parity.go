// Package parity compares the results of two backends.
//
// Floats agree when |got - want| <= Abs + Rel*|want|, with one tolerance for
// each element type; integers and bools agree when they are equal. An infinity
// agrees only with the same infinity, and a NaN agrees with nothing unless the
// rules say that two NaNs do.
//
// # Errors
//
// PARITY_MISMATCH from Report.Err, with the first and the worst place;
// PARITY_BAD_INPUT if the two lists cannot be compared at all.
//
// # Determinism
//
// A report and its text depend only on the values and the rules.
package parity

import (
	"math"

	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
)

// Codes of this package.
const (
	CodeMismatch errs.Code = "PARITY_MISMATCH"  // a result that is not the reference's
	CodeInput    errs.Code = "PARITY_BAD_INPUT" // smallest input: two results compared with one
)

// Tolerance is the allowed difference: Abs + Rel*|want|.
type Tolerance struct {
	Abs, Rel float64
}

// Rules defines which values agree.
type Rules struct {
	Float    map[dtype.DType]Tolerance // by element type; types without one must be equal
	NaNEqual bool                      // a NaN agrees with a NaN
}

// Default returns tolerances for programs that sum a few thousand products in
// f32. Two orders of summation of n terms differ by about sqrt(n) roundings,
// 2^-24*sqrt(4096) = 4e-6 of the largest partial sum; layers multiply that by
// about ten. f16 and bf16 results add one rounding of their own, 2^-11 and
// 2^-8, doubled.
func Default() Rules {
	return Rules{Float: map[dtype.DType]Tolerance{
		dtype.F64:  {Abs: 1e-10, Rel: 1e-10},
		dtype.F32:  {Abs: 1e-4, Rel: 1e-4},
		dtype.F16:  {Abs: 1e-3, Rel: 1e-3},
		dtype.BF16: {Abs: 8e-3, Rel: 8e-3},
	}}
}

// Place is one element that does not agree.
type Place struct {
	Index     []int64
	Got, Want string
	Diff      float64 // |got - want|; +Inf where one is NaN or an infinity
}

// Result is the comparison of one tensor.
type Result struct {
	Name       string
	Type       tensor.Type
	Tolerance  Tolerance
	Elements   int64
	Mismatches int64
	MaxAbs     float64 // largest |got - want| of all finite pairs
	MaxRel     float64 // largest |got - want| / |want| with want not 0
	NaNs       int64   // pairs of NaN
	First      *Place  // nil when all agree
	Worst      *Place  // of the mismatches, the one with the largest Diff
}

// Report is the comparison of all results.
type Report struct {
	Title    string
	Results  []Result
	Recorded bool // against results of another implementation
}

// Compare compares got with want, tensor by tensor; names may be short or nil.
func Compare(title string, names []string, got, want []tensor.Value, rules Rules) (*Report, error) {
	if len(got) != len(want) {
		return nil, errs.New(CodeInput, "%d results against %d", len(got), len(want)).On(title)
	}
	r := &Report{Title: title}
	for i := range want {
		name := ""
		if i < len(names) {
			name = names[i]
		}
		res, err := compare(name, got[i], want[i], rules)
		if err != nil {
			return nil, errs.Wrap(CodeInput, err, "result %d %q", i, name).On(title)
		}
		r.Results = append(r.Results, res)
	}
	return r, nil
}

func compare(name string, got, want tensor.Value, rules Rules) (Result, error) {
	if !got.Type.Equal(want.Type) {
		return Result{}, errs.New(CodeInput, "%s against %s", got.Type, want.Type)
	}
	for _, v := range []tensor.Value{got, want} {
		if err := v.Check(); err != nil {
			return Result{}, err
		}
	}
	at, err := elementsOf(want.Type.DType)
	if err != nil {
		return Result{}, err
	}
	n, err := want.Type.Shape.Elements()
	if err != nil {
		return Result{}, err
	}
	res := Result{Name: name, Type: want.Type, Elements: n, Tolerance: rules.Float[want.Type.DType]}
	for i := int64(0); i < n; i++ {
		g, w := at(got.Bytes, i), at(want.Bytes, i)
		diff, ok := res.pair(g, w, rules)
		if ok {
			continue
		}
		res.Mismatches++
		if res.First != nil && diff <= res.Worst.Diff {
			continue
		}
		p := &Place{Index: unravel(i, want.Type.Shape.Sizes()), Got: g.String(), Want: w.String(), Diff: diff}
		if res.First == nil {
			res.First = p
		}
		res.Worst = p
	}
	return res, nil
}

// pair judges one pair and keeps the largest differences.
func (r *Result) pair(g, w element, rules Rules) (diff float64, ok bool) {
	if !g.float {
		diff = g.minus(w)
		r.MaxAbs = math.Max(r.MaxAbs, diff)
		if size := w.minus(element{unsigned: w.unsigned}); size > 0 {
			r.MaxRel = math.Max(r.MaxRel, diff/size)
		}
		return diff, g == w
	}
	a, b := g.f, w.f
	switch {
	case math.IsNaN(a) && math.IsNaN(b):
		r.NaNs++
		return math.Inf(1), rules.NaNEqual
	case math.IsNaN(a) || math.IsNaN(b):
		return math.Inf(1), false
	case math.IsInf(a, 0) || math.IsInf(b, 0):
		return math.Inf(1), a == b
	}
	diff = math.Abs(a - b)
	r.MaxAbs = math.Max(r.MaxAbs, diff)
	if b != 0 {
		r.MaxRel = math.Max(r.MaxRel, diff/math.Abs(b))
	}
	return diff, diff <= r.Tolerance.Abs+r.Tolerance.Rel*math.Abs(b)
}

// unravel returns the index of the i-th element in row-major order.
func unravel(i int64, sizes []int64) []int64 {
	index := make([]int64, len(sizes))
	for d := len(sizes) - 1; d >= 0; d-- {
		index[d] = i % sizes[d]
		i /= sizes[d]
	}
	return index
}
