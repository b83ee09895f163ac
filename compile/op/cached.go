package op

import (
	"math"
	"slices"

	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
	"github.com/skainet-dev/skainet-go/tensor/shape"
)

// Operations on a KV cache whose rows are positions of the text:
// write the rows of new tokens, and attend to all rows so far.
// Only T, the number of new tokens, may be dynamic.
var cachedOps = []*Op{
	{
		Name: "update_rows", Family: Indexing, Traits: moves.precision(First).memory(Updates).padding(LeftOut),
		Doc: "x [R, ...] with the rows from start on replaced by rows [T, ...]. start is clamped so that the rows fit in x; of more than R rows, the first R are used. " +
			"Like dynamic_update_slice along the first dimension, except that T may be dynamic.",
		Operands: []Operand{{Name: "x", Class: Any}, {Name: "rows", Class: Any}, {Name: "start", Class: Int}},
		Rule: func(c *Call) ([]tensor.Type, error) {
			x, rows := c.In[0], c.In[1]
			if rows.DType != x.DType {
				return nil, c.Failf(CodeDType, "the rows differ from the operand in element type")
			}
			if x.Shape.Rank() == 0 || rows.Shape.Rank() != x.Shape.Rank() || !slices.Equal(x.Shape[1:], rows.Shape[1:]) {
				return nil, c.Failf(CodeShape, "want x [R, ...], rows [T, ...] and a scalar")
			}
			return []tensor.Type{x}, c.cache(0, 1, 2)
		},
	},
	{
		Name: "cached_attention", Family: Attention, Traits: approximate.follow().reduces(Windows),
		Doc: "Attention of T new tokens, q [T, H, D], over a cache of keys and values [R, G, D] that already contains their own rows: [T, H, D]. G divides H, and H/G consecutive heads of q share one head of the cache (Ainslie et al. 2023). " +
			"Query t is at row start + t and sees the rows up to its own; with a window of W, only the last W of them. start is clamped as in update_rows. Scores are scale times q k, then soft_cap tanh(score/soft_cap) if soft_cap is not 0. " +
			"All operands are f32 or narrower, and the cache may have its own type; arithmetic is in f32. The result of a query that sees no row is zero.",
		Operands: []Operand{
			{Name: "q", Class: Float}, {Name: "keys", Class: Float}, {Name: "values", Class: Float}, {Name: "start", Class: Int},
		},
		Attributes: []Attribute{
			{Name: "scale", Kind: KindFloat, Default: 0.0, Doc: "factor of the scores; 0 means 1/sqrt(D)"},
			{Name: "window", Kind: KindInt, Default: int64(0), Doc: "number of rows that a query sees, including its own; 0 means all"},
			{Name: "soft_cap", Kind: KindFloat, Default: 0.0, Doc: "bound on the absolute value of scores; 0 means none"},
		},
		Rule:     cachedRule,
		Portable: attendCached,
	},
}

// cache checks a cache [R, ...], its new rows [T, ...] and their start.
func (c *Call) cache(x, rows, start int) error {
	if err := c.known(); err != nil {
		return err
	}
	if err := c.static(x); err != nil {
		return err
	}
	if c.In[start].Shape.Rank() != 0 || c.In[start].DType != dtype.I32 {
		return c.Failf(CodeShape, "start must be an i32 scalar")
	}
	if r, t := c.In[x].Shape[0].Size, c.In[rows].Shape[0].Size; r < 1 || max(r, t) > maxWindow {
		return c.Failf(CodeShape, "a cache and its new rows need 1 to 2^31-1 rows")
	}
	return nil
}

func cachedRule(c *Call) ([]tensor.Type, error) {
	if c.In[0].DType.Bits() > 32 || c.In[1].DType.Bits() > 32 || c.In[1].DType != c.In[2].DType {
		return nil, c.Failf(CodeDType, "want floats of up to 32 bits, and keys and values of the same type")
	}
	q, k, v := c.In[0].Shape, c.In[1].Shape, c.In[2].Shape
	if q.Rank() != 3 || k.Rank() != 3 || !slices.Equal(k, v) || q[2] != k[2] || !q[1].IsStatic() || q[2].Size < 1 {
		return nil, c.Failf(CodeShape, "want q [T, H, D], keys and values [R, G, D], with D > 0")
	}
	if err := c.cache(1, 0, 3); err != nil {
		return nil, err
	}
	if !q[1].DivisibleBy(k[1].Size) {
		return nil, c.Failf(CodeShape, "%s heads of the cache do not divide the %s heads of q", k[1], q[1])
	}
	scale, cap, window := c.Attrs.Float("scale"), c.Attrs.Float("soft_cap"), c.Attrs.Int("window")
	if !single(scale) || !single(cap) || cap < 0 || window < 0 || window > maxWindow {
		return nil, c.Failf(CodeAttribute, "scale = %g, soft_cap = %g, window = %d", scale, cap, window)
	}
	return []tensor.Type{c.In[0]}, nil
}

