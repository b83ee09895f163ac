package fromonnx

import (
	"slices"

	"github.com/skainet-dev/skainet-go/compile/dag"
	"github.com/skainet-dev/skainet-go/compile/op"
	"github.com/skainet-dev/skainet-go/io/onnx"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
	"github.com/skainet-dev/skainet-go/tensor/shape"
)

func (n *node) dtypeOf(number int64) dtype.DType {
	d := onnx.DType(number)
	if d == dtype.Invalid {
		n.refuse("element types that no program computes in")
	}
	return d
}

// window slices [start, limit) by step along one dimension.
func (e *env) window(x *dag.Value, dim, start, limit, step int64) *dag.Value {
	return e.windowTo(x, dim, shape.N(start), shape.N(max(limit, start)), step)
}

// windowTo is window between sizes that may have names.
func (e *env) windowTo(x *dag.Value, dim int64, start, limit shape.Dim, step int64) *dag.Value {
	first, last, steps := make(shape.Shape, rank(x)), slices.Clone(dims(x)), make([]int64, rank(x))
	for i := range steps {
		steps[i] = 1
	}
	first[dim], last[dim], steps[dim] = start, limit, step
	return e.add("slice", op.Attrs{"start": first, "limit": last, "strides": steps}, x)
}

// reverse reverses x along one dimension.
func (e *env) reverse(x *dag.Value, dim int64) *dag.Value {
	return e.add("reverse", op.Attrs{"dims": []int64{dim}}, x)
}

// along takes elements of one dimension at constant indices.
func (e *env) along(x *dag.Value, dim int64, at func(size int64) []int64) *dag.Value {
	return e.takeAlong(x, e.list(at(extent(x, dim))), dim)
}

// takeAlong gathers along one dimension: its place in the result has the
// dimensions of the indices.
func (e *env) takeAlong(x, indices *dag.Value, dim int64) *dag.Value {
	front := []int64{dim}
	for i := range int64(rank(x)) {
		if i != dim {
			front = append(front, i)
		}
	}
	y := e.add("take", nil, e.transpose(x, front...), indices) // [I..., rest...]
	r := int64(rank(indices))
	back := []int64{}
	for i := range dim {
		back = append(back, r+i)
	}
	for i := range r {
		back = append(back, i)
	}
	for i := r + dim; i < int64(rank(y)); i++ {
		back = append(back, i)
	}
	return e.transpose(y, back...)
}

var sliceRules = map[string]rule{
	"Slice": func(n *node) []*dag.Value {
		x := n.in(0)
		starts, _ := n.numbers("starts", 1)
		ends, _ := n.numbers("ends", 2)
		axes, given := n.ints("axes", 3)
		if !given {
			axes = all(x)[:min(len(starts), rank(x))]
		}
		steps, stepped := n.ints("steps", 4)
		if len(starts) != len(axes) || len(ends) != len(axes) || stepped && len(steps) != len(axes) {
			n.malformed("Slice of %d axes with %d starts, %d ends and %d steps", len(axes), len(starts), len(ends), len(steps))
		}
		for i, a := range axes {
			step := int64(1)
			if stepped {
				step = steps[i]
			}
			if step == 0 {
				n.refuse("a slice by steps of 0")
			}
			x = n.sliced(x, n.axis(a, rank(x)), starts[i], ends[i], step)
		}
		return one(x)
	},
	"Split": func(n *node) []*dag.Value {
		x := n.in(0)
		a := n.axis(n.int("axis", 0), rank(x))
		parts, given := n.extents("split", 1)
		size := dims(x)[a]
		if !given {
			count := n.int("num_outputs", int64(len(n.Outputs)))
			if count < 1 || count > most {
				n.refuse("a split into %d parts", count)
			}
			each, left := size.Plus(shape.N(count-1)).FloorDiv(count), size
			for range count - 1 {
				if left.IsStatic() && left.Size < each.Size {
					each = left
				}
				parts, left = append(parts, each), left.Minus(each)
			}
			parts = append(parts, left)
		}
		var out []*dag.Value
		at := shape.N(0)
		for _, p := range parts {
			end := at.Plus(p)
			out = append(out, n.windowTo(x, a, at, end, 1))
			at = end
		}
		return out
	},
	"Pad": func(n *node) []*dag.Value {
		x := n.in(0)
		pads, _ := n.numbers("pads", 1)
		if len(pads) == 0 {
			pads, _ = n.numbers("paddings", -1) // its name in version 1
		}
		axes := all(x)
		if n.has(3) {
			axes, _ = n.ints("axes", 3)
		}
		if len(pads) != 2*len(axes) {
			n.refuse("%d amounts for %d dimensions", len(pads), len(axes))
		}
		mode := n.str("mode", "constant")
		low, high := slices.Repeat([]number{integer(0)}, rank(x)), slices.Repeat([]number{integer(0)}, rank(x))
		for i, a := range axes {
			a = n.axis(a, rank(x))
			low[a], high[a] = pads[i], pads[i+len(axes)]
		}
		value := n.splatOf(x.Type.DType, n.float("value", 0))
		if n.has(2) {
			value = n.reshape(n.in(2))
		}
		for a := range low {
			x = n.padded(x, int64(a), low[a], high[a], mode, value)
		}
		return one(x)
	},
}

