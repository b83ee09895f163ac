package fromonnx

import (
	"slices"

	"github.com/skainet-dev/skainet-go/compile/dag"
	"github.com/skainet-dev/skainet-go/compile/op"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
	"github.com/skainet-dev/skainet-go/tensor/shape"
)

var shapeRules = map[string]rule{
	"Reshape": func(n *node) []*dag.Value {
		to, _ := n.numbers("shape", 1)
		return one(n.reshapeTo(n.in(0), n.reshaped(dims(n.in(0)), to, n.int("allowzero", 0) == 0)...))
	},
	"Flatten": func(n *node) []*dag.Value {
		x := n.in(0)
		a := n.int("axis", 1)
		if a != int64(rank(x)) {
			a = n.axis(a, rank(x))
		}
		return one(n.reshapeTo(x, dims(x)[:a].Product(), dims(x)[a:].Product()))
	},
	"Squeeze": func(n *node) []*dag.Value {
		x := n.in(0)
		axes, given := n.ints("axes", 1)
		drop := map[int64]bool{}
		for _, a := range axes {
			drop[n.axis(a, rank(x))] = true
		}
		to := shape.Shape{}
		for i, s := range dims(x) {
			if given && !drop[int64(i)] || !given && s.Size != 1 {
				to = append(to, s)
			}
		}
		return one(n.reshapeTo(x, to...))
	},
	"Unsqueeze": func(n *node) []*dag.Value {
		x := n.in(0)
		axes, _ := n.ints("axes", 1)
		made := map[int64]bool{}
		for _, a := range axes {
			made[n.axis(a, rank(x)+len(axes))] = true
		}
		if len(made) != len(axes) {
			n.malformed("%v as the axes of Unsqueeze: one of them is there twice", axes)
		}
		to, old := shape.Shape{}, dims(x)
		for i := range rank(x) + len(axes) {
			if made[int64(i)] {
				to = append(to, shape.N(1))
			} else {
				to, old = append(to, old[0]), old[1:]
			}
		}
		return one(n.reshapeTo(x, to...))
	},
	"Transpose": func(n *node) []*dag.Value {
		x := n.in(0)
		perm, ok := n.ints("perm", -1)
		if !ok {
			perm = all(x)
			slices.Reverse(perm)
		}
		return one(n.transpose(x, perm...))
	},
	"Concat": func(n *node) []*dag.Value {
		return one(n.add("concatenate", op.Attrs{"dim": n.axis(n.int("axis", 0), rank(n.in(0)))}, n.all()...))
	},
	"Expand": func(n *node) []*dag.Value {
		to, _ := n.extents("shape", 1)
		return one(n.spreadTo(n.in(0), broadcast(dims(n.in(0)), to)))
	},
	"Tile": func(n *node) []*dag.Value {
		x := n.in(0)
		times, _ := n.extents("repeats", 1)
		if len(times) != rank(x) {
			n.malformed("%d numbers in the input 1, repeats, of Tile: it takes %d, one for each dimension", len(times), rank(x))
		}
		wide, places, to := shape.Shape{}, []int64{}, shape.Shape{}
		for i, s := range dims(x) {
			wide = append(wide, times[i], s)
			places = append(places, int64(2*i+1))
			to = append(to, times[i].Times(s))
		}
		return one(n.reshapeTo(n.add("broadcast_in_dim", op.Attrs{"sizes": wide, "dims": places}, x), to...))
	},
	"Shape": func(n *node) []*dag.Value {
		x := n.in(0)
		bound := func(name string, usual int64) int64 {
			b := n.int(name, usual)
			if b < 0 {
				b += int64(rank(x))
			}
			return min(max(b, 0), int64(rank(x)))
		}
		first, last := bound("start", 0), bound("end", int64(rank(x)))
		return one(n.shapeOf(x, min(first, last), last))
	},
	"Size": func(n *node) []*dag.Value { return one(n.countAlong(dtype.I64, n.in(0), all(n.in(0))...)) },
	"Constant": func(n *node) []*dag.Value {
		if t := n.Attributes["value"].Tensor; t != nil {
			return one(n.tensor(t))
		}
		if _, ok := n.Attributes["value_int"]; ok {
			return one(n.reshape(n.list([]int64{n.int("value_int", 0)})))
		}
		if list, ok := n.ints("value_ints", -1); ok {
			return one(n.list(list))
		}
		if _, ok := n.Attributes["value_float"]; ok {
			return one(n.splatOf(dtype.F32, n.float("value_float", 0)))
		}
		if a, ok := n.Attributes["value_floats"]; ok {
			v, err := tensor.Of(a.Floats, int64(len(a.Floats)))
			if err != nil {
				panic(refusal{err})
			}
			return one(n.constant(v))
		}
		n.refuse("strings and sparse tensors")
		return nil
	},
	"ConstantOfShape": func(n *node) []*dag.Value {
		to, _ := n.extents("shape", 0)
		v := n.splatOf(dtype.F32, 0)
		if t := n.Attributes["value"].Tensor; t != nil {
			x, err := t.Value()
			if err != nil {
				n.refuse("element types that no program computes in")
			}
			v = n.reshape(n.constant(x))
		}
		return one(n.spreadTo(v, to))
	},
	"EyeLike": func(n *node) []*dag.Value {
		x := n.in(0)
		d := x.Type.DType
		if to := n.int("dtype", 0); to != 0 {
			d = n.dtypeOf(to)
		}
		hit := n.compare("EQ", n.plus(n.iotaTo(dtype.I64, 0, dims(x)...), float64(n.int("k", 0))), n.iotaTo(dtype.I64, 1, dims(x)...))
		return one(n.convert(hit, d))
	},
	"Trilu": func(n *node) []*dag.Value {
		k := int64(0)
		if n.has(1) {
			k = n.whole(1)
		}
		name := "triu"
		if n.int("upper", 1) == 0 {
			name = "tril"
		}
		return one(n.add(name, op.Attrs{"k": k}, n.in(0)))
	},
	"DepthToSpace": func(n *node) []*dag.Value {
		x, b := n.in(0), n.int("blocksize", 1)
		s, c, side := dims(x), shape.N(extent(x, 1)/max(b*b, 1)), shape.N(b)
		if n.str("mode", "DCR") == "DCR" {
			x = n.transpose(n.reshapeTo(x, s[0], side, side, c, s[2], s[3]), 0, 3, 4, 1, 5, 2)
		} else {
			x = n.transpose(n.reshapeTo(x, s[0], c, side, side, s[2], s[3]), 0, 1, 4, 2, 5, 3)
		}
		return one(n.reshapeTo(x, s[0], c, s[2].Times(side), s[3].Times(side)))
	},
	"SpaceToDepth": func(n *node) []*dag.Value {
		x, b := n.in(0), n.int("blocksize", 1)
		s, side := dims(x), shape.N(b)
		high, wide := s[2].FloorDiv(b), s[3].FloorDiv(b)
		x = n.reshapeTo(x, s[0], s[1], high, side, wide, side)
		if n.str("mode", "DCR") == "DCR" {
			x = n.transpose(x, 0, 3, 5, 1, 2, 4)
		} else {
			x = n.transpose(x, 0, 1, 3, 5, 2, 4)
		}
		return one(n.reshapeTo(x, s[0], s[1].Times(side).Times(side), high, wide))
	},
}

