package kernels

import (
	"fmt"
	"strconv"
	"strings"
)

// element is the spelling of an element type in MLIR.
type element string

const (
	f32   element = "f32"
	f16   element = "f16"
	bf16  element = "bf16"
	i1    element = "i1"
	i8    element = "i8"
	i16   element = "i16"
	i32   element = "i32"
	i64   element = "i64"
	index element = "index"
)

var widths = map[element]int{f32: 32, f16: 16, bf16: 16, i1: 1, i8: 8, i16: 16, i32: 32, i64: 64}

func (e element) isFloat() bool { return e == f32 || e == f16 || e == bf16 }

// typ is a scalar type or, with lanes, a vector type.
type typ struct {
	elem  element
	lanes int // 0: a scalar
}

func (t typ) String() string {
	if t.lanes == 0 {
		return string(t.elem)
	}
	return fmt.Sprintf("vector<%dx%s>", t.lanes, t.elem)
}

func (t typ) bits() int { return max(t.lanes, 1) * widths[t.elem] }

// value is a name in the text with the type of its definition. Uses take the type
// from here, so that text and types cannot diverge. The zero value means none.
type value struct {
	name string
	typ  typ
}

func (v value) none() bool { return v.name == "" }

// memory is a buffer, row-major; a size below 0 is dynamic.
type memory struct {
	name  string
	elem  element
	sizes []int64
}

func (m memory) String() string {
	var b strings.Builder
	b.WriteString("memref<")
	for _, n := range m.sizes {
		if n < 0 {
			b.WriteString("?x")
		} else {
			b.WriteString(strconv.FormatInt(n, 10) + "x")
		}
	}
	return b.String() + string(m.elem) + ">"
}

// builder writes the body of a function. Constants are written once, before the rest.
// An operand of a wrong type is a bug in this package and panics: tests write every kernel.
type builder struct {
	constants, body writer
	known           map[string]value
	next            int
	integerF16      bool // see Form
}

func newBuilder(f Form) *builder {
	return &builder{constants: writer{indent: f.Indent}, body: writer{indent: f.Indent}, known: map[string]value{}, integerF16: f.IntegerF16}
}

// String returns the text.
func (b *builder) String() string { return b.constants.b.String() + b.body.b.String() }

func (b *builder) fresh(t typ) value {
	b.next++
	return value{"%" + strconv.Itoa(b.next), t}
}

// def writes "%n = text".
func (b *builder) def(t typ, format string, args ...any) value {
	v := b.fresh(t)
	b.body.line("%s = %s", v.name, fmt.Sprintf(format, args...))
	return v
}

func (b *builder) must(ok bool, what string, args ...any) {
	if !ok {
		panic("kernels: " + fmt.Sprintf(what, args...)) // no caller's request gets here
	}
}

// constant returns the number, repeated in each lane.
func (b *builder) constant(t typ, number string) value {
	text := number
	if t.lanes > 0 {
		text = "dense<" + number + ">"
	}
	key := text + " : " + t.String()
	v, ok := b.known[key]
	if !ok {
		v = value{"%c" + strconv.Itoa(len(b.known)), t}
		b.constants.line("%s = arith.constant %s", v.name, key)
		b.known[key] = v
	}
	return v
}

// row returns a constant vector.
func (b *builder) row(e element, numbers ...int64) value {
	text := strings.ReplaceAll(strings.Trim(fmt.Sprint(numbers), "[]"), " ", ", ")
	return b.constant(typ{e, len(numbers)}, "["+text+"]")
}

func (b *builder) integer(t typ, n int64) value { return b.constant(t, strconv.FormatInt(n, 10)) }
func (b *builder) index(n int64) value          { return b.integer(typ{elem: index}, n) }
func (b *builder) zeros(t typ) value {
	return b.constant(t, map[bool]string{true: "0.0", false: "0"}[t.elem.isFloat()])
}

// arith writes a binary operation on operands of one type: its name with the suffix i or f.
func (b *builder) arith(name string, x, y value) value {
	b.must(x.typ == y.typ, "%s of %s and %s", name, x.typ, y.typ)
	kind := "i"
	if x.typ.elem.isFloat() {
		kind = "f"
	}
	return b.def(x.typ, "arith.%s%s %s, %s : %s", name, kind, x.name, y.name, x.typ)
}

