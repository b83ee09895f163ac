// Package jinja renders chat templates: Jinja as the library for Python has it in
// version 3.1, in the immutable sandbox and with the settings trim_blocks,
// lstrip_blocks and loop controls that Hugging Face's tokenizers give it.
//
// It is here because a template comes out of a weight file and no library for Go
// bounds what one may cost: a macro that calls itself ends the process, and a string
// that doubles in a loop takes all memory (the page Decisions of the documentation has
// the figures). It has what templates of models use. All
// else is refused, never rendered in another way: blocks and inheritance, includes,
// automatic escaping and filters of HTML but escape and safe, integers beyond 64
// bits, filters and methods that it does not list.
//
// # Errors
//
// JINJA_SYNTAX for a text that is not a template, with the line; JINJA_RENDER where a
// template refuses or fails, as Jinja's does; JINJA_LIMIT where it costs more than
// Limits allows.
//
// # Determinism
//
// The text depends on the template and the values. There is no chance, and no clock but
// the value that Clock makes of a time.
//
// # Untrusted input
//
// A template has at most MaxSource bytes (256 KiB), names of at most MaxName (256),
// nested at most MaxNesting (100) deep. Rendering counts each step and each byte that it makes or looks at, and ends
// where Limits says; calls and values nest MaxDepth (400) deep.
package jinja

import (
	"context"
	"fmt"
	"strings"

	"github.com/skainet-dev/skainet-go/errs"
)

// Limits on what a template may be.
const (
	MaxSource  = 256 << 10 // bytes
	MaxName    = 256       // bytes of a name
	MaxNesting = 100       // of blocks and expressions
	MaxDepth   = 400       // of statements, expressions and calls at work, and of values in values
	MaxRange   = 100000    // numbers of one range, as Jinja's sandbox has it
)

// The closed list of error codes.
const (
	CodeSyntax errs.Code = "JINJA_SYNTAX" // smallest input: {%
	CodeRender errs.Code = "JINJA_RENDER" // smallest input: {{ 1 // 0 }}
	CodeLimit  errs.Code = "JINJA_LIMIT"  // smallest input: {% for a in range(99999) %}{% for b in range(99999) %}{% endfor %}{% endfor %}
)

// Limits bounds one rendering.
type Limits struct {
	Steps int // statements and expressions evaluated
	// Bytes are made or looked at: texts by their length, lists by 16 for each item,
	// and 128 for each round of a loop and each call of a macro.
	Bytes int
}

// Template is a parsed template. It may be used by several goroutines at once.
type Template struct{ body []node }

// Render returns the text of a template. The values are nil for none, bool, int, string,
// []any, Map and what Clock returns; a name that is not there is undefined.
func (t *Template) Render(ctx context.Context, values Map, limits Limits) (text string, err error) {
	s := &state{ctx: ctx, steps: limits.Steps, bytes: limits.Bytes, line: 1, out: new(strings.Builder)}
	defer func() {
		switch r := recover().(type) {
		case nil:
		case *errs.Error:
			text, err = "", r
		default:
			text, err = "", errs.New(CodeRender, "line %d: the template failed: %v", s.line, r)
		}
	}()
	s.goOn()
	top := &scope{parent: &scope{vars: globals()}}
	for _, p := range values {
		top.set(p.Name, s.fromGo(p.Value, 0))
	}
	s.run(t.body, top)
	return s.out.String(), nil
}

// Map is a dictionary in the order of its keys.
type Map []Pair

// Pair is an entry of a Map.
type Pair struct {
	Name  string
	Value any
}

// state is one rendering at work. What is wrong is thrown as *errs.Error and caught by
// Render.
type state struct {
	ctx   context.Context
	steps int
	bytes int
	depth int
	line  int // of the statement at work
	out   *strings.Builder
}

func (s *state) fail(what string, args ...any) {
	panic(errs.New(CodeRender, "line %d: %s", s.line, shorten(fmt.Sprintf(what, args...))))
}

func (s *state) limit(what string, args ...any) {
	panic(errs.New(CodeLimit, "line %d: %s", s.line, fmt.Sprintf(what, args...)))
}

// shorten keeps what a template says of bounded length.
func shorten(what string) string {
	const most = 500
	if len(what) > most {
		return strings.ToValidUTF8(what[:most], "") + "..."
	}
	return what
}

// step counts one step.
func (s *state) step() {
	if s.steps--; s.steps < 0 {
		s.limit("the template takes too many steps")
	}
	if s.steps&1023 == 0 {
		s.goOn()
	}
}

// goOn panics with an error if the context was cancelled.
func (s *state) goOn() {
	if err := s.ctx.Err(); err != nil {
		panic(errs.Wrap(CodeRender, err, "line %d: the template was given up before it ended", s.line))
	}
}

// spend counts n bytes, before they are made.
func (s *state) spend(n int) {
	if s.bytes -= n; n < 0 || s.bytes < 0 {
		s.limit("the template makes too much text, or too many values")
	}
}

// spendTimes counts n times size bytes.
func (s *state) spendTimes(n, size int64) {
	if n > 0 && size > 0 && n > int64(s.bytes)/size {
		s.limit("the template makes too much text, or too many values")
	}
	s.spend(int(max(n, 0) * size))
}

func (s *state) enter() {
	if s.depth++; s.depth > MaxDepth {
		s.limit("the template calls itself, or nests, more than %d deep", MaxDepth)
	}
}

func (s *state) leave() { s.depth-- }

func (s *state) write(text string) {
	s.spend(len(text))
	s.out.WriteString(text)
}

// scope is names and what they mean.
type scope struct {
	vars   map[string]value
	parent *scope
}

// scope begins names of their own, which a function that is kept may keep.
func (s *state) scope(parent *scope) *scope {
	s.spend(128)
	return &scope{parent: parent}
}

func (c *scope) set(name string, v value) {
	if c.vars == nil {
		c.vars = map[string]value{}
	}
	c.vars[name] = v
}

func (c *scope) get(s *state, name string) value {
	for ; c != nil; c = c.parent {
		s.spend(len(name) / 8)
		if v, ok := c.vars[name]; ok {
			return v
		}
	}
	return s.undefined("'" + name + "' is undefined")
}

// undefined is a value that is not there, and why: it is kept like a text.
func (s *state) undefined(why string) value {
	s.spend(len(why))
	return undefined{why}
}
