package fromhlo

import (
	"github.com/skainet-dev/skainet-go/compile/dag"
	"github.com/skainet-dev/skainet-go/tensor/shape"
)

// Texts of dynamic sizes compute shapes with tensors. What small integer tensors hold is
// followed beside the graph, as numbers and as expressions of the sizes of arguments.

// maxNumbers is the number of elements up to which a tensor is followed.
const maxNumbers = 64

// number is an element: an integer, or a size that a call gives, to which a value that only
// a call knows may be added.
type number struct {
	known bool
	n     int64
	d     shape.Dim // of a size; its Name is "" for an integer
	base  int       // the number of that value; 0 for none
}

func numberOf(n int64) number { return number{known: true, n: n} }

func numberOfDim(d shape.Dim) number {
	if d.IsStatic() {
		return numberOf(d.Size)
	}
	return number{known: d.IsKnown(), d: d}
}

// isSize reports whether the number depends on sizes alone.
func (n number) isSize() bool { return n.known && n.base == 0 }

func (n number) isInteger() bool { return n.isSize() && n.d.Name == "" }

// dim returns the number as a size.
func (n number) dim() (shape.Dim, bool) {
	if !n.isSize() || n.isInteger() && n.n < 0 {
		return shape.Dim{}, false
	}
	if n.isInteger() {
		return shape.N(n.n), true
	}
	return n.d, true
}

// known notes the elements of v.
func (im *importer) known(v *dag.Value, list []number) {
	if n, err := v.Type.Shape.Elements(); list != nil && err == nil && n == int64(len(list)) {
		im.numbers[v] = list
	}
}

// value returns a number of which nothing is known.
func (im *importer) value() number {
	im.values++
	return number{known: true, base: im.values}
}

// elements returns the elements of a small integer tensor.
func (im *importer) elements(v *dag.Value) []number {
	n, err := v.Type.Shape.Elements()
	if im.numbers[v] == nil && err == nil && n <= maxNumbers && !v.Type.DType.IsFloat() {
		list := make([]number, n)
		for i := range list {
			list[i] = im.value()
		}
		im.numbers[v] = list
	}
	return im.numbers[v]
}

// followed notes what an elementwise operation makes of elements.
func (im *importer) followed(out *dag.Value, f func(in []number) number, vs ...*dag.Value) {
	n, err := out.Type.Shape.Elements()
	if err != nil || n > maxNumbers || out.Type.DType.IsFloat() {
		return
	}
	list := make([]number, n)
	for i := range list {
		in := make([]number, len(vs))
		for j, v := range vs {
			have := im.elements(v)
			switch {
			case len(have) == int(n):
				in[j] = have[i]
			case len(have) == 1:
				in[j] = have[0]
			}
		}
		if list[i] = f(in); !list[i].isSize() && list[i].base == 0 {
			list[i] = im.value()
		}
	}
	im.numbers[out] = list
}

