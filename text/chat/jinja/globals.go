package jinja

// globals are the functions that each template has.
func globals() map[string]value {
	out := map[string]value{}
	for name, call := range map[string]func(s *state, a args) value{
		"range": numbers, "dict": newDict, "namespace": newNamespace, "raise_exception": refuse,
		"cycler": cycler, "joiner": joiner,
	} {
		out[name] = &function{name, call}
	}
	return out
}

// bind puts arguments in the order of parameters; nil for one that was not given.
func (s *state) bind(a args, function string, params ...string) []value {
	out := make([]value, len(params))
	if len(a.pos) > len(params) {
		s.fail("%s takes at most %d arguments (%d given)", function, len(params), len(a.pos))
	}
	copy(out, a.pos)
	for i, name := range a.names {
		at := -1
		for j, p := range params {
			if p == name {
				at = j
			}
		}
		if at < 0 || out[at] != nil {
			s.fail("%s got an unexpected keyword argument '%s'", function, name)
		}
		out[at] = a.kw[i]
	}
	return out
}

// need refuses a call that lacks an argument.
func (s *state) need(function string, given []value) {
	for _, v := range given {
		if v == nil {
			s.fail("%s lacks an argument", function)
		}
	}
}

func or(v, otherwise value) value {
	if v == nil {
		return otherwise
	}
	return v
}

// integer returns an argument that is an integer.
func (s *state) integer(v value, otherwise int64) int64 {
	if v == nil {
		return otherwise
	}
	if u, ok := v.(undefined); ok {
		s.missing(u)
	}
	i, _, whole, ok := number64(v)
	if !ok || !whole {
		s.fail("'%s' object cannot be interpreted as an integer", typeName(v))
	}
	return i
}

func newDict(s *state, a args) value {
	d := &dict{}
	if len(a.pos) > 1 {
		s.fail("dict expected at most 1 argument, got %d", len(a.pos))
	}
	if len(a.pos) == 1 {
		if of, ok := a.pos[0].(*dict); ok {
			d = s.copyOf(of)
		} else {
			for _, x := range s.iterate(a.pos[0]) {
				p := s.iterate(x)
				if len(p) != 2 {
					s.fail("a dictionary is made of pairs")
				}
				d.put(s, p[0], p[1])
			}
		}
	}
	for i, name := range a.names {
		d.set(s, name, a.kw[i])
	}
	return d
}

func newNamespace(s *state, a args) value { return &namespace{newDict(s, a).(*dict)} }

func refuse(s *state, a args) value {
	x := s.bind(a, "raise_exception", "message")
	s.need("raise_exception", x)
	s.fail("%s", s.text(x[0]))
	return nil
}

func joiner(s *state, a args) value {
	between := or(s.bind(a, "joiner", "sep")[0], ", ")
	used := false
	return &object{"Joiner", func(name string) value {
		switch name {
		case "sep":
			return between
		case "used":
			return used
		}
		return nil
	}, func(s *state, a args) value {
		s.bind(a, "joiner")
		if !used {
			used = true
			return ""
		}
		return between
	}}
}

func cycler(s *state, a args) value {
	if len(a.pos) == 0 || len(a.names) > 0 {
		s.fail("at least one item has to be provided")
	}
	at := 0
	return &object{"Cycler", func(name string) value {
		switch name {
		case "items":
			return &list{items: a.pos, tuple: true}
		case "pos":
			return int64(at)
		case "current":
			return a.pos[at]
		case "next":
			return &function{name, func(*state, args) value {
				v := a.pos[at]
				at = (at + 1) % len(a.pos)
				return v
			}}
		case "reset":
			return &function{name, func(*state, args) value { at = 0; return none{} }}
		}
		return nil
	}, nil}
}

// attribute returns what a template asks of its loop.
func (l *loop) attribute(name string) value {
	n, i := int64(len(l.items)), int64(l.at)
	near := func(at int, what string) value {
		if at < 0 || at >= len(l.items) {
			return undefined{"there is no " + what + " item"}
		}
		return l.items[at]
	}
	switch name {
	case "index":
		return i + 1
	case "index0":
		return i
	case "revindex":
		return n - i
	case "revindex0":
		return n - i - 1
	case "first":
		return i == 0
	case "last":
		return i == n-1
	case "length":
		return n
	case "depth":
		return int64(l.depth) + 1
	case "depth0":
		return int64(l.depth)
	case "previtem":
		return near(l.at-1, "previous")
	case "nextitem":
		return near(l.at+1, "next")
	case "cycle":
		return &function{name, func(s *state, a args) value {
			if len(a.pos) == 0 {
				s.fail("no items for cycling given")
			}
			return a.pos[l.at%len(a.pos)]
		}}
	case "changed":
		return &function{name, func(s *state, a args) value {
			same := l.last != nil && s.same(&list{items: l.last}, &list{items: a.pos})
			l.last = append([]value{}, a.pos...)
			return !same
		}}
	}
	return nil
}
