package jinja

import "slices"

// sameTests are other names of tests.
var sameTests = map[string]string{
	"==": "eq", "equalto": "eq", "!=": "ne", ">": "gt", "greaterthan": "gt", ">=": "ge", "<": "lt", "lessthan": "lt", "<=": "le",
}

var comparing = map[string]string{"eq": "==", "ne": "!=", "gt": ">", "ge": ">=", "lt": "<", "le": "<=", "in": "in"}

func hasTest(name string) bool {
	_, other := sameTests[name]
	_, compares := comparing[name]
	return other || compares || slices.Contains([]string{
		"divisibleby", "sameas", "defined", "undefined", "none", "boolean", "true", "false", "integer", "float", "number",
		"string", "mapping", "sequence", "iterable", "callable", "odd", "even", "upper", "lower",
	}, name)
}

// test reports whether v passes a test.
func (s *state) test(name string, v value, a args) bool {
	s.step()
	if n, ok := sameTests[name]; ok {
		name = n
	}
	if op, ok := comparing[name]; ok {
		x := s.bind(a, name, "other")
		s.need(name, x)
		return s.compare(op, v, x[0])
	}
	switch name {
	case "divisibleby":
		x := s.bind(a, name, "num")
		s.need(name, x)
		return s.same(s.operate("%", v, x[0]), int64(0))
	case "sameas":
		x := s.bind(a, name, "other")
		s.need(name, x)
		return s.identical(v, x[0])
	}
	s.bind(a, name)
	l, isList := v.(*list)
	_, isBool := v.(bool)
	i, f, whole, isNumber := number64(v)
	_, isText := plainText(v)
	switch name {
	case "defined", "undefined":
		_, missing := v.(undefined)
		return missing == (name == "undefined")
	case "none":
		return v == none{}
	case "boolean":
		return isBool
	case "true":
		return v == true
	case "false":
		return v == false
	case "integer":
		return isNumber && whole && !isBool
	case "float":
		return isNumber && !whole
	case "number":
		return isNumber
	case "string":
		return isText
	case "mapping":
		_, ok := v.(*dict)
		return ok
	case "sequence":
		switch v.(type) {
		case string, markup, *dict, undefined:
			return true
		}
		return isList && !l.once && (l.view == "" || l.span != nil)
	case "iterable":
		switch v.(type) {
		case string, markup, *dict, *list, undefined, *loop:
			return true
		}
		return false
	case "callable":
		switch v := v.(type) {
		case *function, *macro, undefined:
			return true
		case *object:
			return v.call != nil
		case *loop:
			return v != nil
		}
		return false
	case "odd", "even":
		if !isNumber {
			s.operate("%", v, int64(2))
			s.fail("a %s is neither odd nor even", typeName(v))
		}
		if whole {
			f = float64(i & 1)
		}
		m, _ := s.real("%", f, 2).(float64)
		return m == map[string]float64{"odd": 1, "even": 0}[name]
	case "upper", "lower":
		t := s.text(v)
		s.spend(2 * len(t))
		if name == "upper" {
			return isUpper(t)
		}
		return isLower(t)
	}
	s.fail("No test named '%s'.", shorten(name))
	return false
}

// identical is Python's is: of texts and numbers the one that holds for small ones.
func (s *state) identical(a, b value) bool {
	if typeName(a) != typeName(b) {
		return false
	}
	switch a.(type) {
	case string, markup:
		return s.same(a, b)
	}
	return a == b
}
