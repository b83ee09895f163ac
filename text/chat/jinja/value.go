package jinja

import (
	"cmp"
	"fmt"
	"math"
	"strings"
	"unicode/utf8"
)

// value is one of: none, undefined, bool, int64, float64, string, markup, *list, *dict,
// *namespace, *function, *macro, *loop, *object.
type value any

type (
	none      struct{}
	undefined struct{ why string }
	// markup is text of HTML, as escape and safe give it: what is added to it with + is
	// escaped. Other operations on it are refused, but those that look at it.
	markup string
	list   struct {
		items []value
		tuple bool
		// view is how Python names what is not a list but gives items, such as
		// dict_items; it has no index, unless it is a range.
		view string
		span *span // of a range
		// once is what can be gone through one time, as filters give it.
		once bool
	}
	dict struct {
		keys, values []value
		index        map[any]int
	}
	namespace struct{ of *dict }
	function  struct {
		name string
		call func(s *state, a args) value
	}
	loop struct {
		items []value
		at    int
		depth int
		again func(over value) value // of a recursive loop
		last  []value                // of changed
	}
	// object is what cycler and joiner give; call is nil for what cannot be called.
	object struct {
		name string
		attr func(name string) value
		call func(s *state, a args) value
	}
)

func (s *state) missing(u undefined) { s.fail("%s", u.why) }

func typeName(v value) string {
	switch v := v.(type) {
	case none:
		return "NoneType"
	case undefined:
		return "Undefined"
	case bool:
		return "bool"
	case int64:
		return "int"
	case float64:
		return "float"
	case string:
		return "str"
	case markup:
		return "Markup"
	case *dict:
		return "dict"
	case *namespace:
		return "Namespace"
	case *function:
		return "function"
	case *macro:
		return "Macro"
	case *object:
		return v.name
	case *loop:
		return "LoopContext"
	case *list:
		switch {
		case v.once && v.view == "":
			return "generator"
		case v.view != "":
			return v.view
		case v.tuple:
			return "tuple"
		}
		return "list"
	}
	return "object"
}

func (s *state) truth(v value) bool {
	switch v := v.(type) {
	case none, undefined:
		return false
	case bool:
		return v
	case int64:
		return v != 0
	case float64:
		return v != 0
	case string:
		return v != ""
	case markup:
		return v != ""
	case *list:
		return v.once || len(v.items) > 0
	case *dict:
		return len(v.keys) > 0
	}
	return true
}

// iterate returns the items of a value.
func (s *state) iterate(v value) []value {
	switch v := v.(type) {
	case undefined:
		return nil
	case string:
		n := utf8.RuneCountInString(v)
		s.spend(32 * n)
		out := make([]value, 0, n)
		for _, r := range v {
			out = append(out, string(r))
		}
		return out
	case *list:
		items := v.items
		if v.once {
			v.items = nil
		}
		s.spend(len(items))
		return items
	case *dict:
		s.spend(len(v.keys))
		return v.keys
	}
	s.fail("'%s' object is not iterable", typeName(v))
	return nil
}

// number gives a value that counts as a number: whole where it is.
func number64(v value) (i int64, f float64, whole, ok bool) {
	switch v := v.(type) {
	case bool:
		if v {
			return 1, 1, true, true
		}
		return 0, 0, true, true
	case int64:
		return v, float64(v), true, true
	case float64:
		return 0, v, false, true
	}
	return 0, 0, false, false
}

// same is ==.
func (s *state) same(a, b value) bool {
	s.enter()
	defer s.leave()
	s.step()
	if ai, af, aw, ok := number64(a); ok {
		bi, bf, bw, ok := number64(b)
		switch {
		case !ok:
			return false
		case aw && bw:
			return ai == bi
		}
		return af == bf
	}
	switch a := a.(type) {
	case none:
		return b == none{}
	case undefined:
		_, ok := b.(undefined)
		return ok
	case string:
		s.spend(len(a) / 8)
		t, ok := plainText(b)
		return ok && a == t
	case markup:
		s.spend(len(a) / 8)
		t, ok := plainText(b)
		return ok && string(a) == t
	case *list:
		b, ok := b.(*list)
		if !ok || a != b && (a.once || b.once || a.tuple != b.tuple || typeName(a) != typeName(b)) || len(a.items) != len(b.items) {
			return false
		}
		for i, x := range a.items {
			if !s.same(x, b.items[i]) {
				return false
			}
		}
		return true
	case *dict:
		b, ok := b.(*dict)
		if !ok || len(a.keys) != len(b.keys) {
			return false
		}
		for i, k := range a.keys {
			if v, ok := b.get(s, k); !ok || !s.same(a.values[i], v) {
				return false
			}
		}
		return true
	case *function:
		b, ok := b.(*function)
		return ok && a == b
	}
	return a == b
}

