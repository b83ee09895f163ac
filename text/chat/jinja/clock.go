package jinja

import (
	"strings"
	"time"

	"github.com/ncruces/go-strftime"
)

// Clock returns a value for Render: the function strftime_now of Hugging Face's
// tokenizers, which writes a date and time in a format of Python's strftime, in C's
// locale and without a time zone. For it the time is always at.
func Clock(at time.Time) any {
	return &function{"strftime_now", func(s *state, a args) value {
		x := s.bind(a, "strftime_now", "format")
		s.need("strftime_now", x)
		format := s.argument(x[0])
		s.spend(16 * len(format))
		return s.strftime(format, at)
	}}
}

// Directives of strftime, and those of which - takes the zeros away.
const (
	directives = "aAbBcCdDeFfgGhHIjklmMnpPrRStTuUVwWxXyYzZ%"
	unpadded   = "dHIjmMS"
)

// strftime writes a time directive by directive, and refuses one that it does not know:
// what strftime makes of it depends on the system.
func (s *state) strftime(format string, at time.Time) string {
	var b strings.Builder
	for {
		i := strings.IndexByte(format, '%')
		if i < 0 {
			return b.String() + format
		}
		b.WriteString(format[:i])
		format = format[i:]
		n, known := 2, directives
		if strings.HasPrefix(format, "%-") {
			n, known = 3, unpadded
		}
		if len(format) < n || !strings.Contains(known, format[n-1:n]) {
			s.fail("the format %s of a date is not supported", format[:min(n, len(format))])
		}
		switch format[:n] {
		case "%z", "%Z": // a time without a zone
		default:
			b.WriteString(strftime.Format(format[:n], at))
		}
		format = format[n:]
	}
}
