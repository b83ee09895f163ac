package verify

import (
	"strconv"
	"strings"
)

// op is an operation as written in the text.
type op struct {
	named
	defs     []def
	operands []use
	attrs    attr // a dictionary
	words    []attr
	keys     []named // of the attributes outside a dictionary
	symbol   named   // of the callee or global
	regions  []*region
	generic  bool
	carried  []arg // of a pretty while: names without types
	sizes    []use // of a pretty flow.dispatch: its grid and its dynamic sizes, all of them indices

	function bool // whether the types were written as (T) -> U
	arrow    bool // or as T -> U
	list     []typ
	ins      []typ
	outs     []typ
}

// def is a name for one or more results: %x, %x:2.
type def struct {
	named
	count int
}

// use is an operand: %x is the first result of %x, %x#1 the second.
type use struct {
	named
	index int
}

func (u use) String() string {
	if u.index > 0 {
		return u.name + "#" + strconv.Itoa(u.index)
	}
	return u.name
}

// region parses "{ operations }".
func (p *parser) region() *region {
	r := &region{}
	p.want("{")
	if !p.deeper() {
		return r
	}
	if p.tok.kind == tLabel {
		p.next()
		if p.accept("(") {
			for p.tok.kind == tValue {
				a := arg{named: named{p.tok.text, p.tok.pos}}
				p.next()
				p.want(":")
				a.typ = p.typ()
				p.location()
				r.args = append(r.args, a)
				if !p.accept(",") {
					break
				}
			}
			p.want(")")
		}
		p.want(":")
	}
	for p.tok.kind != tEnd && !p.is("}") {
		if p.tok.kind == tLabel {
			p.fail(p.tok.pos, CodeSyntax, "a region must have one block")
		}
		r.ops = append(r.ops, p.op())
	}
	r.end = p.tok.pos
	p.want("}")
	p.depth--
	return r
}

func (p *parser) op() *op {
	o := &op{attrs: attr{kind: aDict}}
	if p.tok.kind == tValue {
		for {
			o.defs = append(o.defs, p.def())
			if !p.accept(",") {
				break
			}
			if p.tok.kind != tValue {
				p.expected("a value")
				return o
			}
		}
		p.want("=")
	}
	o.pos = p.tok.pos
	switch {
	case p.tok.kind == tString:
		o.name = p.tok.text[1 : len(p.tok.text)-1]
		o.generic = true
		p.next()
		p.genericOp(o)
	case p.tok.kind == tIdent:
		o.name = p.tok.text
		p.next()
		p.pretty(o)
	default:
		p.expected("an operation")
	}
	p.location()
	return o
}

func (p *parser) def() def {
	d := def{named: named{p.tok.text, p.tok.pos}, count: 1}
	p.next()
	if p.accept(":") {
		n, err := strconv.ParseInt(p.tok.text, 10, 32)
		if p.tok.kind != tInt || err != nil || n < 1 {
			p.expected("a number of results")
			return d
		}
		d.count = int(n)
		p.next()
	}
	return d
}

func (p *parser) use() use {
	u := use{named: named{p.tok.text, p.tok.pos}}
	if p.tok.kind != tValue {
		p.expected("a value")
		return u
	}
	p.next()
	if p.tok.kind == tHash && p.tok.pos == p.last {
		n, err := strconv.ParseInt(p.tok.text[1:], 10, 32)
		if err != nil {
			p.expected("the number of a result")
			return u
		}
		u.index = int(n)
		p.next()
	}
	return u
}

// uses parses comma-separated operands up to the closing parenthesis.
func (p *parser) uses(o *op) {
	if p.accept(")") {
		return
	}
	for {
		o.operands = append(o.operands, p.use())
		if !p.accept(",") {
			break
		}
	}
	p.want(")")
}

// indices parses a bracketed, comma-separated list of values.
func (p *parser) indices(end string) []use {
	p.next()
	list := []use{p.use()}
	for p.accept(",") {
		list = append(list, p.use())
	}
	p.want(end)
	return list
}

// genericOp parses an operation after its quoted name.
func (p *parser) genericOp(o *op) {
	p.want("(")
	p.uses(o)
	if p.accept("<") {
		p.dict(&o.attrs)
		p.want(">")
	}
	if p.accept("(") {
		for p.is("{") {
			o.regions = append(o.regions, p.region())
			if !p.accept(",") {
				break
			}
		}
		p.want(")")
	}
	if p.is("{") {
		p.dict(&o.attrs)
	}
	p.want(":")
	o.function = true
	o.list = p.typesIn()
	p.want("->")
	o.outs = p.results()
	for _, key := range []string{"callee", "call_target_name", "decomposition"} {
		if a, ok := o.attrs.get(key); ok {
			o.symbol = named{unquoted(a.text), a.pos}
		}
	}
}

