package verify

import (
	"fmt"
	"strings"

	"github.com/skainet-dev/skainet-go/errs"
)

// module, function, region and op form the syntax tree of a text.
type module struct {
	name      string
	attrs     attr
	funcs     []*function
	globals   []*global
	kernels   []named           // of stream.executable, and of the exports in it as a::b
	resources map[string]string // strings of digits by name
}

type named struct {
	name string
	pos  int
}

type global struct {
	named
	mutable bool
	typ     typ
	init    *attr
}

type function struct {
	named
	private bool
	args    []arg
	results []typ
	notes   []attr  // the dictionary of each result
	body    *region // nil for a declaration
}

type arg struct {
	named
	typ   typ
	notes attr // the dictionary of a function's argument
}

type region struct {
	args []arg
	ops  []*op
	end  int // position of the closing brace
}

// parser is a recursive descent parser with one token of lookahead. The first
// error ends it: from then on the token is tEnd, so that every loop ends too.
type parser struct {
	text  string
	tok   token
	last  int // end of the token before tok
	count int // of tokens
	depth int
	fault *fault
	sizes *[]use // where the sizes of dynamic types belong, if the operation has them

	aliases map[string]attr // of attributes, with their #
}

func newParser(text string) *parser {
	p := &parser{text: text}
	p.tok = lex(text, 0)
	p.check()
	return p
}

func (p *parser) next() {
	if p.fault != nil {
		return
	}
	p.last = p.tok.end()
	p.tok = lex(p.text, p.last)
	if p.count++; p.count > MaxTokens {
		p.fail(p.tok.pos, CodeLimit, "the text has more than %d tokens", MaxTokens)
	}
	p.check()
}

func (p *parser) check() {
	if p.tok.kind == tBad {
		p.fail(p.tok.pos, CodeSyntax, "unexpected token %s", quoted(p.tok.text))
	}
}

func (p *parser) fail(pos int, code errs.Code, what string, args ...any) {
	if p.fault == nil {
		p.fault = &fault{pos, code, message(what, args...), -1}
	}
	p.tok = token{kind: tEnd, pos: len(p.text)}
}

func (p *parser) expected(what string) {
	found, pos := "the end of the text", p.last
	if p.tok.kind != tEnd {
		found, pos = quoted(p.tok.text), p.tok.pos
	}
	p.fail(pos, CodeSyntax, "expected %s, found %s", what, found)
}

// quoted returns a shortened quotation.
func quoted(s string) string {
	if len(s) > 40 {
		s = s[:40] + "..."
	}
	return fmt.Sprintf("%q", s)
}

func (p *parser) is(punct string) bool { return p.tok.kind == tPunct && p.tok.text == punct }

func (p *parser) isWord(word string) bool { return p.tok.kind == tIdent && p.tok.text == word }

func (p *parser) accept(punct string) bool {
	if !p.is(punct) {
		return false
	}
	p.next()
	return true
}

func (p *parser) acceptWord(words ...string) bool {
	for _, w := range words {
		if p.isWord(w) {
			p.next()
			return true
		}
	}
	return false
}

func (p *parser) want(punct string) {
	if !p.accept(punct) {
		p.expected(fmt.Sprintf("%q", punct))
	}
}

func (p *parser) wantWord(word string) {
	if !p.acceptWord(word) {
		p.expected(fmt.Sprintf("%q", word))
	}
}

// deeper counts a level of nesting; the caller decrements it.
func (p *parser) deeper() bool {
	if p.depth >= MaxDepth {
		p.fail(p.tok.pos, CodeLimit, "nested more than %d deep", MaxDepth)
		return false
	}
	p.depth++
	return true
}

