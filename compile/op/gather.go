package op

import (
	"math"
	"slices"

	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
	"github.com/skainet-dev/skainet-go/tensor/shape"
)

// Modes in which scatter combines an element with an update.
const (
	ScatterSet = "set"
	ScatterAdd = "add"
	ScatterMul = "mul"
	ScatterMin = "min"
	ScatterMax = "max"
)

// Indices of all these operations are clamped to the tensor that they index.
// Internally they are i32, so a tensor may have at most 2^31-1 elements.
// scatters rounds nothing and has the type of x, except when it adds.
var scatters = exact.precision(First).padding(LeftOut).varies(func(t Traits, a Attrs) Traits {
	switch a.String("mode") {
	case ScatterAdd:
		t = t.terms(Addends)
	case ScatterMul:
	default:
		return t
	}
	t.Rounding, t.Precision = Sum, Wide
	return t
})

var gatherOps = []*Op{
	{
		Name: "gather", Family: Indexing, Traits: moves,
		Doc:        "Slices of x along dim at indices of any shape I: x [A..., D, B...] becomes [A..., I..., B...]. Indices out of range are clamped.",
		Operands:   []Operand{{Name: "x", Class: Any}, {Name: "indices", Class: Int}},
		Attributes: []Attribute{{Name: "dim", Kind: KindInt, Default: int64(0), Doc: "dimension that is indexed"}},
		Rule: func(c *Call) ([]tensor.Type, error) {
			x, indices := c.In[0], c.In[1]
			dim, err := c.axis("dim", x.Shape.Rank())
			if err != nil {
				return nil, err
			}
			if x.Shape[dim].Size == 0 {
				return nil, c.Failf(CodeShape, "dimension %d is empty", dim)
			}
			out := slices.Concat(x.Shape[:dim], indices.Shape, x.Shape[dim+1:])
			return []tensor.Type{{DType: x.DType, Shape: out}}, c.known()
		},
		Decompose: func(c *Call, _ *builder, in []expr) []expr {
			x, indices, dim := in[0], in[1], int(c.Attrs.Int("dim"))
			if dim > 0 {
				x = x.transpose(moved(x.rank(), dim, 1, 0)...)
			}
			y := apply(x.add, "take", nil, x, indices) // [I..., A..., B...]
			if dim > 0 && indices.rank() > 0 {
				y = y.transpose(moved(y.rank(), 0, indices.rank(), dim)...)
			}
			return []expr{y}
		},
	},
	{
		Name: "take_along", Family: Indexing, Traits: moves,
		Doc:        "One element of x for each index, along dim: result[i, j, k] is x[i, indices[i, j, k], k] for dim 1. indices have the sizes of x except in dim; indices out of range are clamped.",
		Operands:   []Operand{{Name: "x", Class: Any}, {Name: "indices", Class: Int}},
		Attributes: []Attribute{{Name: "dim", Kind: KindInt, Doc: "dimension that is indexed"}},
		Rule: func(c *Call) ([]tensor.Type, error) {
			if err := c.alongDim(c.In[1]); err != nil {
				return nil, err
			}
			return []tensor.Type{{DType: c.In[0].DType, Shape: c.In[1].Shape}}, nil
		},
		Decompose: func(c *Call, b *builder, in []expr) []expr {
			x := in[0]
			return []expr{apply(x.add, "take", nil, x.reshape(x.elements()), b.places(x, in[1], int(c.Attrs.Int("dim"))))}
		},
	},
	{
		Name: "gather_nd", Family: Indexing, Traits: moves,
		Doc:      "Slices of x: indices [I..., K] index the first K dimensions of x [D1, ..., DK, B...]; the result is [I..., B...]. Indices out of range are clamped.",
		Operands: []Operand{{Name: "x", Class: Any}, {Name: "indices", Class: Int}},
		Rule: func(c *Call) ([]tensor.Type, error) {
			k, err := c.coordinates()
			if err != nil {
				return nil, err
			}
			x, i := c.In[0], c.In[1]
			return []tensor.Type{{DType: x.DType, Shape: slices.Concat(i.Shape[:i.Shape.Rank()-1], x.Shape[k:])}}, nil
		},
		Decompose: func(c *Call, b *builder, in []expr) []expr {
			x, at := b.flattened(in[0], in[1])
			return []expr{apply(x.add, "take", nil, x, at)}
		},
	},
	{
		Name: "scatter", Family: Indexing, Traits: scatters,
		Doc: "x [V, B...] with updates [I..., B...] combined into its rows at indices I...: set replaces, and add, mul, min and max combine. Indices out of range are clamped. " +
			"If set writes a row more than once, it is unspecified which update stays, and so is the order of additions.",
		Operands:   []Operand{{Name: "x", Class: Numeric}, {Name: "indices", Class: Int}, {Name: "updates", Class: Numeric}},
		Attributes: []Attribute{scatterMode},
		Rule: func(c *Call) ([]tensor.Type, error) {
			x, i := c.In[0], c.In[1]
			if x.Shape.Rank() == 0 || x.Shape[0].Size == 0 {
				return nil, c.Failf(CodeShape, "x has no rows")
			}
			if err := c.reach(x.Shape[0], i.DType); err != nil {
				return nil, err
			}
			return c.scattered(slices.Concat(i.Shape, x.Shape[1:]))
		},
	},
	{
		Name: "scatter_along", Family: Indexing, Traits: scatters,
		Doc:        "x with each update combined into the element along dim at its index; indices and updates have the sizes of x except in dim. Modes and indices as in scatter.",
		Operands:   []Operand{{Name: "x", Class: Numeric}, {Name: "indices", Class: Int}, {Name: "updates", Class: Numeric}},
		Attributes: []Attribute{scatterMode, {Name: "dim", Kind: KindInt, Doc: "dimension that is indexed"}},
		Rule: func(c *Call) ([]tensor.Type, error) {
			if err := c.alongDim(c.In[1]); err != nil {
				return nil, err
			}
			return c.scattered(c.In[1].Shape)
		},
		Decompose: func(c *Call, b *builder, in []expr) []expr {
			x, at := in[0], b.places(in[0], in[1], int(c.Attrs.Int("dim")))
			return []expr{c.scatter(x.reshape(x.elements()), at.reshape(at.elements()), in[2].reshape(at.elements())).reshape(x.dims()...)}
		},
	},
	{
		Name: "scatter_nd", Family: Indexing, Traits: scatters,
		Doc:        "x with updates [I..., B...] combined into the slices at indices [I..., K], as in gather_nd. Modes and indices as in scatter.",
		Operands:   []Operand{{Name: "x", Class: Numeric}, {Name: "indices", Class: Int}, {Name: "updates", Class: Numeric}},
		Attributes: []Attribute{scatterMode},
		Rule: func(c *Call) ([]tensor.Type, error) {
			k, err := c.coordinates()
			if err != nil {
				return nil, err
			}
			i := c.In[1].Shape
			return c.scattered(slices.Concat(i[:i.Rank()-1], c.In[0].Shape[k:]))
		},
		Decompose: func(c *Call, b *builder, in []expr) []expr {
			x, at := b.flattened(in[0], in[1])
			return []expr{c.scatter(x, at, in[2]).reshape(in[0].dims()...)}
		},
	},
}

