package jinja

import (
	"slices"

	"github.com/skainet-dev/skainet-go/errs"
)

// Parse reads a template.
func Parse(source string) (_ *Template, err error) {
	if len(source) > MaxSource {
		return nil, errs.New(CodeSyntax, "the template has %d bytes, at most %d are taken", len(source), MaxSource)
	}
	defer func() {
		switch r := recover().(type) {
		case nil:
		case *errs.Error:
			err = r
		default:
			panic(r)
		}
	}()
	p := &parser{tokens: tokens(source)}
	t := &Template{p.body()}
	if len(p.unknown) > 0 {
		syntax(p.unknown[0].line, "no filter and no test is named %q", shorten(p.unknown[0].text))
	}
	return t, nil
}

type parser struct {
	tokens []token
	at     int
	depth  int
	loops  int          // open around the statement
	macros []*macroNode // open around the statement
	// unknown are names of filters and tests that are not there. Where a condition
	// decides on them, they are wrong only when they are reached.
	unknown []token
}

func (p *parser) now() *token { return &p.tokens[p.at] }

func (p *parser) next() token {
	t := p.tokens[p.at]
	if t.kind != end {
		p.at++
	}
	return t
}

// is reports whether an operator or a name comes next.
func (p *parser) is(k kind, text string) bool { t := p.now(); return t.kind == k && t.text == text }

func (p *parser) skip(k kind, text string) bool {
	if p.is(k, text) {
		p.at++
		return true
	}
	return false
}

func (p *parser) expect(k kind, text string) {
	if !p.skip(k, text) {
		p.unexpected("expected %q", text)
	}
}

func (p *parser) unexpected(what string, args ...any) {
	t := p.now()
	syntax(t.line, "unexpected %q, "+what, append([]any{shorten(t.text)}, args...)...)
}

func (p *parser) name() string {
	if p.now().kind != word {
		p.unexpected("expected a name")
	}
	return p.next().text
}

func (p *parser) deeper() {
	if p.depth++; p.depth > MaxNesting {
		syntax(p.now().line, "nested more than %d deep", MaxNesting)
	}
}

// body reads statements up to a tag of one of the names, which it leaves open behind
// the name, or without names to the end.
func (p *parser) body(ends ...string) []node {
	p.deeper()
	defer func() { p.depth-- }()
	var out []node
	for {
		switch t := p.next(); t.kind {
		case end:
			if len(ends) > 0 {
				syntax(t.line, "the template ends where %q is missing", ends[len(ends)-1])
			}
			return out
		case text:
			out = append(out, &textNode{t.text})
		case varBegin:
			e := p.tuple(false)
			p.expect(varEnd, "}}")
			out = append(out, &outputNode{t.line, e})
		default: // blockBegin
			if n := p.now(); n.kind == word && slices.Contains(ends, n.text) {
				return out
			}
			out = append(out, p.statement(t.line))
			p.expect(blockEnd, "%}")
		}
	}
}

// block reads the body of a block: the end of its tag, statements, and the name of
// the tag that ends it.
func (p *parser) block(ends ...string) (body []node, ended string) {
	p.expect(blockEnd, "%}")
	body = p.body(ends...)
	return body, p.next().text
}

