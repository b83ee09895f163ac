package jinja

import "fmt"

// span is what a range is made of.
type span struct{ start, stop, step int64 }

// text is Python's repr of a range.
func (r *span) text() string {
	if r.step == 1 {
		return fmt.Sprintf("range(%d, %d)", r.start, r.stop)
	}
	return fmt.Sprintf("range(%d, %d, %d)", r.start, r.stop, r.step)
}

func (r *span) attribute(name string) value {
	switch name {
	case "start":
		return r.start
	case "stop":
		return r.stop
	case "step":
		return r.step
	}
	return nil
}

// numbers is the function range.
func numbers(s *state, a args) value {
	x := s.bind(a, "range", "start", "stop", "step")
	if len(a.pos) == 0 || len(a.names) > 0 {
		s.fail("range takes one to three numbers")
	}
	r := span{0, s.integer(x[0], 0), s.integer(x[2], 1)}
	if x[1] != nil {
		r.start, r.stop = r.stop, s.integer(x[1], 0)
	}
	if r.step == 0 {
		s.fail("range() arg 3 must not be zero")
	}
	return s.ranged(r)
}

// ranged makes the numbers of a range.
func (s *state) ranged(r span) *list {
	l := &list{view: "range", span: &r}
	for i := r.start; r.step > 0 && i < r.stop || r.step < 0 && i > r.stop; {
		if len(l.items) == MaxRange {
			s.fail("Range too big. The sandbox blocks ranges larger than MAX_RANGE (%d).", MaxRange)
		}
		s.spend(16)
		l.items = append(l.items, i)
		if i += r.step; (i > l.items[len(l.items)-1].(int64)) != (r.step > 0) {
			break // past 64 bits
		}
	}
	return l
}

// part is the range of the numbers of l from place first to last by a step, as a slice
// of a range is one.
func (s *state) part(l *list, first, last int, step value) value {
	by := int64(1)
	if _, without := step.(none); !without {
		by = s.integer(step, 1)
	}
	do := func(op string, a, b int64) int64 {
		v, _ := s.whole(op, a, b).(int64) // which fails past 64 bits
		return v
	}
	at := func(i int) int64 { return do("+", l.span.start, do("*", int64(i), l.span.step)) }
	return s.ranged(span{at(first), at(last), do("*", l.span.step, by)})
}
