package lang

import (
	"fmt"

	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
)

// Splat returns a tensor of one repeated value, a scalar without sizes. The value is
// rounded to the element type.
func (f *Func) Splat(d dtype.DType, v float64, sizes ...int64) Tensor {
	return f.add("splat", attrs{"type": tensor.TypeOf(d, sizes...), "value": tensor.Round(d, v)})
}

// Const returns a constant tensor of these elements, a scalar without sizes.
func Const[T tensor.Element](f *Func, data []T, sizes ...int64) Tensor {
	return constant(f, "", data, sizes)
}

// Weight is Const for a constant that an export may move to an archive under key.
func Weight[T tensor.Element](f *Func, key string, data []T, sizes ...int64) Tensor {
	if key == "" {
		panic(f.misuse("a weight has no key"))
	}
	return constant(f, key, data, sizes)
}

func constant[T tensor.Element](f *Func, key string, data []T, sizes []int64) Tensor {
	v, err := tensor.Of(data, sizes...)
	if err != nil {
		what := "constant"
		if key != "" {
			what = fmt.Sprintf("weight %q", key)
		}
		panic(errs.Wrap(CodeMisuse, err, "%s", what).On(f.path))
	}
	return f.add("constant", attrs{"value": v, "name": key})
}

// Iota returns 0, 1, 2, ... along dim.
func (f *Func) Iota(d dtype.DType, dim int, sizes ...int64) Tensor {
	return f.add("iota", attrs{"type": tensor.TypeOf(d, sizes...), "dim": int64(dim)})
}

// Concat concatenates tensors along dim.
func (f *Func) Concat(dim int, ts ...Tensor) Tensor {
	if len(ts) == 0 {
		panic(f.misuse("there is nothing to concatenate"))
	}
	return f.add("concatenate", attrs{"dim": int64(ts[0].dim(dim))}, ts...)
}