func (b *builder) add(x, y value) value { return b.arith("add", x, y) }
func (b *builder) sub(x, y value) value { return b.arith("sub", x, y) }
func (b *builder) mul(x, y value) value { return b.arith("mul", x, y) }
func (b *builder) and(x, y value) value { return b.arith("and", x, y) }
func (b *builder) or(x, y value) value  { return b.arith("or", x, y) }
func (b *builder) xor(x, y value) value { return b.arith("xor", x, y) }

// The same with a constant on the right.
func (b *builder) plus(x value, n int64) value { return b.add(x, b.integer(x.typ, n)) }
func (b *builder) mask(x value, n int64) value { return b.and(x, b.integer(x.typ, n)) }
func (b *builder) left(x value, n int64) value {
	if n == 0 {
		return x
	}
	return b.arith("shl", x, b.integer(x.typ, n))
}

// offset is plus, which writes nothing if n is 0.
func (b *builder) offset(x value, n int) value {
	if n == 0 {
		return x
	}
	return b.plus(x, int64(n))
}

// right shifts zeros in.
func (b *builder) right(x value, n int64) value {
	if n == 0 {
		return x
	}
	return b.arith("shru", x, b.integer(x.typ, n))
}

// moved shifts left by n, or right by -n, and masks with keep.
func (b *builder) moved(x value, n int, keep int64) value {
	return b.mask(b.right(b.left(x, int64(max(n, 0))), int64(max(-n, 0))), keep)
}

func (b *builder) negative(x value) value {
	return b.def(x.typ, "arith.negf %s : %s", x.name, x.typ)
}

// nonzero returns a mask of the lanes that are not 0.
func (b *builder) nonzero(x value) value {
	return b.def(typ{i1, x.typ.lanes}, "arith.cmpi ne, %s, %s : %s", x.name, b.zeros(x.typ).name, x.typ)
}

// fma is x*y+z, rounded once, or x*y if z is none.
func (b *builder) fma(x, y, z value) value {
	if z.none() {
		return b.mul(x, y)
	}
	b.must(x.typ == y.typ && y.typ == z.typ && x.typ.lanes > 0, "fma of %s, %s and %s", x.typ, y.typ, z.typ)
	return b.def(x.typ, "vector.fma %s, %s, %s : %s", x.name, y.name, z.name, x.typ)
}

// convert widens elements to another type, with or without sign extension.
func (b *builder) convert(x value, to element, signed bool) value {
	from, t := x.typ.elem, typ{to, x.typ.lanes}
	sign := map[bool]string{true: "s", false: "u"}[signed]
	if from == f16 && b.integerF16 {
		return b.widenedF16(x)
	}
	name := "arith.ext" + sign + "i"
	switch {
	case from.isFloat():
		name = "arith.extf"
	case to.isFloat():
		name = "arith." + sign + "itofp"
	}
	b.must(widths[from] < widths[to] && (!from.isFloat() || to.isFloat()), "a conversion of %s to %s", x.typ, t)
	return b.def(t, "%s %s : %s to %s", name, x.name, x.typ, t)
}

func (b *builder) signed(x value, to element) value { return b.convert(x, to, true) }

// bits reinterprets the bits of a vector as another type, lowest first.
func (b *builder) bits(x value, to element) value {
	t := typ{to, x.typ.bits() / widths[to]}
	b.must(x.typ.lanes > 0 && t.bits() == x.typ.bits(), "bits of %s as %s", x.typ, t)
	return b.def(t, "vector.bitcast %s : %s to %s", x.name, x.typ, t)
}

// lane extracts one element; a scalar is returned as it is.
func (b *builder) lane(x value, i int) value {
	t := typ{elem: x.typ.elem}
	if x.typ == t {
		return x
	}
	b.must(i < x.typ.lanes, "lane %d of %s", i, x.typ)
	return b.def(t, "vector.extract %s[%d] : %s from %s", x.name, i, t, x.typ)
}

// splat repeats a scalar in each lane.
func (b *builder) splat(x value, lanes int) value {
	t := typ{x.typ.elem, lanes}
	b.must(x.typ.lanes == 0 && lanes > 0, "a splat of %s", x.typ)
	return b.def(t, "vector.broadcast %s : %s to %s", x.name, x.typ, t)
}

// choose selects lanes of x where c is set, of y elsewhere.
func (b *builder) choose(c, x, y value) value {
	b.must(x.typ == y.typ && c.typ == typ{i1, x.typ.lanes}, "a choice by %s of %s and %s", c.typ, x.typ, y.typ)
	return b.def(x.typ, "arith.select %s, %s, %s : %s, %s", c.name, x.name, y.name, c.typ, x.typ)
}

