package jinja

import (
	"math"
	"math/bits"
	"strings"
)

// operate returns a op b for an operator of arithmetic.
func (s *state) operate(op string, a, b value) value {
	for _, v := range []value{a, b} {
		switch v := v.(type) {
		case undefined:
			s.missing(v)
		case markup:
			if op == "+" {
				if sum, ok := s.addMarkup(a, b); ok {
					return sum
				}
			}
			s.plain(v)
		}
	}
	ai, af, aw, aok := number64(a)
	bi, bf, bw, bok := number64(b)
	switch {
	case aok && bok && aw && bw:
		return s.whole(op, ai, bi)
	case aok && bok:
		return s.real(op, af, bf)
	case op == "%":
		if t, ok := a.(string); ok {
			return s.format(t, b)
		}
	case op == "+":
		at, aok := a.(string)
		bt, bok := b.(string)
		if aok && bok {
			s.spend(len(at) + len(bt))
			return at + bt
		}
		al, aok := a.(*list)
		bl, bok := b.(*list)
		if aok && bok && al.tuple == bl.tuple && al.view == "" && bl.view == "" && !al.once && !bl.once {
			s.spendTimes(int64(len(al.items)+len(bl.items)), 16)
			return &list{items: append(append([]value{}, al.items...), bl.items...), tuple: al.tuple}
		}
	case op == "*":
		if aok && aw {
			a, b, bi = b, a, ai
		} else if !bok || !bw {
			break
		}
		switch a := a.(type) {
		case string:
			s.spendTimes(bi, int64(len(a)))
			return strings.Repeat(a, repeats(bi, len(a)))
		case *list:
			if a.view != "" || a.once {
				break
			}
			s.spendTimes(bi, 16*int64(len(a.items)))
			out := &list{tuple: a.tuple}
			for range repeats(bi, len(a.items)) {
				out.items = append(out.items, a.items...)
			}
			return out
		}
	}
	s.fail("unsupported operand type(s) for %s: '%s' and '%s'", op, typeName(a), typeName(b))
	return nil
}

// addMarkup puts texts together of which one is marked as HTML: the other is escaped.
func (s *state) addMarkup(a, b value) (value, bool) {
	_, aok := plainText(a)
	_, bok := plainText(b)
	if !aok || !bok {
		return nil, false
	}
	at, _ := plainText(escaped(s, a, nil))
	bt, _ := plainText(escaped(s, b, nil))
	s.spend(len(at) + len(bt))
	return markup(at + bt), true
}

// repeats is how many times something of a size is repeated: nothing is never.
func repeats(n int64, size int) int {
	if n <= 0 || size == 0 {
		return 0
	}
	return int(n)
}

func (s *state) whole(op string, a, b int64) value {
	over := false
	var v int64
	switch op {
	case "+":
		v = a + b
		over = (v > a) != (b > 0)
	case "-":
		v = a - b
		over = (v < a) != (b > 0)
	case "*":
		v, over = times(a, b)
	case "/":
		if b == 0 {
			s.fail("division by zero")
		}
		return float64(a) / float64(b)
	case "//", "%":
		if b == 0 {
			s.fail("integer division or modulo by zero")
		}
		if over = a == math.MinInt64 && b == -1; over {
			break
		}
		q, m := a/b, a%b
		if m != 0 && (m < 0) != (b < 0) {
			q, m = q-1, m+b
		}
		if op == "//" {
			return q
		}
		return m
	default: // **
		n := uint64(b)
		if b < 0 {
			n = -n
		}
		v, over = power(a, n)
		if b < 0 && !over { // exact, so that the result is the same as in C
			if v == 0 || v >= 1<<53 || v <= -1<<53 {
				s.fail("the result of the power is not a number")
			}
			return 1 / float64(v)
		}
	}
	if over {
		s.fail("the result of %s does not fit into 64 bits", op)
	}
	return v
}

func power(a int64, n uint64) (v int64, over bool) {
	v = 1
	for at := bits.Len64(n); at > 0 && !over; at-- {
		v, over = times(v, v)
		if n>>(at-1)&1 != 0 && !over {
			v, over = times(v, a)
		}
	}
	return v, over
}

func times(a, b int64) (v int64, over bool) {
	v = a * b
	return v, a != 0 && (v/a != b || a == -1 && b == math.MinInt64)
}

func (s *state) real(op string, a, b float64) value {
	switch op {
	case "+":
		return a + b
	case "-":
		return a - b
	case "*":
		return a * b
	case "**": // C's differs from Go's in the last bit
		s.fail("powers of numbers that are not whole are not supported")
	}
	if b == 0 {
		s.fail("float division by zero")
	}
	if op == "/" {
		return a / b
	}
	m := math.Mod(a, b)
	q := (a - m) / b
	if m != 0 && (m < 0) != (b < 0) {
		m += b
		q--
	}
	if op == "%" {
		if m == 0 {
			m = math.Copysign(0, b)
		}
		return m
	}
	f := math.Floor(q)
	if q-f > 0.5 {
		f++
	}
	return f
}

// sign returns -v or +v.
func (s *state) sign(op string, v value) value {
	if u, ok := v.(undefined); ok {
		s.missing(u)
	}
	i, f, whole, ok := number64(v)
	switch {
	case !ok:
		s.fail("bad operand type for unary %s: '%s'", op, typeName(v))
	case whole && op == "-":
		return s.whole("-", 0, i)
	case whole:
		return i
	case op == "-":
		return -f
	}
	return f
}

// compare is an operator of comparison.
func (s *state) compare(op string, a, b value) bool {
	switch op {
	case "==":
		return s.same(a, b)
	case "!=":
		return !s.same(a, b)
	case "in":
		return s.contains(b, a)
	case "not in":
		return !s.contains(b, a)
	}
	c := s.order(op, a, b)
	switch op {
	case "<":
		return c < 0
	case "<=":
		return c <= 0
	case ">":
		return c > 0
	}
	return c >= 0
}

func (s *state) contains(in, v value) bool {
	switch in := in.(type) {
	case string, markup:
		t, ok := plainText(v)
		if !ok {
			s.fail("'in <string>' requires string as left operand, not %s", typeName(v))
		}
		all, _ := plainText(in)
		s.spend(len(all) / 8)
		return strings.Contains(all, t)
	case *dict:
		_, ok := in.get(s, v)
		return ok
	}
	for _, x := range s.iterate(in) {
		if s.same(x, v) {
			return true
		}
	}
	return false
}

// concat joins texts.
func (s *state) concat(parts []string, between string) string {
	n := 0
	for _, p := range parts {
		n += len(p) + len(between)
	}
	s.spend(n)
	return strings.Join(parts, between)
}