// padded adds amounts before and after the elements of a dimension, or cuts off negative
// ones.
func (n *node) padded(x *dag.Value, a int64, low, high number, mode string, value *dag.Value) *dag.Value {
	before, isLow := low.constant()
	after, isHigh := high.constant()
	switch {
	case isLow && isHigh && before == 0 && after == 0:
		return x
	case mode != "constant":
		if !isLow || !isHigh {
			n.undecided(shape.Shape{low.d, high.d}, "padding by %s and %s of its own elements", low, high)
		}
		n.bounded(before)
		n.bounded(after)
		if !dims(x)[a].IsStatic() || mode == "edge" || before < 0 || after < 0 { // without a list of places
			return n.mirrored(x, a, before, after, mode)
		}
		if extent(x, a) == 0 {
			n.refuse("padding of no elements by their own")
		}
		return n.along(x, a, func(size int64) []int64 { return outside(mode, before, size, after) })
	case isLow && isHigh:
		if before < 0 || after < 0 {
			x = n.windowTo(x, a, shape.N(max(-before, 0)), dims(x)[a].Minus(shape.N(max(-after, 0))), 1)
		}
		lows, highs := make([]int64, rank(x)), make([]int64, rank(x))
		lows[a], highs[a] = max(before, 0), max(after, 0)
		return n.add("pad", op.Attrs{"low": lows, "high": highs}, x, value)
	}
	// An amount that has a name is so many elements, concatenated.
	parts := []*dag.Value{x}
	for i, amount := range []number{low, high} {
		d, ok := amount.size()
		if !ok || !amount.atLeast(0) {
			n.undecided(shape.Shape{amount.d}, "padding by %s, which is negative in some calls", amount)
		}
		to := slices.Clone(dims(x))
		to[a] = d
		edge := n.spreadTo(value, to)
		if i == 0 {
			parts = slices.Insert(parts, 0, edge)
		} else {
			parts = append(parts, edge)
		}
	}
	return n.add("concatenate", op.Attrs{"dim": a}, parts...)
}

// mirrored pads a dimension whose size has a name by its own elements; negative amounts cut
// it.
func (n *node) mirrored(x *dag.Value, a, before, after int64, mode string) *dag.Value {
	size := dims(x)[a]
	if cut := size.Minus(shape.N(max(-after, 0))); before < 0 || after < 0 {
		if !cut.AtLeast(max(-before, 0) + 1) {
			n.undecided(shape.Shape{size}, "a cut of %d and %d elements from %s", -before, -after, size)
		}
		x = n.windowTo(x, a, shape.N(max(-before, 0)), cut, 1)
		size = dims(x)[a]
	}
	before, after = max(before, 0), max(after, 0)
	most := max(before, after)
	if mode == "reflect" {
		most++
	}
	if mode != "edge" && !size.AtLeast(most) {
		n.undecided(shape.Shape{size}, "padding of %s elements by %d and %d of their own", size, before, after)
	}
	parts := []*dag.Value{x}
	for i, amount := range []int64{before, after} {
		if amount == 0 {
			continue
		}
		var part *dag.Value
		switch last := size.Minus(shape.N(1)); {
		case mode == "reflect" && i == 0:
			part = n.reverse(n.window(x, a, 1, amount+1, 1), a)
		case mode == "reflect":
			part = n.reverse(n.windowTo(x, a, last.Minus(shape.N(amount)), last, 1), a)
		case mode == "wrap" && i == 0:
			part = n.windowTo(x, a, size.Minus(shape.N(amount)), size, 1)
		case mode == "wrap":
			part = n.window(x, a, 0, amount, 1)
		default:
			part = n.window(x, a, 0, 1, 1)
			if i == 1 {
				part = n.windowTo(x, a, last, size, 1)
			}
			to := slices.Clone(dims(x))
			to[a] = shape.N(amount)
			part = n.spreadTo(part, to)
		}
		if i == 0 {
			parts = slices.Insert(parts, 0, part)
		} else {
			parts = append(parts, part)
		}
	}
	if len(parts) == 1 {
		return x
	}
	return n.add("concatenate", op.Attrs{"dim": a}, parts...)
}

