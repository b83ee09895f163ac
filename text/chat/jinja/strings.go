package jinja

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// method is a method of texts: x are its arguments by the order of params.
type method struct {
	params []string
	needs  int
	call   func(s *state, t string, x []value) value
}

// stringMethod returns a method of t, or nil.
func stringMethod(t, name string) value {
	m, ok := stringMethods[name]
	if !ok {
		return nil
	}
	return &function{name, func(s *state, a args) value {
		x := s.bind(a, name, m.params...)
		s.need(name, x[:m.needs])
		s.spend(len(t))
		return m.call(s, t, x)
	}}
}

// argument returns one that must be a text.
func (s *state) argument(v value) string {
	t, ok := v.(string)
	if !ok {
		s.fail("expected str instance, %s found", typeName(v))
	}
	s.spend(len(t))
	return t
}

var stringMethods map[string]method

func init() {
	of := func(f func(string) string) method {
		return method{call: func(s *state, t string, _ []value) value { s.spend(2 * len(t)); return f(t) }}
	}
	is := func(f func(string) bool) method {
		return method{call: func(_ *state, t string, _ []value) value { return f(t) }}
	}
	all := func(f func(rune) bool) method {
		return is(func(t string) bool {
			return t != "" && strings.IndexFunc(t, func(r rune) bool { return !f(r) }) < 0
		})
	}
	affix := func(f func(t, with string) bool) method {
		return method{[]string{"prefix"}, 1, func(s *state, t string, x []value) value {
			if l, ok := x[0].(*list); ok && l.tuple {
				return slices.ContainsFunc(l.items, func(v value) bool { return f(t, s.argument(v)) })
			}
			return f(t, s.argument(x[0]))
		}}
	}
	stringMethods = map[string]method{
		"strip": strip(true, true), "lstrip": strip(true, false), "rstrip": strip(false, true),
		"upper": of(upper), "lower": of(lower), "title": of(title), "capitalize": of(capitalize),
		"casefold":   of(casefold),
		"startswith": affix(strings.HasPrefix), "endswith": affix(strings.HasSuffix),
		"isdigit": all(isDigit), "isalpha": all(unicode.IsLetter), "isspace": all(isSpace),
		"isalnum": all(func(r rune) bool { return unicode.IsLetter(r) || unicode.IsNumber(r) }),
		"isupper": is(isUpper), "islower": is(isLower),
		"removeprefix": {[]string{"prefix"}, 1, func(s *state, t string, x []value) value {
			return strings.TrimPrefix(t, s.argument(x[0]))
		}},
		"removesuffix": {[]string{"suffix"}, 1, func(s *state, t string, x []value) value {
			return strings.TrimSuffix(t, s.argument(x[0]))
		}},
		"split": {[]string{"sep", "maxsplit"}, 0, func(s *state, t string, x []value) value {
			return s.texts(s.split(t, or(x[0], none{}), s.integer(x[1], -1)))
		}},
		"rsplit": {[]string{"sep", "maxsplit"}, 0, func(s *state, t string, x []value) value {
			n := s.integer(x[1], -1)
			if n >= 0 {
				s.fail("rsplit with maxsplit is not supported")
			}
			return s.texts(s.split(t, or(x[0], none{}), n))
		}},
		"splitlines": {nil, 0, func(s *state, t string, _ []value) value { return s.texts(lines(t)) }},
		"partition":  partition(strings.Index, false), "rpartition": partition(strings.LastIndex, true),
		"join": {[]string{"iterable"}, 1, func(s *state, t string, x []value) value {
			var parts []string
			for _, v := range s.iterate(x[0]) {
				parts = append(parts, s.argument(v))
			}
			return s.concat(parts, t)
		}},
		"replace": {[]string{"old", "new", "count"}, 2, func(s *state, t string, x []value) value {
			return s.replace(t, s.argument(x[0]), s.argument(x[1]), s.integer(x[2], -1))
		}},
		"count": {[]string{"sub"}, 1, func(s *state, t string, x []value) value {
			return int64(strings.Count(t, s.argument(x[0])))
		}},
		"find": position(strings.Index, false), "rfind": position(strings.LastIndex, false),
		"index": position(strings.Index, true), "rindex": position(strings.LastIndex, true),
		"ljust": pad(func(n int) (int, int) { return 0, n }), "rjust": pad(func(n int) (int, int) { return n, 0 }),
		"zfill": {[]string{"width"}, 1, func(s *state, t string, x []value) value {
			n := lacking(t, s.integer(x[0], 0))
			s.spendTimes(n, 1)
			sign := ""
			if t != "" && (t[0] == '-' || t[0] == '+') {
				sign, t = t[:1], t[1:]
			}
			return sign + strings.Repeat("0", int(n)) + t
		}},
	}
}

func strip(left, right bool) method {
	return method{[]string{"chars"}, 0, func(s *state, t string, x []value) value {
		return s.strip(t, or(x[0], none{}), left, right)
	}}
}

func (s *state) strip(t string, chars value, left, right bool) string {
	in := isSpace
	if _, ok := chars.(none); !ok {
		set := map[rune]bool{}
		for _, r := range s.argument(chars) {
			set[r] = true
		}
		in = func(r rune) bool { return set[r] }
	}
	if left {
		t = strings.TrimLeftFunc(t, in)
	}
	if right {
		t = strings.TrimRightFunc(t, in)
	}
	return t
}

