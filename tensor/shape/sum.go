package shape

import (
	"math"
	"math/bits"
	"slices"
	"strconv"
	"strings"
)

// A sum is the value of a dimension as a polynomial of named sizes with whole
// coefficients: terms sorted by their atoms, none zero, the constant last. nil
// is 0.
type sum []term

type term struct {
	coefficient int64
	atoms       []atom // sorted; none for the constant
}

// An atom is a name, or floor(of/by) of a sum that is no whole multiple of by,
// with what is written for it.
type atom struct {
	name string
	of   sum
	by   int64
}

func constant(n int64) sum {
	if n == 0 {
		return nil
	}
	return sum{{coefficient: n}}
}

// limits of what a dimension may say: larger results are of unknown size.
const (
	maxTerms = 16
	maxAtoms = 8 // of a term
	maxText  = 256
)

func floorOf(of sum, by int64) atom {
	text := of.text()
	if len(of) > 1 || of[0].coefficient != 1 || len(of[0].atoms) > 1 || of[0].atoms[0].of != nil {
		text = "(" + text + ")"
	}
	return atom{name: text + "/" + strconv.FormatInt(by, 10), of: of, by: by}
}

func (t term) key() string {
	parts := make([]string, len(t.atoms))
	for i, a := range t.atoms {
		parts[i] = a.name
	}
	return strings.Join(parts, "*")
}

// text is the canonical form: equal sums have equal texts.
func (s sum) text() string {
	if len(s) == 0 {
		return "0"
	}
	var b strings.Builder
	for i, t := range s {
		c := t.coefficient
		switch {
		case c < 0:
			b.WriteByte('-')
		case i > 0:
			b.WriteByte('+')
		}
		size := strconv.FormatUint(magnitude(c), 10)
		switch key := t.key(); {
		case key == "":
			b.WriteString(size)
		case size == "1":
			b.WriteString(key)
		default:
			b.WriteString(size + "*" + key)
		}
	}
	return b.String()
}

func magnitude(c int64) uint64 {
	if c < 0 {
		return -uint64(c)
	}
	return uint64(c)
}

// collect sorts terms and joins those with the same atoms; ok is false where a
// coefficient overflows or the result is too long.
func collect(terms []term) (s sum, ok bool) {
	keys := map[string]int{}
	for _, t := range terms {
		k := t.key()
		i, seen := keys[k]
		if !seen {
			keys[k] = len(s)
			s = append(s, t)
			continue
		}
		if s[i].coefficient, ok = add(s[i].coefficient, t.coefficient); !ok {
			return nil, false
		}
	}
	s = slices.DeleteFunc(s, func(t term) bool { return t.coefficient == 0 })
	slices.SortFunc(s, func(a, b term) int {
		if (len(a.atoms) == 0) != (len(b.atoms) == 0) { // the constant is last
			return len(b.atoms) - len(a.atoms)
		}
		return strings.Compare(a.key(), b.key())
	})
	if len(s) > maxTerms || len(s.text()) > maxText {
		return nil, false
	}
	if len(s) == 0 {
		s = nil
	}
	return s, true
}

func add(a, b int64) (int64, bool) {
	c := a + b
	return c, (c > a) == (b > 0)
}

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

func (s sum) plus(o sum) (sum, bool) { return collect(slices.Concat(s, o)) }

func (s sum) times(o sum) (sum, bool) {
	var terms []term
	for _, a := range s {
		for _, b := range o {
			c, ok := multiply(a.coefficient, b.coefficient)
			atoms := slices.Concat(a.atoms, b.atoms)
			if !ok || len(atoms) > maxAtoms {
				return nil, false
			}
			slices.SortStableFunc(atoms, func(x, y atom) int { return strings.Compare(x.name, y.name) })
			terms = append(terms, term{c, atoms})
		}
	}
	return collect(terms)
}

// floor divides by a positive number and rounds down: what by divides leaves
// the division, as in floor((4n + 5)/2) = 2n + 2.
func (s sum) floor(by int64) (sum, bool) {
	var whole, rest []term
	exact := true
	for _, t := range s {
		q := floorDiv(t.coefficient, by)
		r := t.coefficient - q*by
		if q != 0 {
			whole = append(whole, term{q, t.atoms})
		}
		if r != 0 {
			rest = append(rest, term{r, t.atoms})
			exact = exact && len(t.atoms) == 0
		}
	}
	if !exact { // a rest that is only a constant below by rounds to nothing
		inner, ok := collect(rest)
		if !ok {
			return nil, false
		}
		whole = append(whole, term{1, []atom{floorOf(inner, by)}})
	}
	return collect(whole)
}

func floorDiv(a, by int64) int64 {
	q := a / by
	if a%by < 0 {
		q--
	}
	return q
}

// least gives a lower bound where every name is 1 or more; ok is false where
// none is known.
func (s sum) least() (least int64, ok bool) {
	for _, t := range s {
		if t.coefficient >= 0 || len(t.atoms) == 0 {
			continue
		}
		if len(t.atoms) != 1 || t.atoms[0].of == nil || t.coefficient%t.atoms[0].by != 0 {
			continue
		}
		// -k floor(e/d) is at least -(k/d) e.
		a := t.atoms[0]
		k, ok := a.of.times(constant(t.coefficient / a.by))
		if !ok {
			return 0, false
		}
		others := slices.DeleteFunc(slices.Clone(s), func(o term) bool { return o.key() == t.key() })
		if s, ok = others.plus(k); !ok {
			return 0, false
		}
		return s.least()
	}
	for _, t := range s {
		v := t.coefficient
		for _, a := range t.atoms {
			low := int64(1)
			if a.of != nil {
				if low, ok = a.of.least(); !ok || low < 0 {
					return 0, false
				}
				low = floorDiv(low, a.by)
			}
			if v < 0 {
				return 0, false
			}
			if v, ok = multiply(v, low); !ok {
				return 0, false
			}
		}
		if least, ok = add(least, v); !ok {
			return 0, false
		}
	}
	return least, true
}

// eval gives the value for the sizes of the names.
func (s sum) eval(sizes map[string]int64) (total int64, ok bool) {
	for _, t := range s {
		v := t.coefficient
		for _, a := range t.atoms {
			n, known := sizes[a.name]
			if a.of != nil {
				if n, known = a.of.eval(sizes); known {
					n = floorDiv(n, a.by)
				}
			}
			if !known {
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

// names adds the names in s to the set.
func (s sum) names(set map[string]bool) {
	for _, t := range s {
		for _, a := range t.atoms {
			if a.of == nil {
				set[a.name] = true
			} else {
				a.of.names(set)
			}
		}
	}
}
