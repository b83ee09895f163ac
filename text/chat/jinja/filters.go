package jinja

import (
	"math"
	"math/big"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// filter is a filter: v is its operand.
type filter struct {
	params []string
	needs  int
	call   func(s *state, v value, x []value) value
}

var filters map[string]filter

func (s *state) filter(name string, v value, a args) value {
	switch name { // see hasFilter
	case "map":
		return s.mapped(v, a)
	case "select", "reject", "selectattr", "rejectattr":
		return s.selected(name, v, a)
	case "format":
		return s.format(s.plain(v), &list{items: a.pos, tuple: true})
	}
	f, ok := filters[name]
	if !ok {
		s.fail("No filter named '%s'.", shorten(name))
	}
	x := s.bind(a, name, f.params...)
	s.need(name, x[:f.needs])
	return f.call(s, v, x)
}

func hasFilter(name string) bool {
	_, ok := filters[name]
	return ok || slices.Contains([]string{"map", "select", "reject", "selectattr", "rejectattr", "format"}, name)
}

func init() {
	of := func(f func(string) string) filter {
		return filter{call: func(s *state, v value, _ []value) value {
			t := s.plain(v)
			s.spend(2 * len(t))
			return f(t)
		}}
	}
	sequence := func(f func(s *state, v value) value) filter {
		return filter{call: func(s *state, v value, _ []value) value { return f(s, v) }}
	}
	filters = map[string]filter{
		"upper": of(upper), "lower": of(lower), "capitalize": of(capitalize), "title": of(titleWords),
		"string": {call: func(s *state, v value, _ []value) value {
			if m, ok := v.(markup); ok {
				return m
			}
			return s.text(v)
		}},
		"safe": {call: func(s *state, v value, _ []value) value {
			t := s.text(v)
			s.spend(16 + len(t)/8)
			return markup(t)
		}},
		"escape": {call: escaped}, "e": {call: escaped},
		"trim": {[]string{"chars"}, 0, func(s *state, v value, x []value) value {
			t := s.text(v)
			s.spend(len(t))
			t = s.strip(t, or(x[0], none{}), true, true)
			if _, ok := v.(markup); ok {
				return markup(t)
			}
			return t
		}},
		"replace": {[]string{"old", "new", "count"}, 2, func(s *state, v value, x []value) value {
			most := int64(-1)
			if _, ok := or(x[2], none{}).(none); !ok {
				most = s.integer(x[2], -1)
			}
			t := s.text(v)
			s.spend(len(t))
			return s.replace(t, s.text(x[0]), s.text(x[1]), most)
		}},
		"indent": {[]string{"width", "first", "blank"}, 0, indented},
		"center": {[]string{"width"}, 0, func(s *state, v value, x []value) value {
			t := s.plain(v)
			s.spend(len(t))
			n := lacking(t, s.integer(x[0], 80))
			s.spendTimes(n, 1)
			left := int(n / 2)
			if width := s.integer(x[0], 80); n&1 == 1 && width&1 == 1 {
				left++
			}
			return strings.Repeat(" ", left) + t + strings.Repeat(" ", int(n)-left)
		}},
		"wordcount": {call: func(s *state, v value, _ []value) value {
			t := s.plain(v)
			s.spend(32 * len(t))
			return int64(len(wordForm.FindAllStringIndex(t, -1)))
		}},
		"tojson": {[]string{"ensure_ascii", "indent", "separators", "sort_keys"}, 0, toJSON},
		"int":    {[]string{"default", "base"}, 0, toInt},
		"float":  {[]string{"default"}, 0, toFloat},
		"abs": {call: func(s *state, v value, _ []value) value {
			if i, f, whole, ok := number64(v); ok && (whole && i < 0 || !whole && (f < 0 || f == 0)) {
				if !whole {
					return math.Abs(f)
				}
				return s.sign("-", v)
			}
			return s.sign("+", v)
		}},
		"round":   {[]string{"precision", "method"}, 0, rounded},
		"default": {[]string{"default_value", "boolean"}, 0, orDefault}, "d": {[]string{"default_value", "boolean"}, 0, orDefault},
		"attr": {[]string{"name"}, 1, func(s *state, v value, x []value) value {
			name := s.argument(x[0])
			if u, ok := v.(undefined); ok {
				s.missing(u)
			}
			if own := s.own(v, name); own != nil {
				return own
			}
			return s.undefined("there is no attribute '" + shorten(name) + "'")
		}},
		"length": sequence((*state).length), "count": sequence((*state).length),
		"list": sequence(func(s *state, v value) value {
			items := s.iterate(v)
			s.spend(16 * len(items))
			return &list{items: append([]value{}, items...)}
		}),
		"first":   sequence((*state).firstOf),
		"last":    sequence((*state).lastOf),
		"reverse": sequence((*state).reversed),
		"items": sequence(func(s *state, v value) value {
			switch d := v.(type) {
			case undefined:
				return &list{once: true}
			case *dict:
				s.spend(64 * len(d.keys))
				return &list{items: d.pairs(), once: true}
			}
			s.fail("Can only get item pairs from a mapping.")
			return nil
		}),
		"join":     {[]string{"d", "attribute"}, 0, joinFilter},
		"sum":      {[]string{"attribute", "start"}, 0, sumFilter},
		"sort":     {[]string{"reverse", "case_sensitive", "attribute"}, 0, sorted},
		"unique":   {[]string{"case_sensitive", "attribute"}, 0, unique},
		"min":      {[]string{"case_sensitive", "attribute"}, 0, extreme("<")},
		"max":      {[]string{"case_sensitive", "attribute"}, 0, extreme(">")},
		"dictsort": {[]string{"case_sensitive", "by", "reverse"}, 0, dictSorted},
		"batch":    {[]string{"linecount", "fill_with"}, 1, batched},
	}
}

var (
	wordForm  = regexp.MustCompile(`[\p{L}\p{N}_]+`)
	wordBegin = regexp.MustCompile(`[-\s({\[<]+`)
)

// titleWords is the filter title, which has other words than str.title.
func titleWords(t string) string {
	var b strings.Builder
	at := 0
	put := func(w string) {
		r, n := utf8.DecodeRuneInString(w)
		if n > 0 {
			b.WriteString(upper(string(r)) + lower(w[n:]))
		}
	}
	for _, m := range wordBegin.FindAllStringIndex(t, -1) {
		put(t[at:m[0]])
		b.WriteString(t[m[0]:m[1]])
		at = m[1]
	}
	put(t[at:])
	return b.String()
}

func escaped(s *state, v value, _ []value) value {
	if m, ok := v.(markup); ok {
		return m
	}
	t := s.text(v)
	s.spend(6 * len(t))
	return markup(strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", "'", "&#39;", `"`, "&#34;").Replace(t))
}

func indented(s *state, v value, x []value) value {
	by, ok := x[0].(string)
	if !ok {
		n := s.integer(x[0], 4)
		s.spendTimes(n, 1)
		by = strings.Repeat(" ", repeats(n, 1))
	}
	t, ok := v.(string)
	if !ok {
		s.fail("indent takes a text, not %s", typeName(v))
	}
	s.spend(2 * len(t))
	all := lines(t + "\n")
	s.spendTimes(int64(len(all)), int64(len(by)+16))
	blank := s.truth(or(x[2], false))
	for i := range all {
		if i > 0 && (all[i] != "" || blank) || i == 0 && s.truth(or(x[1], false)) {
			all[i] = by + all[i]
		}
	}
	return s.concat(all, "\n")
}

func toJSON(s *state, v value, x []value) value {
	y := &jsonStyle{ascii: s.truth(or(x[0], false)), sort: s.truth(or(x[3], false)), between: ", ", behind: ": "}
	switch by := or(x[1], none{}).(type) {
	case none:
	case string:
		y.lines, y.indent, y.between = true, by, ","
	default:
		n := s.integer(by, 0)
		s.spendTimes(n, 1)
		y.lines, y.indent, y.between = true, strings.Repeat(" ", repeats(n, 1)), ","
	}
	if _, ok := or(x[2], none{}).(none); !ok {
		p := s.iterate(x[2])
		if len(p) != 2 {
			s.fail("separators are two texts")
		}
		y.between, y.behind = s.argument(p[0]), s.argument(p[1])
	}
	var b strings.Builder
	s.json(&b, v, y, 0)
	return b.String()
}

func toInt(s *state, v value, x []value) value {
	base := s.integer(x[1], 10)
	switch v := v.(type) {
	case undefined:
		s.missing(v)
	case markup:
		s.plain(v)
	case float64:
		if math.Abs(v) < 1<<62 {
			return int64(v)
		}
	case string:
		t := strings.TrimFunc(v, isSpace)
		s.spend(len(t))
		if base != 0 && (base < 2 || base > 36) {
			s.fail("int() base must be >= 2 and <= 36, or 0")
		}
		if base == 16 || base == 8 || base == 2 {
			low := strings.ToLower(t)
			t = strings.TrimPrefix(low, map[int64]string{16: "0x", 8: "0o", 2: "0b"}[base])
		}
		if i, err := strconv.ParseInt(strings.ReplaceAll(t, "_", ""), int(base), 64); err == nil && !strings.HasPrefix(t, "_") {
			return i
		}
		if f, ok := parseFloat(t); ok && math.Abs(f) < 1<<62 {
			return int64(f)
		}
	default:
		if i, _, whole, ok := number64(v); ok && whole {
			return i
		}
	}
	return or(x[0], int64(0))
}

// parseFloat reads a number as Python's float does.
func parseFloat(t string) (float64, bool) {
	if len(t) > 1000 || strings.ContainsAny(t, "xXpP_") {
		return 0, false
	}
	f, err := strconv.ParseFloat(t, 64)
	return f, err == nil || math.IsInf(f, 0)
}

func toFloat(s *state, v value, x []value) value {
	switch v := v.(type) {
	case undefined:
		s.missing(v)
	case markup:
		s.plain(v)
	case string:
		s.spend(len(v) / 8)
		if f, ok := parseFloat(strings.TrimFunc(v, isSpace)); ok {
			return f
		}
	default:
		if _, f, _, ok := number64(v); ok {
			return f
		}
	}
	return or(x[0], 0.0)
}

func rounded(s *state, v value, x []value) value {
	digits := s.integer(x[0], 0)
	i, f, whole, ok := number64(v)
	if !ok || digits < -15 || digits > 300 {
		s.fail("a %s cannot be rounded to %d digits", typeName(v), digits)
	}
	switch how := s.text(or(x[1], "common")); how {
	case "ceil", "floor":
		scale := math.Pow(10, float64(digits))
		if how == "ceil" {
			return math.Ceil(f*scale) / scale
		}
		return math.Floor(f*scale) / scale
	case "common":
	default:
		s.fail("method must be common, ceil or floor")
	}
	switch {
	case whole && digits >= 0:
		return i
	case digits < 0:
		scale := math.Pow(10, float64(-digits))
		f = math.RoundToEven(f/scale) * scale
		if whole {
			return int64(f)
		}
		return f
	}
	r, _, err := big.ParseFloat(strconv.FormatFloat(f, 'f', int(digits), 64), 10, 53, big.ToNearestEven)
	if err != nil {
		return f
	}
	out, _ := r.Float64()
	return out
}

func orDefault(s *state, v value, x []value) value {
	if _, ok := v.(undefined); ok || s.truth(or(x[1], false)) && !s.truth(v) {
		return or(x[0], "")
	}
	return v
}
