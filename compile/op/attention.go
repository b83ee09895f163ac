package op

import (
	"math"
	"slices"

	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
	"github.com/skainet-dev/skainet-go/tensor/shape"
)

var attentionOps = []*Op{
	{
		Name: "attention", Family: Attention, Traits: approximate.follow().reduces(Windows),
		Doc: "Scaled dot-product attention (Vaswani et al. 2017): q [B, H, Tq, D], k [B, G, Tk, D] and v [B, G, Tk, E] give [B, H, Tq, E]. G divides H, and H/G consecutive heads of q share one of k and v (Ainslie et al. 2023). " +
			"Scores are scale times q k, then soft_cap tanh(score/soft_cap) if soft_cap is not 0, then plus mask, if given, which broadcasts to [B, H, Tq, Tk]. Query i is at position i + offset of the keys; causal hides the keys after it; a window of W hides all keys except the last W up to and including it. " +
			"The result of a query that sees no key is zero.",
		Operands: []Operand{
			{Name: "q", Class: Float}, {Name: "k", Class: Float}, {Name: "v", Class: Float},
			{Name: "mask", Class: Float, Variadic: true},
		},
		Attributes: []Attribute{
			{Name: "scale", Kind: KindFloat, Default: 0.0, Doc: "factor of the scores; 0 means 1/sqrt(D)"},
			{Name: "causal", Kind: KindBool, Default: false, Doc: "whether a query sees only keys up to its own position"},
			{Name: "window", Kind: KindInt, Default: int64(0), Doc: "number of keys that a query sees, including its own; 0 means all"},
			{Name: "offset", Kind: KindInt, Default: int64(0), Doc: "position of the first query among the keys"},
			{Name: "soft_cap", Kind: KindFloat, Default: 0.0, Doc: "bound on the absolute value of scores before the mask; 0 means none"},
		},
		Rule:      attentionRule,
		Decompose: attend,
	},
	{
		Name: "rotary", Family: Attention, Traits: approximate.wide(),
		Doc: "Rotary position embedding (Su et al. 2021) of x [..., T, D] at positions [T], or [B, T] for x [B, ..., T, D]. Of the first R = dims elements, pair i is rotated by the angle position/factor base^(-2i/denominator): (a, b) becomes (a cos - b sin, b cos + a sin). " +
			"Pair i is (x[2i], x[2i+1]) if interleaved, else (x[i], x[i + R/2]), one from each half. The other elements are unchanged. Angles are within 1e-6 of exact arithmetic for every position, which is an i32.",
		Operands: []Operand{{Name: "x", Class: Float}, {Name: "positions", Class: Int}},
		Attributes: []Attribute{
			{Name: "dims", Kind: KindInt, Default: int64(0), Doc: "R, the even number of elements to rotate; 0 means D"},
			{Name: "interleaved", Kind: KindBool, Default: false, Doc: "whether pairs are adjacent elements instead of one from each half"},
			{Name: "base", Kind: KindFloat, Default: 10000.0, Doc: "base of the frequencies, positive"},
			{Name: "factor", Kind: KindFloat, Default: 1.0, Doc: "divides positions: linear scaling to longer contexts"},
			{Name: "denominator", Kind: KindInt, Default: int64(0), Doc: "divisor in the exponent of the base; 0 means R"},
		},
		Rule:      rotaryRule,
		Decompose: rotate,
	},
}

