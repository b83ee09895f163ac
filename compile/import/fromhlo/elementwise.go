package fromhlo

import (
	"math"
	"strings"

	"github.com/skainet-dev/skainet-go/compile/dag"
	"github.com/skainet-dev/skainet-go/compile/op"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
)

// logical is what arithmetic of bools is.
var logical = map[string]string{"add": "or", "maximum": "or", "multiply": "and", "minimum": "and"}

// elementwiseRules are those that a raised region may have: what the table spells as
// StableHLO does, and the others.
var elementwiseRules = func() map[string]rule {
	m := map[string]rule{
		"stablehlo.divide":                 named("divide"),
		"stablehlo.remainder":              named("remainder"),
		"stablehlo.atan2":                  named("atan2"),
		"stablehlo.shift_left":             named("shift_left"),
		"stablehlo.sign":                   named("sign"),
		"stablehlo.is_finite":              named("is_finite"),
		"chlo.is_inf":                      named("is_inf"),
		"chlo.square":                      named("square"),
		"chlo.tan":                         named("tan"),
		"stablehlo.abs":                    named("abs"),
		"stablehlo.select":                 named("select"),
		"stablehlo.power":                  power,
		"stablehlo.compare":                compare,
		"stablehlo.convert":                convert,
		"stablehlo.clamp":                  clamp,
		"stablehlo.bitcast_convert":        bitcast,
		"stablehlo.shift_right_arithmetic": func(c *call) []*dag.Value { return one(c.shiftRight(true)) },
		"stablehlo.shift_right_logical":    func(c *call) []*dag.Value { return one(c.shiftRight(false)) },
		"stablehlo.round_nearest_afz": func(c *call) []*dag.Value {
			x := c.in[0]
			whole := c.add("trunc", nil, x)
			rest := c.add("abs", nil, c.apply("subtract", x, whole))
			away := c.apply("select", c.compare(op.GE, rest, c.like(rest, 0.5)), c.add("sign", nil, x), c.like(x, 0))
			return one(c.apply("add", whole, away))
		},
		"chlo.is_pos_inf": func(c *call) []*dag.Value { return one(c.compare(op.EQ, c.in[0], c.like(c.in[0], math.Inf(1)))) },
		"chlo.is_neg_inf": func(c *call) []*dag.Value { return one(c.compare(op.EQ, c.in[0], c.like(c.in[0], math.Inf(-1)))) },
		"chlo.erf_inv":    func(c *call) []*dag.Value { return one(c.erfInv(c.in[0])) },
		// Precision that a type lacks: rounding to it and back.
		"stablehlo.reduce_precision": func(c *call) []*dag.Value { return one(c.rounded(c.in[0])) },
		"stablehlo.optimization_barrier": func(c *call) []*dag.Value {
			var out []*dag.Value
			for _, v := range c.in {
				out = append(out, c.add("barrier", nil, v))
			}
			return out
		},
	}
	for _, o := range op.BuiltIn() {
		if o.StableHLO.Name != "" {
			m[o.StableHLO.Name] = named(o.Name)
		}
	}
	return m
}()

// named applies an operation of the table to operands of one shape.
func named(name string) rule {
	return func(c *call) []*dag.Value {
		own := name
		if c.in[0].Type.DType == dtype.Bool && logical[name] != "" {
			own = logical[name]
		}
		in := c.in
		if name != "select" || rank(in[0]) > 0 {
			in = c.together(in...)
		}
		out := c.add(own, nil, in...)
		if f := arithmetic[name]; f != nil {
			c.followed(out, f, c.in...)
		}
		return one(out)
	}
}

func power(c *call) []*dag.Value {
	if c.in[0].Type.DType.IsInt() {
		return one(c.apply("integer_power", c.in...))
	}
	return one(c.apply("power", c.in...))
}

func compare(c *call) []*dag.Value {
	direction, total := c.direction()
	if total && c.in[0].Type.DType.IsFloat() {
		in := c.together(c.in...)
		return one(c.compare(direction, c.totalOrder(in[0]), c.totalOrder(in[1])))
	}
	out := c.compare(direction, c.in[0], c.in[1])
	c.followed(out, compared(direction), c.in...)
	return one(out)
}

// direction returns how a comparison compares, and whether in the total order of floats.
func (c *call) direction() (direction string, total bool) {
	words := []string{}
	for _, w := range c.Words {
		words = append(words, w.Text)
	}
	if a := c.Attrs.Get("comparison_direction"); len(words) == 0 {
		words = append(words, enum(a.Inner, a.Text))
		b := c.Attrs.Get("compare_type")
		words = append(words, enum(b.Inner, b.Text))
	}
	switch words[0] {
	case op.EQ, op.NE, op.LT, op.LE, op.GT, op.GE:
	default:
		c.refuse(CodeForm, hintForm, "the direction %s", words[0])
	}
	return words[0], len(words) > 1 && words[1] == "TOTALORDER"
}

// enum returns the word of #stablehlo<comparison_direction LT>.
func enum(inner, text string) string {
	if fields := strings.Fields(strings.Trim(inner, "<>")); len(fields) > 0 {
		return fields[len(fields)-1]
	}
	return text
}

