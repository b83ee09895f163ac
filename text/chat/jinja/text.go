package jinja

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// text returns a value as Python's str does.
func (s *state) text(v value) string {
	switch v := v.(type) {
	case string:
		return v
	case markup:
		return string(v)
	case undefined:
		return ""
	}
	var b strings.Builder
	s.repr(&b, v)
	return b.String()
}

// plain is text of what is not marked as HTML.
func (s *state) plain(v value) string {
	if _, ok := v.(markup); ok {
		s.fail("text that was escaped, or marked as safe, can only be written")
	}
	return s.text(v)
}

func (s *state) put(b *strings.Builder, text string) {
	s.spend(len(text))
	b.WriteString(text)
}

// repr writes a value as Python's repr does.
func (s *state) repr(b *strings.Builder, v value) {
	s.enter()
	defer s.leave()
	s.step()
	switch v := v.(type) {
	case none:
		s.put(b, "None")
	case undefined:
		s.put(b, "Undefined")
	case bool:
		s.put(b, map[bool]string{true: "True", false: "False"}[v])
	case int64:
		s.put(b, strconv.FormatInt(v, 10))
	case float64:
		s.put(b, floatText(v))
	case string:
		s.spend(len(v))
		s.put(b, quote(v))
	case markup:
		s.spend(len(v))
		s.put(b, "Markup("+quote(string(v))+")")
	case *macro:
		name := "anonymous"
		if v.name != "" {
			name = quote(v.name)
		}
		s.put(b, "<Macro "+name+">")
	case *list:
		open, shut := "[", "]"
		switch {
		case v.once:
			s.fail("a %s has no text of its own; make a list of it", typeName(v))
		case v.span != nil:
			s.put(b, v.span.text())
			return
		case v.view != "":
			open, shut = v.view+"([", "])"
		case v.tuple && len(v.items) == 1:
			open, shut = "(", ",)"
		case v.tuple:
			open, shut = "(", ")"
		}
		s.put(b, open)
		for i, x := range v.items {
			if i > 0 {
				s.put(b, ", ")
			}
			s.repr(b, x)
		}
		s.put(b, shut)
	case *dict:
		s.put(b, "{")
		for i, k := range v.keys {
			if i > 0 {
				s.put(b, ", ")
			}
			s.repr(b, k)
			s.put(b, ": ")
			s.repr(b, v.values[i])
		}
		s.put(b, "}")
	case *namespace:
		s.put(b, "<Namespace ")
		s.repr(b, v.of)
		s.put(b, ">")
	default:
		s.fail("a %s has no text of its own", typeName(v))
	}
}

// floatText is Python's repr of a float.
func floatText(f float64) string {
	switch {
	case math.IsInf(f, 1):
		return "inf"
	case math.IsInf(f, -1):
		return "-inf"
	case math.IsNaN(f):
		return "nan"
	}
	t := strconv.FormatFloat(f, 'e', -1, 64)
	at := strings.IndexByte(t, 'e')
	if exp, err := strconv.Atoi(t[at+1:]); err == nil && exp >= -4 && exp < 16 {
		t = strconv.FormatFloat(f, 'f', -1, 64)
		if !strings.Contains(t, ".") {
			t += ".0"
		}
	}
	return t
}

// quote is Python's repr of a str.
func quote(t string) string {
	mark := '\''
	if strings.Contains(t, "'") && !strings.Contains(t, `"`) {
		mark = '"'
	}
	var b strings.Builder
	b.WriteRune(mark)
	for _, r := range t {
		switch {
		case r == mark || r == '\\':
			b.WriteByte('\\')
			b.WriteRune(r)
		case r == '\n':
			b.WriteString(`\n`)
		case r == '\r':
			b.WriteString(`\r`)
		case r == '\t':
			b.WriteString(`\t`)
		case unicode.IsPrint(r):
			b.WriteRune(r)
		case r < 0x100:
			fmt.Fprintf(&b, `\x%02x`, r)
		case r < 0x10000:
			fmt.Fprintf(&b, `\u%04x`, r)
		default:
			fmt.Fprintf(&b, `\U%08x`, r)
		}
	}
	b.WriteRune(mark)
	return b.String()
}

