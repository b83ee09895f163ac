package fromhlo

import (
	"math"

	"github.com/skainet-dev/skainet-go/compile/hlo/constants"
	"github.com/skainet-dev/skainet-go/compile/hlo/verify"
	"github.com/skainet-dev/skainet-go/compile/op"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
)

// What a region of comparisons and choices does depends only on the order of its arguments
// and of the constants in it. It is decided by trying all orders.

// A scalar is a value of such a region: an integer is a whole number, a bool 0 or 1.
type scalar = float64

// evaluate returns what a region gives for scalars; ok is false if it has other operations.
func (im *importer) evaluate(r *verify.TreeRegion, in []scalar) (out []scalar, ok bool) {
	values := map[string]scalar{}
	for i, a := range r.Args {
		values[a.Name] = in[i]
	}
	for _, o := range r.Ops {
		args := make([]scalar, len(o.Operands))
		for i, name := range o.Operands {
			x, known := values[name]
			if v := im.scope.get(name); !known && v != nil {
				x, known = uniform(v)
			}
			if !known {
				return nil, false
			}
			args[i] = x
		}
		if o.Name == "stablehlo.return" {
			return args, true
		}
		if len(o.Results) != 1 {
			return nil, false
		}
		x, known := im.step(o, args)
		if !known {
			return nil, false
		}
		values[o.Results[0]] = x
	}
	return nil, false
}

// step evaluates one operation.
func (im *importer) step(o *verify.TreeOp, in []scalar) (scalar, bool) {
	switch o.Name {
	case "stablehlo.constant":
		d, known := constants.DType(o.Out[0].Elem)
		if !known {
			return 0, false
		}
		word, ok, err := constants.Splat(im.tree, constants.Literal(o), d)
		x := []float64{0}
		if !ok || err != nil || tensor.Float64s(d, x, word) != nil {
			return 0, false
		}
		return x[0], true
	case "stablehlo.compare":
		c := &call{importer: im, TreeOp: o}
		direction, total := c.direction()
		return truth(ordered(direction, total, in[0], in[1])), true
	case "stablehlo.select":
		if in[0] != 0 {
			return in[1], true
		}
		return in[2], true
	case "stablehlo.and", "stablehlo.or", "stablehlo.xor", "stablehlo.not":
		if o.Out[0].Elem != "i1" {
			return 0, false
		}
		switch o.Name {
		case "stablehlo.and":
			return in[0] * in[1], true
		case "stablehlo.or":
			return max(in[0], in[1]), true
		case "stablehlo.xor":
			return truth(in[0] != in[1]), true
		}
		return 1 - in[0], true
	case "stablehlo.maximum":
		return max(in[0], in[1]), true
	case "stablehlo.minimum":
		return min(in[0], in[1]), true
	}
	return 0, false
}

func truth(is bool) scalar {
	if is {
		return 1
	}
	return 0
}

// ordered compares two numbers.
func ordered(direction string, total bool, a, b scalar) bool {
	if total {
		return holds(direction, place(a), place(b))
	}
	return holds(direction, a, b)
}

// holds compares by Go's operators, of which only NE is true for a NaN.
func holds[T int64 | float64](direction string, a, b T) bool {
	switch direction {
	case op.EQ:
		return a == b
	case op.NE:
		return a != b
	case op.LT:
		return a < b
	case op.LE:
		return a <= b
	case op.GT:
		return a > b
	}
	return a >= b
}

// place returns the place of a number in IEEE 754's total order.
func place(x scalar) int64 {
	n := int64(math.Float64bits(x))
	if n < 0 {
		n ^= math.MaxInt64
	}
	return n
}

// samples are numbers in all orders with each other, and with the constants that regions
// compare with: 0, infinities and NaN.
func samples(d dtype.DType) []scalar {
	if !d.IsFloat() {
		if d.IsUnsigned() || d == dtype.Bool {
			return []scalar{0, 1}
		}
		return []scalar{-2, -1, 0, 1, 2}
	}
	return []scalar{math.Inf(-1), -2, -1, math.Copysign(0, -1), 0, 1, 2, math.Inf(1), math.NaN()}
}

// picks reports whether a region of (value, index) pairs keeps the greatest or least value,
// NaN before all, and of equal ones the first.
func (im *importer) picks(r *verify.TreeRegion, greatest bool, d dtype.DType) bool {
	for _, a := range samples(d) {
		for _, b := range samples(d) {
			for _, index := range [][2]scalar{{0, 1}, {1, 0}} {
				i, j := index[0], index[1]
				got, ok := im.evaluate(r, []scalar{a, i, b, j})
				if !ok || len(got) != 2 {
					return false
				}
				if math.IsNaN(a) && math.IsNaN(b) && j < i {
					continue // either: reductions go from the first to the last
				}
				first := a > b
				if !greatest {
					first = a < b
				}
				keeps := first || math.IsNaN(a) || a == b && i < j
				value, at := b, j
				if keeps {
					value, at = a, i
				}
				if got[1] != at || got[0] != value && !(math.IsNaN(got[0]) && math.IsNaN(value)) {
					return false
				}
			}
		}
	}
	return true
}

// constantsOf returns the numbers that a region compares with.
func (im *importer) constantsOf(r *verify.TreeRegion) []scalar {
	var out []scalar
	for _, o := range r.Ops {
		if o.Name == "stablehlo.constant" {
			if x, ok := im.step(o, nil); ok {
				out = append(out, x)
			}
		}
		for _, name := range o.Operands {
			if v := im.scope.get(name); v != nil {
				if x, ok := uniform(v); ok {
					out = append(out, x)
				}
			}
		}
	}
	return out
}

// usual reports whether the constants of a region are among those that samples stand for.
func (im *importer) usual(r *verify.TreeRegion) bool {
	for _, x := range im.constantsOf(r) {
		if x != 0 && x != 1 && !math.IsInf(x, 0) && !math.IsNaN(x) {
			return false
		}
	}
	return true
}