// pretty parses an operation after its unquoted name.
func (p *parser) pretty(o *op) {
	switch o.name {
	case "return", "call": // of the func dialect, whose prefix may be omitted in a function
		o.name = "func." + o.name
	case "sdy.sharding_constraint": // %x <@mesh, [{"data"}, {}]> : T
		o.operands = append(o.operands, p.use())
		if p.is("<") {
			p.balanced()
		}
		p.signature(o)
		return
	case "stablehlo.while":
		p.while(o)
		return
	case "stablehlo.reduce":
		p.reduce(o)
		return
	}
	p.items(o)
	p.signature(o)
}

// items parses operands, attributes and words up to the colon.
func (p *parser) items(o *op) {
	for {
		switch {
		case p.tok.kind == tValue:
			o.operands = append(o.operands, p.use())
		case p.tok.kind == tSymbol:
			o.symbol = p.symbolName()
		case p.is("("):
			p.next()
			p.parenthesized(o)
		case p.is("{"):
			p.dict(&o.attrs)
		case p.is("[") && o.name == "flow.dispatch":
			o.sizes = append(o.sizes, p.indices("]")...)
		case p.is("["), p.tok.kind == tString && o.name == "stablehlo.composite":
			o.words = append(o.words, p.attr())
		case p.tok.kind == tIdent:
			p.keyword(o)
		case p.tok.kind == tHash, p.tok.kind == tInt && o.name == "arith.constant":
			o.words = append(o.words, p.attr())
		default:
			if p.tok.kind == tPunct && p.tok.text != "}" && p.tok.text != ":" {
				p.expected("an operand, an attribute or a type")
			}
			return
		}
		// A list or a dictionary follows without a comma, like the operands of a call.
		if p.accept(",") {
			if p.is(":") || p.is("}") {
				p.expected("an operand or an attribute")
			}
			continue
		}
		if o.name == "stablehlo.composite" && p.last > 0 && p.text[p.last-1] == '"' {
			continue // its name is before its operands
		}
		if p.tok.kind == tValue && !strings.Contains(p.text[p.last:p.tok.pos], "\n") {
			p.expected(`","`) // else the value begins the next operation
		}
		if !p.is("[") && !p.is("{") && !p.is("(") && !(o.name == "stablehlo.convolution" && p.tok.kind == tIdent) {
			return
		}
	}
}

func (p *parser) parenthesized(o *op) {
	for p.tok.kind == tValue {
		o.operands = append(o.operands, p.use())
		if !p.accept(",") {
			break
		}
	}
	if p.tok.kind == tIdent { // chlo.top_k(%x, k = 3)
		p.keyword(o)
	}
	p.want(")")
}

// keyword parses "key = value", "key = value x value", a word or dense<..>.
func (p *parser) keyword(o *op) {
	key, pos := p.tok.text, p.tok.pos
	if after := lex(p.text, p.tok.end()); after.text != "=" {
		o.words = append(o.words, p.attr())
		return
	}
	p.next()
	p.next()
	value := p.attr()
	if p.isWord("x") { // batching_dims = [0] x [0], dim_numbers = [b, f, 0]x[o, i, 0]->[b, f, 0]
		p.next()
		value = attr{kind: aList, pos: value.pos, items: []attr{value, p.attr()}}
		if p.accept("->") {
			value.items = append(value.items, p.attr())
		}
	}
	value.end = p.last
	if len(o.keys) == MaxKeys {
		p.fail(pos, CodeLimit, "an operation with more than %d attributes", MaxKeys)
	} else if _, twice := o.attrs.get(key); twice {
		p.fail(pos, CodeSyntax, "%s is given twice", key)
	}
	o.keys = append(o.keys, named{key, pos})
	o.attrs.keys = append(o.attrs.keys, key)
	o.attrs.items = append(o.attrs.items, value)
}

// signature parses ": T", ": T, U", ": T -> U" or ": (T, U) -> V", if present.
func (p *parser) signature(o *op) {
	if !p.accept(":") {
		return
	}
	if o.name == "flow.dispatch" {
		p.sizes = &o.sizes
		defer func() { p.sizes = nil }()
	}
	if p.is("(") {
		o.function = true
		o.list = p.typesIn()
		p.want("->")
		o.outs = p.results()
		return
	}
	o.list = p.types()
	if o.name == "flow.tensor.tie_shape" && p.is("{") { // T{%n, %m}
		o.operands = append(o.operands, p.indices("}")...)
	}
	if p.accept("->") {
		o.arrow = true
		o.outs = p.results()
	}
}
