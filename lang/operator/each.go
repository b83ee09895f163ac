package operator

import (
	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
)

// Each is a CPU function of operations of single elements: f gets an element of each
// operand, which have one type, f32 or f64, and its result is rounded to that type.
func Each(in []tensor.Value, f func(x ...float64) float64) ([]tensor.Value, error) {
	switch d := in[0].Type.DType; d {
	case dtype.F32:
		return each[float32](in, f)
	case dtype.F64:
		return each[float64](in, f)
	default:
		return nil, errs.New(CodeDType, "functions of numbers take f32 or f64, not %s", d).Hint("write the CPU function with tensor.Slice")
	}
}

func each[T float32 | float64](in []tensor.Value, f func(x ...float64) float64) ([]tensor.Value, error) {
	columns := make([][]T, len(in))
	for i, v := range in {
		var err error
		if columns[i], err = tensor.Slice[T](v); err != nil {
			return nil, err
		}
		if len(columns[i]) != len(columns[0]) {
			return nil, errs.New(CodeShape, "operand %d is %s, the first is %s", i, v.Type, in[0].Type)
		}
	}
	out, x := make([]T, len(columns[0])), make([]float64, len(in))
	for at := range out {
		for i := range columns {
			x[i] = float64(columns[i][at])
		}
		out[at] = T(f(x...))
	}
	y, err := tensor.Of(out, in[0].Type.Shape.Sizes()...)
	return []tensor.Value{y}, err
}