func (p *parser) statement(line int) node {
	switch name := p.name(); name {
	case "if":
		return p.ifBlock(line)
	case "for":
		return p.forBlock(line)
	case "set":
		return p.set(line)
	case "macro":
		return p.macro(line)
	case "call":
		n := &callNode{line: line}
		if p.is(mark, "(") {
			n.caller.params = p.signature()
		}
		e, ok := p.expression().(*callExpr)
		if !ok {
			syntax(line, "call needs a call")
		}
		n.call = e
		p.macros = append(p.macros, &n.caller)
		n.caller.body, _ = p.block("endcall")
		p.macros = p.macros[:len(p.macros)-1]
		return n
	case "filter":
		n := &filterNode{line: line, filter: p.filters(nil, true)}
		n.body, _ = p.block("endfilter")
		return n
	case "with":
		n := &withNode{line: line}
		for !p.is(blockEnd, "%}") {
			if len(n.targets) > 0 {
				p.expect(mark, ",")
			}
			t := p.target(false)
			p.expect(mark, "=")
			n.targets, n.values = append(n.targets, t), append(n.values, p.expression())
		}
		n.body, _ = p.block("endwith")
		return n
	case "generation": // of Hugging Face's tokenizers: marks what a model is trained to say
		n := &withNode{line: line}
		n.body, _ = p.block("endgeneration")
		return n
	case "break", "continue":
		if p.loops == 0 {
			syntax(line, "%s outside of a loop", name)
		}
		return &leaveNode{name == "break"}
	default:
		syntax(line, "the statement %q is not supported", shorten(name))
		return nil
	}
}

func (p *parser) ifBlock(line int) node {
	n := &ifNode{line: line}
	known := len(p.unknown)
	defer func() { p.unknown = p.unknown[:known] }()
	for {
		n.conds = append(n.conds, p.tuple(true))
		body, ended := p.block("elif", "else", "endif")
		n.bodies = append(n.bodies, body)
		if ended == "elif" {
			continue
		}
		if ended == "else" {
			body, _ = p.block("endif")
			n.bodies = append(n.bodies, body)
		}
		return n
	}
}

func (p *parser) forBlock(line int) node {
	n := &forNode{line: line, target: p.target(false)}
	p.expect(word, "in")
	n.over = p.tupleOf(p.or, func() bool { return p.is(word, "recursive") })
	if p.skip(word, "if") {
		n.cond = p.expression()
	}
	n.recursive = p.skip(word, "recursive")
	p.loops++
	body, ended := p.block("else", "endfor")
	p.loops--
	n.body = body
	if ended == "else" {
		n.otherwise, _ = p.block("endfor")
	}
	return n
}

func (p *parser) set(line int) node {
	n := &setNode{line: line, target: p.target(true)}
	if p.skip(mark, "=") {
		n.value = p.tuple(false)
		return n
	}
	if p.is(mark, "|") {
		n.filter = p.filters(nil, false)
	}
	n.body, _ = p.block("endset")
	return n
}

func (p *parser) macro(line int) node {
	n := &macroNode{line: line, name: p.name()}
	n.params = p.signature()
	p.macros = append(p.macros, n)
	loops := p.loops
	p.loops = 0
	n.body, _ = p.block("endmacro")
	p.loops = loops
	p.macros = p.macros[:len(p.macros)-1]
	return n
}

// signature reads the parameters of a macro.
func (p *parser) signature() []param {
	var out []param
	p.expect(mark, "(")
	for !p.skip(mark, ")") {
		if len(out) > 0 {
			p.expect(mark, ",")
		}
		x := param{name: p.name()}
		if p.skip(mark, "=") {
			x.init = p.expression()
		} else if len(out) > 0 && out[len(out)-1].init != nil {
			p.unexpected("a parameter without a value follows one with a value")
		}
		out = append(out, x)
	}
	return out
}

// target reads what is assigned to: a name, an attribute of a namespace, or several.
func (p *parser) target(attribute bool) target {
	p.deeper()
	defer func() { p.depth-- }()
	one := func() target {
		if p.skip(mark, "(") {
			t := p.target(false)
			p.expect(mark, ")")
			return t
		}
		t := target{name: p.name()}
		switch t.name {
		case "true", "false", "none", "True", "False", "None":
			p.unexpected("a constant cannot be set")
		}
		if attribute && p.skip(mark, ".") {
			t.attr = p.name()
		}
		return t
	}
	first := one()
	if !p.is(mark, ",") {
		return first
	}
	all := target{many: []target{first}}
	for p.skip(mark, ",") {
		if n := p.now(); n.kind != word && !p.is(mark, "(") || p.is(word, "in") {
			break
		}
		all.many = append(all.many, one())
	}
	return all
}
