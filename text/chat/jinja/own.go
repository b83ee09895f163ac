package jinja

import (
	"slices"
	"strings"
)

// own returns an attribute or a method, or nil. What begins with an underscore, and what
// changes a list or a dictionary, is out of reach in the sandbox.
func (s *state) own(of value, name string) value {
	if u, ok := of.(undefined); ok {
		s.missing(u)
	}
	if v := s.attributeOf(of, name); v != nil {
		return v
	}
	if d, ok := of.(*dict); ok && strings.Contains(changing, " "+name+" ") {
		return s.lacks(d, name)
	}
	if strings.Contains(pythons[attributeType(of)], " "+name+" ") {
		return &function{name, func(s *state, _ args) value {
			s.fail("the attribute '%s' of a %s is not supported", name, typeName(of))
			return nil
		}}
	}
	return nil
}

// pythons are the attributes that Python's values have in the sandbox. One of them that is
// not here is refused where it is used, and not undefined.
var pythons = map[string]string{
	"str": " capitalize casefold center count encode endswith expandtabs find format format_map index isalnum isalpha isascii" +
		" isdecimal isdigit isidentifier islower isnumeric isprintable isspace istitle isupper join ljust lower lstrip maketrans" +
		" partition removeprefix removesuffix replace rfind rindex rjust rpartition rsplit rstrip split splitlines startswith" +
		" strip swapcase title translate upper zfill ",
	"Markup": " escape striptags unescape ",
	"int":    " as_integer_ratio bit_count bit_length conjugate denominator from_bytes imag is_integer numerator real to_bytes ",
	"float":  " as_integer_ratio conjugate fromhex hex imag is_integer real ",
	"list":   " copy count index ",
	"tuple":  " count index ",
	"range":  " count index start step stop ",
	"dict":   " copy fromkeys get items keys values ",

	"dict_keys": " isdisjoint mapping ", "dict_items": " isdisjoint mapping ", "dict_values": " mapping ",
	"generator":    " close gi_running gi_suspended gi_yieldfrom send throw ",
	"class dict":   " clear copy fromkeys get items keys pop popitem setdefault update values ",
	"class cycler": " current next reset ",
}

// changing are the methods of dictionaries that the sandbox keeps back.
const changing = " clear pop popitem setdefault update "

func init() { pythons["Markup"] += pythons["str"] }

// attributeType is the key of a value in pythons.
func attributeType(v value) string {
	switch v := v.(type) {
	case bool:
		return "int"
	case *function: // dict and cycler are classes of Python
		return "class " + v.name
	}
	return typeName(v)
}

func (s *state) attributeOf(of value, name string) value {
	switch v := of.(type) {
	case bool, int64, float64:
		return numberAttribute(v, name)
	case string:
		return stringMethod(v, name)
	case markup:
		return s.markupMethod(v, name)
	case *list:
		if v.span != nil {
			if x := v.span.attribute(name); x != nil {
				return x
			}
		}
		return listMethod(v, name)
	case *dict:
		return dictMethod(v, name)
	case *namespace:
		if x, ok := v.of.get(s, name); ok {
			return x
		}
	case *loop:
		return v.attribute(name)
	case *macro:
		return v.attribute(name)
	case *object:
		return v.attr(name)
	}
	return nil
}

// numberAttribute returns what Python's numbers are as complex ones and as fractions.
func numberAttribute(v value, name string) value {
	i, f, whole, _ := number64(v)
	switch {
	case name == "real" && whole, name == "numerator" && whole:
		return i
	case name == "real":
		return f
	case name == "imag" && whole:
		return int64(0)
	case name == "imag":
		return 0.0
	case name == "denominator" && whole:
		return int64(1)
	}
	return nil
}

// markupMethod returns the methods of marked text that give no other text but a part.
func (s *state) markupMethod(t markup, name string) value {
	f, _ := stringMethod(string(t), name).(*function)
	switch name {
	case "startswith", "endswith", "find", "rfind", "index", "rindex", "count", "isdigit", "isalpha", "isalnum", "isspace", "isupper", "islower":
		return f
	case "strip", "lstrip", "rstrip":
		return &function{name, func(s *state, a args) value {
			part, _ := f.call(s, a).(string)
			return markup(part)
		}}
	}
	return nil
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
	if l.view != "" && l.span == nil || l.once {
		return nil
	}
	switch name {
	case "copy":
		if l.tuple || l.span != nil {
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
				s.fail("%s is not in %s", shorten(s.text(x[0])), typeName(l))
			}
			return n
		}}
	}
	return nil
}
