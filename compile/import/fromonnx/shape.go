package fromonnx

import (
	"slices"

	"github.com/skainet-dev/skainet-go/compile/dag"
	"github.com/skainet-dev/skainet-go/compile/op"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
)

var shapeRules = map[string]rule{
	"Reshape": func(n *node) []*dag.Value {
		x := n.in(0)
		to, _ := n.ints("shape", 1)
		to = slices.Clone(to)
		rest, unknown := int64(1), -1
		for i, s := range to {
			if s == 0 && n.int("allowzero", 0) == 0 {
				to[i] = sizes(x)[i]
			}
			if s == -1 {
				unknown = i
				continue
			}
			rest *= to[i]
		}
		if unknown >= 0 {
			to[unknown] = int64(elements(x)) / max(rest, 1)
		}
		return one(n.reshape(x, to...))
	},
	"Flatten": func(n *node) []*dag.Value {
		x := n.in(0)
		a := n.int("axis", 1)
		if a < 0 {
			a += int64(rank(x))
		}
		return one(n.reshape(x, product(sizes(x)[:a]), product(sizes(x)[a:])))
	},
	"Squeeze": func(n *node) []*dag.Value {
		x := n.in(0)
		axes, given := n.ints("axes", 1)
		drop := map[int64]bool{}
		for _, a := range axes {
			drop[n.axis(a, rank(x))] = true
		}
		to := []int64{}
		for i, s := range sizes(x) {
			if given && !drop[int64(i)] || !given && s != 1 {
				to = append(to, s)
			}
		}
		return one(n.reshape(x, to...))
	},
	"Unsqueeze": func(n *node) []*dag.Value {
		x := n.in(0)
		axes, _ := n.ints("axes", 1)
		made := map[int64]bool{}
		for _, a := range axes {
			made[n.axis(a, rank(x)+len(axes))] = true
		}
		to, old := []int64{}, sizes(x)
		for i := range rank(x) + len(axes) {
			if made[int64(i)] {
				to = append(to, 1)
			} else {
				to, old = append(to, old[0]), old[1:]
			}
		}
		return one(n.reshape(x, to...))
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
		to, _ := n.ints("shape", 1)
		return one(n.together(n.in(0), n.splatOf(n.in(0).Type.DType, 0, to...))[0])
	},
	"Tile": func(n *node) []*dag.Value {
		x := n.in(0)
		times, _ := n.ints("repeats", 1)
		wide, dims, to := []int64{}, []int64{}, []int64{}
		for i, s := range sizes(x) {
			wide = append(wide, times[i], s)
			dims = append(dims, int64(2*i+1))
			to = append(to, times[i]*s)
		}
		return one(n.reshape(n.add("broadcast_in_dim", op.Attrs{"sizes": wide, "dims": dims}, x), to...))
	},
	"Shape": func(n *node) []*dag.Value {
		s := sizes(n.in(0))
		bound := func(name string, usual int64) int64 {
			b := n.int(name, usual)
			if b < 0 {
				b += int64(len(s))
			}
			return min(max(b, 0), int64(len(s)))
		}
		first, last := bound("start", 0), bound("end", int64(len(s)))
		return one(n.list(s[min(first, last):last]))
	},
	"Size": func(n *node) []*dag.Value { return one(n.reshape(n.list([]int64{int64(elements(n.in(0)))}))) },
	"Constant": func(n *node) []*dag.Value {
		if t := n.Attributes["value"].Tensor; t != nil {
			v, err := t.Value()
			if err != nil {
				n.refuse("element types that no program computes in")
			}
			return one(n.constant(v))
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
		to, _ := n.ints("shape", 0)
		v := n.splatOf(dtype.F32, 0)
		if t := n.Attributes["value"].Tensor; t != nil {
			x, err := t.Value()
			if err != nil {
				n.refuse("element types that no program computes in")
			}
			v = n.reshape(n.constant(x))
		}
		return one(n.spread(v, to))
	},
	"EyeLike": func(n *node) []*dag.Value {
		x := n.in(0)
		d := x.Type.DType
		if to := n.int("dtype", 0); to != 0 {
			d = n.dtypeOf(to)
		}
		hit := n.compare("EQ", n.plus(n.iota(dtype.I64, 0, sizes(x)...), float64(n.int("k", 0))), n.iota(dtype.I64, 1, sizes(x)...))
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
		s := sizes(x)
		if n.str("mode", "DCR") == "DCR" {
			x = n.transpose(n.reshape(x, s[0], b, b, s[1]/(b*b), s[2], s[3]), 0, 3, 4, 1, 5, 2)
		} else {
			x = n.transpose(n.reshape(x, s[0], s[1]/(b*b), b, b, s[2], s[3]), 0, 1, 4, 2, 5, 3)
		}
		return one(n.reshape(x, s[0], s[1]/(b*b), s[2]*b, s[3]*b))
	},
	"SpaceToDepth": func(n *node) []*dag.Value {
		x, b := n.in(0), n.int("blocksize", 1)
		s := sizes(x)
		x = n.transpose(n.reshape(x, s[0], s[1], s[2]/b, b, s[3]/b, b), 0, 3, 5, 1, 2, 4)
		return one(n.reshape(x, s[0], s[1]*b*b, s[2]/b, s[3]/b))
	},
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
