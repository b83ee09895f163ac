package op

import (
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
	"github.com/skainet-dev/skainet-go/tensor/shape"
)

func reduction(name string, t Traits, class Class, doc string) *Op {
	return &Op{
		Name: name, Family: Reduction, Traits: t, Doc: doc,
		Operands: []Operand{{Name: "x", Class: class}},
		Attributes: []Attribute{
			{Name: "dims", Kind: KindInts, Doc: "dimensions to reduce"},
			{Name: "keepdims", Kind: KindBool, Default: false, Doc: "keep reduced dimensions with size 1"},
		},
		Rule: func(c *Call) ([]tensor.Type, error) {
			set, err := c.axes("dims", c.In[0].Shape.Rank())
			if err != nil {
				return nil, err
			}
			return []tensor.Type{{DType: c.In[0].DType, Shape: reduced(c.In[0].Shape, set, c.Attrs.Bool("keepdims"))}}, nil
		},
	}
}

func reduced(s shape.Shape, dims map[int64]bool, keep bool) shape.Shape {
	out := shape.Shape{}
	for i, d := range s {
		switch {
		case !dims[int64(i)]:
			out = append(out, d)
		case keep:
			out = append(out, shape.Dim{Size: 1})
		}
	}
	return out
}

var reductionOps = append([]*Op{
	reduction("reduce_sum", sums.reduces(Dims).terms(Addends), Numeric, "Sum over dims; 0 over nothing. Narrow floats are summed in f32."),
	reduction("reduce_max", exact.reduces(Dims), Numeric, "Largest element over dims; the type's least value (-inf) over nothing; NaN if any is NaN."),
	reduction("reduce_prod", sums.reduces(Dims), Numeric, "Product over dims; 1 over nothing. Narrow floats are multiplied in f32."),
	reduction("reduce_min", exact.reduces(Dims), Numeric, "Smallest element over dims; the type's greatest value (inf) over nothing; NaN if any is NaN."),
	{
		Name: "argmax", Family: Reduction, Traits: exact.reduces(Dim), Doc: "Index (i32) of the first largest element along dim, which is dropped. The first NaN counts as largest.",
		Operands:   []Operand{{Name: "x", Class: Numeric}},
		Attributes: []Attribute{{Name: "dim", Kind: KindInt, Doc: "dimension to search"}},
		Rule:       argmaxRule,
	},
}, moreReductions...)

func argmaxRule(c *Call) ([]tensor.Type, error) {
	x := c.In[0]
	dim, err := c.axis("dim", x.Shape.Rank())
	if err != nil {
		return nil, err
	}
	if n := x.Shape[dim].Size; n == 0 || n > 1<<31-1 {
		return nil, c.Failf(CodeShape, "dimension %d is empty, or has more elements than an i32 can index", dim)
	}
	return []tensor.Type{{DType: dtype.I32, Shape: reduced(x.Shape, map[int64]bool{int64(dim): true}, false)}}, nil
}