func attentionRule(c *Call) ([]tensor.Type, error) {
	if len(c.In) > 4 {
		return nil, c.Failf(CodeOperands, "more than one mask")
	}
	if err := c.oneDType(len(c.In)); err != nil {
		return nil, err
	}
	if err := c.known(); err != nil {
		return nil, err
	}
	for i, t := range c.In[:3] {
		if t.Shape.Rank() != 4 {
			return nil, c.Failf(CodeShape, "want q [B, H, Tq, D], k [B, G, Tk, D], v [B, G, Tk, E]")
		}
		if err := c.static(i, 1); err != nil {
			return nil, err
		}
	}
	q, k, v := c.In[0].Shape, c.In[1].Shape, c.In[2].Shape
	for _, p := range [][2]shape.Dim{{q[0], k[0]}, {k[0], v[0]}, {k[1], v[1]}, {k[2], v[2]}, {q[3], k[3]}} {
		if !p[0].Same(p[1]) || q[3].Size == 0 {
			return nil, c.differ(p[0], p[1], "want q [B, H, Tq, D], k [B, G, Tk, D], v [B, G, Tk, E] with D > 0")
		}
	}
	if !q[1].DivisibleBy(k[1].Size) {
		return nil, c.Failf(CodeShape, "%s heads of k and v do not divide the %s heads of q", k[1], q[1])
	}
	if q[2].Size > maxWindow || k[2].Size > maxWindow {
		return nil, c.Failf(CodeShape, "more positions than an i32 can count")
	}
	if len(c.In) == 4 {
		scores := shape.Shape{q[0], q[1], q[2], k[2]}
		m := c.In[3].Shape
		for i := range m {
			if j := i + 4 - len(m); j < 0 || m[i].Size != 1 && !m[i].Same(scores[j]) {
				return nil, c.differ(m[i], scores[max(j, 0)], "the mask does not broadcast to %s", scores)
			}
		}
	}
	scale, cap, window, offset := c.Attrs.Float("scale"), c.Attrs.Float("soft_cap"), c.Attrs.Int("window"), c.Attrs.Int("offset")
	if math.IsNaN(scale) || math.IsInf(scale, 0) || !(cap >= 0) || math.IsInf(cap, 0) || window < 0 || window > maxWindow || offset < -maxWindow || offset > maxWindow {
		return nil, c.Failf(CodeAttribute, "scale = %g, soft_cap = %g, window = %d, offset = %d", scale, cap, window, offset)
	}
	return []tensor.Type{{DType: c.In[0].DType, Shape: shape.Shape{q[0], q[1], q[2], v[3]}}}, nil
}

// attend scales q rather than the scores, and divides the result rather than the
// weights, since both are smaller. The exponentials are stored once for the sum
// and the product.
func attend(c *Call, b *builder, in []expr) []expr {
	q, k, v := in[0].wide(), in[1].wide(), in[2].wide()
	s := q.dims()
	batch, heads, rows, depth := s[0], s[1], s[2], s[3]
	groups, keys, width := k.dim(1), k.dim(2), v.dim(3)
	switch scale := c.Attrs.Float("scale"); {
	case scale != 0:
		q = q.with("multiply", scale)
	case depth.IsStatic():
		q = q.with("multiply", 1/math.Sqrt(float64(depth.Size)))
	default:
		q = q.times(q.size(3).to(q.d()).un("rsqrt"))
	}
	// Heads that share a key become more rows of one product.
	shared := heads.FloorDiv(groups.Size).Times(rows)
	q = q.reshape(batch, groups, shared, depth)
	pairs := [2][]int64{{0, 1}, {0, 1}}
	scores := q.dot(k, pairs, [2][]int64{{3}, {3}}).reshape(batch, heads, rows, keys)
	if cap := c.Attrs.Float("soft_cap"); cap != 0 {
		scores = scores.with("divide", cap).un("tanh").with("multiply", cap)
	}
	if len(in) == 4 {
		scores = scores.plus(in[3].wide())
	}
	hidden := b.splat(q.d(), math.Inf(-1))
	if seen := visible(c, b, rows, keys); seen != nil {
		scores = seen.choose(scores, hidden)
	}
	top := scores.reduce("reduce_max", 3)
	// For a query that sees no key, the largest score is -inf and all weights are 0.
	top = top.compare(EQ, hidden).choose(b.splat(q.d(), 0), top)
	weights := scores.minus(top).un("exp").un("barrier")
	sum := weights.reduce("reduce_sum", 3)
	y := weights.reshape(batch, groups, shared, keys).dot(v, pairs, [2][]int64{{3}, {2}}).reshape(batch, heads, rows, width)
	nothing := sum.compare(EQ, b.splat(q.d(), 0))
	y = y.over(nothing.choose(b.splat(q.d(), 1), sum))
	return []expr{y.to(in[0].d())}
}

// visible returns which keys each query sees, [Tq, Tk]; nil means all.
func visible(c *Call, b *builder, rows, keys shape.Dim) *expr {
	window := c.Attrs.Int("window")
	if !c.Attrs.Bool("causal") && window == 0 {
		return nil
	}
	at := b.iota(dtype.I32, 0, rows, keys).with("add", float64(c.Attrs.Int("offset")))
	key := b.iota(dtype.I32, 1, rows, keys)
	seen := key.compare(LE, at)
	if window > 0 {
		seen = seen.bin("and", key.compare(GT, at.with("subtract", float64(window))))
	}
	return &seen
}