// reshaped returns the sizes that Reshape gives to a tensor of these sizes: 0 stands for
// the size at its place, and -1 for what the others leave.
func (n *node) reshaped(have shape.Shape, to []number, copies bool) shape.Shape {
	out, rest := make(shape.Shape, len(to)), -1
	for i, x := range to {
		c, number := x.constant()
		switch {
		case number && c == 0 && copies:
			if i >= len(have) {
				n.refuse("the size of dimension %d of a tensor [%s]", i, have)
			}
			out[i] = have[i]
		case number && c == -1 && rest < 0:
			rest = i
		default:
			d, ok := x.size()
			if !ok {
				n.refuse("a size of %s", x)
			}
			out[i] = d
		}
	}
	if rest < 0 {
		return out
	}
	// What both have is left out first: batch*seq over batch is seq.
	left, others := slices.Clone(have), slices.Delete(slices.Clone(out), rest, rest+1)
	others = slices.DeleteFunc(others, func(d shape.Dim) bool {
		at := slices.IndexFunc(left, func(l shape.Dim) bool { return l.Same(d) && d.Size != 0 })
		if at >= 0 {
			left = slices.Delete(left, at, at+1)
		}
		return at >= 0
	})
	of, by := left.Product(), others.Product()
	switch {
	case of.IsStatic() && by.IsStatic() && by.Size >= 0 && of.Size >= 0:
		out[rest] = shape.N(of.Size / max(by.Size, 1))
	default:
		if out[rest] = of.Over(by); !out[rest].IsKnown() {
			n.undecided(append(left, others...), "the size -1 of a tensor [%s] is %s over %s, which is no whole number in every call", have, of, by)
		}
	}
	return out
}

// undecided refuses what follows from the sizes in one call, and not in every call.
func (n *node) undecided(sizes shape.Shape, what string, args ...any) {
	err := unmapped(what, args...)
	for _, d := range sizes {
		do := err.Do
		if err = n.fixing(err, d); do != "" {
			err.Do = do // the first size is that of the hint
		}
	}
	panic(refusal{err})
}

// shapeOf returns sizes of x as a list.
func (e *env) shapeOf(x *dag.Value, first, last int64) *dag.Value {
	s := dims(x)[first:last]
	if s.IsStatic() {
		return e.list(s.Sizes())
	}
	var parts []*dag.Value
	for i := first; i < last; i++ {
		parts = append(parts, e.reshape(e.sizeValue(dtype.I64, x, i), 1))
	}
	return e.add("concatenate", op.Attrs{"dim": int64(0)}, parts...)
}

// countAlong returns the product of sizes of x as a scalar of d.
func (e *env) countAlong(d dtype.DType, x *dag.Value, along ...int64) *dag.Value {
	fixed := int64(1)
	var v *dag.Value
	for _, i := range along {
		switch s := dims(x)[i]; {
		case s.IsStatic():
			fixed *= s.Size
		case v == nil:
			v = e.sizeValue(d, x, i)
		default:
			v = e.add("multiply", nil, v, e.sizeValue(d, x, i))
		}
	}
	if v == nil {
		return e.splatOf(d, float64(fixed))
	}
	return e.scale(v, float64(fixed))
}

func product(list []int64) int64 {
	p := int64(1)
	for _, x := range list {
		p *= x
	}
	return p
}

// list returns a constant of integers.
func (e *env) list(of []int64) *dag.Value {
	v, err := tensor.Of(of, int64(len(of)))
	if err != nil {
		panic(refusal{err})
	}
	return e.constant(v)
}