// outside returns the indices of a dimension that is padded by its own elements.
func outside(mode string, low, size, high int64) []int64 {
	list := []int64{}
	for i := -low; i < size+high; i++ {
		var at int64
		switch {
		case mode == "wrap":
			at = (i%size + size) % size
		case mode == "reflect" && size > 1:
			period := 2 * (size - 1)
			at = (i%period + period) % period
			at = min(at, period-at)
		default:
			at = min(max(i, 0), size-1)
		}
		list = append(list, at)
	}
	return list
}

var indexRules = map[string]rule{
	"Gather": func(n *node) []*dag.Value {
		x := n.in(0)
		a := n.axis(n.int("axis", 0), rank(x))
		if y := n.compactedAlong(x, n.in(1), a); y != nil {
			return one(y)
		}
		return one(n.takeAlong(x, n.counted(n.in(1), x, a), a))
	},
	"GatherElements": func(n *node) []*dag.Value {
		x := n.in(0)
		a := n.axis(n.int("axis", 0), rank(x))
		at := n.counted(n.in(1), x, a)
		// One row of all elements, and the index of each in it.
		place := n.splat(at, 0)
		var step *dag.Value
		for d := int64(rank(x)) - 1; d >= 0; d-- {
			index := at
			if d != a {
				index = n.iotaTo(dtype.I64, d, dims(at)...)
			}
			if size := n.sizeValue(dtype.I64, x, d); step == nil {
				place, step = n.binary("add", place, index), size
			} else {
				place, step = n.binary("add", place, n.binary("multiply", index, step)), n.add("multiply", nil, step, size)
			}
		}
		return one(n.add("take", nil, n.reshapeTo(x, dims(x).Product()), place))
	},
	"OneHot": func(n *node) []*dag.Value {
		at, values := n.in(0), n.in(2)
		if extentOf(values, 0) != 2 {
			n.malformed("OneHot with the values [%s]: it takes two, off and on", dims(values))
		}
		depth := n.depth()
		a := n.axis(n.int("axis", -1), rank(at)+1)
		wide := slices.Insert(slices.Clone(dims(at)), int(a), shape.N(1))
		to := slices.Insert(slices.Clone(dims(at)), int(a), depth)
		at = n.convert(at, dtype.I64)
		count := n.iotaTo(dtype.I64, a, to...)
		at = n.reshapeTo(n.choose(n.compare("LT", at, n.splat(at, 0)), n.binary("add", at, n.sizeValue(dtype.I64, count, a)), at), wide...)
		off, on := n.reshape(n.window(values, 0, 0, 1, 1)), n.reshape(n.window(values, 0, 1, 2, 1))
		return one(n.choose(n.compare("EQ", count, at), on, off))
	},
	"Range": func(n *node) []*dag.Value {
		d := n.in(0).Type.DType
		wide := d
		if d.IsFloat() && d.Bits() < 32 && n.int("stash_type", 1) == 1 { // halves have no 2049
			wide = dtype.F32
		}
		first, step := n.convert(n.reshape(n.in(0)), wide), n.convert(n.reshape(n.in(2)), wide)
		at := n.iotaTo(wide, 0, n.count())
		return one(n.convert(n.binary("add", n.binary("multiply", at, step), first), d))
	},
	"CumSum":  cumulative("cumsum"),
	"CumProd": cumulative("cumprod"),
}

// cumulative combines each element with those before it.
func cumulative(name string) rule {
	return func(n *node) []*dag.Value {
		x := n.in(0)
		return one(n.add(name, op.Attrs{
			"dim": n.axis(n.whole(1), rank(x)), "exclusive": n.int("exclusive", 0) == 1, "reverse": n.int("reverse", 0) == 1,
		}, x))
	}
}
