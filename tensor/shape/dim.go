package shape

import (
	"maps"
	"math"
	"slices"

	"github.com/skainet-dev/skainet-go/errs"
)

// A dynamic dimension's name is a size that a call gives, such as "batch", or a
// polynomial of such sizes: "batch*seq", "past+seq", "2*seq-1", "(seq+1)/2" (which rounds
// down). Names have one canonical form, so that equal polynomials have equal names. Every
// size that a call gives is at least 1.

// N returns a static dimension.
func N(size int64) Dim { return Dim{Size: size} }

// Named returns a dynamic dimension. The name may be a polynomial; one that is not well
// formed makes a dimension without a name.
func Named(name string) Dim {
	p, ok := polynomialOf(name)
	if !ok {
		return unknown
	}
	return dimOf(p)
}

// unknown is a size about which nothing is known.
var unknown = Dim{Size: Dynamic}

// invalid is the size of what arithmetic made negative or too large: no shape rule takes
// it, and arithmetic with it gives it again.
const invalid = math.MinInt64

// dimOf returns the dimension whose size is p.
func dimOf(p polynomial) Dim {
	n, number := p.isConstant()
	switch {
	case !number:
		name := p.String()
		keep(name, p)
		return Dim{Size: Dynamic, Name: name}
	case n < 0:
		return Dim{Size: invalid}
	}
	return Dim{Size: n}
}

// polynomial returns the size as a polynomial; ok is false for an unknown or invalid one.
func (d Dim) polynomial() (p polynomial, ok bool) {
	switch {
	case d.IsStatic():
		return constant(d.Size), d.Size >= 0
	case d.Name == "":
		return nil, false
	}
	return polynomialOf(d.Name)
}

// IsStatic reports whether the size is known.
func (d Dim) IsStatic() bool { return d.Size != Dynamic }

// IsKnown reports whether the size is a number or has a name.
func (d Dim) IsKnown() bool { return d.IsStatic() || d.Name != "" }

// IsName reports whether d is a size that a call gives.
func (d Dim) IsName() bool { return !d.IsStatic() && isName(d.Name) }

// Tells returns the name whose size d says, as times*name+plus: a call that gives d gives
// name the size (d-plus)/times. A name says itself. ok is false for other arithmetic.
func (d Dim) Tells() (name string, times, plus int64, ok bool) {
	p, ok := d.polynomial()
	if !ok || len(p) == 0 || len(p) > 2 || d.IsStatic() {
		return "", 0, 0, false
	}
	first := p[0]
	if len(first.factors) != 1 || !first.factors[0].isName() || first.coefficient < 1 {
		return "", 0, 0, false
	}
	if len(p) == 2 {
		if len(p[1].factors) > 0 { // the constant is last
			return "", 0, 0, false
		}
		plus = p[1].coefficient
	}
	return first.factors[0].text, first.coefficient, plus, true
}

// Same reports whether both are one size whatever the call: a dimension without a name is
// not even the same as another one without.
func (d Dim) Same(o Dim) bool { return d == o && d.IsKnown() }

// String returns "4", "batch?" or "?".
func (d Dim) String() string { return Shape{d}.String() }

// combine applies an operation on polynomials to two sizes.
func (d Dim) combine(o Dim, operation func(a, b polynomial) (polynomial, bool)) Dim {
	if d.Size < Dynamic || o.Size < Dynamic {
		return Dim{Size: invalid}
	}
	a, ok := d.polynomial()
	b, also := o.polynomial()
	if !ok || !also {
		return unknown
	}
	p, ok := operation(a, b)
	switch {
	case ok:
		return dimOf(p)
	case d.IsStatic() && o.IsStatic(): // too large a number
		return Dim{Size: invalid}
	}
	return unknown
}

// Plus returns d + o. A number that overflows or is negative makes a size that no shape
// rule takes; a name that gets too long makes an unknown size.
func (d Dim) Plus(o Dim) Dim { return d.combine(o, polynomial.plus) }

// Minus returns d - o.
func (d Dim) Minus(o Dim) Dim { return d.combine(o, polynomial.minus) }

// Times returns d o.
func (d Dim) Times(o Dim) Dim { return d.combine(o, polynomial.times) }

// FloorDiv returns d/by rounded down; by is at least 1.
func (d Dim) FloorDiv(by int64) Dim {
	return d.combine(N(0), func(p, _ polynomial) (polynomial, bool) {
		if by < 1 {
			return nil, false
		}
		return p.floorDiv(by)
	})
}

// DivisibleBy reports whether d is a multiple of by whatever the call.
func (d Dim) DivisibleBy(by int64) bool {
	return by > 0 && d.IsKnown() && d.FloorDiv(by).Times(N(by)) == d
}

// AtLeast reports whether d is n or more whatever the call.
func (d Dim) AtLeast(n int64) bool {
	p, ok := d.polynomial()
	if !ok {
		return false
	}
	least, ok := p.lowerBound()
	return ok && least >= n
}

// AtMost reports whether d is at most o whatever the call.
func (d Dim) AtMost(o Dim) bool { return d.Same(o) || o.Minus(d).AtLeast(0) }

// Names lists the sizes that a call gives and d depends on, sorted.
func (d Dim) Names() []string {
	p, ok := d.polynomial()
	if !ok {
		return nil
	}
	set := map[string]bool{}
	p.names(set)
	return slices.Sorted(maps.Keys(set))
}

// Bind returns d with numbers in place of those names that are in sizes.
func (d Dim) Bind(sizes map[string]int64) (Dim, error) {
	if d.IsStatic() || d.Name == "" {
		return d, nil
	}
	p, ok := d.polynomial()
	if !ok {
		return d, errs.New(CodeBad, "%q is not a valid dimension name", d.Name)
	}
	for _, n := range d.Names() {
		if _, known := sizes[n]; known {
			continue
		}
		if p, ok = p.bound(sizes); !ok {
			return d, errs.New(CodeOverflow, "dimension %s is more than 2^63", d)
		}
		return dimOf(p), nil
	}
	n, ok := p.value(sizes)
	if !ok {
		return d, errs.New(CodeOverflow, "dimension %s is more than 2^63", d)
	}
	if n < 0 {
		return d, errs.New(CodeBad, "dimension %s is %d", d, n)
	}
	return N(n), nil
}

// Bind returns the shape with numbers in place of the names.
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

// IsKnown reports whether every size is a number or has a name.
func (s Shape) IsKnown() bool {
	return !slices.ContainsFunc(s, func(d Dim) bool { return !d.IsKnown() })
}

// Same reports whether both have the same sizes whatever the call.
func (s Shape) Same(o Shape) bool { return slices.EqualFunc(s, o, Dim.Same) }

// Product returns the number of elements as a dimension.
func (s Shape) Product() Dim {
	n := N(1)
	for _, d := range s {
		n = n.Times(d)
	}
	return n
}
