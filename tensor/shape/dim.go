package shape

import (
	"math"
	"slices"
	"sort"

	"github.com/skainet-dev/skainet-go/errs"
)

// A dynamic dimension's name is a size that a call gives, such as "batch", or a
// sum of products of them: "batch*seq", "past+seq", "2*seq-1", "(seq+1)/2" (which
// rounds down). Names are kept in one form, so that equal sums have equal names.
// Every size that a call gives is at least 1.

// N is a static dimension.
func N(size int64) Dim { return Dim{Size: size} }

// Named is a dynamic dimension. The name may be a sum; one that is not well
// formed gives a dimension without a name.
func Named(name string) Dim {
	s, ok := parseSum(name)
	return dimOf(s, ok)
}

// invalid is the size of what arithmetic made negative.
const invalid = math.MinInt64

func dimOf(s sum, ok bool) Dim {
	switch {
	case !ok:
		return Dim{Size: Dynamic}
	case len(s) == 0:
		return Dim{}
	case len(s[0].atoms) > 0:
		return Dim{Size: Dynamic, Name: s.text()}
	case s[0].coefficient < 0:
		return Dim{Size: invalid}
	}
	return Dim{Size: s[0].coefficient}
}

func (d Dim) sum() (sum, bool) {
	if d.Size != Dynamic {
		return constant(d.Size), d.Size >= 0
	}
	if d.Name == "" {
		return nil, false
	}
	return parseSum(d.Name)
}

// IsStatic says whether the size is known.
func (d Dim) IsStatic() bool { return d.Size != Dynamic }

// IsKnown says whether the size is a number or has a name.
func (d Dim) IsKnown() bool { return d.Size != Dynamic || d.Name != "" }

// Same says whether both are one size whatever the call: a dimension without a
// name is not even the same as another one without.
func (d Dim) Same(o Dim) bool { return d == o && d.IsKnown() }

// String gives "4", "batch?" or "?".
func (d Dim) String() string { return Shape{d}.String() }

func (d Dim) with(o Dim, f func(a, b sum) (sum, bool)) Dim {
	a, ok := d.sum()
	b, also := o.sum()
	if !ok || !also {
		if d.Size < Dynamic || o.Size < Dynamic {
			return Dim{Size: invalid}
		}
		return Dim{Size: Dynamic}
	}
	s, ok := f(a, b)
	if !ok && d.IsStatic() && o.IsStatic() { // too large a number
		return Dim{Size: invalid}
	}
	return dimOf(s, ok)
}

// Plus gives d + o. A number that overflows or is negative gives a size that no
// shape rule takes; a name that gets too long gives an unknown size.
func (d Dim) Plus(o Dim) Dim { return d.with(o, sum.plus) }

// Minus gives d - o.
func (d Dim) Minus(o Dim) Dim {
	return d.with(o, func(a, b sum) (sum, bool) {
		b, ok := b.times(constant(-1))
		if !ok {
			return nil, false
		}
		return a.plus(b)
	})
}

// Times gives d o.
func (d Dim) Times(o Dim) Dim { return d.with(o, sum.times) }

// FloorDiv returns d/by rounded down; by is at least 1.
func (d Dim) FloorDiv(by int64) Dim {
	return d.with(Dim{}, func(a, _ sum) (sum, bool) {
		if by < 1 {
			return nil, false
		}
		return a.floor(by)
	})
}

// DivisibleBy reports whether d is a multiple of by whatever the call.
func (d Dim) DivisibleBy(by int64) bool {
	return by > 0 && d.IsKnown() && d.FloorDiv(by).Times(N(by)) == d
}

// AtLeast says whether d is n or more whatever the call.
func (d Dim) AtLeast(n int64) bool {
	s, ok := d.sum()
	if !ok {
		return false
	}
	least, ok := s.least()
	return ok && least >= n
}

// AtMost says whether d is at most o whatever the call.
func (d Dim) AtMost(o Dim) bool { return d.Same(o) || o.Minus(d).AtLeast(0) }

// Names lists the sizes that a call gives and d depends on, sorted.
func (d Dim) Names() []string {
	s, ok := d.sum()
	if !ok {
		return nil
	}
	set := map[string]bool{}
	s.names(set)
	names := make([]string, 0, len(set))
	for n := range set {
		names = append(names, n)
	}
	sort.Strings(names)
	return names
}

// Bind gives d with numbers in place of the names. A name that is not in sizes
// leaves d as it is.
func (d Dim) Bind(sizes map[string]int64) (Dim, error) {
	if d.Size != Dynamic || d.Name == "" {
		return d, nil
	}
	s, ok := parseSum(d.Name)
	if !ok {
		return d, errs.New(CodeBad, "%q is no name of a dimension", d.Name)
	}
	for _, n := range d.Names() {
		if _, known := sizes[n]; !known {
			return d, nil
		}
	}
	n, ok := s.eval(sizes)
	if !ok {
		return d, errs.New(CodeOverflow, "dimension %s is more than 2^63", d)
	}
	if n < 0 {
		return d, errs.New(CodeBad, "dimension %s is %d", d, n)
	}
	return Dim{Size: n}, nil
}

// Bind gives the shape with numbers in place of the names.
func (s Shape) Bind(sizes map[string]int64) (Shape, error) {
	if s.IsStatic() {
		return s, nil
	}
	out := slices.Clone(s)
	for i, d := range out {
		var err error
		if out[i], err = d.Bind(sizes); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// IsKnown says whether every size is a number or has a name.
func (s Shape) IsKnown() bool {
	return !slices.ContainsFunc(s, func(d Dim) bool { return !d.IsKnown() })
}

// Same says whether both have the same sizes whatever the call.
func (s Shape) Same(o Shape) bool { return slices.EqualFunc(s, o, Dim.Same) }

// Product gives the number of elements as a dimension.
func (s Shape) Product() Dim {
	n := N(1)
	for _, d := range s {
		n = n.Times(d)
	}
	return n
}

// Fold computes d from the sizes of its names: a way to write a dimension in
// another language. d has a name. floor rounds down and gets a positive divisor.
func Fold[T any](d Dim, number func(int64) T, name func(string) T, plus, times func(a, b T) T, floor func(a T, by int64) T) T {
	s, _ := d.sum()
	return fold(s, number, name, plus, times, floor)
}

func fold[T any](s sum, number func(int64) T, name func(string) T, plus, times func(a, b T) T, floor func(a T, by int64) T) T {
	var total T
	for i, t := range s {
		var v T
		have := t.coefficient != 1 || len(t.atoms) == 0
		if have {
			v = number(t.coefficient)
		}
		for _, a := range t.atoms {
			var f T
			if a.of == nil {
				f = name(a.name)
			} else {
				f = floor(fold(a.of, number, name, plus, times, floor), a.by)
			}
			if have {
				f = times(v, f)
			}
			v, have = f, true
		}
		if i == 0 {
			total = v
		} else {
			total = plus(total, v)
		}
	}
	return total
}
