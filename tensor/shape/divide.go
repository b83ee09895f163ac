package shape

import (
	"slices"
	"strings"
)

// Over returns d/o where it is exact whatever the call, such as batch*seq over batch, and
// an unknown size where it is not. A size of 0 is over nothing.
func (d Dim) Over(o Dim) Dim {
	if d.Same(o) && (!d.IsStatic() || d.Size > 0) {
		return N(1)
	}
	q := d.combine(o, func(a, b polynomial) (polynomial, bool) {
		if len(b) == 0 {
			return nil, false
		}
		return a.over(b)
	})
	if !q.IsKnown() || q.Times(o) != d {
		return unknown
	}
	return q
}

// over divides by long division of greatest terms. Its result is a quotient only if its
// product with q is p.
func (p polynomial) over(q polynomial) (quotient polynomial, ok bool) {
	lead, rest := q.greatest(), p
	for range maxTerms {
		if len(rest) == 0 {
			return quotient, true
		}
		t, ok := rest.greatest().over(lead)
		if !ok {
			return nil, false
		}
		part, ok := q.times(polynomial{t})
		if !ok {
			return nil, false
		}
		if rest, ok = rest.minus(part); !ok {
			return nil, false
		}
		if quotient, ok = quotient.plus(polynomial{t}); !ok {
			return nil, false
		}
	}
	return nil, false
}

// greatest returns the term of the most factors, and of these the one whose factors come
// first by name, with more of the first of them.
func (p polynomial) greatest() term {
	return slices.MinFunc(p, func(a, b term) int {
		if len(a.factors) != len(b.factors) {
			return len(b.factors) - len(a.factors)
		}
		return slices.CompareFunc(a.factors, b.factors, func(x, y factor) int { return strings.Compare(x.text, y.text) })
	})
}

// over returns t/o if o's factors are among those of t.
func (t term) over(o term) (term, bool) {
	if t.coefficient%o.coefficient != 0 || o.coefficient == -1 {
		return term{}, false
	}
	left := slices.Clone(t.factors)
	for _, f := range o.factors {
		i := slices.IndexFunc(left, func(g factor) bool { return g.text == f.text })
		if i < 0 {
			return term{}, false
		}
		left = slices.Delete(left, i, i+1)
	}
	return term{t.coefficient / o.coefficient, left}, true
}
