package op

import (
	"math"

	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
	"github.com/skainet-dev/skainet-go/tensor/quant"
)

// Holds reports whether an element of type d can be v: any number for floats, which
// round it; an integer within the range for integers; 0 or 1 for bool.
func Holds(d dtype.DType, v float64) bool {
	least, end := 0.0, 2.0 // end is the first that is too large
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

// splat returns the type of a tensor of one value.
func splat(c *Call) ([]tensor.Type, error) {
	if d, v := c.Attrs.Type("type").DType, c.Attrs.Float("value"); Any.Has(d) && !Holds(d, v) {
		return nil, c.Failf(CodeAttribute, "no element of type %s is %v; compute in a float type, or convert the number first", d, v)
	}
	return typeOfAny(c)
}

// parameter returns the type of a tensor of the weights.
func parameter(c *Call) ([]tensor.Type, error) {
	if c.Attrs.String("key") == "" {
		return nil, c.Failf(CodeAttribute, "the key is empty; it is the tensor's name in the weight file")
	}
	if e := quant.Encoding(c.Attrs.String("encoding")); e != quant.Dense {
		if _, err := tensor.Unblocked(e, c.Attrs.Type("type")); err != nil {
			return nil, c.Failf(CodeAttribute, "%v", err)
		}
	}
	return typeAttribute(c)
}