// single reports whether v is in the range of f32: neither beyond the largest nor, if
// not 0, below the smallest f32.
func single(v float64) bool {
	f := float32(v)
	return f-f == 0 && (f != 0 || v == 0)
}

// attendCached computes all scores and masks those of rows that a query does not
// see. Heads that share a head of the cache become more rows of one product.
func attendCached(c *Call, b *builder, in []expr) []expr {
	q, k, v := in[0].wide(), in[1].wide(), in[2].wide()
	tokens, heads, depth, rows, groups := q.dim(0), q.dim(1), q.dim(2), k.dim(0), k.dim(1)
	scale := c.Attrs.Float("scale")
	if scale == 0 {
		scale = 1 / math.Sqrt(float64(depth.Size))
	}
	shared := heads.FloorDiv(groups.Size)
	q = q.with("multiply", scale).reshape(tokens, groups, shared, depth).transpose(1, 2, 0, 3).reshape(groups, shared.Times(tokens), depth)
	group, along := int64(1), int64(0) // dimensions of groups and of rows
	if !tokens.IsStatic() {            // a product of dynamic size has its groups first
		k, v, group, along = k.byGroup(), v.byGroup(), 0, 1
	}
	// With a static size they stay in place, so that the product reads the
	// cache as stored, without a transposed copy.
	scores := q.dot(k, [2][]int64{{0}, {group}}, [2][]int64{{2}, {2}})
	if cap := c.Attrs.Float("soft_cap"); cap != 0 {
		scores = scores.with("divide", cap).un("tanh").with("multiply", cap)
	}
	hidden := b.splat(dtype.F32, math.Inf(-1))
	seen := b.rowsSeen(in[0], rows, in[3], c.Attrs.Int("window"))
	all := shape.Shape{groups, shared, tokens, rows}
	scores = seen.choose(scores.reshape(all...), hidden).un("barrier")
	top := scores.reduce("reduce_max", 3)
	// For a query that sees no row, the largest score is -inf and all weights are 0.
	top = top.compare(EQ, hidden).choose(b.splat(dtype.F32, 0), top)
	weights := scores.minus(top).un("exp").un("barrier")
	sum := weights.reduce("reduce_sum", 3)
	y := weights.reshape(groups, shared.Times(tokens), rows).dot(v, [2][]int64{{0}, {group}}, [2][]int64{{2}, {along}})
	nothing := sum.compare(EQ, b.splat(dtype.F32, 0))
	y = y.reshape(groups, shared, tokens, depth).over(nothing.choose(b.splat(dtype.F32, 1), sum))
	return []expr{y.transpose(2, 0, 1, 3).reshape(tokens, heads, depth).to(in[0].d())}
}

// byGroup returns a cache [R, G, D] as [G, R, D].
func (x expr) byGroup() expr {
	if x.dim(1) == one {
		return x.reshape(one, x.dim(0), x.dim(2))
	}
	return x.transpose(1, 0, 2)
}

// rowsSeen returns which rows each token of q sees, [T, R].
func (b *builder) rowsSeen(q expr, rows shape.Dim, start expr, window int64) expr {
	last := b.splat(dtype.I32, float64(rows.Size)).minus(q.size(0)).with("maximum", 0)
	at := b.iota(dtype.I32, 0, q.dim(0), rows).plus(start.with("maximum", 0).bin("minimum", last))
	row := b.iota(dtype.I32, 1, q.dim(0), rows)
	seen := row.compare(LE, at)
	if window > 0 {
		seen = seen.bin("and", row.compare(GT, at.with("subtract", float64(window))))
	}
	return seen
}