func rotaryRule(c *Call) ([]tensor.Type, error) {
	if err := c.known(); err != nil {
		return nil, err
	}
	x, p := c.In[0].Shape, c.In[1].Shape
	r := len(x)
	if r < 2 || len(p) < 1 || len(p) > 2 || !p[len(p)-1].Same(x[r-2]) || len(p) == 2 && (r < 3 || !p[0].Same(x[0])) {
		return nil, c.Failf(CodeShape, "want x [..., T, D] and positions [T], or x [B, ..., T, D] and positions [B, T]")
	}
	if err := c.static(0, r-1); err != nil {
		return nil, err
	}
	turned, base, factor, denominator := c.turned(), c.Attrs.Float("base"), c.Attrs.Float("factor"), c.Attrs.Int("denominator")
	if turned < 2 || turned%2 != 0 || turned > x[r-1].Size || turned > maxTable {
		return nil, c.Failf(CodeAttribute, "dims = %d is not an even number from 2 to %s", turned, x[r-1])
	}
	if !(base > 0) || math.IsInf(base, 0) || !(factor > 0) || math.IsInf(factor, 0) || denominator < 0 {
		return nil, c.Failf(CodeAttribute, "base = %g, factor = %g, denominator = %d", base, factor, denominator)
	}
	return []tensor.Type{c.In[0]}, nil
}

// turned returns the number of elements that rotary rotates.
func (c *Call) turned() int64 {
	if n := c.Attrs.Int("dims"); n != 0 {
		return n
	}
	return c.In[0].Shape[c.In[0].Shape.Rank()-1].Size
}

func rotate(c *Call, b *builder, in []expr) []expr {
	x, last := in[0].wide(), in[0].rank()-1
	turned := c.turned()
	half := turned / 2
	denominator := c.Attrs.Int("denominator")
	if denominator == 0 {
		denominator = turned
	}
	whole, rest := make([]float64, half), make([]float64, half)
	for i := range whole {
		whole[i], rest[i] = turns(math.Pow(c.Attrs.Float("base"), -2*float64(i)/float64(denominator)) / c.Attrs.Float("factor"))
	}
	sizes := ones(x.rank())
	sizes[last-1] = x.dim(last - 1)
	if in[1].rank() == 2 {
		sizes[0] = x.dim(0)
	}
	p := in[1].to(dtype.I32).reshape(sizes...)
	angles := p.times(b.numbers(dtype.I32, whole, half)).to(dtype.F32).plus(p.to(dtype.F32).times(b.numbers(dtype.F32, rest, half)))
	angles = angles.with("multiply", 2*math.Pi/(1<<32)).to(x.d())
	cos, sin := angles.un("cosine"), angles.un("sine")

	head, tail := x.slice(last, 0, turned, 1), x.slice(last, turned, x.dim(last).Size-turned, 1)
	var y expr
	if c.Attrs.Bool("interleaved") {
		halves := append(x.dims()[:last], shape.N(half))
		split := head.reshape(append(slices.Clone(halves), shape.N(2))...)
		left := split.slice(last+1, 0, 1, 1).reshape(halves...)
		right := split.slice(last+1, 1, 1, 1).reshape(halves...)
		l, r := turn(left, right, cos, sin)
		single := append(slices.Clone(halves), one)
		y = b.concat(last+1, l.reshape(single...), r.reshape(single...)).reshape(head.dims()...)
	} else {
		l, r := turn(head.slice(last, 0, half, 1), head.slice(last, half, half, 1), cos, sin)
		y = b.concat(last, l, r)
	}
	if tail.dim(last).Size > 0 {
		y = b.concat(last, y, tail)
	}
	return []expr{y.to(in[0].d())}
}

// turns returns radians in units of 2^-32 turns, modulo one turn, as an integer
// that fits in an i32 and a remainder. The wrapping product of the integer and a
// position is exact, while a product of floats loses digits as positions grow; and functions
// of small angles are more accurate.
func turns(radians float64) (whole, rest float64) {
	t := radians / (2 * math.Pi)
	t = (t - math.Floor(t+0.5)) * (1 << 32)
	whole = math.Min(math.Round(t), math.MaxInt32)
	return whole, t - whole
}

func turn(a, b, cos, sin expr) (expr, expr) {
	return a.times(cos).minus(b.times(sin)), b.times(cos).plus(a.times(sin))
}
