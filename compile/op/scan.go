package op

import (
	"slices"

	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
)

// triangle returns an operation that keeps the elements whose column compares to row + k
// in the given direction.
func triangle(name string, t Traits, direction, doc string) *Op {
	return &Op{
		Name: name, Family: Layout, Traits: t, Doc: doc,
		Operands:   []Operand{{Name: "x", Class: Any}},
		Attributes: []Attribute{{Name: "k", Kind: KindInt, Default: int64(0), Doc: "the diagonal: 0 is the main one, positive ones are above it"}},
		Rule: func(c *Call) ([]tensor.Type, error) {
			r := c.In[0].Shape.Rank()
			if r < 2 {
				return nil, c.Failf(CodeShape, "a matrix has at least two dimensions")
			}
			for _, d := range c.In[0].Shape[r-2:] {
				if d.Size > 1<<30 {
					return nil, c.Failf(CodeShape, "a matrix may have at most 2^30 rows and columns")
				}
			}
			return []tensor.Type{c.In[0]}, c.known()
		},
		Decompose: func(c *Call, b *builder, in []expr) []expr {
			x := in[0]
			rows, columns := x.dim(x.rank()-2), x.dim(x.rank()-1)
			k := min(max(c.Attrs.Int("k"), -(1<<30)), 1<<30) // beyond that, all elements or none
			row := b.iota(dtype.I32, 0, rows, columns).with("add", float64(k))
			column := b.iota(dtype.I32, 1, rows, columns)
			return []expr{column.compare(direction, row).choose(x, b.splat(x.d(), 0))}
		},
	}
}

// cumulative combines each element with those before it in steps of 1, 2, 4, ...
// positions (Hillis and Steele 1986): every step is elementwise, on all targets.
func cumulative(name string, t Traits, with string, identity float64, doc string) *Op {
	return &Op{
		Name: name, Family: Reduction, Traits: t,
		Doc:      doc + " Computed in f32 for narrow floats; terms are not combined in the order of the elements, so after an overflow to both infinities a result may be NaN where that order gives an infinity, or an infinity where it gives NaN. Along a dynamic dimension of n elements it takes n^2 operations. reverse starts from the last element; exclusive excludes the element itself.",
		Operands: []Operand{{Name: "x", Class: Numeric}},
		Attributes: []Attribute{
			{Name: "dim", Kind: KindInt, Doc: "dimension to accumulate along"},
			{Name: "exclusive", Kind: KindBool, Default: false, Doc: "whether to exclude the element itself"},
			{Name: "reverse", Kind: KindBool, Default: false, Doc: "whether to start from the last element"},
		},
		Rule: func(c *Call) ([]tensor.Type, error) {
			if _, err := c.axis("dim", c.In[0].Shape.Rank()); err != nil {
				return nil, err
			}
			return []tensor.Type{c.In[0]}, c.known()
		},
		Decompose: func(c *Call, _ *builder, in []expr) []expr {
			x, dim := in[0].wide(), int(c.Attrs.Int("dim"))
			if !x.dim(dim).IsStatic() {
				return []expr{c.accumulated(x, with, identity).to(in[0].d())}
			}
			n := x.dim(dim).Size
			moved := func(x expr, by int64) expr {
				low, high := by, -by
				if c.Attrs.Bool("reverse") {
					low, high = -by, by
				}
				return x.pad(dim, []int64{low}, []int64{high}, identity)
			}
			for by := int64(1); by < n; by *= 2 {
				x = x.bin(with, moved(x, by))
			}
			if c.Attrs.Bool("exclusive") && n > 0 {
				x = moved(x, 1)
			}
			return []expr{x.to(in[0].d())}
		},
	}
}

// accumulated reduces, for each element along a dynamic dimension, the elements up
// to it: a graph cannot have a number of steps that depends on the size.
func (c *Call) accumulated(x expr, with string, identity float64) expr {
	b, dim := &builder{x.add}, int(c.Attrs.Int("dim"))
	n := x.dim(dim)
	wide := slices.Insert(x.dims(), dim, n) // result by operand
	places := append(span(0, dim), span(dim+1, x.rank()+1)...)
	direction := LE
	if c.Attrs.Bool("exclusive") {
		direction = LT
	}
	from, to := b.iota(dtype.I32, 1, n, n), b.iota(dtype.I32, 0, n, n)
	if c.Attrs.Bool("reverse") {
		from, to = to, from
	}
	seen := from.compare(direction, to).spreadOver([]int64{int64(dim), int64(dim + 1)}, wide...)
	terms := seen.choose(x.spreadOver(places, wide...), b.splat(x.d(), identity))
	return apply(x.add, map[string]string{"add": "reduce_sum", "multiply": "reduce_prod"}[with], Attrs{"dims": []int64{int64(dim + 1)}}, terms)
}