// texts makes a list of texts.
func (s *state) texts(parts []string) value {
	s.spend(16 * len(parts))
	l := &list{}
	for _, p := range parts {
		l.items = append(l.items, p)
	}
	return l
}

// split cuts a text, at white space without sep, at most so often where most is not
// negative.
func (s *state) split(t string, sep value, most int64) []string {
	if _, ok := sep.(none); !ok {
		by := s.argument(sep)
		if by == "" {
			s.fail("empty separator")
		}
		s.spend(16 * (strings.Count(t, by) + 1))
		if most < 0 || most > int64(len(t)) {
			return strings.Split(t, by)
		}
		return strings.SplitN(t, by, int(most)+1)
	}
	s.spend(16 * (len(t)/2 + 1))
	if most < 0 {
		return strings.FieldsFunc(t, isSpace)
	}
	var out []string
	for t = strings.TrimLeftFunc(t, isSpace); t != ""; t = strings.TrimLeftFunc(t, isSpace) {
		i := strings.IndexFunc(t, isSpace)
		if i < 0 || int64(len(out)) >= most {
			i = len(t)
		}
		out = append(out, t[:i])
		if int64(len(out)) > most {
			break
		}
		t = t[i:]
	}
	return out
}

// lines are those of str.splitlines.
func lines(t string) []string {
	var out []string
	for t != "" {
		i := strings.IndexFunc(t, func(r rune) bool {
			return r >= '\n' && r <= '\r' || r >= 0x1C && r <= 0x1E || r == 0x85 || r == 0x2028 || r == 0x2029
		})
		if i < 0 {
			return append(out, t)
		}
		_, n := utf8.DecodeRuneInString(t[i:])
		if strings.HasPrefix(t[i:], "\r\n") {
			n = 2
		}
		out = append(out, t[:i])
		t = t[i+n:]
	}
	return out
}

func (s *state) replace(t, old, with string, most int64) string {
	n := int64(strings.Count(t, old))
	if most >= 0 {
		n = min(n, most)
	}
	s.spendTimes(n, int64(len(with)))
	return strings.Replace(t, old, with, int(n))
}

func partition(find func(t, sep string) int, last bool) method {
	return method{[]string{"sep"}, 1, func(s *state, t string, x []value) value {
		sep := s.argument(x[0])
		if sep == "" {
			s.fail("empty separator")
		}
		i := find(t, sep)
		switch {
		case i >= 0:
			return &list{items: []value{t[:i], sep, t[i+len(sep):]}, tuple: true}
		case last:
			return &list{items: []value{"", "", t}, tuple: true}
		}
		return &list{items: []value{t, "", ""}, tuple: true}
	}}
}

func position(find func(t, sub string) int, must bool) method {
	return method{[]string{"sub"}, 1, func(s *state, t string, x []value) value {
		i := find(t, s.argument(x[0]))
		if i < 0 {
			if must {
				s.fail("substring not found")
			}
			return int64(-1)
		}
		return int64(utf8.RuneCountInString(t[:i]))
	}}
}

// lacking is how many characters a text lacks of a width.
func lacking(t string, width int64) int64 {
	return max(max(width, 0)-int64(utf8.RuneCountInString(t)), 0)
}

func pad(sides func(n int) (left, right int)) method {
	return method{[]string{"width", "fillchar"}, 1, func(s *state, t string, x []value) value {
		fill := s.argument(or(x[1], " "))
		if utf8.RuneCountInString(fill) != 1 {
			s.fail("The fill character must be exactly one character long")
		}
		n := lacking(t, s.integer(x[0], 0))
		s.spendTimes(n, int64(len(fill)))
		left, right := sides(int(n))
		return strings.Repeat(fill, left) + t + strings.Repeat(fill, right)
	}}
}

// format is the operator % of texts, with %s, %r, %d and %%.
func (s *state) format(form string, v value) string {
	values := []value{v}
	if l, ok := v.(*list); ok && l.tuple {
		values = l.items
	}
	s.spend(len(form))
	var b strings.Builder
	for {
		i := strings.IndexByte(form, '%')
		if i < 0 || i+1 == len(form) {
			break
		}
		b.WriteString(form[:i])
		kind := form[i+1]
		form = form[i+2:]
		if kind == '%' {
			b.WriteByte('%')
			continue
		}
		if len(values) == 0 {
			s.fail("not enough arguments for format string")
		}
		x := values[0]
		values = values[1:]
		switch kind {
		case 's':
			s.put(&b, s.plain(x))
		case 'r':
			s.repr(&b, x)
		case 'd':
			s.put(&b, s.text(s.integer(x, 0)))
		default:
			s.fail("the format %%%c is not supported", kind)
		}
	}
	if strings.Contains(form, "%") {
		s.fail("incomplete format")
	}
	_, isDict := v.(*dict)
	if l, ok := v.(*list); !isDict && (!ok || l.tuple) && len(values) > 0 {
		s.fail("not all arguments converted during string formatting")
	}
	return b.String() + form
}
