package op

import (
	"math"

	"github.com/skainet-dev/skainet-go/compile/contract"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
	"github.com/skainet-dev/skainet-go/tensor/quant"
)

// Holds reports whether v is valid for an element of type d: any number for floats,
// which round it; an integer in range for integers; 0 or 1 for bool.
func Holds(d dtype.DType, v float64) bool {
	least, end := 0.0, 2.0 // end is the first value that is too large
	switch {
	case d == dtype.Bool:
	case d.IsUnsigned():
		end = math.Ldexp(1, d.Bits())
	case d.IsSigned():
		end = math.Ldexp(1, d.Bits()-1)
		least = -end
	default:
		return true
	}
	return v == math.Trunc(v) && v >= least && v < end
}

// splat returns the type of a tensor filled with one value.
func splat(c *Call) ([]tensor.Type, error) {
	if d, v := c.Attrs.Type("type").DType, c.Attrs.Float("value"); Any.Has(d) && !Holds(d, v) {
		return nil, c.Failf(CodeAttribute, "%v is not a value of type %s; compute in a float type, or convert the number first", v, d)
	}
	return typeOfAny(c)
}

// parameter returns the type of a tensor of the weights.
func parameter(c *Call) ([]tensor.Type, error) {
	if c.Attrs.String("key") == "" {
		return nil, c.Failf(CodeAttribute, "the key is empty; it is the tensor's name in the weight file")
	}
	if s := c.Attrs.String("scope"); !contract.IsScope(s) {
		return nil, c.Failf(CodeAttribute, "the scope %q is not a name of letters, digits, underscores and hyphens", s)
	}
	if e := quant.Encoding(c.Attrs.String("encoding")); !e.IsDense() {
		if _, err := tensor.Unblocked(e, c.Attrs.Type("type")); err != nil {
			return nil, c.Failf(CodeAttribute, "%v", err)
		}
	}
	return typeAttribute(c)
}
