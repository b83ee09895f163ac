package jinja

import (
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"
)

var (
	floatForm   = regexp.MustCompile(`^(?:[0-9]+_)*[0-9]+(?:(?:\.(?:[0-9]+_)*[0-9]+)?[eE][+-]?(?:[0-9]+_)*[0-9]+|\.(?:[0-9]+_)*[0-9]+)`)
	integerForm = regexp.MustCompile(`^(?:0[bB](?:_?[01])+|0[oO](?:_?[0-7])+|0[xX](?:_?[0-9a-fA-F])+|[1-9](?:_?[0-9])*|0(?:_?0)*)`)
)

// number returns the kind and the length of the number at the start of s.
func number(s string) (kind, int) {
	if len(s) > 1000 {
		s = s[:1000]
	}
	if n := len(floatForm.FindString(s)); n > 0 {
		return float, n
	}
	return integer, len(integerForm.FindString(s))
}

// quoted reads the string at the start of s with Python's escapes, and returns its length there.
func quoted(s string, line int) (string, int) {
	quote := s[0]
	var b strings.Builder
	for at := 1; at < len(s); {
		c := s[at]
		switch {
		case c == quote:
			return b.String(), at + 1
		case c != '\\' || at+1 >= len(s):
			b.WriteByte(c)
			at++
		default:
			n, r, kept := escape(s[at+1:], line)
			if kept {
				b.WriteByte('\\')
			}
			if r >= 0 {
				b.WriteRune(r)
			}
			at += 1 + n
		}
	}
	syntax(line, "a string has no end")
	return "", 0
}

// escape returns the length and the meaning of what follows a backslash; r is negative
// for a line that goes on; kept tells that the backslash means itself.
func escape(s string, line int) (n int, r rune, kept bool) {
	const letters, meant = `\'"abfnrtv`, "\\'\"\a\b\f\n\r\t\v"
	if i := strings.IndexByte(letters, s[0]); i >= 0 {
		return 1, rune(meant[i]), false
	}
	digits := 0
	switch s[0] {
	case '\n':
		return 1, -1, false
	case 'x':
		digits = 2
	case 'u':
		digits = 4
	case 'U':
		digits = 8
	case 'N':
		syntax(line, "a character by its name is not supported")
	}
	if digits > 0 {
		if len(s) <= digits {
			syntax(line, "an escape in a string is cut off")
		}
		v, err := strconv.ParseUint(s[1:1+digits], 16, 32)
		if err != nil || v > utf8.MaxRune || v >= 0xD800 && v < 0xE000 {
			syntax(line, "an escape in a string is not a character")
		}
		return 1 + digits, rune(v), false
	}
	for n < 3 && n < len(s) && s[n] >= '0' && s[n] <= '7' {
		r = r<<3 | rune(s[n]-'0')
		n++
	}
	if n > 0 {
		return n, r, false
	}
	r, n = utf8.DecodeRuneInString(s)
	return n, r, true
}
