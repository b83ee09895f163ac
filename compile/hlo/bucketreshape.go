package hlo

import (
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
	"github.com/skainet-dev/skainet-go/tensor/shape"
)

// bucketReshape is a plain reshape where the elements stay where they are: where dimensions
// are split or joined behind the first of them that is dynamic. Else elements are gathered.
func bucketReshape(p *Printer, x Value, t tensor.Type) Value {
	if inPlace(p.only(x.Type.Shape), p.only(t.Shape)) || p.fixed(t.Shape).Product().Size == 0 {
		return p.To(t, "stablehlo.reshape", "", x)
	}
	// Dimensions at the end that are the same are rows, which are gathered as wholes.
	from, to := x.Type.Shape, t.Shape
	var row shape.Shape
	for len(from) > 0 && len(to) > 0 && from[len(from)-1].Same(to[len(to)-1]) {
		row = append(shape.Shape{to[len(to)-1]}, row...)
		from, to = from[:len(from)-1], to[:len(to)-1]
	}
	row = p.fixed(row)
	source, target := p.fixed(from), p.fixed(to)
	rows, places := source.Product(), target.Product()
	// The number of an element among those of the result, from its place there.
	it := tensor.Type{DType: dtype.I64, Shape: target}
	number := p.Number(Value{Type: it}, 0)
	for i := range to {
		stride := p.whole(p.Size(to[i+1:].Product(), Value{}, 0), it)
		number = p.Add(number, p.Mul(p.Iota(it, int64(i), Value{}), stride))
	}
	// Its place in x, from its number.
	place, step := p.Number(number, 0), int64(1)
	for i := len(from) - 1; i >= 0; i-- {
		size := p.Same("stablehlo.maximum", p.Size(from[i], Value{}, 0), p.SizeNumber(1))
		by := p.whole(size, it)
		at := p.Same("stablehlo.remainder", number, by)
		number = p.Div(number, by)
		place = p.Add(place, p.Mul(at, p.Number(at, float64(step))))
		step *= source[i].Size
	}
	table := p.To(sized(x, append(shape.Shape{rows}, row...)), "stablehlo.reshape", "", x)
	at := p.To(tensor.Type{DType: dtype.I64, Shape: shape.Shape{places, shape.N(1)}}, "stablehlo.reshape", "", place)
	y := p.rows(table, at, 1, sized(x, append(shape.Shape{places}, row...)))
	return p.To(t, "stablehlo.reshape", "", y)
}

// whole broadcasts a size, tensor<1xi64>, to a type.
func (p *Printer) whole(v Value, t tensor.Type) Value {
	return p.Broadcast(p.To(Scalar(t), "stablehlo.reshape", "", v), t, nil, Value{})
}

// inPlace reports whether a reshape leaves all elements where they are, whatever the largest
// sizes: both shapes are made of groups of as many elements, of which each has its only
// dynamic dimension first.
func inPlace(from, to shape.Shape) bool {
	if from.IsStatic() && to.IsStatic() {
		return true
	}
	for len(from) > 0 || len(to) > 0 {
		i, j, ok := group(from, to)
		if !ok || !leads(from[:i]) || !leads(to[:j]) {
			return false
		}
		from, to = from[i:], to[j:]
	}
	return true
}

// group returns how many of the first dimensions of both make as many elements: the fewest,
// with the dimensions of size 1 that follow.
func group(from, to shape.Shape) (i, j int, ok bool) {
	for n := 1; n <= len(from)+len(to); n++ {
		for i = max(0, n-len(to)); i <= min(n, len(from)); i++ {
			if j = n - i; from[:i].Product().Same(to[:j].Product()) {
				return i, j, true
			}
		}
	}
	return 0, 0, false
}

// leads reports whether no dimension but the first one, and those of size 1 before it, is
// dynamic.
func leads(s shape.Shape) bool {
	for len(s) > 0 && s[0].Size == 1 {
		s = s[1:]
	}
	return len(s) == 0 || s[1:].IsStatic()
}
