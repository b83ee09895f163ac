package jinja

type expr interface {
	eval(s *state, c *scope) value
}

type (
	constExpr struct{ v value }
	nameExpr  struct{ name string }
	attrExpr  struct {
		of   expr
		name string
	}
	itemExpr struct {
		of, key        expr
		slice          bool
		from, to, step expr
	}
	callExpr struct {
		fn   expr
		args arguments
	}
	filterExpr struct {
		of   expr // nil for the text of a block
		name string
		args arguments
	}
	testExpr struct {
		of      expr
		name    string
		negated bool
		args    arguments
	}
	condExpr  struct{ yes, cond, no expr }
	unaryExpr struct {
		op string
		of expr
	}
	chainExpr struct {
		first expr
		rest  []link
	}
	compareExpr struct{ chainExpr }
	listExpr    struct {
		items []expr
		tuple bool
	}
	dictExpr struct{ keys, values []expr }
)

type link struct {
	op string
	of expr
}

// arguments are those of a call as written, args as evaluated.
type arguments struct {
	pos   []expr
	names []string
	named []expr
}

type args struct {
	pos   []value
	names []string
	kw    []value
}

func (a *args) named(name string) (value, bool) {
	for i, n := range a.names {
		if n == name {
			return a.kw[i], true
		}
	}
	return nil, false
}

func (s *state) eval(e expr, c *scope) value {
	s.step()
	s.enter()
	v := e.eval(s, c)
	s.leave()
	return v
}

func (e *constExpr) eval(*state, *scope) value    { return e.v }
func (e *nameExpr) eval(s *state, c *scope) value { return c.get(s, e.name) }
func (e *attrExpr) eval(s *state, c *scope) value {
	return s.attribute(s.eval(e.of, c), e.name)
}

func (e *itemExpr) eval(s *state, c *scope) value {
	of := s.eval(e.of, c)
	if !e.slice {
		return s.item(of, s.eval(e.key, c))
	}
	part := func(e expr) value {
		if e == nil {
			return none{}
		}
		return s.eval(e, c)
	}
	return s.slice(of, part(e.from), part(e.to), part(e.step))
}

// prepare evaluates a function and its arguments.
func (s *state) prepare(e *callExpr, c *scope) (value, args) {
	return s.eval(e.fn, c), s.arguments(e.args, c)
}

func (s *state) arguments(of arguments, c *scope) args {
	var a args
	s.spend(16 * (len(of.pos) + len(of.named)))
	for _, e := range of.pos {
		a.pos = append(a.pos, s.eval(e, c))
	}
	for i, e := range of.named {
		a.names, a.kw = append(a.names, of.names[i]), append(a.kw, s.eval(e, c))
	}
	return a
}

func (e *callExpr) eval(s *state, c *scope) value {
	fn, a := s.prepare(e, c)
	return s.call(fn, a)
}

func (s *state) call(fn value, a args) value {
	switch f := fn.(type) {
	case *function:
		return f.call(s, a)
	case *macro:
		return f.call(s, a)
	case *object:
		if f.call != nil {
			return f.call(s, a)
		}
	case *loop:
		if f.again == nil {
			s.fail("The loop must have the 'recursive' marker to be called recursively.")
		}
		s.enter()
		defer s.leave()
		return f.again(s.bind(a, "loop", "iterable")[0])
	case undefined:
		s.missing(f)
	}
	s.fail("'%s' object is not callable", typeName(fn))
	return nil
}

func (e *filterExpr) eval(s *state, c *scope) value { return s.filtered(e, nil, c) }

// filtered applies filters, the innermost to text where it stands on nothing.
func (s *state) filtered(e expr, text value, c *scope) value {
	f, ok := e.(*filterExpr)
	if !ok {
		if e == nil {
			return text
		}
		return s.eval(e, c)
	}
	of := s.filtered(f.of, text, c)
	s.step()
	return s.filter(f.name, of, s.arguments(f.args, c))
}

func (e *testExpr) eval(s *state, c *scope) value {
	of := s.eval(e.of, c)
	return s.test(e.name, of, s.arguments(e.args, c)) != e.negated
}

func (e *condExpr) eval(s *state, c *scope) value {
	switch {
	case s.truth(s.eval(e.cond, c)):
		return s.eval(e.yes, c)
	case e.no != nil:
		return s.eval(e.no, c)
	}
	return undefined{"the inline if-expression evaluated to false and no else section was defined."}
}

func (e *unaryExpr) eval(s *state, c *scope) value {
	v := s.eval(e.of, c)
	if e.op == "not" {
		return !s.truth(v)
	}
	return s.sign(e.op, v)
}

func (e *chainExpr) eval(s *state, c *scope) value {
	v := s.eval(e.first, c)
	if e.rest[0].op == "~" {
		return s.joined(v, e.rest, c)
	}
	for _, l := range e.rest {
		switch l.op {
		case "and":
			if !s.truth(v) {
				return v
			}
			v = s.eval(l.of, c)
		case "or":
			if s.truth(v) {
				return v
			}
			v = s.eval(l.of, c)
		default:
			v = s.operate(l.op, v, s.eval(l.of, c))
		}
	}
	return v
}

// joined puts texts together.
func (s *state) joined(first value, rest []link, c *scope) value {
	parts := []string{s.text(first)}
	for _, l := range rest {
		parts = append(parts, s.text(s.eval(l.of, c)))
	}
	return s.concat(parts, "")
}

func (e *compareExpr) eval(s *state, c *scope) value {
	left := s.eval(e.first, c)
	for _, l := range e.rest {
		right := s.eval(l.of, c)
		if !s.compare(l.op, left, right) {
			return false
		}
		left = right
	}
	return true
}

func (e *listExpr) eval(s *state, c *scope) value {
	l := &list{items: make([]value, len(e.items)), tuple: e.tuple}
	s.spend(32 + 16*len(l.items))
	for i, x := range e.items {
		l.items[i] = s.eval(x, c)
	}
	return l
}

func (e *dictExpr) eval(s *state, c *scope) value {
	d := &dict{}
	for i, k := range e.keys {
		key := s.eval(k, c)
		d.put(s, key, s.eval(e.values[i], c))
	}
	return d
}
