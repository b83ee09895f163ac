package jinja

import (
	"math"
	"unicode/utf8"
)

// attribute returns of.name: what the value has by itself before what it holds.
func (s *state) attribute(of value, name string) value {
	if v := s.own(of, name); v != nil {
		return v
	}
	if d, ok := of.(*dict); ok {
		if v, ok := d.get(s, name); ok {
			return v
		}
	}
	return s.lacks(of, name)
}

func (s *state) lacks(of value, name string) value {
	return s.undefined("'" + typeName(of) + " object' has no attribute '" + shorten(name) + "'")
}

// item returns of[key].
func (s *state) item(of, key value) value {
	if u, ok := of.(undefined); ok {
		s.missing(u)
	}
	name, named := plainText(key)
	s.spend(len(name) / 8)
	i, _, whole, number := number64(key)
	switch v := of.(type) {
	case *list:
		if !number || !whole || v.once || v.view != "" && v.span == nil {
			break
		}
		if i < 0 {
			i += int64(len(v.items))
		}
		if i >= 0 && i < int64(len(v.items)) {
			return v.items[i]
		}
	case string, markup:
		if !number || !whole {
			break
		}
		t, _ := plainText(v)
		if r, ok := s.runeAt(t, i); ok {
			return like(of, r)
		}
	case *dict:
		if l, ok := key.(*list); ok && !l.tuple {
			break
		}
		if x, ok := v.get(s, key); ok {
			return x
		}
	}
	if named {
		if v := s.own(of, name); v != nil {
			return v
		}
		return s.lacks(of, name)
	}
	return s.undefined(typeName(of) + " object has no such element")
}

// runeAt returns a character of a text, from after where i is negative.
func (s *state) runeAt(t string, i int64) (string, bool) {
	s.spend(len(t) / 8)
	if i < 0 {
		i += int64(utf8.RuneCountInString(t))
	}
	if i < 0 {
		return "", false
	}
	for _, r := range t {
		if i == 0 {
			return string(r), true
		}
		i--
	}
	return "", false
}

// like returns a part of a text, which is marked as HTML if the text is.
func like(of value, part string) value {
	if _, ok := of.(markup); ok {
		return markup(part)
	}
	return part
}

// slice returns of[from:to:step].
func (s *state) slice(of, from, to, step value) value {
	bound := func(v value) (int, bool) {
		if _, ok := v.(none); ok {
			return 0, false
		}
		i, _, whole, ok := number64(v)
		if u, missing := v.(undefined); missing {
			s.missing(u)
		}
		if !ok || !whole {
			s.fail("slice indices must be integers or None or have an __index__ method")
		}
		return int(min(max(i, -math.MaxInt32), math.MaxInt32)), true
	}
	n := 0
	var items []value
	var runes []rune
	l, isList := of.(*list)
	t, isText := plainText(of)
	switch {
	case isList && !l.once && (l.view == "" || l.span != nil):
		items, n = l.items, len(l.items)
	case isText:
		s.spend(5 * len(t))
		runes = []rune(t)
		n = len(runes)
	default:
		if u, ok := of.(undefined); ok {
			s.missing(u)
		}
		s.fail("'%s' object has no slices", typeName(of))
	}
	by, given := bound(step)
	if !given {
		by = 1
	}
	if by == 0 {
		s.fail("slice step cannot be zero")
	}
	low, high := 0, n
	if by < 0 {
		low, high = -1, n-1
	}
	at := func(v value, missing int) int {
		i, ok := bound(v)
		switch {
		case !ok:
			return missing
		case i < 0:
			i += n
		}
		return min(max(i, low), high)
	}
	first, last := low, high
	if by < 0 {
		first, last = high, low
	}
	first, last = at(from, first), at(to, last)
	if isList && l.span != nil {
		return s.part(l, first, last, step)
	}
	out := &list{}
	var chosen []rune
	for i := first; by > 0 && i < last || by < 0 && i > last; i += by {
		if isText {
			chosen = append(chosen, runes[i])
			continue
		}
		s.spend(16)
		out.items = append(out.items, items[i])
	}
	switch {
	case isText:
		return like(of, string(chosen))
	case isList:
		out.tuple = l.tuple
	}
	return out
}
