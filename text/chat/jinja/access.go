package jinja

import (
	"math"
	"slices"
	"strings"
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

// own returns an attribute or a method, or nil. What begins with an underscore, and what
// changes a list or a dictionary, is out of reach in the sandbox.
func (s *state) own(of value, name string) value {
	switch v := of.(type) {
	case undefined:
		s.missing(v)
	case string:
		return stringMethod(v, name)
	case markup:
		return s.markupMethod(v, name)
	case *list:
		return listMethod(v, name)
	case *dict:
		return dictMethod(v, name)
	case *namespace:
		if x, ok := v.of.get(s, name); ok {
			return x
		}
	case *loop:
		return v.attribute(name)
	case *object:
		return v.attr(name)
	}
	return nil
}

// markupMethod returns the methods of marked text that give no other text but a part.
func (s *state) markupMethod(t markup, name string) value {
	f, ok := stringMethod(string(t), name).(*function)
	switch name {
	case "startswith", "endswith", "find", "rfind", "index", "rindex", "count", "isdigit", "isalpha", "isalnum", "isspace", "isupper", "islower":
		return f
	case "strip", "lstrip", "rstrip":
		return &function{name, func(s *state, a args) value {
			part, _ := f.call(s, a).(string)
			return markup(part)
		}}
	}
	if ok {
		s.plain(t)
	}
	return nil
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
		if !number || !whole || v.once || v.view != "" && !strings.HasPrefix(v.view, "range") {
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
			return r
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
	case isList && !l.once && l.view == "":
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
		return string(chosen)
	case isList:
		out.tuple = l.tuple
	}
	return out
}

func dictMethod(d *dict, name string) value {
	view := func(view string, give func() []value) value {
		return &function{name, func(s *state, a args) value {
			s.bind(a, name)
			s.spend(16 * len(d.keys))
			return &list{items: give(), view: view}
		}}
	}
	switch name {
	case "keys":
		return view("dict_keys", func() []value { return slices.Clone(d.keys) })
	case "values":
		return view("dict_values", func() []value { return slices.Clone(d.values) })
	case "items":
		return view("dict_items", d.pairs)
	case "copy":
		return &function{name, func(s *state, a args) value { return s.copyOf(d) }}
	case "get":
		return &function{name, func(s *state, a args) value {
			x := s.bind(a, name, "key", "default")
			s.need(name, x[:1])
			if v, ok := d.get(s, x[0]); ok {
				return v
			}
			return or(x[1], none{})
		}}
	}
	return nil
}

func (s *state) copyOf(d *dict) *dict {
	out := &dict{}
	for i, k := range d.keys {
		out.put(s, k, d.values[i])
	}
	return out
}

func (d *dict) pairs() []value {
	var out []value
	for i, k := range d.keys {
		out = append(out, &list{items: []value{k, d.values[i]}, tuple: true})
	}
	return out
}

func listMethod(l *list, name string) value {
	if l.view != "" || l.once {
		return nil
	}
	switch name {
	case "copy":
		if l.tuple {
			return nil
		}
		return &function{name, func(s *state, a args) value {
			s.spend(16 * len(l.items))
			return &list{items: slices.Clone(l.items)}
		}}
	case "count", "index":
		return &function{name, func(s *state, a args) value {
			x := s.bind(a, name, "value")
			s.need(name, x)
			n := int64(0)
			for i, v := range l.items {
				if s.same(v, x[0]) {
					if name == "index" {
						return int64(i)
					}
					n++
				}
			}
			if name == "index" {
				s.fail("%s is not in list", shorten(s.text(x[0])))
			}
			return n
		}}
	}
	return nil
}
