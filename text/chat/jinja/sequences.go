package jinja

import (
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

func (s *state) length(v value) value {
	switch v := v.(type) {
	case undefined:
		return int64(0)
	case string:
		s.spend(len(v) / 8)
		return int64(utf8.RuneCountInString(v))
	case markup:
		s.spend(len(v) / 8)
		return int64(utf8.RuneCountInString(string(v)))
	case *dict:
		return int64(len(v.keys))
	case *list:
		if !v.once {
			return int64(len(v.items))
		}
	}
	s.fail("object of type '%s' has no len()", typeName(v))
	return nil
}

func (s *state) firstOf(v value) value {
	if l, ok := v.(*list); ok && l.once && len(l.items) > 0 {
		x := l.items[0]
		l.items = l.items[1:]
		return x
	}
	if items := s.iterate(v); len(items) > 0 {
		return items[0]
	}
	return undefined{"No first item, sequence was empty."}
}

func (s *state) lastOf(v value) value {
	if l, ok := v.(*list); ok && l.once {
		s.fail("'%s' object is not reversible", typeName(v))
	}
	if items := s.iterate(v); len(items) > 0 {
		return items[len(items)-1]
	}
	return undefined{"No last item, sequence was empty."}
}

func (s *state) reversed(v value) value {
	items := slices.Clone(s.iterate(v))
	s.spend(16 * len(items))
	slices.Reverse(items)
	if _, ok := v.(string); ok {
		parts := make([]string, len(items))
		for i, x := range items {
			parts[i] = x.(string)
		}
		return s.concat(parts, "")
	}
	if l, ok := v.(*list); ok && l.once { // Jinja makes a list of what has no end to begin at
		return &list{items: items}
	}
	return &list{items: items, once: true, view: "reversed"}
}

// getter returns the function that an argument "attribute" stands for: a path of names
// and indices with dots.
func (s *state) getter(attribute value) func(v value) value {
	switch a := or(attribute, none{}).(type) {
	case none:
		return func(v value) value { return v }
	case string:
		s.spend(len(a) + 16*(strings.Count(a, ".")+1))
		path := strings.Split(a, ".")
		keys := make([]value, len(path))
		for i, p := range path {
			keys[i] = p
			if n, err := strconv.ParseInt(p, 10, 64); err == nil && n >= 0 {
				keys[i] = n
			}
		}
		return func(v value) value {
			for _, k := range keys {
				s.step()
				v = s.item(v, k)
			}
			return v
		}
	default:
		return func(v value) value { return s.item(v, a) }
	}
}

// folded makes texts of any case equal.
func (s *state) folded(get func(v value) value, cased bool) func(v value) value {
	return func(v value) value {
		v = get(v)
		if t, ok := v.(string); ok && !cased {
			s.spend(2 * len(t))
			return lower(t)
		}
		return v
	}
}

func (s *state) mapped(v value, a args) value {
	out := &list{once: true}
	if !s.truth(v) { // Jinja looks at no item of these, even where there can be none
		return out
	}
	items := s.iterate(v)
	s.spend(16 * len(items))
	if len(a.pos) == 0 {
		var attribute, otherwise value
		for i, name := range a.names {
			switch name {
			case "attribute":
				attribute = a.kw[i]
			case "default":
				otherwise = a.kw[i]
			default:
				s.fail("Unexpected keyword argument '%s'", name)
			}
		}
		s.need("map", []value{attribute})
		get := s.getter(attribute)
		for _, x := range items {
			x = get(x)
			if _, ok := x.(undefined); ok && otherwise != nil {
				x = otherwise
			}
			out.items = append(out.items, x)
		}
		return out
	}
	name := s.argument(a.pos[0])
	a.pos = a.pos[1:]
	for _, x := range items {
		s.step()
		s.enter()
		out.items = append(out.items, s.filter(name, x, a))
		s.leave()
	}
	return out
}

func (s *state) selected(name string, v value, a args) value {
	get := func(v value) value { return v }
	if strings.HasSuffix(name, "attr") {
		if len(a.pos) == 0 {
			s.fail("Missing parameter for attribute name")
		}
		get = s.getter(a.pos[0])
		a.pos = a.pos[1:]
	}
	passes := s.truth
	if len(a.pos) > 0 {
		test := s.argument(a.pos[0])
		a.pos = a.pos[1:]
		passes = func(v value) bool { return s.test(test, v, a) }
	}
	out := &list{once: true}
	if !s.truth(v) {
		return out
	}
	for _, x := range s.iterate(v) {
		s.step()
		if passes(get(x)) == strings.HasPrefix(name, "select") {
			s.spend(16)
			out.items = append(out.items, x)
		}
	}
	return out
}

func joinFilter(s *state, v value, x []value) value {
	get := s.getter(x[1])
	var parts []string
	items := s.iterate(v)
	s.spend(16 * len(items))
	for _, item := range items {
		parts = append(parts, s.text(get(item)))
	}
	return s.concat(parts, s.text(or(x[0], "")))
}

func sumFilter(s *state, v value, x []value) value {
	get := s.getter(x[0])
	total := or(x[1], int64(0))
	for _, item := range s.iterate(v) {
		s.step()
		total = s.operate("+", total, get(item))
	}
	return total
}

// sortBy sorts items by their keys.
func (s *state) sortBy(items []value, key func(v value) value, reverse bool) []value {
	type keyed struct{ key, item value }
	s.spend(64 * len(items))
	all := make([]keyed, len(items))
	for i, x := range items {
		all[i] = keyed{key(x), x}
	}
	slices.SortStableFunc(all, func(a, b keyed) int {
		if reverse {
			return s.order("<", b.key, a.key)
		}
		return s.order("<", a.key, b.key)
	})
	out := make([]value, len(items))
	for i := range all {
		out[i] = all[i].item
	}
	return out
}

func sorted(s *state, v value, x []value) value {
	cased := s.truth(or(x[1], false))
	gets := []func(v value) value{s.folded(s.getter(x[2]), cased)}
	if a, ok := x[2].(string); ok { // by several with commas
		gets = nil
		for part := range strings.SplitSeq(a, ",") {
			gets = append(gets, s.folded(s.getter(part), cased))
		}
	}
	key := func(v value) value {
		l := &list{}
		s.spend(16 * len(gets))
		for _, g := range gets {
			l.items = append(l.items, g(v))
		}
		return l
	}
	return &list{items: s.sortBy(s.iterate(v), key, s.truth(or(x[0], false)))}
}

func dictSorted(s *state, v value, x []value) value {
	d, ok := v.(*dict)
	if !ok {
		s.fail("'%s' object has no attribute 'items'", typeName(v))
	}
	at := int64(0)
	switch by := s.text(or(x[1], "key")); by {
	case "key":
	case "value":
		at = 1
	default:
		s.fail(`You can only sort by either "key" or "value"`)
	}
	s.spend(64 * len(d.keys))
	key := s.folded(func(p value) value { return s.item(p, at) }, s.truth(or(x[0], false)))
	return &list{items: s.sortBy(d.pairs(), key, s.truth(or(x[2], false)))}
}

func unique(s *state, v value, x []value) value {
	key := s.folded(s.getter(x[1]), s.truth(or(x[0], false)))
	seen := &dict{}
	out := &list{once: true}
	for _, item := range s.iterate(v) {
		s.step()
		k := key(item)
		if _, ok := seen.get(s, k); !ok {
			seen.put(s, k, none{})
			out.items = append(out.items, item)
		}
	}
	return out
}

func extreme(op string) func(s *state, v value, x []value) value {
	return func(s *state, v value, x []value) value {
		key := s.folded(s.getter(x[1]), s.truth(or(x[0], false)))
		items := s.iterate(v)
		if len(items) == 0 {
			return undefined{"No aggregated item, sequence was empty."}
		}
		best, least := items[0], key(items[0])
		for _, x := range items[1:] {
			if k := key(x); s.compare(op, k, least) {
				best, least = x, k
			}
		}
		return best
	}
}

func batched(s *state, v value, x []value) value {
	n := s.integer(x[0], 1)
	out := &list{once: true}
	var row *list
	for _, item := range s.iterate(v) {
		s.spend(64)
		if row == nil || int64(len(row.items)) == n {
			row = &list{}
			out.items = append(out.items, row)
		}
		row.items = append(row.items, item)
	}
	if fill := or(x[1], none{}); row != nil && fill != (none{}) && int64(len(row.items)) < n {
		s.spendTimes(n-int64(len(row.items)), 16)
		for int64(len(row.items)) < n {
			row.items = append(row.items, fill)
		}
	}
	return out
}