// arithmetic is what operations of integers make of numbers.
var arithmetic = map[string]func(in []number) number{
	"add":      func(in []number) number { return plus(in[0], in[1], 1) },
	"subtract": func(in []number) number { return plus(in[0], in[1], -1) },
	"multiply": func(in []number) number {
		a, b := in[0], in[1]
		if a.isInteger() && b.isInteger() {
			return numberOf(a.n * b.n)
		}
		x, ok1 := a.dim()
		y, ok2 := b.dim()
		if !ok1 || !ok2 {
			return number{}
		}
		return numberOfDim(x.Times(y))
	},
	"divide": func(in []number) number {
		a, b := in[0], in[1]
		switch {
		case !b.isInteger() || b.n < 1 || !a.isSize():
			return number{}
		case a.isInteger():
			return numberOf(a.n / b.n)
		case a.d.AtLeast(0):
			return numberOfDim(a.d.FloorDiv(b.n))
		}
		return number{}
	},
	"remainder": func(in []number) number {
		a, b := in[0], in[1]
		switch {
		case !b.isInteger() || b.n < 1 || !a.isSize():
			return number{}
		case a.isInteger():
			return numberOf(a.n % b.n)
		case a.d.DivisibleBy(b.n):
			return numberOf(0)
		}
		return number{}
	},
	"maximum": func(in []number) number { return extreme(in[0], in[1], true) },
	"minimum": func(in []number) number { return extreme(in[0], in[1], false) },
	"negate":  func(in []number) number { return plus(numberOf(0), in[0], -1) },
	"sign": func(in []number) number {
		a := in[0]
		switch {
		case a.isInteger() && a.n < 0:
			return numberOf(-1)
		case a.isInteger():
			return numberOf(min(a.n, 1))
		case a.isSize() && a.d.AtLeast(1):
			return numberOf(1)
		}
		return number{}
	},
	"and": func(in []number) number {
		for i, a := range in {
			if a.isInteger() && a.n == 0 {
				return a
			}
			if a.isInteger() && a.n == 1 && in[1-i].isInteger() {
				return numberOf(in[1-i].n & 1)
			}
		}
		return number{}
	},
	"select": func(in []number) number {
		switch {
		case in[0].isInteger() && in[0].n != 0:
			return in[1]
		case in[0].isInteger():
			return in[2]
		}
		return number{}
	},
}

func plus(a, b number, sign int64) number {
	if a.isInteger() && b.isInteger() {
		return numberOf(a.n + sign*b.n)
	}
	if !a.known || !b.known {
		return number{}
	}
	base := a.base
	switch {
	case b.base == 0:
	case a.base == b.base && sign < 0:
		base = 0
	case a.base == 0 && sign > 0:
		base = b.base
	default:
		return number{}
	}
	x, y := shape.N(0), shape.N(0) // what is added and what is subtracted
	for _, term := range []struct {
		number
		sign int64
	}{{a, 1}, {b, sign}} {
		d, negative := term.d, term.sign < 0
		if d.Name == "" {
			d, negative = shape.N(max(term.n, -term.n)), term.sign*term.n < 0
		}
		if negative {
			y = y.Plus(d)
		} else {
			x = x.Plus(d)
		}
	}
	if x.IsStatic() && y.IsStatic() {
		return number{known: true, n: x.Size - y.Size, base: base}
	}
	out := numberOfDim(x.Minus(y))
	out.base = base
	return out
}

func extreme(a, b number, greatest bool) number {
	if a.isInteger() && b.isInteger() {
		if greatest {
			return numberOf(max(a.n, b.n))
		}
		return numberOf(min(a.n, b.n))
	}
	x, ok1 := a.dim()
	y, ok2 := b.dim()
	switch {
	case !ok1 || !ok2:
		return number{}
	case x.AtMost(y) == greatest && (x.AtMost(y) || y.AtMost(x)):
		return b
	case y.AtMost(x) || x.AtMost(y):
		return a
	}
	return number{}
}

// compared returns what a comparison gives.
func compared(direction string) func(in []number) number {
	return func(in []number) number {
		a, b := in[0], in[1]
		truth := func(is bool) number {
			if is {
				return numberOf(1)
			}
			return numberOf(0)
		}
		if a.isInteger() && b.isInteger() {
			return truth(map[string]bool{"EQ": a.n == b.n, "NE": a.n != b.n, "LT": a.n < b.n, "LE": a.n <= b.n, "GT": a.n > b.n, "GE": a.n >= b.n}[direction])
		}
		if a.isSize() && !a.isInteger() && b.isInteger() { // a size against a number
			switch {
			case (direction == "LT" || direction == "EQ") && a.d.AtLeast(b.n+1), direction == "LT" && a.d.AtLeast(b.n), direction == "LE" && a.d.AtLeast(b.n+1):
				return numberOf(0)
			case direction == "GE" && a.d.AtLeast(b.n), (direction == "GT" || direction == "NE") && a.d.AtLeast(b.n+1):
				return numberOf(1)
			}
		}
		if a.isSize() && b.isSize() && !a.isInteger() && a.d.Same(b.d) {
			return truth(direction == "EQ" || direction == "LE" || direction == "GE")
		}
		return number{}
	}
}
