package fromonnx

import (
	"math"

	"github.com/skainet-dev/skainet-go/compile/dag"
	"github.com/skainet-dev/skainet-go/compile/op"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
)

// Programs compute in no integers of 4 bits and no floats of 4 or 8 bits. A value of such
// a type is its codes, one to a byte: i8 for i4, which has a sign, and else u8.
// session.codes says of which type they are.

// carrier returns the type of the codes of an element type, and whether it has some.
func carrier(d dtype.DType) (dtype.DType, bool) { return d.Codes() }

// Carrier returns the value whose elements are the codes of v, one to a byte, if programs
// do not compute in the element type of v; else v itself. It is what an argument of that
// type takes, and what a result of it is.
func Carrier(v tensor.Value) tensor.Value {
	d, ok := carrier(v.Type.DType)
	if !ok {
		return v
	}
	codes := v.Bytes
	if v.Type.DType.Bits() == 4 { // two to a byte, the lower bits first
		codes = make([]byte, 0, 2*len(v.Bytes))
		for _, b := range v.Bytes {
			low, high := b&15, b>>4
			if d == dtype.I8 {
				low, high = byte(int8(b<<4)>>4), byte(int8(b)>>4)
			}
			codes = append(codes, low, high)
		}
		if n := v.Type.Shape.Product(); n.IsStatic() && n.Size < int64(len(codes)) {
			codes = codes[:n.Size]
		}
	}
	return tensor.Value{Type: tensor.Type{DType: d, Shape: v.Type.Shape}, Bytes: codes}
}

// seesCodes lists the operators that accept codes, and whether their results are of the
// type of their first operand.
var seesCodes = map[string]bool{
	"Cast": false, "CastLike": false, "QuantizeLinear": false, "DequantizeLinear": false, "Shape": false, "Size": false,
	"Concat": true, "DepthToSpace": true, "Expand": true, "Flatten": true, "Gather": true, "GatherElements": true, "GatherND": true,
	"Identity": true, "Pad": true, "Reshape": true, "ReverseSequence": true, "Slice": true, "SpaceToDepth": true, "Split": true,
	"Squeeze": true, "Tile": true, "Transpose": true, "Unsqueeze": true,
	"com.microsoft.GatherBlockQuantized": false,
}

// coded marks v as the codes of an element type.
func (e *env) coded(v *dag.Value, d dtype.DType) *dag.Value {
	if _, ok := carrier(d); ok {
		e.codes[v] = d
	}
	return v
}

// guarded applies a rule to operands of which some may be codes.
func (n *node) guarded(name string, r rule) []*dag.Value {
	d := dtype.Invalid
	for i := range n.Inputs {
		if !n.has(i) {
			continue
		}
		if v := n.find(n.Inputs[i]); v != nil && n.codes[v] != dtype.Invalid {
			if _, ok := seesCodes[name]; !ok {
				n.refuse("%s of %s, which no program computes in", n.Op, n.codes[v])
			}
			if i == 0 {
				d = n.codes[v]
			}
		}
	}
	out := r(n)
	if seesCodes[name] && d != dtype.Invalid {
		for _, v := range out {
			n.coded(v, d)
		}
	}
	return out
}

// kind returns the element type of v, whose elements may be codes of it.
func (e *env) kind(v *dag.Value) dtype.DType {
	if d, ok := e.codes[v]; ok {
		return d
	}
	return v.Type.DType
}

// decoded returns the numbers that v stands for: v itself, i8 or u8 for integers of 4
// bits, and f32 for small floats.
func (e *env) decoded(v *dag.Value) *dag.Value {
	small, ok := e.kind(v).Small()
	if !ok {
		return v
	}
	table := small.Table()[:1<<e.kind(v).Bits()]
	t, err := tensor.Of(table, int64(len(table)))
	if err != nil {
		panic(refusal{err})
	}
	return e.add("take", nil, e.constant(t), e.convert(v, dtype.I32))
}

