package shape

import "slices"

// lowerBound returns a number that p is not below where every name is 1 or more; ok is
// false where none is known.
func (p polynomial) lowerBound() (least int64, ok bool) {
	for i, t := range p {
		if t.coefficient < 0 && len(t.factors) == 1 && !t.factors[0].isName() && t.coefficient%t.factors[0].divisor == 0 {
			// -k floor(e/d) is at least -(k/d) e, which may cancel with other terms.
			q := t.factors[0]
			exact, ok := q.numerator.times(constant(t.coefficient / q.divisor))
			if !ok {
				return 0, false
			}
			rest, ok := slices.Delete(slices.Clone(p), i, i+1).plus(exact)
			if !ok {
				return 0, false
			}
			return rest.lowerBound()
		}
	}
	for _, t := range p {
		v, ok := t.lowerBound()
		if !ok {
			return p.lowerByQuotient()
		}
		if least, ok = add(least, v); !ok {
			return 0, false
		}
	}
	return least, true
}

// lowerByQuotient is lowerBound with a quotient without its rounding: k floor(e/d) is at
// least (k/d) (e - d + 1), which may cancel with other terms, as in padding to a multiple.
func (p polynomial) lowerByQuotient() (least int64, ok bool) {
	if by := p.divisors(); by > 1 { // by p is by times p's bound, which then is cancelled in whole numbers
		scaled, ok := p.times(constant(by))
		if !ok {
			return 0, false
		}
		if least, ok = scaled.lowerBound(); !ok {
			return 0, false
		}
		return -floorDiv(-least, by), true
	}
	for i, t := range p {
		if t.coefficient < 1 || len(t.factors) != 1 || t.factors[0].isName() || t.coefficient%t.factors[0].divisor != 0 {
			continue
		}
		q := t.factors[0]
		low, ok := q.numerator.plus(constant(1 - q.divisor))
		if !ok {
			return 0, false
		}
		if low, ok = low.times(constant(t.coefficient / q.divisor)); !ok {
			return 0, false
		}
		rest, ok := slices.Delete(slices.Clone(p), i, i+1).plus(low)
		if !ok {
			return 0, false
		}
		return rest.lowerBound()
	}
	return 0, false
}

// maxDivisors bounds the number by which a polynomial is multiplied to be bounded.
const maxDivisors = 1 << 24

// divisors returns the least number by which p has to be multiplied so that the coefficient of each
// quotient, as the only factor of a term, is a multiple of the divisor; 1 also if it is too large.
func (p polynomial) divisors() int64 {
	by := int64(1)
	for _, t := range p {
		if len(t.factors) != 1 || t.factors[0].isName() || by > maxDivisors {
			continue
		}
		lacks := t.factors[0].divisor / gcd(t.coefficient, t.factors[0].divisor)
		if lacks > maxDivisors {
			return 1
		}
		by = by / gcd(by, lacks) * lacks
	}
	if by > maxDivisors {
		return 1
	}
	return by
}

// gcd returns the greatest common divisor of a and b, which is positive.
func gcd(a, b int64) int64 {
	for a != 0 {
		a, b = b%a, a
	}
	return max(b, -b)
}

func (t term) lowerBound() (least int64, ok bool) {
	least = t.coefficient
	if least < 0 && len(t.factors) > 0 { // factors are not bounded above
		return 0, false
	}
	for _, f := range t.factors {
		low := int64(1)
		if !f.isName() {
			if low, ok = f.numerator.lowerBound(); !ok || low < 0 {
				return 0, false
			}
			low = floorDiv(low, f.divisor)
		}
		if least, ok = multiply(least, low); !ok {
			return 0, false
		}
	}
	return least, true
}

// value returns the value of p for the sizes of its names; ok is false where one is
// missing or the value overflows.
func (p polynomial) value(sizes map[string]int64) (total int64, ok bool) {
	for _, t := range p {
		v := t.coefficient
		for _, f := range t.factors {
			n, ok := f.value(sizes)
			if !ok {
				return 0, false
			}
			if v, ok = multiply(v, n); !ok {
				return 0, false
			}
		}
		if total, ok = add(total, v); !ok {
			return 0, false
		}
	}
	return total, true
}

func (f factor) value(sizes map[string]int64) (n int64, ok bool) {
	if f.isName() {
		n, ok = sizes[f.text]
		return n, ok
	}
	n, ok = f.numerator.value(sizes)
	return floorDiv(n, f.divisor), ok
}

// bound returns p with numbers in place of those names that are in sizes; ok is false where
// it overflows.
func (p polynomial) bound(sizes map[string]int64) (sum polynomial, ok bool) {
	for _, t := range p {
		part := constant(t.coefficient)
		for _, f := range t.factors {
			with := polynomial{{1, []factor{f}}}
			if n, known := sizes[f.text]; f.isName() && known {
				with = constant(n)
			} else if !f.isName() {
				if with, ok = f.numerator.bound(sizes); ok {
					with, ok = with.floorDiv(f.divisor)
				}
				if !ok {
					return nil, false
				}
			}
			if part, ok = part.times(with); !ok {
				return nil, false
			}
		}
		if sum, ok = sum.plus(part); !ok {
			return nil, false
		}
	}
	return sum, true
}

// names adds the names in p to the set.
func (p polynomial) names(set map[string]bool) {
	for _, t := range p {
		for _, f := range t.factors {
			if f.isName() {
				set[f.text] = true
			} else {
				f.numerator.names(set)
			}
		}
	}
}

// Fold computes d from the sizes of its names: a way to write a dimension in another
// language. d has a name. floor rounds down and gets a positive divisor.
func Fold[T any](d Dim, number func(int64) T, name func(string) T, plus, times func(a, b T) T, floor func(a T, by int64) T) T {
	p, _ := d.polynomial()
	return folder[T]{number, name, plus, times, floor}.sum(p)
}

type folder[T any] struct {
	number      func(int64) T
	name        func(string) T
	plus, times func(a, b T) T
	floor       func(a T, by int64) T
}

func (x folder[T]) sum(p polynomial) (total T) {
	for i, t := range p {
		if v := x.product(t); i == 0 {
			total = v
		} else {
			total = x.plus(total, v)
		}
	}
	return total
}

// product leaves out a coefficient of 1, except for the constant.
func (x folder[T]) product(t term) (v T) {
	begun := t.coefficient != 1 || len(t.factors) == 0
	if begun {
		v = x.number(t.coefficient)
	}
	for _, f := range t.factors {
		w := x.factor(f)
		if begun {
			w = x.times(v, w)
		}
		v, begun = w, true
	}
	return v
}

func (x folder[T]) factor(f factor) T {
	if f.isName() {
		return x.name(f.text)
	}
	return x.floor(x.sum(f.numerator), f.divisor)
}
