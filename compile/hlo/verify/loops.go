package verify

// while parses (%c = %x, ...) : types cond { ... } do { ... }.
func (p *parser) while(o *op) {
	p.want("(")
	for p.tok.kind == tValue {
		o.carried = append(o.carried, arg{named: named{p.tok.text, p.tok.pos}})
		p.next()
		p.want("=")
		o.operands = append(o.operands, p.use())
		if !p.accept(",") {
			break
		}
	}
	p.want(")")
	if p.accept(":") {
		o.list = p.types()
	}
	if p.acceptWord("attributes") {
		p.dict(&o.attrs)
	}
	p.wantWord("cond")
	o.regions = append(o.regions, p.region())
	p.wantWord("do")
	o.regions = append(o.regions, p.region())
}

// reduce parses (%x init: %i), ... applies op across dimensions = [..] : types, or the
// form without "applies" and with a reducer after the types.
func (p *parser) reduce(o *op) {
	var inits []use
	for {
		p.want("(")
		o.operands = append(o.operands, p.use())
		p.wantWord("init")
		p.want(":")
		inits = append(inits, p.use())
		p.want(")")
		if !p.accept(",") {
			break
		}
	}
	o.operands = append(o.operands, inits...)
	applies := p.acceptWord("applies")
	if applies {
		o.words = append(o.words, attr{pos: p.tok.pos, text: p.tok.text})
		if p.tok.kind != tIdent {
			p.expected("an operation")
			return
		}
		p.next()
	}
	p.wantWord("across")
	if !p.isWord("dimensions") {
		p.expected(`"dimensions"`)
		return
	}
	p.keyword(o)
	p.optionalDict()
	if !p.is(":") {
		p.expected(`":"`)
	}
	p.signature(o)
	if applies {
		return
	}
	// The arguments are written in pairs, the accumulated value and the next one;
	// the block has all of the first kind before all of the second.
	p.wantWord("reducer")
	var left, right []arg
	for p.accept("(") {
		left = append(left, p.reducerArg())
		p.want(",")
		right = append(right, p.reducerArg())
		p.want(")")
	}
	r := p.region()
	r.args = append(left, right...)
	o.regions = append(o.regions, r)
}

func (p *parser) reducerArg() arg {
	a := arg{named: named{p.tok.text, p.tok.pos}}
	if p.tok.kind != tValue {
		p.expected("a value")
		return a
	}
	p.next()
	p.want(":")
	a.typ = p.typ()
	p.location()
	return a
}
