package op

import (
	"math"
	"slices"

	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
	"github.com/skainet-dev/skainet-go/tensor/shape"
)

// Ways in which scatter combines what is there with an update.
const (
	ScatterSet = "set"
	ScatterAdd = "add"
	ScatterMul = "mul"
	ScatterMin = "min"
	ScatterMax = "max"
)

// Indices of all these operations are clamped to the tensor that they go into.
// Inside they are i32, so that a tensor may have 2^31-1 places at most.
// scatters rounds nothing and takes the type of what it updates, but where it adds up.
var scatters = exact.precision(First).varies(func(t Traits, a Attrs) Traits {
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
		Doc:        "Slices of x across dim at indices (any shape I): x [A..., D, B...] gives [A..., I..., B...]. An index outside dimension dim is clamped to it.",
		Operands:   []Operand{{Name: "x", Class: Any}, {Name: "indices", Class: Int}},
		Attributes: []Attribute{{Name: "dim", Kind: KindInt, Default: int64(0), Doc: "dimension that the indices go into"}},
		Rule: func(c *Call) ([]tensor.Type, error) {
			x, indices := c.In[0], c.In[1]
			dim, err := c.axis("dim", x.Shape.Rank())
			if err != nil {
				return nil, err
			}
			if x.Shape[dim].Size == 0 {
				return nil, c.Failf(CodeShape, "dimension %d has no element", dim)
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
		Doc:        "One element of x for each index, along dim: result[i, j, k] is x[i, indices[i, j, k], k] for dim 1. indices have the sizes of x but in dim; one outside is clamped.",
		Operands:   []Operand{{Name: "x", Class: Any}, {Name: "indices", Class: Int}},
		Attributes: []Attribute{{Name: "dim", Kind: KindInt, Doc: "dimension that the indices go into"}},
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
		Doc:      "Slices of x at places: indices [I..., K] name the first K dimensions of x [D1, ..., DK, B...], which gives [I..., B...]. An index outside its dimension is clamped.",
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
		Doc: "x [V, B...] with updates [I..., B...] combined into its rows at indices I...: set replaces, add, mul, min and max combine. An index outside is clamped. " +
			"Where set meets one row twice, which update stays is not stated; the order of additions is not either.",
		Operands:   []Operand{{Name: "x", Class: Numeric}, {Name: "indices", Class: Int}, {Name: "updates", Class: Numeric}},
		Attributes: []Attribute{scatterMode},
		Rule: func(c *Call) ([]tensor.Type, error) {
			x, i := c.In[0], c.In[1]
			if x.Shape.Rank() == 0 || x.Shape[0].Size == 0 {
				return nil, c.Failf(CodeShape, "there is no row to write")
			}
			if err := c.reach(x.Shape[0], i.DType); err != nil {
				return nil, err
			}
			return c.scattered(slices.Concat(i.Shape, x.Shape[1:]))
		},
	},
	{
		Name: "scatter_along", Family: Indexing, Traits: scatters,
		Doc:        "x with each update combined into the place along dim that its index names; indices and updates have the sizes of x but in dim. Modes and indices as in scatter.",
		Operands:   []Operand{{Name: "x", Class: Numeric}, {Name: "indices", Class: Int}, {Name: "updates", Class: Numeric}},
		Attributes: []Attribute{scatterMode, {Name: "dim", Kind: KindInt, Doc: "dimension that the indices go into"}},
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
		Doc:        "x with updates [I..., B...] combined into the places that indices [I..., K] name, as gather_nd reads them. Modes and indices as in scatter.",
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

// moved is the permutation that takes count dimensions from one place to another.
func moved(rank, from, count, to int) []int64 {
	order := make([]int64, rank)
	for i := range order {
		order[i] = int64(i)
	}
	part := slices.Clone(order[from : from+count])
	return slices.Insert(slices.Delete(order, from, from+count), to, part...)
}

func (x expr) elements() shape.Dim { return x.Type.Shape.Product() }

// scattered checks mode, updates and sizes of a scatter.
func (c *Call) scattered(updates shape.Shape) ([]tensor.Type, error) {
	switch m := c.Attrs.String("mode"); m {
	case ScatterSet, ScatterAdd, ScatterMul, ScatterMin, ScatterMax:
	default:
		return nil, c.Failf(CodeAttribute, "mode is %q", m)
	}
	if c.In[2].DType != c.In[0].DType || !c.In[2].Shape.Same(updates) {
		return nil, c.Failf(CodeShape, "the updates must be %s", tensor.Type{DType: c.In[0].DType, Shape: updates})
	}
	return []tensor.Type{c.In[0]}, c.known()
}

func (c *Call) scatter(x, at, updates expr) expr {
	return apply(x.add, "scatter", Attrs{"mode": c.Attrs.String("mode")}, x, at, updates)
}

// reach is an error where indices of type d cannot name all rows.
func (c *Call) reach(rows shape.Dim, d dtype.DType) error {
	if d == dtype.I32 && rows.Size > math.MaxInt32 {
		return c.Failf(CodeShape, "there are more rows than an i32 counts").Hint("use indices of i64")
	}
	return nil
}

// along checks indices that go along one dimension.
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
		return c.Failf(CodeShape, "indices must have the rank of x")
	}
	for i := range x.Shape {
		if i != dim && !x.Shape[i].Same(indices.Shape[i]) {
			return c.differ(x.Shape[i], indices.Shape[i], "indices and x differ in dimension %d", i)
		}
	}
	if x.Shape[dim].Size == 0 {
		return c.Failf(CodeShape, "dimension %d has no element", dim)
	}
	return c.fewPlaces(x.Shape)
}

// fewPlaces is for sizes that are known; for others the rules of take and scatter
// say it at a call.
func (c *Call) fewPlaces(s shape.Shape) error {
	if !s.IsStatic() {
		return nil
	}
	if n, err := s.Elements(); err != nil || n > math.MaxInt32 {
		return c.Failf(CodeShape, "there are more places than an i32 counts")
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
		return 0, c.Failf(CodeShape, "indices need a last dimension that names dimensions of x")
	}
	if err := c.static(1, i.Shape.Rank()-1); err != nil {
		return 0, err
	}
	k := i.Shape[i.Shape.Rank()-1].Size
	if k < 1 || k > int64(x.Shape.Rank()) {
		return 0, c.Failf(CodeShape, "indices name %d dimensions of a tensor of rank %d", k, x.Shape.Rank())
	}
	if slices.Contains(x.Shape[:k].Sizes(), 0) {
		return 0, c.Failf(CodeShape, "there is no place to name")
	}
	return int(k), c.fewPlaces(x.Shape[:k])
}

// clamped returns indices as i32 that name an element of dimension dim of y.
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

// timesSizes multiplies i32 numbers by the sizes of dimensions first to before end
// of y. Where they are dynamic, the rules of take and scatter say at a call that
// there are more places than an i32 counts.
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

// flattened joins the K dimensions that indices [I..., K] name, and returns the
// places in the joined one.
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