// shuffle takes these lanes of x followed by y.
func (b *builder) shuffle(x, y value, lanes ...int) value {
	b.must(x.typ == y.typ && x.typ.lanes > 0, "a shuffle of %s and %s", x.typ, y.typ)
	text := strings.ReplaceAll(strings.Trim(fmt.Sprint(lanes), "[]"), " ", ", ")
	return b.def(typ{x.typ.elem, len(lanes)}, "vector.shuffle %s, %s [%s] : %s, %s", x.name, y.name, text, x.typ, y.typ)
}

// part extracts count lanes, starting at first.
func (b *builder) part(x value, first, count int) value {
	if first == 0 && count == x.typ.lanes {
		return x
	}
	b.must(first+count <= x.typ.lanes, "lanes %d to %d of %s", first, first+count, x.typ)
	return b.shuffle(x, x, span(first, first+count)...)
}

// transposed returns the columns of four rows of four elements, one after the other.
func (b *builder) transposed(r [4]value) value {
	return b.shuffle(b.shuffle(r[0], r[1], span(0, 8)...), b.shuffle(r[2], r[3], span(0, 8)...),
		0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15)
}

// sum adds up the lanes.
func (b *builder) sum(x value) value {
	t := typ{elem: x.typ.elem}
	return b.def(t, "vector.reduction <add>, %s : %s into %s", x.name, x.typ, t)
}

// load reads that many contiguous elements, or a scalar if lanes is 0.
func (b *builder) load(m memory, lanes int, at ...value) value {
	t := typ{m.elem, lanes}
	b.must(len(at) == len(m.sizes), "%d indexes into %s", len(at), m)
	if lanes == 0 {
		return b.def(t, "memref.load %s[%s] : %s", m.name, list(at), m)
	}
	return b.def(t, "vector.load %s[%s] : %s, %s", m.name, list(at), m, t)
}

func (b *builder) store(v value, m memory, at ...value) {
	b.must(len(at) == len(m.sizes) && v.typ.elem == m.elem, "a store of %s to %s", v.typ, m)
	if v.typ.lanes == 0 {
		b.body.line("memref.store %s, %s[%s] : %s", v.name, m.name, list(at), m)
		return
	}
	b.body.line("vector.store %s, %s[%s] : %s, %s", v.name, m.name, list(at), m, v.typ)
}

// loop iterates from first up to, but not including, end; body gets the counter and
// the values of the previous iteration, and returns values of the same types.
func (b *builder) loop(first, end, step value, carried []value, body func(i value, carried []value) []value) []value {
	i := b.fresh(typ{elem: index})
	if len(carried) == 0 {
		b.body.open("scf.for %s = %s to %s step %s {", i.name, first.name, end.name, step.name)
		body(i, nil)
		b.body.close()
		return nil
	}
	inner, initial, types := make([]value, len(carried)), make([]string, len(carried)), make([]string, len(carried))
	for k, c := range carried {
		inner[k] = b.fresh(c.typ)
		initial[k], types[k] = inner[k].name+" = "+c.name, c.typ.String()
	}
	all := b.fresh(typ{})
	out := make([]value, len(carried))
	name := all.name
	for k, c := range carried {
		out[k] = value{all.name, c.typ}
		if len(carried) > 1 {
			out[k].name = fmt.Sprintf("%s#%d", all.name, k)
		}
	}
	if len(carried) > 1 {
		name += ":" + strconv.Itoa(len(carried))
	}
	b.body.open("%s = scf.for %s = %s to %s step %s iter_args(%s) -> (%s) {", name, i.name, first.name, end.name, step.name,
		strings.Join(initial, ", "), strings.Join(types, ", "))
	next := body(i, inner)
	for k := range carried {
		b.must(next[k].typ == carried[k].typ, "a loop carries %s as %s", carried[k].typ, next[k].typ)
	}
	b.body.line("scf.yield %s : %s", list(next), strings.Join(types, ", "))
	b.body.close()
	return out
}

// either runs one of two bodies.
func (b *builder) either(condition value, then, otherwise func()) {
	b.body.open("scf.if %s {", condition.name)
	then()
	b.body.line("} else {")
	otherwise()
	b.body.close()
}

func list(vs []value) string {
	parts := make([]string, len(vs))
	for i, v := range vs {
		parts[i] = v.name
	}
	return strings.Join(parts, ", ")
}

// span lists the integers from first up to, but not including, end.
func span(first, end int) []int {
	var out []int
	for i := first; i < end; i++ {
		out = append(out, i)
	}
	return out
}
