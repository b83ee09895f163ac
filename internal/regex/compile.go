package regex

import (
	"errors"
	"fmt"
	"regexp/syntax"
	"strings"
	"unicode"
)

// Compile reads a regular expression. The error is an *Error.
func Compile(source string) (*Pattern, error) {
	refuse := func(what string, args ...any) (*Pattern, error) {
		return nil, &Error{Pattern: source, Reason: fmt.Sprintf(what, args...)}
	}
	if len(source) > MaxBytes {
		return refuse("it has %d bytes; at most %d are allowed", len(source), MaxBytes)
	}
	goSource, looks, err := toGo(source)
	if err != nil {
		return refuse("%v", err)
	}
	tree, err := syntax.Parse(goSource, syntax.Perl)
	if err != nil {
		var why *syntax.Error // as text it quotes the pattern
		if errors.As(err, &why) {
			return refuse("%s: %q", why.Code, brief(why.Expr))
		}
		return refuse("%v", err)
	}
	c := &compiler{looks: looks, sets: map[string]*runeSet{}}
	c.emit(tree)
	c.op(inst{op: opMatch})
	if c.bad != "" {
		return refuse("%s", c.bad)
	}
	for i, x := range c.code {
		if x.op == opJump && c.code[x.x].op == opMatch {
			c.code[i].op = opMatch
		}
	}
	p := &Pattern{source: source, code: c.code}
	if len(c.code) == 3 && c.code[0].op == opRun && c.code[0].min == 1 && c.code[0].max < 0 && c.code[1].op == opEnd {
		p.tail = c.code[0].set
	}
	return p, nil
}

// The white space of Unicode, as \s has it, inside a class, and all else. Go's \s
// is that of ASCII.
var spaceClass, nonSpaceClass = classText(unicode.White_Space)

func classText(t *unicode.RangeTable) (in, out string) {
	var a, b strings.Builder
	next := rune(0)
	span := func(lo, hi rune) {
		fmt.Fprintf(&a, `\x{%x}-\x{%x}`, lo, hi)
		if lo > next {
			fmt.Fprintf(&b, `\x{%x}-\x{%x}`, next, lo-1)
		}
		next = hi + 1
	}
	for _, r := range t.R16 {
		for at := rune(r.Lo); r.Stride > 1 && at < rune(r.Hi); at += rune(r.Stride) {
			span(at, at)
		}
		if r.Stride > 1 {
			span(rune(r.Hi), rune(r.Hi))
		} else {
			span(rune(r.Lo), rune(r.Hi))
		}
	}
	fmt.Fprintf(&b, `\x{%x}-\x{%x}`, next, unicode.MaxRune)
	return a.String(), b.String()
}

// toGo writes a pattern as Go's parser takes it: \s and \d in Unicode's meaning,
// and look-ahead as groups with names, which looks says are negative or not.
func toGo(s string) (out string, looks map[string]bool, err error) {
	looks = map[string]bool{}
	var b strings.Builder
	inClass := false
	for i := 0; i < len(s); i++ {
		rest := s[i:]
		switch {
		case s[i] == '\\' && i+1 < len(s):
			i++
			text := s[i-1 : i+1]
			switch s[i] {
			case 's', 'S':
				text = spaceClass
				if s[i] == 'S' {
					text = nonSpaceClass
				}
				if !inClass {
					text = "[" + text + "]"
				}
			case 'd':
				text = `\p{Nd}`
			case 'D':
				text = `\P{Nd}`
			case 'w', 'W', 'b', 'B', 'A', 'z', 'Z', 'G', 'h', 'H', 'R', 'X', 'K':
				return "", nil, fmt.Errorf("\\%c is not supported", s[i])
			}
			b.WriteString(text)
		case inClass:
			if strings.HasPrefix(rest, "&&") {
				return "", nil, fmt.Errorf("an intersection of classes is not supported")
			}
			if s[i] == '[' && !strings.HasPrefix(rest, "[:") {
				return "", nil, fmt.Errorf("a class in a class is not supported")
			}
			inClass = s[i] != ']'
			b.WriteByte(s[i])
		case s[i] == '[':
			inClass = true
			b.WriteByte('[')
			for _, first := range []string{"^]", "^", "]"} { // a ] here is one of the class
				if strings.HasPrefix(s[i+1:], first) {
					b.WriteString(strings.ReplaceAll(first, "]", `\]`))
					i += len(first)
					break
				}
			}
		case strings.HasPrefix(rest, "(?!"), strings.HasPrefix(rest, "(?="):
			name := fmt.Sprintf("look%d", len(looks))
			looks[name] = s[i+2] == '!'
			b.WriteString("(?P<" + name + ">")
			i += 2
		case strings.HasPrefix(rest, "(?<"), strings.HasPrefix(rest, "(?P"), strings.HasPrefix(rest, "(?>"):
			return "", nil, fmt.Errorf("%s is not supported", rest[:3])
		default:
			b.WriteByte(s[i])
		}
	}
	return b.String(), looks, nil
}

type compiler struct {
	code  []inst
	looks map[string]bool
	sets  map[string]*runeSet // by their runes, so that each set is stored once
	bad   string
}

// shared returns an existing set with the same runes, if there is one.
func (c *compiler) shared(t *syntax.Regexp) *runeSet {
	key := fmt.Sprint(t.Op, t.Flags&syntax.FoldCase, t.Rune)
	if s, ok := c.sets[key]; ok {
		return s
	}
	s := oneRune(t)
	c.sets[key] = s
	return s
}

func (c *compiler) op(i inst) int {
	if len(c.code) >= MaxCode {
		c.fail("more than %d instructions", MaxCode)
		return 0
	}
	c.code = append(c.code, i)
	return len(c.code) - 1
}

