package verify

import "strings"

type kind byte

const (
	tEnd    kind = iota
	tBad         // a character that begins no token, or an unterminated string
	tIdent       // func.func, dims, tensor, i64
	tValue       // %x
	tSymbol      // @f, @"a.b"
	tLabel       // ^bb0
	tHash        // #stablehlo.gather, and the number after %x
	tBang        // !stream.binding
	tInt         // 12, -3, 0xFF
	tFloat       // 1.0e-3
	tString      // "..."
	tPunct       // one of ( ) { } [ ] < > : , = ? * or ->, ::, {-#, #-}
)

type token struct {
	kind kind
	pos  int
	text string // with its sigil and quotes
}

func (t token) end() int { return t.pos + len(t.text) }

func letter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' || c == '_' }
func digit(c byte) bool  { return c >= '0' && c <= '9' }
func hexDigit(c byte) bool {
	return digit(c) || c|0x20 >= 'a' && c|0x20 <= 'f'
}

// span returns the number of bytes of s from i on that satisfy ok.
func span(s string, i int, ok func(byte) bool) int {
	for i < len(s) && ok(s[i]) {
		i++
	}
	return i
}

func inName(c byte) bool { return letter(c) || digit(c) || c == '$' || c == '.' }

// suffix returns the length of a value's name after its sigil; a name that begins
// with a digit is a number.
func suffix(s string, i int) int {
	if i < len(s) && digit(s[i]) {
		return span(s, i, digit)
	}
	return span(s, i, func(c byte) bool { return inName(c) || c == '-' })
}

// lex returns the token at or after position i.
func lex(s string, i int) token {
	for i < len(s) {
		switch {
		case s[i] == ' ' || s[i] == '\n' || s[i] == '\t' || s[i] == '\r':
			i++
		case strings.HasPrefix(s[i:], "//"):
			n := strings.IndexByte(s[i:], '\n')
			if n < 0 {
				i = len(s)
			} else {
				i += n
			}
		default:
			return lexAt(s, i)
		}
	}
	return token{kind: tEnd, pos: len(s)}
}

func lexAt(s string, i int) token {
	tok := func(k kind, end int) token { return token{k, i, s[i:end]} }
	sigil := func(k kind, end int) token {
		if end == i+1 {
			k = tBad
		}
		return tok(k, end)
	}
	c := s[i]
	switch {
	case letter(c):
		return tok(tIdent, span(s, i, inName))
	case digit(c) || c == '-' && i+1 < len(s) && digit(s[i+1]):
		return number(s, i)
	case c == '"':
		return text(s, i, i)
	case strings.HasPrefix(s[i:], "{-#") || strings.HasPrefix(s[i:], "#-}"):
		return tok(tPunct, i+3)
	case c == '%':
		return sigil(tValue, suffix(s, i+1))
	case c == '^':
		return sigil(tLabel, suffix(s, i+1))
	case c == '#':
		return sigil(tHash, suffix(s, i+1))
	case c == '!':
		return sigil(tBang, span(s, i+1, inName))
	case c == '@':
		if i+1 < len(s) && s[i+1] == '"' {
			t := text(s, i+1, i)
			if t.kind == tString {
				t.kind = tSymbol
			}
			return t
		}
		return sigil(tSymbol, span(s, i+1, inName))
	case strings.HasPrefix(s[i:], "->") || strings.HasPrefix(s[i:], "::"):
		return tok(tPunct, i+2)
	case strings.IndexByte("(){}[]<>:,=?*+", c) >= 0:
		return tok(tPunct, i+1)
	}
	return tok(tBad, i+1)
}

// text returns the string whose quote is at i, as a token from start on.
func text(s string, i, start int) token {
	for j := i + 1; j < len(s); j++ {
		switch s[j] {
		case '\\':
			j++
		case '"':
			return token{tString, start, s[start : j+1]}
		case '\n':
			return token{tBad, start, s[start:j]}
		}
	}
	return token{tBad, start, s[start:]}
}

func number(s string, i int) token {
	j := i
	if s[j] == '-' {
		j++
	}
	if strings.HasPrefix(s[j:], "0x") && j+2 < len(s) && hexDigit(s[j+2]) {
		return token{tInt, i, s[i:span(s, j+2, hexDigit)]}
	}
	j = span(s, j, digit)
	if j+1 >= len(s) || s[j] != '.' || !digit(s[j+1]) {
		if j < len(s) && s[j] == '.' {
			return token{tFloat, i, s[i : j+1]} // 1. is a float
		}
		return token{tInt, i, s[i:j]}
	}
	j = span(s, j+1, digit)
	if j < len(s) && s[j]|0x20 == 'e' {
		k := j + 1
		if k < len(s) && (s[k] == '+' || s[k] == '-') {
			k++
		}
		if k < len(s) && digit(s[k]) {
			j = span(s, k, digit)
		}
	}
	return token{tFloat, i, s[i:j]}
}
