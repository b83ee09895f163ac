package verify

func (p *parser) function() *function {
	f := p.head()
	if p.is("{") {
		f.body = p.region()
	}
	p.location()
	return f
}

// foreign parses a function of IREE's own dialect, and skips its body.
func (p *parser) foreign() *function {
	f := p.head()
	if p.is("{") {
		p.balanced()
	}
	return f
}

// head parses a function up to its body.
func (p *parser) head() *function {
	f := &function{private: p.acceptWord("private")}
	p.acceptWord("public")
	f.named = p.symbolName()
	p.want("(")
	for p.tok.kind != tEnd && !p.is(")") {
		a := arg{named: named{pos: p.tok.pos}}
		if p.tok.kind == tValue { // a declaration has only types
			a.name = p.tok.text
			p.next()
			p.want(":")
		}
		a.typ = p.typ()
		a.notes = p.optionalDict()
		p.location()
		f.args = append(f.args, a)
		if !p.accept(",") {
			break
		}
	}
	p.want(")")
	if p.accept("->") {
		p.functionResults(f)
	}
	if p.acceptWord("attributes") {
		p.dict(&attr{})
	}
	return f
}

func (p *parser) functionResults(f *function) {
	if !p.accept("(") {
		f.results, f.notes = []typ{p.typ()}, []attr{{}}
		return
	}
	for p.tok.kind != tEnd && !p.is(")") {
		f.results = append(f.results, p.typ())
		f.notes = append(f.notes, p.optionalDict())
		if !p.accept(",") {
			break
		}
	}
	p.want(")")
}

func (p *parser) optionalDict() attr {
	var a attr
	if p.is("{") {
		p.dict(&a)
	}
	return a
}
