package shape

import (
	"strconv"
	"strings"
)

// maxDepth bounds the brackets in the name of a dimension.
const maxDepth = 8

// parseSum reads a sum of products of names and numbers, each of which may be
// divided: "batch*seq", "2*n+1", "(seq+1)/2".
func parseSum(text string) (sum, bool) {
	if len(text) > 2*maxText {
		return nil, false
	}
	p := &sumParser{rest: text}
	s, ok := p.sum(0)
	return s, ok && p.peek() == 0
}

type sumParser struct{ rest string }

// peek gives the next character that is no space, 0 at the end.
func (p *sumParser) peek() byte {
	p.rest = strings.TrimLeft(p.rest, " ")
	if p.rest == "" {
		return 0
	}
	return p.rest[0]
}

func (p *sumParser) sum(depth int) (sum, bool) {
	var total sum
	for first := true; ; first = false {
		sign := int64(1)
		switch c := p.peek(); {
		case c == '-':
			sign = -1
			p.rest = p.rest[1:]
		case c == '+' && !first:
			p.rest = p.rest[1:]
		case !first:
			return total, true
		}
		product, ok := p.product(depth)
		if ok {
			product, ok = product.times(constant(sign))
		}
		if ok {
			total, ok = total.plus(product)
		}
		if !ok {
			return nil, false
		}
	}
}

func (p *sumParser) product(depth int) (sum, bool) {
	total := constant(1)
	for {
		f, ok := p.factor(depth)
		for ok && p.peek() == '/' {
			p.rest = p.rest[1:]
			by, isNumber := p.number()
			if !isNumber || by < 1 {
				return nil, false
			}
			f, ok = f.floor(by)
		}
		if ok {
			total, ok = total.times(f)
		}
		if !ok {
			return nil, false
		}
		if p.peek() != '*' {
			return total, true
		}
		p.rest = p.rest[1:]
	}
}

func (p *sumParser) factor(depth int) (sum, bool) {
	c := p.peek()
	switch {
	case c == '(' && depth < maxDepth:
		p.rest = p.rest[1:]
		s, ok := p.sum(depth + 1)
		if !ok || p.peek() != ')' {
			return nil, false
		}
		p.rest = p.rest[1:]
		return s, true
	case c >= '0' && c <= '9':
		n, ok := p.number()
		return constant(n), ok
	}
	end := 0
	for end < len(p.rest) && isNameByte(p.rest[end], end == 0) {
		end++
	}
	if end == 0 {
		return nil, false
	}
	name := p.rest[:end]
	p.rest = p.rest[end:]
	return sum{{1, []atom{{name: name}}}}, true
}

func (p *sumParser) number() (int64, bool) {
	p.peek()
	end := 0
	for end < len(p.rest) && p.rest[end] >= '0' && p.rest[end] <= '9' {
		end++
	}
	n, err := strconv.ParseInt(p.rest[:end], 10, 64)
	p.rest = p.rest[end:]
	return n, err == nil
}

// isNameByte says whether c may stand in a name: letters, digits, "_" and "." as
// graphs of others have them, no digit first.
func isNameByte(c byte, first bool) bool {
	return c == '_' || c == '.' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || !first && c >= '0' && c <= '9'
}