// balanced skips a bracketed text, from the opening bracket on, and
// returns it.
func (p *parser) balanced() string {
	start := p.tok.pos
	closing := map[string]string{"(": ")", "{": "}", "[": "]", "<": ">"}
	var open []string
	for {
		if p.tok.kind == tPunct {
			if c, ok := closing[p.tok.text]; ok {
				if len(open) >= MaxDepth {
					p.fail(p.tok.pos, CodeLimit, "nested more than %d deep", MaxDepth)
				}
				open = append(open, c)
			} else if strings.Contains(")}]>", p.tok.text) {
				if len(open) == 0 || open[len(open)-1] != p.tok.text {
					p.fail(p.tok.pos, CodeSyntax, "unbalanced %q", p.tok.text)
				} else {
					open = open[:len(open)-1]
				}
			}
		}
		if p.tok.kind == tEnd || len(open) == 0 {
			break
		}
		p.next()
	}
	if p.tok.kind == tEnd || !strings.Contains(")}]>", p.tok.text) {
		p.expected("a bracket")
		return ""
	}
	p.next()
	return p.text[start:p.last]
}

// symbol parses "@a" or "@a::@b" and returns the name without sigils and quotes.
func (p *parser) symbol() string {
	var parts []string
	for {
		if p.tok.kind != tSymbol {
			p.expected("a symbol")
			return ""
		}
		name := p.tok.text[1:]
		if name[0] == '"' {
			name = name[1 : len(name)-1]
		}
		parts = append(parts, name)
		p.next()
		if !p.accept("::") {
			return strings.Join(parts, "::")
		}
	}
}

func (p *parser) symbolName() named {
	n := named{pos: p.tok.pos}
	n.name = p.symbol()
	return n
}

// module parses the complete text: a module, or the contents of one without its header.
func (p *parser) module() *module {
	m := &module{}
	if p.tok.kind == tEnd { // an empty text is not a program, although the compiler would accept it
		p.expected("a module")
	}
	p.definitions(m)
	if !p.acceptWord("module", "builtin.module") {
		for p.tok.kind != tEnd {
			p.top(m)
			p.definitions(m)
		}
		return m
	}
	if p.tok.kind == tSymbol {
		m.name = p.symbol()
	}
	if p.acceptWord("attributes") {
		p.dict(&m.attrs)
	}
	p.want("{")
	for p.tok.kind != tEnd && !p.is("}") {
		p.top(m)
	}
	p.want("}")
	p.location()
	p.definitions(m)
	if p.tok.kind != tEnd {
		p.expected("the end of the text")
	}
	return m
}

// top parses one top-level entity of a module.
func (p *parser) top(m *module) {
	switch {
	case p.acceptWord("func.func"):
		m.funcs = append(m.funcs, p.function())
	case p.acceptWord("util.func"):
		m.funcs = append(m.funcs, p.foreign())
	case p.acceptWord("util.global"):
		m.globals = append(m.globals, p.global())
	case p.acceptWord("stream.executable"):
		p.acceptWord("private", "public")
		k := p.symbolName()
		m.kernels = append(m.kernels, k)
		p.executable(m, k.name)
	case p.acceptWord("sdy.mesh"): // of devices: programs here are for one
		p.symbol()
		p.want("=")
		p.balanced()
		p.location()
	default:
		p.expected("func.func, util.func, util.global, stream.executable or the end of the module")
	}
}

func (p *parser) global() *global {
	g := &global{}
	p.acceptWord("private", "public")
	g.mutable = p.acceptWord("mutable")
	g.named = p.symbolName()
	if p.accept("=") {
		a := p.attr()
		g.init = &a
	}
	p.want(":")
	g.typ = p.typ()
	return g
}

// executable skips a kernel except for the names of its exports.
func (p *parser) executable(m *module, name string) {
	if !p.is("{") {
		p.expected(`"{"`)
		return
	}
	from := p.tok.end()
	p.balanced()
	for t := lex(p.text, from); t.end() < p.last && t.kind != tEnd; t = lex(p.text, t.end()) {
		if t.kind != tIdent || t.text != "stream.executable.export" {
			continue
		}
		t = lex(p.text, t.end())
		if t.text == "public" || t.text == "private" {
			t = lex(p.text, t.end())
		}
		if t.kind == tSymbol {
			m.kernels = append(m.kernels, named{name + "::" + strings.Trim(t.text[1:], `"`), t.pos})
		}
	}
}