func (c *compiler) fail(what string, args ...any) {
	if c.bad == "" {
		c.bad = fmt.Sprintf(what, args...)
	}
}

// emit appends the code of a tree.
func (c *compiler) emit(t *syntax.Regexp) {
	if c.bad != "" {
		return
	}
	switch t.Op {
	case syntax.OpEmptyMatch:
	case syntax.OpLiteral:
		for _, r := range t.Rune {
			c.op(inst{op: opSet, set: foldSet(r, t.Flags)})
		}
	case syntax.OpCharClass, syntax.OpAnyChar, syntax.OpAnyCharNotNL:
		c.op(inst{op: opSet, set: c.shared(t)})
	case syntax.OpEndText:
		c.op(inst{op: opEnd})
	case syntax.OpConcat:
		for _, s := range t.Sub {
			c.emit(s)
		}
	case syntax.OpAlternate:
		c.alternate(t.Sub)
	case syntax.OpCapture:
		neg, look := c.looks[t.Name]
		if !look {
			c.emit(t.Sub[0])
			return
		}
		at := c.op(inst{op: opLook, neg: neg})
		c.emit(t.Sub[0])
		c.op(inst{op: opMatch})
		c.code[at].x = len(c.code)
	case syntax.OpStar:
		c.repeat(t, 0, -1)
	case syntax.OpPlus:
		c.repeat(t, 1, -1)
	case syntax.OpQuest:
		c.repeat(t, 0, 1)
	case syntax.OpRepeat:
		c.repeat(t, t.Min, t.Max)
	default:
		c.fail("%s is not supported", t.Op)
	}
}

func (c *compiler) alternate(subs []*syntax.Regexp) {
	var ends []int
	for i, s := range subs {
		if i == len(subs)-1 {
			c.emit(s)
			break
		}
		first, _ := c.first(s)
		split := c.op(inst{op: opSplit, first: first})
		c.code[split].x = len(c.code)
		c.emit(s)
		ends = append(ends, c.op(inst{op: opJump}))
		c.code[split].y = len(c.code)
	}
	for _, e := range ends {
		c.code[e].x = len(c.code)
	}
}

// oneRune returns the set of a tree that matches exactly one rune, else nil.
func oneRune(t *syntax.Regexp) *runeSet {
	switch t.Op {
	case syntax.OpLiteral:
		if len(t.Rune) == 1 {
			return foldSet(t.Rune[0], t.Flags)
		}
	case syntax.OpCharClass:
		return setOf(t.Rune)
	case syntax.OpAnyChar:
		return setOf([]rune{0, unicode.MaxRune})
	case syntax.OpAnyCharNotNL:
		return setOf([]rune{0, '\n' - 1, '\n' + 1, unicode.MaxRune})
	}
	return nil
}

func (c *compiler) repeat(t *syntax.Regexp, least, most int) {
	sub := t.Sub[0]
	lazy := t.Flags&syntax.NonGreedy != 0
	if oneRune(sub) != nil && !lazy {
		c.op(inst{op: opRun, set: c.shared(sub), min: least, max: most})
		return
	}
	first, empty := c.first(sub)
	if empty {
		c.fail("a repetition of an expression that may be empty")
		return
	}
	for range least {
		c.emit(sub)
	}
	split := func() int {
		i := inst{op: opSplit, first: first}
		if lazy {
			i.first = nil
		}
		return c.op(i)
	}
	enter := func(at, in, out int) {
		if lazy {
			in, out = out, in
		}
		c.code[at].x, c.code[at].y = in, out
	}
	if most < 0 {
		at := split()
		c.emit(sub)
		c.op(inst{op: opJump, x: at})
		enter(at, at+1, len(c.code))
		return
	}
	var splits []int
	for range most - least {
		if c.bad != "" {
			return
		}
		splits = append(splits, split())
		c.emit(sub)
	}
	for _, at := range splits {
		enter(at, at+1, len(c.code))
	}
}

// first returns a set of the runes that a tree can begin with, nil for any, and
// whether it can match nothing.
func (c *compiler) first(t *syntax.Regexp) (set *runeSet, empty bool) {
	switch t.Op {
	case syntax.OpLiteral:
		return foldSet(t.Rune[0], t.Flags), false
	case syntax.OpCharClass, syntax.OpAnyChar, syntax.OpAnyCharNotNL:
		return oneRune(t), false
	case syntax.OpCapture:
		if _, look := c.looks[t.Name]; look {
			return nil, true
		}
		return c.first(t.Sub[0])
	case syntax.OpPlus:
		return c.first(t.Sub[0])
	case syntax.OpRepeat:
		set, empty := c.first(t.Sub[0])
		if t.Min > 0 && !empty {
			return set, false
		}
		return nil, true
	case syntax.OpConcat:
		return c.firstOf(t.Sub)
	case syntax.OpAlternate:
		all := new(runeSet)
		for _, s := range t.Sub {
			f, e := c.first(s)
			if f == nil || e {
				all, empty = nil, empty || e
			}
			all = union(all, f)
		}
		return all, empty
	}
	return nil, true
}

// firstOf is first for a sequence of trees: one that may be empty adds the next one's.
func (c *compiler) firstOf(subs []*syntax.Regexp) (set *runeSet, empty bool) {
	all := new(runeSet)
	for _, s := range subs {
		var f *runeSet
		switch s.Op {
		case syntax.OpStar, syntax.OpQuest:
			f, _ = c.first(s.Sub[0])
			empty = true
		default:
			f, empty = c.first(s)
		}
		all = union(all, f)
		if !empty {
			return all, false
		}
	}
	return nil, true
}
