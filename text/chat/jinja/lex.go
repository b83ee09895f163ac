package jinja

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/skainet-dev/skainet-go/errs"
)

type kind uint8

const (
	end        kind = iota
	text            // outside of tags
	blockBegin      // {%
	blockEnd        // %}
	varBegin        // {{
	varEnd          // }}
	word            // a name
	str             // a string, its escapes resolved
	integer
	float
	mark // an operator
)

type token struct {
	kind kind
	text string
	line int
}

type lexer struct {
	src    string
	at     int
	line   int
	tokens []token
	// begins tells that what follows starts a line, the break before it being eaten
	begins bool
}

// syntax throws an error of a template's text.
func syntax(line int, what string, args ...any) {
	panic(errs.New(CodeSyntax, "line %d: "+what, append([]any{line}, args...)...))
}

// tokens cuts a template, with trim_blocks and lstrip_blocks.
func tokens(src string) []token {
	src = strings.ReplaceAll(strings.ReplaceAll(src, "\r\n", "\n"), "\r", "\n")
	src = strings.TrimSuffix(src, "\n")
	l := &lexer{src: src, line: 1, begins: true}
	for l.at < len(src) {
		l.outside()
	}
	return append(l.tokens, token{end, "end of the template", l.line})
}

func (l *lexer) add(k kind, t string, line int) { l.tokens = append(l.tokens, token{k, t, line}) }

// eat goes on by n bytes.
func (l *lexer) eat(n int) {
	eaten := l.src[l.at : l.at+n]
	l.line += strings.Count(eaten, "\n")
	l.begins = strings.HasSuffix(eaten, "\n")
	l.at += n
}

// opening finds the next "{%", "{{" or "{#" from at.
func opening(src string, at int) int {
	for {
		i := strings.IndexByte(src[at:], '{')
		if i < 0 || at+i+1 >= len(src) {
			return -1
		}
		at += i
		switch src[at+1] {
		case '%', '{', '#':
			return at
		}
		at++
	}
}

// outside reads text up to the next tag, and the tag.
func (l *lexer) outside() {
	from := opening(l.src, l.at)
	if from < 0 {
		l.add(text, l.src[l.at:], l.line)
		l.eat(len(l.src) - l.at)
		return
	}
	l.textBefore(from, l.src[from+1] != '{')
	switch line := l.line; l.src[from+1] {
	case '#':
		i := strings.Index(l.src[l.at:], "#}")
		if i < 0 {
			syntax(line, "a comment has no end")
		}
		l.close(l.at+i, 2)
	case '{':
		l.add(varBegin, "{{", line)
		l.inside(varEnd)
	default:
		if n := rawTag(l.src[l.at:], "raw", true); n > 0 {
			l.eat(n)
			l.raw(line)
			return
		}
		l.add(blockBegin, "{%", line)
		l.inside(blockEnd)
	}
}

// textBefore adds the text up to a tag and eats the tag's beginning.
func (l *lexer) textBefore(from int, block bool) {
	t := l.src[l.at:from]
	n := 2
	sign := byte(0)
	if from+2 < len(l.src) && (l.src[from+2] == '-' || l.src[from+2] == '+') {
		sign = l.src[from+2]
		n = 3
	}
	switch {
	case sign == '-':
		t = strings.TrimRightFunc(t, isSpace)
	case sign == 0 && block:
		at := strings.LastIndexByte(t, '\n') + 1
		if (at > 0 || l.begins) && strings.TrimLeftFunc(t[at:], isSpace) == "" {
			t = t[:at]
		}
	}
	if t != "" {
		l.add(text, t, l.line)
	}
	l.eat(from + n - l.at)
}

// close eats up to the end of a tag whose mark of size bytes is at end: with - before
// it also the white space after it, without + the break of the line.
func (l *lexer) close(end, size int) {
	n := end + size
	switch {
	case l.src[end-1] == '-' && end-1 >= l.at:
		n = len(l.src) - len(strings.TrimLeftFunc(l.src[n:], isSpace))
	case l.src[end-1] == '+' && end-1 >= l.at:
	case n < len(l.src) && l.src[n] == '\n':
		n++
	}
	l.eat(n - l.at)
}

