package randgraph

import (
	"math"
	"slices"

	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
)

// unsignedTypes are types from which leaves are sometimes converted, with the number of
// significant bits: compilers fold such conversions into their consumers.
var unsignedTypes = []struct {
	dtype dtype.DType
	bits  int
}{{dtype.Bool, 1}, {dtype.U8, 8}, {dtype.U16, 16}, {dtype.U32, 32}}

// widened adds a leaf of a narrower type without a sign, half of whose elements have
// the highest bit set, and its conversion to t.
func (g *gen) widened(t tensor.Type) int {
	room := t.DType.Bits()
	if t.DType.IsFloat() {
		room = int(math.Log2(bounds[t.DType][1])) // beyond, graphs hold no floats
	}
	kinds := slices.Clone(unsignedTypes)
	kinds = slices.DeleteFunc(kinds, func(k struct {
		dtype dtype.DType
		bits  int
	}) bool {
		return k.bits > room || k.dtype == t.DType || t.DType == dtype.Bool || t.DType.IsInt() && k.bits == room
	})
	if len(kinds) == 0 {
		panic(giveUp{})
	}
	kind := one(g, kinds)
	n, err := t.Shape.Elements()
	if err != nil || n > most {
		panic(giveUp{})
	}
	xs := make([]float64, n)
	for i := range xs {
		xs[i] = math.Floor(g.r.Float64() * math.Ldexp(1, kind.bits))
	}
	return g.converted(g.given(valueOf(tensor.Type{DType: kind.dtype, Shape: t.Shape}, xs)), t.DType)
}

// converted adds a conversion of value x.
func (g *gen) converted(x int, d dtype.DType) int {
	s := single(x, func(x T) T { return x.Convert(d) })
	s.op = "convert"
	out, shapes := g.evaluate(s)
	if len(out) == 0 {
		panic(giveUp{})
	}
	g.room--
	return g.c.append(*s, out, shapes)[0]
}

// edges adds a leaf of floats beyond integers of type d and near its bounds, infinities
// and NaN among them. Only the conversion that it is made for reads it.
func (g *gen) edges(t tensor.Type, d dtype.DType) int {
	n, err := t.Shape.Elements()
	if err != nil || n > most {
		panic(giveUp{})
	}
	digits := d.Bits()
	if d.IsSigned() {
		digits--
	}
	end := math.Ldexp(1, digits)
	xs := make([]float64, n)
	for i := range xs {
		xs[i] = one(g, []float64{
			math.NaN(), math.Inf(1), math.Inf(-1), end, -end, end - 0.5, end - 1, -end - 1, -0.5, -1, 3e9, -3e9, 1e30, -1e30,
			math.Nextafter(end, 0), float64(math.Nextafter32(float32(end), 0)), (g.r.Float64()*4 - 2) * end, g.r.NormFloat64(),
		})
	}
	x := g.given(valueOf(t, xs))
	g.c.values[x].apart = true
	return x
}
