package jinja

import (
	"slices"
	"strings"
)

// leaving says why a list of statements ended.
type leaving uint8

const (
	done leaving = iota
	breaks
	continues
)

type node interface {
	exec(s *state, c *scope) leaving
}

type (
	textNode   struct{ text string }
	outputNode struct {
		line int
		of   expr
	}
	ifNode struct {
		line   int
		conds  []expr
		bodies [][]node // one more than conds with an else
	}
	forNode struct {
		line            int
		target          target
		over, cond      expr
		recursive       bool
		body, otherwise []node
	}
	setNode struct {
		line   int
		target target
		value  expr
		body   []node // without a value
		filter expr
	}
	macroNode struct {
		line                    int
		name                    string
		params                  []param
		body                    []node
		varargs, kwargs, caller bool // named in the body
	}
	callNode struct {
		line   int
		call   *callExpr
		caller macroNode
	}
	filterNode struct {
		line   int
		filter expr
		body   []node
	}
	withNode struct {
		line    int
		targets []target
		values  []expr
		body    []node
	}
	leaveNode struct{ breaks bool }
)

type param struct {
	name string
	init expr
}

// target is what is assigned to: a name, an attribute of the namespace name, or many.
type target struct {
	name, attr string
	many       []target
}

// run executes statements.
func (s *state) run(body []node, c *scope) leaving {
	s.enter()
	defer s.leave()
	for _, n := range body {
		s.step()
		if l := n.exec(s, c); l != done {
			return l
		}
	}
	return done
}

// captured returns what statements write.
func (s *state) captured(body []node, c *scope) (string, leaving) {
	out := s.out
	defer func() { s.out = out }()
	s.out = new(strings.Builder)
	l := s.run(body, c)
	return s.out.String(), l
}

func (n *textNode) exec(s *state, _ *scope) leaving {
	s.write(n.text)
	return done
}

func (n *outputNode) exec(s *state, c *scope) leaving {
	s.line = n.line
	s.write(s.text(s.eval(n.of, c)))
	return done
}

func (n *ifNode) exec(s *state, c *scope) leaving {
	for i, cond := range n.conds {
		s.line = n.line
		if s.truth(s.eval(cond, c)) {
			return s.run(n.bodies[i], c)
		}
	}
	if len(n.bodies) > len(n.conds) {
		return s.run(n.bodies[len(n.conds)], c)
	}
	return done
}

func (n *forNode) exec(s *state, c *scope) leaving {
	s.line = n.line
	n.loop(s, c, s.eval(n.over, c), 0)
	return done
}

// loop runs the body for each item; depth is how many times a recursive loop has
// called itself.
func (n *forNode) loop(s *state, c *scope, over value, depth int) {
	items := s.iterate(over)
	if n.cond != nil {
		var kept []value
		for _, x := range items {
			inner := s.scope(c)
			s.assign(inner, n.target, x)
			if s.truth(s.eval(n.cond, inner)) {
				kept = append(kept, x)
			}
		}
		items = kept
	}
	l := &loop{items: items, depth: depth}
	if n.recursive {
		l.again = func(over value) value {
			out := s.out
			defer func() { s.out = out }()
			s.out = new(strings.Builder)
			n.loop(s, c, over, depth+1)
			return s.out.String()
		}
	}
	for l.at = range items {
		s.step()
		inner := s.scope(c)
		inner.set("loop", l)
		s.assign(inner, n.target, items[l.at])
		if s.run(n.body, inner) == breaks {
			break
		}
	}
	if len(items) == 0 {
		s.run(n.otherwise, s.scope(c))
	}
}

func (n *setNode) exec(s *state, c *scope) leaving {
	s.line = n.line
	if n.value != nil {
		s.assign(c, n.target, s.eval(n.value, c))
		return done
	}
	text, l := s.captured(n.body, s.scope(c))
	var v value = text
	if n.filter != nil {
		v = s.filtered(n.filter, text, c)
	}
	s.assign(c, n.target, v)
	return l
}

