package verify

import (
	"fmt"
	"strings"

	"github.com/skainet-dev/skainet-go/errs"
)

// checker walks the syntax tree of a text.
type checker struct {
	found   []fault
	funcs   map[string]*function
	globals map[string]*global
	kernels map[string]bool
	f       *function
	values  map[string]binding // visible at this point of the function
	defined map[string]int     // anywhere in the function
	bound   []string           // names in the order of binding
}

// binding is what a name refers to. Types are unknown if an error has already
// been reported.
type binding struct {
	pos     int
	types   []typ
	unknown bool
}

// maxMessage is the length of the longest message, in bytes.
const maxMessage = 500

// message returns a short message; names and types may be as long as the text.
func message(what string, args ...any) string {
	s := fmt.Sprintf(what, args...)
	if len(s) > maxMessage {
		s = s[:maxMessage] + "..."
	}
	return s
}

func (c *checker) fault(pos int, code errs.Code, what string, args ...any) {
	c.see(pos, -1, code, what, args...)
}

func (c *checker) see(pos, other int, code errs.Code, what string, args ...any) {
	if len(c.found) >= MaxFaults {
		return
	}
	c.found = append(c.found, fault{pos, code, message(what, args...), other})
}

func (c *checker) module(m *module) {
	c.funcs, c.globals, c.kernels = map[string]*function{}, map[string]*global{}, map[string]bool{}
	c.encodings(m)
	symbols := map[string]int{}
	declare := func(n named) {
		if first, twice := symbols[n.name]; twice {
			c.see(n.pos, first, CodeTwiceSym, "symbol @%s is defined twice", n.name)
			return
		}
		symbols[n.name] = n.pos
	}
	for _, g := range m.globals {
		declare(g.named)
		c.globals[g.name] = g
		if g.init != nil && g.init.kind == aDense {
			c.dense(*g.init, g.typ)
		}
	}
	for _, k := range m.kernels {
		declare(k)
		c.kernels[k.name] = true
	}
	for _, f := range m.funcs {
		declare(f.named)
		if c.funcs[f.name] == nil {
			c.funcs[f.name] = f
		}
	}
	for _, f := range m.funcs {
		c.function(f)
	}
}

func (c *checker) function(f *function) {
	if f.body == nil {
		return
	}
	c.f, c.values, c.defined, c.bound = f, map[string]binding{}, map[string]int{}, nil
	note := func(n named) {
		if _, ok := c.defined[n.name]; !ok {
			c.defined[n.name] = n.pos
		}
	}
	for _, a := range f.args {
		note(a.named)
		if a.name == "" {
			c.fault(a.pos, CodeSyntax, "an argument of a function with a body needs a name")
			continue
		}
		c.bind(a.named, binding{types: []typ{a.typ}})
	}
	f.body.each(note)
	c.region(f.body, "func.return", f.results)
}

// each visits every name defined in r.
func (r *region) each(visit func(named)) {
	for _, a := range r.args {
		visit(a.named)
	}
	for _, o := range r.ops {
		for _, d := range o.defs {
			visit(d.named)
		}
		for _, a := range o.carried {
			visit(a.named)
		}
		for _, inner := range o.regions {
			inner.each(visit)
		}
	}
}

func (c *checker) bind(n named, b binding) {
	if old, ok := c.values[n.name]; ok {
		c.see(n.pos, old.pos, CodeRedefined, "%s is defined twice", n.name)
		return
	}
	b.pos = n.pos
	c.values[n.name] = b
	c.bound = append(c.bound, n.name)
}

// region checks a region whose terminator must return values of the given types.
func (c *checker) region(r *region, terminator string, want []typ) {
	mark := len(c.bound)
	for _, a := range r.args {
		c.bind(a.named, binding{types: []typ{a.typ}})
	}
	for i, o := range r.ops {
		c.op(o)
		if ends := o.name == "func.return" || o.name == "stablehlo.return"; !ends {
			continue
		}
		switch {
		case o.name != terminator:
			c.fault(o.pos, CodeTerminator, "%s where %s is needed", o.name, terminator)
		case i != len(r.ops)-1:
			c.fault(o.pos, CodeTerminator, "%s before the end of its region", o.name)
		case len(o.ins) != len(want):
			c.fault(o.pos, CodeCount, "%s of %s, needed are %s", o.name, count(len(o.ins), "value"), spell(want))
		default:
			for k, t := range o.ins {
				if !t.equal(want[k]) {
					c.see(t.pos, want[k].pos, CodeType, "%s gives %s as value %d, needed is %s", o.name, t, k, want[k])
				}
			}
		}
	}
	if n := len(r.ops); n == 0 || r.ops[n-1].name != "func.return" && r.ops[n-1].name != "stablehlo.return" {
		c.fault(r.end, CodeTerminator, "the region ends without %s", terminator)
	}
	for _, name := range c.bound[mark:] {
		delete(c.values, name)
	}
	c.bound = c.bound[:mark]
}

