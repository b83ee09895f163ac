package shape

import (
	"math"
	"math/bits"
	"slices"
	"strconv"
	"strings"
)

// polynomial is the value of a dimension: a sum of terms with integer coefficients,
// none of them zero, sorted by the names of their factors, the constant last. nil is 0.
// Polynomials are shared and never changed.
type polynomial []term

// term is a coefficient times factors.
type term struct {
	coefficient int64
	factors     []factor // sorted by text; none in the constant
}

// factor is a size that a call gives, or a quotient rounded down: exactly one of name
// and numerator is set.
type factor struct {
	text      string // how it is written: "n", or "(n+1)/2"
	numerator polynomial
	divisor   int64
}

func (f factor) isName() bool { return f.numerator == nil }

// Limits of what a dimension may say: a larger result is an unknown size.
const (
	maxTerms   = 16
	maxFactors = 8 // of a term
	maxText    = 256
)

func constant(n int64) polynomial {
	if n == 0 {
		return nil
	}
	return polynomial{{coefficient: n}}
}

func variable(name string) polynomial { return polynomial{{1, []factor{{text: name}}}} }

// isConstant reports whether p is a number, and which.
func (p polynomial) isConstant() (int64, bool) {
	switch {
	case len(p) == 0:
		return 0, true
	case len(p[0].factors) == 0: // the constant is last, so that it is alone
		return p[0].coefficient, true
	}
	return 0, false
}

// plus returns p + q; ok is false where it overflows or exceeds the limits, here and
// below.
func (p polynomial) plus(q polynomial) (sum polynomial, ok bool) {
	return normalize(slices.Concat(p, q))
}

// minus returns p - q.
func (p polynomial) minus(q polynomial) (difference polynomial, ok bool) {
	negative, ok := q.times(constant(-1))
	if !ok {
		return nil, false
	}
	return p.plus(negative)
}

// times returns p q: each term of one by each of the other.
func (p polynomial) times(q polynomial) (product polynomial, ok bool) {
	var terms []term
	for _, a := range p {
		for _, b := range q {
			c, ok := multiply(a.coefficient, b.coefficient)
			factors := slices.Concat(a.factors, b.factors)
			if !ok || len(factors) > maxFactors {
				return nil, false
			}
			slices.SortStableFunc(factors, func(x, y factor) int { return strings.Compare(x.text, y.text) })
			terms = append(terms, term{c, factors})
		}
	}
	return normalize(terms)
}

// floorDiv returns p/by rounded down; by is at least 1. Multiples of by leave the
// quotient, as in floor((4n + 5)/2) = 2n + 2 + floor(1/2), whose last term is 0.
func (p polynomial) floorDiv(by int64) (quotient polynomial, ok bool) {
	var whole, rest []term
	for _, t := range p {
		q := floorDiv(t.coefficient, by)
		r := t.coefficient - q*by
		if q != 0 {
			whole = append(whole, term{q, t.factors})
		}
		if r != 0 {
			rest = append(rest, term{r, t.factors})
		}
	}
	numerator, ok := normalize(rest)
	if !ok {
		return nil, false
	}
	if _, number := numerator.isConstant(); !number { // a number below by rounds to 0
		whole = append(whole, term{1, []factor{quotientOf(numerator, by)}})
	}
	return normalize(whole)
}

func quotientOf(numerator polynomial, divisor int64) factor {
	text := numerator.String()
	if !numerator.isVariable() {
		text = "(" + text + ")"
	}
	return factor{text + "/" + strconv.FormatInt(divisor, 10), numerator, divisor}
}

// isVariable reports whether p is one name.
func (p polynomial) isVariable() bool {
	return len(p) == 1 && p[0].coefficient == 1 && len(p[0].factors) == 1 && p[0].factors[0].isName()
}

// normalize adds up terms with the same factors and sorts them.
func normalize(terms []term) (p polynomial, ok bool) {
	places := map[string]int{}
	for _, t := range terms {
		k := t.key()
		i, seen := places[k]
		if !seen {
			places[k] = len(p)
			p = append(p, t)
			continue
		}
		if p[i].coefficient, ok = add(p[i].coefficient, t.coefficient); !ok {
			return nil, false
		}
	}
	p = slices.DeleteFunc(p, func(t term) bool { return t.coefficient == 0 })
	slices.SortFunc(p, func(a, b term) int {
		if (len(a.factors) == 0) != (len(b.factors) == 0) { // the constant is last
			return len(b.factors) - len(a.factors)
		}
		return strings.Compare(a.key(), b.key())
	})
	if len(p) > maxTerms || len(p.String()) > maxText {
		return nil, false
	}
	if len(p) == 0 {
		return nil, true
	}
	return p, true
}

// key is the text of the factors: terms of one key are added up.
func (t term) key() string {
	parts := make([]string, len(t.factors))
	for i, f := range t.factors {
		parts[i] = f.text
	}
	return strings.Join(parts, "*")
}

// add returns a + b unless it overflows.
func add(a, b int64) (int64, bool) {
	c := a + b
	return c, (c > a) == (b > 0)
}

// multiply returns a b unless it overflows.
func multiply(a, b int64) (int64, bool) {
	high, low := bits.Mul64(magnitude(a), magnitude(b))
	if high != 0 || low > math.MaxInt64 {
		return 0, false
	}
	if (a < 0) != (b < 0) {
		return -int64(low), true
	}
	return int64(low), true
}

func magnitude(c int64) uint64 {
	if c < 0 {
		return -uint64(c)
	}
	return uint64(c)
}

// floorDiv returns a/by rounded down; by is at least 1.
func floorDiv(a, by int64) int64 {
	q := a / by
	if a%by < 0 {
		q--
	}
	return q
}