func plainText(v value) (string, bool) {
	switch v := v.(type) {
	case string:
		return v, true
	case markup:
		return string(v), true
	}
	return "", false
}

// order compares two values of an order.
func (s *state) order(op string, a, b value) int {
	s.enter()
	defer s.leave()
	s.step()
	for _, v := range []value{a, b} {
		if u, ok := v.(undefined); ok {
			s.missing(u)
		}
	}
	ai, af, aw, aok := number64(a)
	bi, bf, bw, bok := number64(b)
	switch {
	case aok && bok && aw && bw:
		return cmp.Compare(ai, bi)
	case aok && bok:
		if math.IsNaN(af) || math.IsNaN(bf) {
			s.fail("NaN cannot be compared")
		}
		return cmp.Compare(af, bf)
	}
	at, aok := plainText(a)
	bt, bok := plainText(b)
	if aok && bok {
		s.spend(len(at) / 8)
		return strings.Compare(at, bt)
	}
	al, aok := a.(*list)
	bl, bok := b.(*list)
	if aok && bok && al.view == "" && bl.view == "" && al.tuple == bl.tuple && !al.once && !bl.once {
		for i := range min(len(al.items), len(bl.items)) {
			if !s.same(al.items[i], bl.items[i]) {
				return s.order(op, al.items[i], bl.items[i])
			}
		}
		return cmp.Compare(len(al.items), len(bl.items))
	}
	s.fail("'%s' not supported between instances of '%s' and '%s'", op, typeName(a), typeName(b))
	return 0
}

// key returns what a dictionary finds a value by: equal values have the same.
func (s *state) key(v value) any {
	switch v := v.(type) {
	case none:
		return v
	case undefined:
		return undefined{}
	case string, markup:
		t, _ := plainText(v)
		s.spend(len(t) / 8)
		return t
	case bool, int64:
		i, _, _, _ := number64(v)
		return i
	case float64:
		if v == math.Trunc(v) && math.Abs(v) < 1<<53 {
			return int64(v)
		}
		return v
	case *list:
		if !v.tuple {
			break
		}
		s.enter()
		defer s.leave()
		var b strings.Builder
		for _, x := range v.items {
			k := s.key(x)
			t, ok := plainText(k)
			if !ok {
				t = fmt.Sprint(k)
			}
			s.spend(len(t) + 32)
			fmt.Fprintf(&b, "%T:%d:%s", k, len(t), t)
		}
		return markup(b.String())
	}
	s.fail("unhashable type: '%s'", typeName(v))
	return nil
}

func (d *dict) get(s *state, key value) (value, bool) {
	i, ok := d.index[s.key(key)]
	if !ok {
		return nil, false
	}
	return d.values[i], true
}

func (d *dict) put(s *state, key, v value) {
	k := s.key(key)
	if i, ok := d.index[k]; ok {
		d.values[i] = v
		return
	}
	if d.index == nil {
		d.index = map[any]int{}
	}
	s.spend(128)
	d.index[k] = len(d.keys)
	d.keys, d.values = append(d.keys, key), append(d.values, v)
}

func (d *dict) set(s *state, key string, v value) { d.put(s, key, v) }

// fromGo makes a value of one given to Render.
func (s *state) fromGo(v any, depth int) value {
	if depth > MaxDepth {
		s.limit("values nested more than %d deep", MaxDepth)
	}
	switch v := v.(type) {
	case nil:
		return none{}
	case int:
		return int64(v)
	case []any:
		l := &list{}
		for _, x := range v {
			s.spend(16)
			l.items = append(l.items, s.fromGo(x, depth+1))
		}
		return l
	case Map:
		d := &dict{}
		for _, p := range v {
			d.set(s, p.Name, s.fromGo(p.Value, depth+1))
		}
		return d
	case bool, string, int64, float64, *function:
		return v
	}
	panic(fmt.Sprintf("a value of type %T cannot be given to a template", v))
}
