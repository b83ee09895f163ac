package shape

import (
	"strconv"
	"strings"
	"sync"
)

// maxDepth bounds the brackets in the name of a dimension.
const maxDepth = 8

// known keeps the polynomials of names, so that the name of a dimension is parsed at most
// once. It is emptied when it is full, so that the names of files cannot make it grow for
// ever.
var known struct {
	sync.Mutex
	of map[string]polynomial
}

const maxKnown = 1 << 12

// polynomialOf returns the polynomial that a name says; ok is false where it is not well
// formed or exceeds the limits.
func polynomialOf(name string) (p polynomial, ok bool) {
	known.Lock()
	p, ok = known.of[name]
	known.Unlock()
	if !ok {
		if p, ok = parse(name); ok {
			keep(name, p)
		}
	}
	return p, ok
}

// keep spares polynomialOf the parsing of name, which says p.
func keep(name string, p polynomial) {
	known.Lock()
	defer known.Unlock()
	if known.of == nil || len(known.of) >= maxKnown {
		known.of = map[string]polynomial{}
	}
	known.of[name] = p
}

// String returns the canonical form: equal polynomials have equal texts.
func (p polynomial) String() string {
	if len(p) == 0 {
		return "0"
	}
	var b strings.Builder
	for i, t := range p {
		switch {
		case t.coefficient < 0:
			b.WriteByte('-')
		case i > 0:
			b.WriteByte('+')
		}
		size := strconv.FormatUint(magnitude(t.coefficient), 10)
		switch key := t.key(); {
		case key == "":
			b.WriteString(size)
		case size == "1":
			b.WriteString(key)
		default:
			b.WriteString(size + "*" + key)
		}
	}
	return b.String()
}

// parse reads a sum of products of names and numbers, each of which may be divided by
// numbers, with blanks between: "batch*seq", "2*n + 1", "(seq+1)/2".
//
//	sum      = ["-"] product {("+" | "-") product}
//	product  = quotient {"*" quotient}
//	quotient = factor {"/" number}
//	factor   = "(" sum ")" | number | name
func parse(text string) (polynomial, bool) {
	if len(text) > 2*maxText {
		return nil, false
	}
	p := &parser{rest: text}
	s, ok := p.sum(0)
	return s, ok && p.peek() == 0
}

// parser reads the grammar of parse; depth counts the brackets around.
type parser struct{ rest string }

// peek returns the next character that is not a blank, or 0 at the end.
func (p *parser) peek() byte {
	p.rest = strings.TrimLeft(p.rest, " ")
	if p.rest == "" {
		return 0
	}
	return p.rest[0]
}

// accept skips the character c if it is next, and reports whether it was.
func (p *parser) accept(c byte) bool {
	if p.peek() != c {
		return false
	}
	p.rest = p.rest[1:]
	return true
}

func (p *parser) sum(depth int) (total polynomial, ok bool) {
	for first := true; ; first = false {
		join := polynomial.plus
		switch {
		case p.accept('-'):
			join = polynomial.minus
		case !first && !p.accept('+'):
			return total, true
		}
		product, ok := p.product(depth)
		if !ok {
			return nil, false
		}
		if total, ok = join(total, product); !ok {
			return nil, false
		}
	}
}

func (p *parser) product(depth int) (total polynomial, ok bool) {
	if total, ok = p.quotient(depth); !ok {
		return nil, false
	}
	for p.accept('*') {
		next, ok := p.quotient(depth)
		if !ok {
			return nil, false
		}
		if total, ok = total.times(next); !ok {
			return nil, false
		}
	}
	return total, true
}

func (p *parser) quotient(depth int) (total polynomial, ok bool) {
	if total, ok = p.factor(depth); !ok {
		return nil, false
	}
	for p.accept('/') {
		by, ok := p.number()
		if !ok || by < 1 {
			return nil, false
		}
		if total, ok = total.floorDiv(by); !ok {
			return nil, false
		}
	}
	return total, true
}

func (p *parser) factor(depth int) (polynomial, bool) {
	c := p.peek()
	switch {
	case c == '(' && depth < maxDepth:
		p.rest = p.rest[1:]
		s, ok := p.sum(depth + 1)
		return s, ok && p.accept(')')
	case c >= '0' && c <= '9':
		n, ok := p.number()
		return constant(n), ok
	case !isNameByte(c, true):
		return nil, false
	}
	end := 1
	for end < len(p.rest) && isNameByte(p.rest[end], false) {
		end++
	}
	name := p.rest[:end]
	p.rest = p.rest[end:]
	return variable(name), true
}

func (p *parser) number() (int64, bool) {
	p.peek()
	end := 0
	for end < len(p.rest) && p.rest[end] >= '0' && p.rest[end] <= '9' {
		end++
	}
	n, err := strconv.ParseInt(p.rest[:end], 10, 64)
	p.rest = p.rest[end:]
	return n, err == nil
}

// isNameByte reports whether c may stand in a name: letters, digits, "_" and ".", which
// other programs' graphs have; a digit is not first.
func isNameByte(c byte, first bool) bool {
	return c == '_' || c == '.' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || !first && c >= '0' && c <= '9'
}

// isName reports whether text is one name.
func isName(text string) bool {
	for i := range len(text) {
		if !isNameByte(text[i], i == 0) {
			return false
		}
	}
	return text != ""
}