var scatterMode = Attribute{Name: "mode", Kind: KindString, Default: ScatterSet, Doc: "set, add, mul, min or max"}

// moved returns the permutation that moves count dimensions from one position to another.
func moved(rank, from, count, to int) []int64 {
	order := make([]int64, rank)
	for i := range order {
		order[i] = int64(i)
	}
	part := slices.Clone(order[from : from+count])
	return slices.Insert(slices.Delete(order, from, from+count), to, part...)
}

func (x expr) elements() shape.Dim { return x.Type.Shape.Product() }

// scattered checks the mode, updates and sizes of a scatter.
func (c *Call) scattered(updates shape.Shape) ([]tensor.Type, error) {
	switch m := c.Attrs.String("mode"); m {
	case ScatterSet, ScatterAdd, ScatterMul, ScatterMin, ScatterMax:
	default:
		return nil, c.Failf(CodeAttribute, "unknown mode %q", m)
	}
	if c.In[2].DType != c.In[0].DType || !c.In[2].Shape.Same(updates) {
		return nil, c.Failf(CodeShape, "the updates must be %s", tensor.Type{DType: c.In[0].DType, Shape: updates})
	}
	return []tensor.Type{c.In[0]}, c.known()
}

func (c *Call) scatter(x, at, updates expr) expr {
	return apply(x.add, "scatter", Attrs{"mode": c.Attrs.String("mode")}, x, at, updates)
}

// reach returns an error if indices of type d cannot reach all rows.
func (c *Call) reach(rows shape.Dim, d dtype.DType) error {
	if d == dtype.I32 && rows.Size > math.MaxInt32 {
		return c.Failf(CodeShape, "there are more rows than an i32 can index").Hint("use indices of i64")
	}
	return nil
}