// op checks an operation and binds its results.
func (c *checker) op(o *op) {
	s, known := table[o.name]
	if !known {
		c.fault(o.pos, CodeOperation, "the operation %s is not known here", o.name)
	}
	if !known || !c.signature(o, s) {
		c.operands(o, false)
		for _, d := range o.defs {
			c.bind(d.named, binding{unknown: true})
		}
		return
	}
	ok := c.operands(o, true)
	switch {
	case len(o.operands) < s.min || s.max >= 0 && len(o.operands) > s.max:
		c.fault(o.pos, CodeCount, "%s has %s", o.name, count(len(o.operands), "operand"))
	case s.regions >= 0 && len(o.regions) != s.regions:
		c.fault(o.pos, CodeCount, "%s has %s", o.name, count(len(o.regions), "region"))
	case s.rule != nil && ok:
		s.rule(c, o)
	}
	if len(o.regions) > 0 && !s.ownRegions {
		for _, r := range o.regions {
			c.region(r, "stablehlo.return", nil)
		}
	}
	c.results(o)
}

// signature assigns each operand and result the type that the text states.
func (c *checker) signature(o *op, s spec) bool {
	for _, key := range o.keys {
		if !s.takes(key.name) {
			c.fault(key.pos, CodeAttribute, "%s has no attribute %s in this form", o.name, key.name)
			return false
		}
	}
	list := o.list
	one := func(want int) bool {
		if len(list) != want {
			c.fault(o.pos, CodeCount, "%s with %s, needed are %d", o.name, count(len(list), "type"), want)
		}
		return len(list) == want
	}
	switch {
	case o.function || o.arrow:
		o.ins = list
		if s.form == formArrow && len(o.outs) == 0 || s.form == formNone && !o.generic {
			c.fault(o.pos, CodeType, "%s takes no types of this form", o.name)
			return false
		}
		return true
	case s.form == formFunction || s.form == formArrow:
		c.fault(o.pos, CodeType, "%s needs the types of its operands and of its results, as (T, U) -> V", o.name)
		return false
	case s.form == formSame:
		if !one(1) {
			return false
		}
		for range o.operands {
			o.ins = append(o.ins, list[0])
		}
		o.outs = list
	case s.form == formEach:
		if !one(len(o.operands)) {
			return false
		}
		o.ins, o.outs = list, list
	case s.form == formIns:
		if !one(len(o.operands)) {
			return false
		}
		o.ins = list
	case s.form == formOut:
		if !one(1) {
			return false
		}
		o.outs = list
	case s.form == formIndexed, s.form == formTied:
		if !one(1) {
			return false
		}
		o.ins = list
		for range o.operands[min(1, len(o.operands)):] {
			o.ins = append(o.ins[:len(o.ins):len(o.ins)], typ{elem: "index", pos: list[0].pos})
		}
		if o.outs = list; s.form == formIndexed {
			o.outs = []typ{{elem: "index", pos: list[0].pos}}
		}
	case s.form == formSelect:
		if !one(2) {
			return false
		}
		o.ins, o.outs = []typ{list[0], list[1], list[1]}, list[1:]
	}
	return true
}

// operands resolves the uses and compares their types with the stated ones.
func (c *checker) operands(o *op, stated bool) bool {
	if stated && len(o.operands) != len(o.ins) {
		c.fault(o.pos, CodeCount, "%s of %s with %s", o.name, count(len(o.operands), "operand"), count(len(o.ins), "operand type"))
		stated = false
	}
	for i, u := range o.operands {
		if stated {
			c.use(u, &o.ins[i])
		} else {
			c.use(u, nil)
		}
	}
	for _, u := range o.sizes {
		c.use(u, &typ{elem: "index"})
	}
	return stated
}

// use resolves a use and compares its type with the stated one, if there is one.
func (c *checker) use(u use, stated *typ) {
	b, ok := c.values[u.name]
	if !ok {
		if pos, later := c.defined[u.name]; later {
			c.see(u.pos, pos, CodeDominance, "%s is not visible here", u)
		} else {
			c.fault(u.pos, CodeUndefined, "%s is not defined", u)
		}
		return
	}
	if b.unknown {
		return
	}
	if u.index >= len(b.types) {
		c.see(u.pos, b.pos, CodeUndefined, "%s is not defined: %s has %s", u, u.name, count(len(b.types), "result"))
		return
	}
	if t := b.types[u.index]; stated != nil && !t.equal(*stated) {
		c.see(u.pos, b.pos, CodeType, "%s is %s, used as %s", u, t, *stated)
	}
}

// results binds the names of o's results.
func (c *checker) results(o *op) {
	names := 0
	for _, d := range o.defs {
		if d.count > len(o.outs)-names {
			c.fault(d.pos, CodeCount, "%s has %s, fewer than are named", o.name, count(len(o.outs), "result"))
			c.bind(d.named, binding{types: o.outs[names:], unknown: len(o.outs) == names})
			return
		}
		c.bind(d.named, binding{types: o.outs[names : names+d.count]})
		names += d.count
	}
	if names > 0 && names < len(o.outs) {
		c.fault(o.defs[0].pos, CodeCount, "%s has %s, more than are named", o.name, count(len(o.outs), "result"))
	}
}

func count(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// spell returns types as a list, shortened for messages.
func spell(types []typ) string {
	var b strings.Builder
	b.WriteByte('(')
	for i, t := range types {
		if i > 0 {
			b.WriteString(", ")
		}
		if b.Len() > maxMessage {
			b.WriteString("...")
			break
		}
		b.WriteString(t.String())
	}
	return b.String() + ")"
}
