package verify

import "strconv"

type attrKind byte

const (
	aWord  attrKind = iota // LT, unit, a type, or anything that this package does not interpret
	aInt                   // 3, true (1), false (0)
	aFloat                 // 1.0
	aHex                   // 0xFF
	aString
	aList  // [..], array<i64: ..>
	aDict  // {..}, #stablehlo.gather<..>
	aRange // 0:4:2
	aDense // dense<..>
	aSymbol
	aResource // dense_resource<..>, whose text is the name
)

// attr is an attribute.
type attr struct {
	kind     attrKind
	pos, end int
	text     string // a word, a string with its quotes, or a symbol
	inner    string // what follows a word in <>, if it is not read
	n        int64
	items    []attr
	keys     []string // of a dictionary, one per item
	typ      *typ     // after a colon
	boolean  bool
}

// ints returns a list of integers.
func (a attr) ints() ([]int64, bool) {
	if a.kind == aDense && len(a.items) == 1 {
		return a.items[0].ints()
	}
	if a.kind != aList {
		return nil, false
	}
	out := make([]int64, 0, len(a.items))
	for _, item := range a.items {
		if item.kind != aInt {
			return nil, false
		}
		out = append(out, item.n)
	}
	return out, true
}

// get returns the value of a key.
func (a attr) get(key string) (attr, bool) {
	for i, k := range a.keys {
		if k == key {
			return a.items[i], true
		}
	}
	return attr{}, false
}

// typed parses an attribute and its optional type.
func (p *parser) typed() attr {
	a := p.attr()
	if p.accept(":") {
		t := p.typ()
		a.typ = &t
		a.end = p.last
	}
	return a
}

// attr parses an attribute without a type.
func (p *parser) attr() attr {
	a := attr{pos: p.tok.pos}
	if !p.deeper() {
		return a
	}
	defer func() { p.depth-- }()
	switch p.tok.kind {
	case tInt:
		p.integer(&a)
	case tFloat:
		a.kind, a.text = aFloat, p.tok.text
		p.next()
	case tString:
		a.kind, a.text = aString, p.tok.text
		p.next()
	case tSymbol:
		a.kind, a.text = aSymbol, p.symbol()
	case tHash:
		a.text = p.tok.text
		p.next()
		if p.is("<") {
			p.hash(&a)
		} else if known, ok := p.aliases[a.text]; ok {
			pos := a.pos
			a = known
			a.pos = pos
		}
	case tIdent:
		p.word(&a)
	case tBang:
		p.typ()
	case tPunct:
		switch p.tok.text {
		case "[":
			p.next()
			a.kind = aList
			p.list(&a, "]")
		case "{":
			p.dict(&a)
		case "<": // algorithm = <lhs_precision_type = f32, ..>
			p.hash(&a)
		case "(": // a function type
			p.typesIn()
			p.want("->")
			p.results()
		default:
			p.expected("an attribute")
		}
	default:
		p.expected("an attribute")
	}
	a.end = p.last
	return a
}

func (p *parser) integer(a *attr) {
	a.kind, a.text = aInt, p.tok.text
	if len(a.text) > 2 && a.text[1] == 'x' || len(a.text) > 3 && a.text[2] == 'x' {
		a.kind = aHex
	} else if n, err := strconv.ParseInt(a.text, 10, 64); err == nil {
		a.n = n
	} else if u, err := strconv.ParseUint(a.text, 10, 64); err == nil {
		a.n = int64(u) // a ui64; only its presence counts
	} else {
		p.fail(a.pos, CodeLimit, "a number of more than 64 bits")
	}
	p.next()
}

func (p *parser) word(a *attr) {
	a.text = p.tok.text
	switch a.text {
	case "true", "false":
		a.kind, a.boolean = aInt, true
		if a.text == "true" {
			a.n = 1
		}
		p.next()
	case "dense":
		a.kind = aDense
		p.next()
		p.want("<")
		if !p.is(">") {
			a.items = append(a.items, p.attr())
		}
		p.want(">")
	case "array":
		a.kind = aList
		p.next()
		p.want("<")
		t := p.typ()
		a.typ = &t
		if p.accept(":") {
			p.list(a, ">")
		} else {
			p.want(">")
		}
	case "dense_resource":
		p.next()
		a.kind = aResource
		p.want("<")
		if a.text = unquoted(p.tok.text); p.tok.kind != tIdent && p.tok.kind != tString {
			p.expected("the name of a resource")
			return
		}
		p.next()
		p.want(">")
	case "tensor", "tuple", "vector", "memref":
		p.typ()
	default:
		p.next()
		if p.is("<") {
			p.balanced()
		}
	}
}

// list parses items up to the closing token.
func (p *parser) list(a *attr, closing string) {
	if p.accept(closing) {
		return
	}
	for {
		item := p.attr()
		if item.kind == aInt && p.accept(":") {
			if p.tok.kind == tInt {
				item = p.slice(item)
			} else {
				t := p.typ()
				item.typ = &t
			}
		} else if p.accept(":") {
			t := p.typ()
			item.typ = &t
		}
		a.items = append(a.items, item)
		if !p.accept(",") {
			break
		}
	}
	p.want(closing)
}

// slice parses the rest of "start:limit:stride".
func (p *parser) slice(start attr) attr {
	r := attr{kind: aRange, pos: start.pos, items: []attr{start, p.attr()}}
	if p.accept(":") {
		r.items = append(r.items, p.attr())
	}
	r.end = p.last
	return r
}

// dict parses "{key = value, flag}".
func (p *parser) dict(a *attr) {
	a.kind = aDict
	p.want("{")
	p.entries(a, "}")
}

func (p *parser) entries(a *attr, closing string) {
	if p.accept(closing) {
		return
	}
	for {
		key := unquoted(p.tok.text)
		if p.tok.kind != tString && p.tok.kind != tIdent {
			p.expected("a name")
			return
		}
		pos := p.tok.pos
		p.next()
		value := attr{pos: pos, end: p.last}
		if p.accept("=") {
			value = p.typed()
		}
		a.keys = append(a.keys, key)
		a.items = append(a.items, value)
		if !p.accept(",") {
			break
		}
	}
	p.want(closing)
}

// hash parses the parameters of a dialect attribute: key-value pairs if they
// have that form, else anything.
func (p *parser) hash(a *attr) {
	if a.text == "#stablehlo.conv" { // <[b, f, 0]x[o, i, 0]->[b, f, 0]>
		a.kind = aList
		p.want("<")
		first := p.attr()
		p.wantWord("x")
		second := p.attr()
		p.want("->")
		a.items = []attr{first, second, p.attr()}
		p.want(">")
		return
	}
	inner := lex(p.text, p.tok.end())
	if after := lex(p.text, inner.end()); inner.kind == tIdent && after.text == "=" {
		a.kind = aDict
		p.want("<")
		p.entries(a, ">")
		return
	}
	a.inner = p.balanced()
}