// totalOrder returns integers in the order of IEEE 754's totalOrder of floats.
func (im *importer) totalOrder(x *dag.Value) *dag.Value {
	signed := map[int]dtype.DType{16: dtype.I16, 32: dtype.I32, 64: dtype.I64}[x.Type.DType.Bits()]
	bits := im.bitcast(x, signed)
	sign := im.add("shift_right", nil, bits, im.like(bits, float64(signed.Bits()-1)))
	all := im.like(bits, 1)
	ones := im.add("not", nil, im.add("shift_left", nil, all, im.like(bits, float64(signed.Bits()-1)))) // without the sign
	return im.add("xor", nil, bits, im.add("and", nil, sign, ones))
}

func convert(c *call) []*dag.Value { return one(c.convert(c.in[0], c.dtype(c.Out[0]))) }

func clamp(c *call) []*dag.Value {
	low, x, high := c.in[0], c.in[1], c.in[2]
	if rank(low) > 0 {
		low = c.together(low, x)[0]
	}
	if rank(high) > 0 {
		high = c.together(high, x)[0]
	}
	out := c.add("clamp", nil, low, x, high)
	c.followed(out, func(in []number) number { return extreme(extreme(in[1], in[0], true), in[2], false) }, low, x, high)
	return one(out)
}

// bitcast to a type of another width has the parts of an element in a last dimension.
func bitcast(c *call) []*dag.Value {
	x, to := c.in[0], c.dtype(c.Out[0])
	from := x.Type.DType
	if from == to {
		return one(x)
	}
	if from.Bits() == to.Bits() && from != dtype.Bool && to != dtype.Bool {
		return one(c.bitcast(x, to))
	}
	if c.raised || from == dtype.Bool || to == dtype.Bool {
		c.refuse(CodeForm, hintForm, "from %s to %s", from, to)
	}
	unsigned := map[int]dtype.DType{8: dtype.U8, 16: dtype.U16, 32: dtype.U32, 64: dtype.U64}
	in, out := unsigned[from.Bits()], unsigned[to.Bits()]
	x = c.bitcast(x, in)
	if from.Bits() > to.Bits() { // the least part first
		n := from.Bits() / to.Bits()
		sizes := append(x.Type.Shape[:len(x.Type.Shape):len(x.Type.Shape)], numberOf(1).must())
		var parts []*dag.Value
		for i := range n {
			part := c.with("shift_right", x, float64(i*to.Bits()))
			parts = append(parts, c.reshape(c.convert(part, out), sizes...))
		}
		return one(c.bitcast(c.concat(rank(x), parts...), to))
	}
	n, last := to.Bits()/from.Bits(), rank(x)-1
	var sum *dag.Value
	for i := range n {
		part := c.part(x, last, numberOf(int64(i)).must(), numberOf(int64(i+1)).must(), 1)
		part = c.with("shift_left", c.convert(c.reshape(part, x.Type.Shape[:last]...), out), float64(i*from.Bits()))
		if sum == nil {
			sum = part
		} else {
			sum = c.add("or", nil, sum, part)
		}
	}
	return one(c.bitcast(sum, to))
}

// shiftRight keeps the sign or not, whatever the type is.
func (c *call) shiftRight(signed bool) *dag.Value {
	in := c.together(c.in...)
	d := in[0].Type.DType
	as := d
	for _, pair := range [][2]dtype.DType{{dtype.I8, dtype.U8}, {dtype.I16, dtype.U16}, {dtype.I32, dtype.U32}, {dtype.I64, dtype.U64}} {
		if signed && d == pair[1] {
			as = pair[0]
		} else if !signed && d == pair[0] {
			as = pair[1]
		}
	}
	return c.bitcast(c.add("shift_right", nil, c.bitcast(in[0], as), c.bitcast(in[1], as)), d)
}

// rounded rounds to a narrower float type and back.
func (c *call) rounded(x *dag.Value) *dag.Value {
	exponent, mantissa := c.number(0, "exponent_bits"), c.number(0, "mantissa_bits")
	if w := c.Attrs.Get("format"); w.Kind != 0 {
		exponent, mantissa = formatBits(w.Text)
	}
	for d, bits := range map[dtype.DType][2]int64{dtype.F16: {5, 10}, dtype.BF16: {8, 7}, dtype.F32: {8, 23}, dtype.F64: {11, 52}} {
		if bits == [2]int64{exponent, mantissa} {
			return c.convert(c.convert(x, d), x.Type.DType)
		}
	}
	c.refuse(CodeForm, hintForm, "a format of %d exponent and %d mantissa bits", exponent, mantissa)
	return nil
}

// formatBits reads e5m10.
func formatBits(text string) (exponent, mantissa int64) {
	into := &exponent
	for _, r := range text {
		switch {
		case r == 'm':
			into = &mantissa
		case r >= '0' && r <= '9' && *into < 1000:
			*into = *into*10 + int64(r-'0')
		}
	}
	return exponent, mantissa
}
