package randgraph

import (
	"math"

	"github.com/skainet-dev/skainet-go/compile/op"
	"github.com/skainet-dev/skainet-go/lang"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
	"github.com/skainet-dev/skainet-go/tensor/shape"
)

var (
	floatTypes   = []dtype.DType{dtype.F32, dtype.F32, dtype.F32, dtype.F64, dtype.F16, dtype.BF16}
	integerTypes = []dtype.DType{dtype.I32, dtype.I32, dtype.I64, dtype.I16, dtype.I8, dtype.U8, dtype.U16, dtype.U32, dtype.U64}
)

// giveUp is the panic of a recipe that does not apply; try catches it.
type giveUp struct{}

func one[T any](g *gen, of []T) T { return of[g.r.IntN(len(of))] }

// chance is true once in n.
func (g *gen) chance(n int) bool { return g.r.IntN(n) == 0 }

// between returns low to high, both included.
func (g *gen) between(low, high int64) int64 { return low + g.r.Int64N(high-low+1) }

// dtype chooses an element type of a class.
func (g *gen) dtype(c op.Class) dtype.DType {
	var from []dtype.DType
	if c&op.Float != 0 {
		from = append(from, floatTypes...)
	}
	if c&op.Int != 0 {
		from = append(from, integerTypes...)
	}
	if c&op.Bool != 0 {
		from = append(from, dtype.Bool)
		if c == op.Any {
			from = append(from, dtype.Bool)
		}
	}
	return one(g, from)
}

// size chooses the size of a dimension.
func (g *gen) size(least int64) int64 {
	n := one(g, []int64{0, 1, 1, 1, 2, 2, 3, 3, 4, 5, 6, 7, 8, 9})
	if g.dynamic && g.chance(3) {
		return one(g, []int64{batchSize, seqSize})
	}
	if n == 0 && !g.chance(2) {
		n = 2
	}
	return max(n, least)
}

// sizes chooses a shape of low to high dimensions.
func (g *gen) sizes(low, high int, least int64) []int64 {
	s := make([]int64, low+g.r.IntN(high-low+1))
	n := int64(1)
	for i := range s {
		s[i] = g.size(least)
		if n*s[i] > 512 {
			s[i] = 1
		}
		n *= max(s[i], 1)
	}
	return s
}

// style describes the values of a leaf.
type style struct {
	low, high float64 // of floats; both 0 mean any
	whole     bool    // integers, from low to high
}

var anything = style{}

// leaf adds an input or, at times, a constant, or a conversion of one.
func (g *gen) leaf(t tensor.Type, s style) int {
	if s == anything && g.widens && g.room >= 2 && t.DType != dtype.Bool && g.chance(4) {
		if t.DType.IsInt() && g.chance(2) {
			return g.converted(g.edges(tensor.Type{DType: g.dtype(op.Float), Shape: t.Shape}, t.DType), t.DType)
		}
		return g.widened(t)
	}
	n, err := t.Shape.Elements()
	if err != nil || n > most {
		panic(giveUp{})
	}
	if g.special && s == anything && t.DType.IsFloat() && g.chance(3) {
		return g.given(g.specials(t, n))
	}
	exact, wild := g.chance(3), g.chance(5)
	xs := make([]float64, n)
	for i := range xs {
		switch d := t.DType; {
		case d == dtype.Bool:
			xs[i] = float64(g.r.IntN(2))
		case s.low != s.high || s.whole:
			xs[i] = s.low + g.r.Float64()*(s.high-s.low)
			if s.whole || d.IsInt() {
				xs[i] = math.Round(xs[i])
			} else if exact {
				xs[i] = math.Min(s.high, math.Ceil(xs[i]*4)/4)
			}
		case d.IsInt() && wild:
			low, bits := 0.0, d.Bits()
			if d.IsSigned() {
				low = -math.Ldexp(1, bits-1)
			}
			xs[i] = math.Floor(low + g.r.Float64()*math.Ldexp(1, min(bits, 63)))
		case d.IsUnsigned():
			xs[i] = float64(g.r.IntN(18))
		case d.IsInt():
			xs[i] = float64(g.r.IntN(19) - 9)
		case exact:
			xs[i] = float64(g.r.IntN(65)-32) / 4
		default:
			xs[i] = g.r.NormFloat64() * 1.5
		}
	}
	return g.given(valueOf(t, xs))
}

// given adds a leaf of these values.
func (g *gen) given(v tensor.Value) int {
	s := step{leaf: &v}
	dims := g.named(v.Type.Shape.Sizes())
	if g.chance(6) && dims.IsStatic() {
		s.build = constant(v)
	}
	return g.c.append(s, [][]tensor.Value{same(v)}, []shape.Shape{dims})[0]
}