// encoded converts numbers to an element type, as Cast does: a value out of the range of a
// small float becomes its largest one where it saturates, else infinity or NaN; one out of
// the range of an integer of 4 bits becomes its nearest if it is a float, and keeps its low
// bits if it is an integer.
func (n *node) encoded(x *dag.Value, d dtype.DType, saturate bool) *dag.Value {
	c, ok := carrier(d)
	switch {
	case !ok:
		return n.cast(x, d)
	case d == dtype.F8E8M0FNU:
		n.refuse("a conversion to powers of two, which are only scales")
	case !d.IsInt():
		return n.coded(n.smallFloat(n.convert(x, dtype.F32), d, saturate), d)
	case x.Type.DType.IsFloat():
		low, high := limits(d)
		x = n.convert(x, dtype.F32)
		return n.coded(n.convert(n.between(x, low, high), c), d)
	}
	x = n.convert(n.binary("and", n.convert(x, dtype.I32), n.splatOf(dtype.I32, 15)), c)
	if d == dtype.I4 {
		x = n.choose(n.compare("GE", x, n.splat(x, 8)), n.plus(x, -16), x)
	}
	return n.coded(x, d)
}

// limits returns the least and the greatest number of an integer type.
func limits(d dtype.DType) (low, high float64) {
	if d.IsSigned() {
		return -math.Ldexp(1, d.Bits()-1), math.Ldexp(1, d.Bits()-1) - 1
	}
	return 0, math.Ldexp(1, d.Bits()) - 1
}

// layout of a small float: see dtype.Small.
type layout struct {
	mantissa, bias int
	most           float64 // code of the largest finite value
	beyond, nan    float64 // codes of infinity and NaN without a sign
	unsigned       bool    // whether NaN and zero have no sign
}

var layouts = map[dtype.DType]layout{
	dtype.F4E2M1FN:   {mantissa: 1, bias: 1, most: 0x7, beyond: 0x7, nan: 0x7},
	dtype.F8E4M3FN:   {mantissa: 3, bias: 7, most: 0x7e, beyond: 0x7f, nan: 0x7f},
	dtype.F8E4M3FNUZ: {mantissa: 3, bias: 8, most: 0x7f, beyond: 0x80, nan: 0x80, unsigned: true},
	dtype.F8E5M2:     {mantissa: 2, bias: 15, most: 0x7b, beyond: 0x7c, nan: 0x7f},
	dtype.F8E5M2FNUZ: {mantissa: 2, bias: 16, most: 0x7f, beyond: 0x80, nan: 0x80, unsigned: true},
}

// smallFloat rounds f32 to the codes of a small float, to nearest even, in integers: bits
// of a normal result are rounded where they are cut; those of a subnormal one by the sum
// with a power of two whose last place is the smallest subnormal.
func (n *node) smallFloat(x *dag.Value, d dtype.DType, saturate bool) *dag.Value {
	l := layouts[d]
	i32 := func(v float64) *dag.Value { return n.splatOf(dtype.I32, v) }
	bits := n.add("bitcast", op.Attrs{"dtype": dtype.I32}, x)
	magnitude := n.binary("and", bits, i32(math.MaxInt32))
	cut := 23 - l.mantissa
	shifted := func(v *dag.Value) *dag.Value { return n.binary("shift_right", v, i32(float64(cut))) }
	even := n.binary("and", shifted(magnitude), i32(1))
	normal := shifted(n.binary("add", n.plus(magnitude, math.Ldexp(1, cut-1)-1), even))
	normal = n.plus(normal, -math.Ldexp(float64(127-l.bias), l.mantissa))
	power := math.Ldexp(1, 24-l.bias-l.mantissa)
	sum := n.plus(n.add("bitcast", op.Attrs{"dtype": dtype.F32}, magnitude), power)
	subnormal := n.plus(n.add("bitcast", op.Attrs{"dtype": dtype.I32}, sum), -float64(math.Float32bits(float32(power))))
	least := float64(math.Float32bits(float32(math.Ldexp(1, 1-l.bias))))
	code := n.choose(n.compare("LT", magnitude, i32(least)), subnormal, normal)

	beyond := l.beyond
	if saturate {
		beyond = l.most
	}
	code = n.choose(n.compare("GT", code, i32(l.most)), n.splat(code, beyond), code)
	code = n.choose(n.compare("GT", magnitude, i32(0x7f800000)), n.splat(code, l.nan), code)
	signed := n.compare("LT", bits, i32(0))
	if l.unsigned { // what has no sign are zero and NaN
		signed = n.binary("and", signed, n.compare("GT", code, i32(0)))
		signed = n.binary("and", signed, n.compare("LT", code, i32(l.nan)))
	}
	sign := math.Ldexp(1, d.Bits()-1)
	return n.convert(n.choose(signed, n.plus(code, sign), code), dtype.U8)
}
