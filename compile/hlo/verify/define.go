package verify

// What stands around the functions of a text of other tools: names of attributes, places
// in sources, and the bytes of large constants.

// definitions parses the aliases and the resources before or after a module.
func (p *parser) definitions(m *module) {
	for {
		switch {
		case p.tok.kind == tHash:
			p.alias()
		case p.is("{-#"):
			p.metadata(m)
		default:
			return
		}
	}
}

// alias parses "#name = attribute", and skips the places among them.
func (p *parser) alias() {
	name := p.tok.text
	p.next()
	p.want("=")
	if p.isWord("loc") {
		p.location()
		return
	}
	value := p.attr()
	if p.aliases == nil {
		p.aliases = map[string]attr{}
	}
	p.aliases[name] = value
}

// location skips "loc(...)", if it comes next.
func (p *parser) location() {
	if !p.acceptWord("loc") {
		return
	}
	if !p.is("(") {
		p.expected(`"("`)
		return
	}
	p.balanced()
}

// metadata parses {-# dialect_resources: { builtin: { name: "0x.." } } #-}, and skips
// sections of other kinds.
func (p *parser) metadata(m *module) {
	if m.resources == nil {
		m.resources = map[string]string{}
	}
	p.next()
	for p.tok.kind == tIdent {
		kind := p.tok.text
		p.next()
		p.want(":")
		if kind == "dialect_resources" {
			p.sections(func() { p.sections(func() {}, m.resources) }, nil)
		} else {
			p.balanced()
		}
		if !p.accept(",") {
			break
		}
	}
	p.want("#-}")
}

// sections parses "{name: value, ..}", whose values value parses, or which are strings that
// go to texts.
func (p *parser) sections(value func(), texts map[string]string) {
	p.want("{")
	for p.tok.kind == tIdent || p.tok.kind == tString {
		name := unquoted(p.tok.text)
		p.next()
		p.want(":")
		switch {
		case texts == nil:
			value()
		case p.tok.kind != tString:
			p.expected("a string")
		default:
			texts[name] = unquoted(p.tok.text)
			p.next()
		}
		if !p.accept(",") {
			break
		}
	}
	p.want("}")
}

// unquoted returns a string without its quotes, and other texts as they are.
func unquoted(s string) string {
	if len(s) >= 2 && s[0] == '"' && s[len(s)-1] == '"' {
		return s[1 : len(s)-1]
	}
	return s
}