func (s *state) assign(c *scope, t target, v value) {
	switch {
	case t.many != nil:
		items := s.iterate(v)
		if len(items) != len(t.many) {
			s.fail("%d values cannot be given to %d names", len(items), len(t.many))
		}
		for i, x := range items {
			s.assign(c, t.many[i], x)
		}
	case t.attr != "":
		ns, ok := c.get(s, t.name).(*namespace)
		if !ok {
			s.fail("cannot assign attribute on non-namespace object")
		}
		s.spend(16)
		ns.of.set(s, t.attr, v)
	default:
		s.spend(16)
		c.set(t.name, v)
	}
}

func (n *macroNode) exec(s *state, c *scope) leaving {
	c.set(n.name, n.function(c))
	return done
}

// macro is a macro as a value.
type macro struct {
	*macroNode
	call func(s *state, a args) value
}

// attribute returns what Jinja's Macro tells of itself, or nil.
func (m *macro) attribute(name string) value {
	switch name {
	case "name":
		if m.name == "" { // of a call block
			return none{}
		}
		return m.name
	case "arguments":
		l := &list{tuple: true}
		for _, p := range m.params {
			l.items = append(l.items, p.name)
		}
		return l
	case "catch_varargs":
		return m.varargs
	case "catch_kwargs":
		return m.kwargs
	case "caller":
		return m.macroNode.caller
	case "explicit_caller":
		return slices.ContainsFunc(m.params, func(p param) bool { return p.name == "caller" })
	}
	return nil
}

// function returns the macro as a value; c is where it was made.
func (n *macroNode) function(c *scope) *macro {
	return &macro{n, func(s *state, a args) value {
		s.enter()
		defer s.leave()
		inner := s.scope(c)
		s.spendTimes(int64(len(n.params)), int64(len(a.names)))
		rest := a.pos
		used := map[string]bool{}
		for i, p := range n.params {
			v, given := a.named(p.name)
			if i < len(a.pos) {
				if given {
					s.fail("macro '%s' got two values for '%s'", n.name, p.name)
				}
				v, given, rest = a.pos[i], true, a.pos[i+1:]
			}
			used[p.name] = true
			switch {
			case given:
			case p.init != nil:
				v = s.eval(p.init, inner)
			default:
				v = s.undefined("parameter '" + p.name + "' was not provided")
			}
			inner.set(p.name, v)
		}
		if len(rest) > 0 && !n.varargs {
			s.fail("macro '%s' takes not more than %d argument(s)", n.name, len(n.params))
		}
		inner.set("varargs", &list{items: rest, tuple: true})
		more := &dict{}
		for i, name := range a.names {
			switch {
			case used[name]:
			case name == "caller" && n.caller:
				inner.set(name, a.kw[i])
				used[name] = true
			case n.kwargs:
				more.set(s, name, a.kw[i])
			default:
				s.fail("macro '%s' takes no keyword argument '%s'", n.name, name)
			}
		}
		if n.caller && !used["caller"] {
			inner.set("caller", undefined{"No caller defined"})
		}
		inner.set("kwargs", more)
		line := s.line
		text, _ := s.captured(n.body, inner)
		s.line = line
		return text
	}}
}

func (n *callNode) exec(s *state, c *scope) leaving {
	s.line = n.line
	fn, a := s.prepare(n.call, c)
	a.names, a.kw = append(a.names, "caller"), append(a.kw, n.caller.function(c))
	s.write(s.text(s.call(fn, a)))
	return done
}

func (n *filterNode) exec(s *state, c *scope) leaving {
	s.line = n.line
	text, l := s.captured(n.body, s.scope(c))
	s.write(s.text(s.filtered(n.filter, text, c)))
	return l
}

func (n *withNode) exec(s *state, c *scope) leaving {
	s.line = n.line
	inner := s.scope(c)
	for i, t := range n.targets {
		s.assign(inner, t, s.eval(n.values[i], c))
	}
	return s.run(n.body, inner)
}

func (n *leaveNode) exec(*state, *scope) leaving {
	if n.breaks {
		return breaks
	}
	return continues
}
