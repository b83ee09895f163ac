package op

import (
	"math"

	"github.com/skainet-dev/skainet-go/tensor"
)

// The power of integers, by squaring: one step for each bit of the exponent.
var integerPowerOps = []*Op{{
	Name: "integer_power", Family: Elementwise, Traits: exact,
	Doc:      "a^b of integers, which wraps around on overflow; 0^0 = 1. For negative b it is 1/a^-b truncated: 1 for a = 1, 1 or -1 for a = -1, else 0 (also for a = 0).",
	Operands: []Operand{{Name: "a", Class: Int}, {Name: "b", Class: Int}},
	Rule: func(c *Call) ([]tensor.Type, error) {
		if c.In[0].DType != c.In[1].DType || !c.In[0].Shape.Same(c.In[1].Shape) {
			return nil, c.unequal(1, "a and b must have the same type")
		}
		return []tensor.Type{c.In[0]}, nil
	},
	Decompose: func(c *Call, b *builder, in []expr) []expr {
		base, exponent := in[0], in[1]
		bits := base.d().Bits()
		if base.d().IsSigned() {
			bits--
		}
		zero := b.splat(base.d(), 0)
		result := b.splat(base.d(), 1, base.dims()...)
		for i := range bits {
			bit := exponent.with("and", math.Ldexp(1, i)).compare(NE, zero)
			result = bit.choose(result.times(base), result)
			if i+1 < bits {
				base = base.times(base)
			}
		}
		if base.d().IsSigned() {
			a := in[0]
			unit := a.compare(EQ, b.splat(a.d(), 1)).bin("or", a.compare(EQ, b.splat(a.d(), -1)))
			odd := exponent.with("and", 1).compare(NE, zero)
			turned := odd.choose(a, a.times(a))
			result = exponent.compare(LT, zero).choose(unit.choose(turned, zero), result)
		}
		return []expr{result}
	},
}}