// alongDim checks indices along one dimension.
func (c *Call) alongDim(indices tensor.Type) error {
	x := c.In[0]
	dim, err := c.axis("dim", x.Shape.Rank())
	if err != nil {
		return err
	}
	if err := c.known(); err != nil {
		return err
	}
	if indices.Shape.Rank() != x.Shape.Rank() {
		return c.Failf(CodeShape, "indices must have the same rank as x")
	}
	for i := range x.Shape {
		if i != dim && !x.Shape[i].Same(indices.Shape[i]) {
			return c.differ(x.Shape[i], indices.Shape[i], "indices and x differ in dimension %d", i)
		}
	}
	if x.Shape[dim].Size == 0 {
		return c.Failf(CodeShape, "dimension %d is empty", dim)
	}
	return c.fewPlaces(x.Shape)
}

// fewPlaces checks static sizes; for dynamic ones the rules of take and scatter
// check at a call.
func (c *Call) fewPlaces(s shape.Shape) error {
	if !s.IsStatic() {
		return nil
	}
	if n, err := s.Elements(); err != nil || n > math.MaxInt32 {
		return c.Failf(CodeShape, "there are more elements than an i32 can index")
	}
	return nil
}

// coordinates checks indices [I..., K] and returns K.
func (c *Call) coordinates() (int, error) {
	x, i := c.In[0], c.In[1]
	if err := c.known(); err != nil {
		return 0, err
	}
	if i.Shape.Rank() == 0 {
		return 0, c.Failf(CodeShape, "indices need a static last dimension, the number of indexed dimensions of x")
	}
	if err := c.static(1, i.Shape.Rank()-1); err != nil {
		return 0, err
	}
	k := i.Shape[i.Shape.Rank()-1].Size
	if k < 1 || k > int64(x.Shape.Rank()) {
		return 0, c.Failf(CodeShape, "indices index %d dimensions of a tensor of rank %d", k, x.Shape.Rank())
	}
	if slices.Contains(x.Shape[:k].Sizes(), 0) {
		return 0, c.Failf(CodeShape, "x has an empty dimension to index")
	}
	return int(k), c.fewPlaces(x.Shape[:k])
}

// clamped returns indices as i32, clamped to dimension dim of y.
func (x expr) clamped(y expr, dim int) expr {
	if x.d().IsSigned() {
		x = x.with("maximum", 0)
	}
	if !y.dim(dim).IsStatic() {
		if x.d().Bits() < 32 {
			x = x.to(dtype.I32)
		}
		return x.bin("minimum", y.size(dim).with("subtract", 1).to(x.d())).to(dtype.I32)
	}
	last := y.dim(dim).Size - 1
	if bits := x.d().Bits(); bits > 31 || last < 1<<(bits-1)-1 {
		x = x.with("minimum", float64(last))
	} else if x.d().IsUnsigned() {
		x = x.to(dtype.I32).with("minimum", float64(last))
	}
	return x.to(dtype.I32)
}

// places returns the row-major places in x of indices along dim.
func (b *builder) places(x, indices expr, dim int) expr {
	sizes := indices.dims()
	at := expr{}
	for i := x.rank() - 1; i >= 0; i-- {
		part := indices
		if i == dim {
			part = indices.clamped(x, i)
		} else {
			part = b.iota(dtype.I32, i, sizes...)
		}
		if i < x.rank()-1 {
			part = part.timesSizes(x, i+1, x.rank())
		}
		if at.add == nil {
			at = part
		} else {
			at = at.plus(part)
		}
	}
	return at
}

// timesSizes multiplies i32 numbers by the sizes of dimensions first to
// end-1 of y. If they are dynamic, the rules of take and scatter check at a
// call that an i32 can index all elements.
func (x expr) timesSizes(y expr, first, end int) expr {
	n := one
	for i := first; i < end; i++ {
		if d := y.dim(i); d.IsStatic() {
			n = n.Times(d)
		} else {
			x = x.times(y.size(i))
		}
	}
	if n == one {
		return x
	}
	return x.with("multiply", float64(n.Size))
}

// flattened joins the K dimensions that indices [I..., K] index, and returns the
// indices into the joined one.
func (b *builder) flattened(x, indices expr) (flat, at expr) {
	last := indices.rank() - 1
	k := int(indices.dim(last).Size)
	sizes := indices.dims()[:last]
	for i := k - 1; i >= 0; i-- {
		part := indices.slice(last, int64(i), 1, 1).reshape(sizes...).clamped(x, i)
		if i < k-1 {
			part = part.timesSizes(x, i+1, k)
			at = at.plus(part)
		} else {
			at = part
		}
	}
	return x.reshape(append(shape.Shape{x.dims()[:k].Product()}, x.dims()[k:]...)...), at
}
