package argtext

import (
	"slices"

	"github.com/skainet-dev/skainet-go/tensor/shape"
)

// sized returns the shape of an argument that is given as n elements: its open sizes are those
// of other arguments, and one that no other argument tells follows from n.
func sized(s shape.Shape, sizes map[string]int64, n int64) (shape.Shape, bool) {
	bound, open := slices.Clone(s), -1
	for i, d := range s {
		if b, err := d.Bind(sizes); err == nil && b.IsStatic() {
			bound[i] = b
			continue
		}
		if open >= 0 {
			return nil, false
		}
		open, bound[i] = i, shape.N(1)
	}
	rest, err := bound.Elements()
	if err != nil {
		return nil, false
	}
	if open >= 0 && rest > 0 && n >= rest && n%rest == 0 {
		bound[open] = shape.N(n / rest)
		rest = n
	} else if open >= 0 {
		return nil, false
	}
	return bound, rest == n
}

// tell adds the sizes of an argument to those that are known.
func tell(sizes map[string]int64, declared, given shape.Shape) {
	for i, d := range declared {
		if name, times, plus, ok := d.Tells(); ok && !d.IsStatic() && i < len(given) && times != 0 {
			if _, known := sizes[name]; !known {
				sizes[name] = (given[i].Size - plus) / times
			}
		}
	}
}
