package verify

import (
	"strconv"
	"strings"
)

// dynamic is the size of a dimension written as "?".
const dynamic = -1

// typ is a type as written in the text.
type typ struct {
	pos    int
	tensor bool
	dims   []int64
	elem   string // element type of a tensor, else the whole type
	extra  string // the encoding of a tensor, as written
}

func (t typ) String() string {
	if !t.tensor {
		return t.elem
	}
	var b strings.Builder
	b.WriteString("tensor<")
	for _, d := range t.dims {
		if d == dynamic {
			b.WriteString("?x")
		} else {
			b.WriteString(strconv.FormatInt(d, 10) + "x")
		}
	}
	b.WriteString(t.elem)
	if t.extra != "" {
		b.WriteString(", " + t.extra)
	}
	return b.String() + ">"
}

// equal reports whether two types are the same.
func (t typ) equal(u typ) bool {
	if t.tensor != u.tensor || t.elem != u.elem || t.extra != u.extra || len(t.dims) != len(u.dims) {
		return false
	}
	for i, d := range t.dims {
		if d != u.dims[i] {
			return false
		}
	}
	return true
}

// fits reports whether shapes may be equal at run time.
func fits(a, b []int64) bool {
	if len(a) != len(b) {
		return false
	}
	for i, d := range a {
		if !fit(d, b[i]) {
			return false
		}
	}
	return true
}

func fit(a, b int64) bool { return a == b || a == dynamic || b == dynamic }

// elements returns the number of elements of a static shape; ok is false for a dynamic one.
func elements(dims []int64) (n int64, ok bool) {
	n = 1
	for _, d := range dims {
		if d == dynamic {
			return 0, false
		}
		n *= d // the parser bounds the product
	}
	return n, true
}

func (t typ) scalar() typ { return typ{tensor: true, elem: t.elem, pos: t.pos} }

func isFloat(e string) bool {
	return e != "" && e[0] == 'f' || e == "bf16" || e == "tf32"
}
func isComplex(e string) bool  { return strings.HasPrefix(e, "complex<") }
func isUnsigned(e string) bool { return strings.HasPrefix(e, "ui") }
func isBool(e string) bool     { return e == "i1" }
func isInt(e string) bool {
	return e == "index" || !isBool(e) && width(e) > 0 && !isFloat(e)
}

// width returns the bits of an integer or float type, or 0.
func width(e string) int {
	for _, prefix := range []string{"ui", "si", "bf", "tf", "i", "f8", "f"} {
		if rest, ok := strings.CutPrefix(e, prefix); ok {
			if prefix == "f8" {
				return 8
			}
			if prefix == "tf" {
				return 32
			}
			n, err := strconv.Atoi(rest)
			if err != nil || n < 1 || n > 64 {
				return 0
			}
			return n
		}
	}
	return 0
}

// element reports whether e names an element type.
func element(e string) bool {
	if strings.HasPrefix(e, "f8E") {
		return true
	}
	if strings.HasPrefix(e, "f") {
		return e == "f16" || e == "f32" || e == "f64"
	}
	switch e {
	case "index", "bf16", "tf32":
		return true
	}
	return width(e) > 0 && !isFloat(e)
}

// typ parses one type.
func (p *parser) typ() typ {
	t := typ{pos: p.tok.pos}
	switch {
	case p.tok.kind == tIdent && p.tok.text == "tensor":
		return p.tensor()
	case p.tok.kind == tIdent && (element(p.tok.text) || p.tok.text == "none"):
		t.elem = p.tok.text
		p.next()
	case p.tok.kind == tBang:
		t.elem = p.tok.text
		p.next()
		if p.is("<") {
			t.elem += p.balanced()
		}
	case p.tok.kind == tIdent && (p.tok.text == "tuple" || p.tok.text == "vector" || p.tok.text == "memref"):
		t.elem = p.tok.text
		p.next()
		t.elem += p.balanced()
	default:
		p.expected("a type")
	}
	return t
}

// tensor parses the current token, "tensor", and its shape, which is not a
// sequence of tokens: in 4x2xf32 the letters are not names.
func (p *parser) tensor() typ {
	t := typ{pos: p.tok.pos, tensor: true}
	p.next()
	if !p.is("<") {
		p.expected(`"<"`)
		return t
	}
	i := p.tok.end()
	product := int64(1)
	for i < len(p.text) && (digit(p.text[i]) || p.text[i] == '?') {
		j := i + 1
		size := int64(dynamic)
		if digit(p.text[i]) {
			j = span(p.text, i, digit)
			n, err := strconv.ParseInt(p.text[i:j], 10, 62)
			if err != nil {
				p.fail(i, CodeLimit, "a dimension of size %.40s", p.text[i:j])
				return t
			}
			size = n
			if n > 0 {
				if product > 1<<61/n {
					p.fail(i, CodeLimit, "a tensor with more than 2^61 elements")
					return t
				}
				product *= n
			}
		}
		if j >= len(p.text) || p.text[j] != 'x' {
			p.fail(j, CodeSyntax, `expected "x" after a size`)
			return t
		}
		if t.dims = append(t.dims, size); len(t.dims) > MaxRank {
			p.fail(i, CodeLimit, "a tensor with more than %d dimensions", MaxRank)
			return t
		}
		i = j + 1
	}
	p.tok = lex(p.text, i)
	switch {
	case p.tok.kind == tIdent && element(p.tok.text):
		t.elem = p.tok.text
		p.next()
	case p.tok.kind == tIdent && p.tok.text == "complex":
		p.next()
		t.elem = "complex" + p.balanced()
	case p.tok.kind == tBang:
		t.elem = p.tok.text
		p.next()
		if p.is("<") {
			t.elem += p.balanced()
		}
	default:
		p.expected("an element type")
	}
	if p.accept(",") { // an encoding
		if a := p.attr(); p.fault == nil {
			t.extra = p.text[a.pos:a.end]
		}
	}
	p.want(">")
	return t
}

// types parses comma-separated types.
func (p *parser) types() []typ {
	list := []typ{p.sizedType()}
	for p.accept(",") {
		list = append(list, p.sizedType())
	}
	return list
}

// typesIn parses "(T, U)" or "()".
func (p *parser) typesIn() []typ {
	p.want("(")
	if p.accept(")") {
		return nil
	}
	list := p.types()
	p.want(")")
	return list
}

// results parses what follows an arrow: one type, or a list in parentheses.
func (p *parser) results() []typ {
	if p.is("(") {
		return p.typesIn()
	}
	return []typ{p.sizedType()}
}

// sizedType parses a type and, in an operation that has them, the sizes of
// its dynamic dimensions: tensor<?x4xf32>{%n}.
func (p *parser) sizedType() typ {
	t := p.typ()
	if p.sizes == nil {
		return t
	}
	var sizes []use
	if p.is("{") {
		sizes = p.indices("}")
		*p.sizes = append(*p.sizes, sizes...)
	}
	n := 0
	for _, d := range t.dims {
		if d == dynamic {
			n++
		}
	}
	if n != len(sizes) {
		p.fail(t.pos, CodeSyntax, "%s with %s", t, count(len(sizes), "size"))
	}
	return t
}
