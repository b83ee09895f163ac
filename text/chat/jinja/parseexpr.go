package jinja

import (
	"slices"
	"strconv"
)

// expression reads a condition: "a if b else c".
func (p *parser) expression() expr {
	p.deeper()
	defer func() { p.depth-- }()
	known := len(p.unknown)
	e := p.or()
	for p.skip(word, "if") {
		c := &condExpr{yes: e, cond: p.or()}
		if p.skip(word, "else") {
			c.no = p.expression()
		}
		e = c
		p.unknown = p.unknown[:known]
	}
	return e
}

// tuple reads an expression, or several with commas.
func (p *parser) tuple(plain bool) expr {
	one := p.expression
	if plain {
		one = p.or
	}
	return p.tupleOf(one, func() bool { return false })
}

func (p *parser) tupleOf(one func() expr, ends func() bool) expr {
	first := one()
	if !p.is(mark, ",") {
		return first
	}
	all := &listExpr{items: []expr{first}, tuple: true}
	for p.skip(mark, ",") {
		if k := p.now().kind; k == varEnd || k == blockEnd || p.is(mark, ")") || ends() {
			break
		}
		all.items = append(all.items, one())
	}
	return all
}

func (p *parser) or() expr {
	return p.chain(p.and, func() (string, bool) { return "or", p.skip(word, "or") })
}

func (p *parser) and() expr {
	return p.chain(p.not, func() (string, bool) { return "and", p.skip(word, "and") })
}

// chain reads operands with operators that bind from the left.
func (p *parser) chain(operand func() expr, operator func() (string, bool)) expr {
	first := operand()
	c := &chainExpr{first: first}
	for {
		op, ok := operator()
		if !ok {
			break
		}
		c.rest = append(c.rest, link{op, operand()})
	}
	if len(c.rest) == 0 {
		return first
	}
	return c
}

func (p *parser) not() expr {
	if p.skip(word, "not") {
		p.deeper()
		defer func() { p.depth-- }()
		return &unaryExpr{"not", p.not()}
	}
	return p.compare()
}

// marks returns an operator that is one of some.
func (p *parser) marks(of ...string) func() (string, bool) {
	return func() (string, bool) {
		if t := p.now(); t.kind == mark && slices.Contains(of, t.text) {
			return p.next().text, true
		}
		return "", false
	}
}

func (p *parser) compare() expr {
	signs := p.marks("==", "!=", "<", "<=", ">", ">=")
	e := p.chain(p.sum, func() (string, bool) {
		if p.skip(word, "in") {
			return "in", true
		}
		if n := &p.tokens[min(p.at+1, len(p.tokens)-1)]; p.is(word, "not") && n.kind == word && n.text == "in" {
			p.at += 2
			return "not in", true
		}
		return signs()
	})
	if c, ok := e.(*chainExpr); ok && len(c.rest) > 0 && isComparison(c.rest[0].op) {
		return &compareExpr{*c}
	}
	return e
}

func isComparison(op string) bool {
	return slices.Contains([]string{"==", "!=", "<", "<=", ">", ">=", "in", "not in"}, op)
}

func (p *parser) sum() expr     { return p.chain(p.concat, p.marks("+", "-")) }
func (p *parser) concat() expr  { return p.chain(p.product, p.marks("~")) }
func (p *parser) product() expr { return p.chain(p.power, p.marks("*", "/", "//", "%")) }
func (p *parser) power() expr {
	return p.chain(func() expr { return p.unary(true) }, p.marks("**"))
}

func (p *parser) unary(filters bool) expr {
	p.deeper()
	defer func() { p.depth-- }()
	var e expr
	switch {
	case p.skip(mark, "-"):
		e = &unaryExpr{"-", p.unary(false)}
	case p.skip(mark, "+"):
		e = &unaryExpr{"+", p.unary(false)}
	default:
		e = p.primary()
	}
	e = p.postfix(e)
	if filters {
		e = p.filters(e, false)
	}
	return e
}

func (p *parser) primary() expr {
	switch t := p.next(); t.kind {
	case word:
		switch t.text {
		case "true", "True":
			return &constExpr{true}
		case "false", "False":
			return &constExpr{false}
		case "none", "None":
			return &constExpr{none{}}
		}
		if len(p.macros) > 0 {
			m := p.macros[len(p.macros)-1]
			m.varargs = m.varargs || t.text == "varargs"
			m.kwargs = m.kwargs || t.text == "kwargs"
			m.caller = m.caller || t.text == "caller"
		}
		return &nameExpr{t.text}
	case str:
		s := t.text
		for p.now().kind == str {
			s += p.next().text
		}
		return &constExpr{s}
	case integer:
		v, err := strconv.ParseInt(t.text, 0, 64)
		if err != nil {
			syntax(t.line, "the number %s is too large", shorten(t.text))
		}
		return &constExpr{v}
	case float:
		v, err := strconv.ParseFloat(t.text, 64)
		if err != nil {
			syntax(t.line, "the number %s is too large", shorten(t.text))
		}
		return &constExpr{v}
	case mark:
		switch t.text {
		case "(":
			if p.skip(mark, ")") {
				return &listExpr{tuple: true}
			}
			e := p.tuple(false)
			p.expect(mark, ")")
			return e
		case "[":
			l := &listExpr{}
			for !p.skip(mark, "]") {
				if len(l.items) > 0 {
					p.expect(mark, ",")
					if p.skip(mark, "]") {
						break
					}
				}
				l.items = append(l.items, p.expression())
			}
			return l
		case "{":
			return p.dict()
		}
		p.at--
	case end:
	default:
		p.at--
	}
	p.unexpected("expected a value")
	return nil
}