// jsonStyle is how json.dumps writes.
type jsonStyle struct {
	ascii, sort     bool
	indent          string
	lines           bool // with indent
	between, behind string
}

// json writes a value as Python's json.dumps does.
func (s *state) json(b *strings.Builder, v value, y *jsonStyle, level int) {
	s.enter()
	defer s.leave()
	s.step()
	items := func(open, shut string, n int, each func(i int)) {
		s.put(b, open)
		line := func(level int) {
			if y.lines {
				s.put(b, "\n")
				s.spendTimes(int64(level), int64(len(y.indent)))
				b.WriteString(strings.Repeat(y.indent, level))
			}
		}
		for i := range n {
			if i > 0 {
				s.put(b, y.between)
			}
			line(level + 1)
			each(i)
		}
		if n > 0 {
			line(level)
		}
		s.put(b, shut)
	}
	switch v := v.(type) {
	case none:
		s.put(b, "null")
	case bool:
		s.put(b, strconv.FormatBool(v))
	case int64:
		s.put(b, strconv.FormatInt(v, 10))
	case float64:
		s.put(b, jsonFloat(v))
	case string:
		s.jsonString(b, v, y.ascii)
	case markup:
		s.jsonString(b, string(v), y.ascii)
	case *list:
		if v.once || v.view != "" {
			s.fail("Object of type %s is not JSON serializable", typeName(v))
		}
		items("[", "]", len(v.items), func(i int) { s.json(b, v.items[i], y, level+1) })
	case *dict:
		order := make([]int, len(v.keys))
		s.spend(8 * len(order))
		for i := range order {
			order[i] = i
		}
		if y.sort {
			slices.SortStableFunc(order, func(i, j int) int { return s.order("<", v.keys[i], v.keys[j]) })
		}
		items("{", "}", len(order), func(i int) {
			s.jsonKey(b, v.keys[order[i]], y)
			s.put(b, y.behind)
			s.json(b, v.values[order[i]], y, level+1)
		})
	default:
		s.fail("Object of type %s is not JSON serializable", typeName(v))
	}
}

func jsonFloat(f float64) string {
	return map[string]string{"inf": "Infinity", "-inf": "-Infinity", "nan": "NaN"}[floatText(f)] + finite(f)
}

func finite(f float64) string {
	if math.IsInf(f, 0) || math.IsNaN(f) {
		return ""
	}
	return floatText(f)
}

func (s *state) jsonKey(b *strings.Builder, k value, y *jsonStyle) {
	switch k := k.(type) {
	case string:
		s.jsonString(b, k, y.ascii)
	case markup:
		s.jsonString(b, string(k), y.ascii)
	case none:
		s.put(b, `"null"`)
	case bool:
		s.put(b, `"`+strconv.FormatBool(k)+`"`)
	case int64:
		s.put(b, `"`+strconv.FormatInt(k, 10)+`"`)
	case float64:
		s.put(b, `"`+jsonFloat(k)+`"`)
	default:
		s.fail("keys must be str, int, float, bool or None, not %s", typeName(k))
	}
}

func (s *state) jsonString(b *strings.Builder, t string, ascii bool) {
	s.spend(2 * len(t))
	b.WriteByte('"')
	for _, r := range t {
		const short, meant = "\"\\\n\r\t\f\b", `"\nrtfb`
		switch i := strings.IndexRune(short, r); {
		case i >= 0:
			b.WriteByte('\\')
			b.WriteByte(meant[i])
		case r < ' ' || ascii && r > '~' && r < 0x10000:
			s.spend(6)
			fmt.Fprintf(b, `\u%04x`, r)
		case ascii && r >= utf8.RuneSelf:
			s.spend(12)
			fmt.Fprintf(b, `\u%04x\u%04x`, 0xD800+(r-0x10000)>>10, 0xDC00+(r-0x10000)&0x3FF)
		default:
			b.WriteRune(r)
		}
	}
	b.WriteByte('"')
}