// rawTag returns the length of what is left of a tag "{% name %}" whose beginning is right
// before rest, or 0; a beginning one keeps the break of the line after it.
func rawTag(rest, name string, begins bool) int {
	at := 0
	skip := func() { at = len(rest) - len(strings.TrimLeftFunc(rest[at:], isSpace)) }
	skip()
	if !strings.HasPrefix(rest[at:], name) {
		return 0
	}
	at += len(name)
	skip()
	switch {
	case strings.HasPrefix(rest[at:], "-%}"):
		at += 3
		skip()
	case strings.HasPrefix(rest[at:], "+%}") && !begins:
		at += 3
	case strings.HasPrefix(rest[at:], "%}"):
		at += 2
		if !begins && at < len(rest) && rest[at] == '\n' {
			at++
		}
	default:
		return 0
	}
	return at
}

// raw reads text that is none of the template's up to {% endraw %}.
func (l *lexer) raw(line int) {
	for at := l.at; at < len(l.src); {
		i := strings.Index(l.src[at:], "{%")
		if i < 0 {
			syntax(line, "raw has no endraw")
		}
		at += i
		rest := l.src[at+2:]
		if rest != "" && (rest[0] == '-' || rest[0] == '+') {
			rest = rest[1:]
		}
		if n := rawTag(rest, "endraw", false); n > 0 {
			l.textBefore(at, true) // and the tag's beginning
			l.eat(n)
			return
		}
		at += 2
	}
}

// inside reads the tokens of a tag.
func (l *lexer) inside(closing kind) {
	endMark := "%}"
	if closing == varEnd {
		endMark = "}}"
	}
	var open []byte
	first := l.line
	for {
		if l.at >= len(l.src) {
			syntax(first, "a tag has no end")
		}
		s := l.src[l.at:]
		if len(open) == 0 {
			signed := s[0] == '-' || s[0] == '+' && closing == blockEnd
			if signed && strings.HasPrefix(s[1:], endMark) || strings.HasPrefix(s, endMark) {
				l.add(closing, endMark, l.line)
				l.endTag(s, endMark, closing)
				return
			}
		}
		line := l.line
		r, n := utf8.DecodeRuneInString(s)
		switch {
		case isSpace(r):
			l.eat(n)
		case s[0] >= '0' && s[0] <= '9':
			k, n := number(s)
			if l.at > 0 && l.src[l.at-1] == '.' { // of an index such as x.0.1
				k, n = integer, len(s)-len(strings.TrimLeft(s, "0123456789"))
			}
			l.add(k, strings.ReplaceAll(s[:n], "_", ""), line)
			l.eat(n)
		case r == '_' || unicode.IsLetter(r):
			n := strings.IndexFunc(s, func(r rune) bool {
				return r != '_' && !unicode.IsLetter(r) && !unicode.IsDigit(r)
			})
			if n < 0 {
				n = len(s)
			}
			if n > MaxName {
				syntax(line, "a name has %d bytes, at most %d are taken", n, MaxName)
			}
			l.add(word, s[:n], line)
			l.eat(n)
		case r == '"' || r == '\'':
			t, n := quoted(s, line)
			l.add(str, t, line)
			l.eat(n)
		default:
			open = l.operator(s, open)
		}
	}
}

// endTag eats the end of a tag, which stands at the start of s.
func (l *lexer) endTag(s, endMark string, closing kind) {
	at := l.at
	switch {
	case s[0] == '-':
		l.close(at+1, 2)
	case s[0] == '+':
		l.eat(3)
	case closing == blockEnd && strings.HasPrefix(s[len(endMark):], "\n"):
		l.eat(3)
	default:
		l.eat(2)
	}
}

func (l *lexer) operator(s string, open []byte) []byte {
	for _, m := range []string{"//", "**", "==", "!=", ">=", "<="} {
		if strings.HasPrefix(s, m) {
			l.add(mark, m, l.line)
			l.eat(2)
			return open
		}
	}
	c := s[0]
	switch c {
	case '(', '[', '{':
		open = append(open, c+1+c>>6&1) // the mark that closes it
	case ')', ']', '}':
		if len(open) == 0 || open[len(open)-1] != c {
			syntax(l.line, "unexpected %q", c)
		}
		open = open[:len(open)-1]
	case '+', '-', '*', '/', '%', '~', '>', '<', '=', '.', ':', '|', ',', ';':
	default:
		r, _ := utf8.DecodeRuneInString(s)
		syntax(l.line, "unexpected %q", r)
	}
	l.add(mark, s[:1], l.line)
	l.eat(1)
	return open
}

// isSpace is white space as Python has it.
func isSpace(r rune) bool { return unicode.IsSpace(r) || r >= 0x1C && r <= 0x1F }