func (p *parser) dict() expr {
	d := &dictExpr{}
	for !p.skip(mark, "}") {
		if len(d.keys) > 0 {
			p.expect(mark, ",")
			if p.skip(mark, "}") {
				break
			}
		}
		d.keys = append(d.keys, p.expression())
		p.expect(mark, ":")
		d.values = append(d.values, p.expression())
	}
	return d
}

// postfix reads attributes, indices and calls after a value.
func (p *parser) postfix(e expr) expr {
	for n := 0; ; n++ {
		if n > MaxNesting {
			syntax(p.now().line, "more than %d attributes of attributes", MaxNesting)
		}
		switch {
		case p.skip(mark, "."):
			switch t := p.next(); t.kind {
			case word:
				e = &attrExpr{e, t.text}
			case integer:
				v, err := strconv.ParseInt(t.text, 10, 64)
				if err != nil {
					syntax(t.line, "the number %s is too large", shorten(t.text))
				}
				e = &itemExpr{of: e, key: &constExpr{v}}
			default:
				p.at--
				p.unexpected("expected a name")
			}
		case p.skip(mark, "["):
			e = p.index(e)
		case p.is(mark, "("):
			c := &callExpr{fn: e}
			c.args = p.arguments()
			e = c
		default:
			return e
		}
	}
}

func (p *parser) index(of expr) expr {
	x := &itemExpr{of: of}
	var parts [3]expr
	n := 0
	for !p.is(mark, "]") {
		if p.skip(mark, ":") {
			if n++; n > 2 {
				p.unexpected("a slice has three parts")
			}
			continue
		}
		if parts[n] != nil {
			p.unexpected("expected ]")
		}
		parts[n] = p.expression()
		if p.is(mark, ",") {
			p.unexpected("an index of several values is not supported")
		}
	}
	if n == 0 && parts[0] == nil {
		p.unexpected("expected an index")
	}
	p.expect(mark, "]")
	x.key = parts[0]
	if n > 0 {
		x.slice, x.key, x.from, x.to, x.step = true, nil, parts[0], parts[1], parts[2]
	}
	return x
}

// arguments reads those of a call, with its parentheses.
func (p *parser) arguments() arguments {
	var a arguments
	p.expect(mark, "(")
	for first := true; !p.skip(mark, ")"); first = false {
		if !first {
			p.expect(mark, ",")
			if p.skip(mark, ")") {
				break
			}
		}
		if p.is(mark, "*") || p.is(mark, "**") {
			p.unexpected("arguments out of a list are not supported")
		}
		if n := &p.tokens[min(p.at+1, len(p.tokens)-1)]; p.now().kind == word && n.kind == mark && n.text == "=" {
			name := p.name()
			p.at++
			a.names, a.named = append(a.names, name), append(a.named, p.expression())
			continue
		}
		if len(a.names) > 0 {
			p.unexpected("an argument without a name follows one with a name")
		}
		a.pos = append(a.pos, p.expression())
	}
	return a
}

// filters reads filters, tests and calls after a value, starting with a filter's name
// where inline.
func (p *parser) filters(e expr, inline bool) expr {
	for n := 0; ; n++ {
		if n > MaxNesting {
			syntax(p.now().line, "more than %d filters in a row", MaxNesting)
		}
		switch {
		case inline || p.skip(mark, "|"):
			inline = false
			p.mustKnow(hasFilter)
			f := &filterExpr{of: e, name: p.name()}
			if p.is(mark, "(") {
				f.args = p.arguments()
			}
			e = f
		case e != nil && p.skip(word, "is"):
			e = p.test(e)
		case e != nil && p.is(mark, "("):
			c := &callExpr{fn: e}
			c.args = p.arguments()
			e = c
		default:
			return e
		}
	}
}

// mustKnow notes the name that comes next if there is nothing of that name.
func (p *parser) mustKnow(has func(name string) bool) {
	if t := p.now(); t.kind == word && !has(t.text) {
		p.unknown = append(p.unknown, *t)
	}
}

func (p *parser) test(of expr) expr {
	negated := p.skip(word, "not")
	p.mustKnow(hasTest)
	t := &testExpr{of: of, negated: negated, name: p.name()}
	n := p.now()
	switch {
	case p.is(mark, "("):
		t.args = p.arguments()
	case n.kind == word && n.text != "else" && n.text != "or" && n.text != "and",
		n.kind == str, n.kind == integer, n.kind == float, p.is(mark, "["), p.is(mark, "{"):
		if n.text == "is" && n.kind == word {
			p.unexpected("tests in a row")
		}
		t.args.pos = []expr{p.postfix(p.primary())}
	}
	return t
}