// constant builds v; types that Go lacks are converted from f32, which holds them exactly.
func constant(v tensor.Value) func(b *building, _ []lang.Tensor) []lang.Tensor {
	return func(b *building, _ []lang.Tensor) []lang.Tensor {
		d, sizes := v.Type.DType, v.Type.Shape.Sizes()
		var t lang.Tensor
		switch d {
		case dtype.F16, dtype.BF16:
			x := make([]float32, 0)
			for _, y := range numbers(v) {
				x = append(x, float32(y))
			}
			t = lang.Const(b.f, x, sizes...).Convert(d)
		case dtype.F32:
			t = constantOf[float32](b, v)
		case dtype.F64:
			t = constantOf[float64](b, v)
		case dtype.I8:
			t = constantOf[int8](b, v)
		case dtype.I16:
			t = constantOf[int16](b, v)
		case dtype.I32:
			t = constantOf[int32](b, v)
		case dtype.I64:
			t = constantOf[int64](b, v)
		case dtype.U8:
			t = constantOf[uint8](b, v)
		case dtype.U16:
			t = constantOf[uint16](b, v)
		case dtype.U32:
			t = constantOf[uint32](b, v)
		case dtype.U64:
			t = constantOf[uint64](b, v)
		default:
			t = constantOf[bool](b, v)
		}
		return []lang.Tensor{t}
	}
}

func constantOf[T tensor.Element](b *building, v tensor.Value) lang.Tensor {
	xs, err := tensor.Slice[T](v)
	if err != nil {
		panic(err)
	}
	return lang.Const(b.f, xs, v.Type.Shape.Sizes()...)
}

// find chooses a value of the graph for which ok holds, or returns -1. Later values
// are more likely, so that graphs are deep.
func (g *gen) find(ok func(v *value) bool) int {
	n := len(g.c.values)
	if n == 0 {
		return -1
	}
	for range 12 {
		i := g.r.IntN(n)
		if g.chance(2) {
			i = max(i, g.r.IntN(n))
		}
		if !g.c.values[i].apart && ok(&g.c.values[i]) {
			return i
		}
	}
	return -1
}

// operand chooses a value of the graph, or makes a leaf. The shape has low to high
// dimensions of at least least elements.
func (g *gen) operand(c op.Class, low, high int, least int64, s style) int {
	fits := func(v *value) bool {
		r := v.typ.Shape.Rank()
		if !c.Has(v.typ.DType) || r < low || r > high || !within(v, s) {
			return false
		}
		for _, n := range v.typ.Shape.Sizes() {
			if n < least {
				return false
			}
		}
		return true
	}
	if !g.chance(4) {
		if i := g.find(fits); i >= 0 {
			return i
		}
	}
	return g.leaf(tensor.TypeOf(g.dtype(c), g.sizes(low, high, least)...), s)
}

// exactly chooses a value of this type, or makes a leaf.
func (g *gen) exactly(t tensor.Type, s style) int {
	if !g.chance(3) {
		if i := g.find(func(v *value) bool { return v.typ.Equal(t) && within(v, s) }); i >= 0 {
			return i
		}
	}
	return g.leaf(t, s)
}

// within reports whether all elements are in the style's range.
func within(v *value, s style) bool {
	if s.low == s.high && !s.whole {
		return true
	}
	for _, x := range numbers(v.worlds[0]) {
		if !(x >= s.low && x <= s.high) || s.whole && x != math.Trunc(x) {
			return false
		}
	}
	return true
}

// typ returns the type of a value.
func (g *gen) typ(i int) tensor.Type { return g.c.values[i].typ }

func (g *gen) dims(i int) []int64 { return g.c.values[i].typ.Shape.Sizes() }

// axis names a dimension from either end.
func (g *gen) axis(rank int) int {
	if rank == 0 {
		panic(giveUp{})
	}
	a := g.r.IntN(rank)
	if g.chance(2) {
		a -= rank
	}
	return a
}

// axes names some of the dimensions, from either end.
func (g *gen) axes(rank, least int) []int {
	if rank < least {
		panic(giveUp{})
	}
	all := g.r.Perm(rank)
	all = all[:least+g.r.IntN(rank-least+1)]
	for i := range all {
		if g.chance(2) {
			all[i] -= rank
		}
	}
	return all
}

// alike returns sizes that broadcast with s: some dimensions are 1 or left out.
func (g *gen) alike(s []int64) []int64 {
	out := append([]int64{}, s...)
	for i := range out {
		if g.chance(4) {
			out[i] = 1
		}
	}
	if g.chance(4) {
		out = out[g.r.IntN(len(out)+1):]
	}
	return out
}
