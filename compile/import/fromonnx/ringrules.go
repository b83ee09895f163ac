package fromonnx

import (
	"slices"

	"github.com/skainet-dev/skainet-go/compile/dag"
	"github.com/skainet-dev/skainet-go/compile/op"
	"github.com/skainet-dev/skainet-go/compile/op/id"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
	"github.com/skainet-dev/skainet-go/tensor/shape"
)

// ringRules are the operations whose operands' growing dimensions have rules of their own.
var ringRules = map[id.ID]func(r *ring, n *dag.Node){
	id.Reshape: func(r *ring, n *dag.Node) {
		from, to := n.Inputs[0].Type.Shape, n.Outputs[0].Type.Shape
		before, after := r.axes(n.Inputs[0]), r.axes(n.Outputs[0])
		if len(before) != len(after) {
			r.refuse(n, "the dimension becomes a part of another one")
		}
		for k := range before {
			a, b := before[k], after[k]
			if !from[a].Same(to[b]) || !from[:a].Product().Same(to[:b].Product()) {
				r.refuse(n, "the dimension becomes a part of another one")
			}
		}
		r.moved(n)
	},
	id.Transpose: (*ring).moved,
	id.Barrier:   (*ring).moved,
	id.BroadcastInDim: func(r *ring, n *dag.Node) {
		for _, a := range r.axes(n.Inputs[0]) {
			if n.Inputs[0].Type.Shape[a].Size == 1 {
				r.refuse(n, "it is repeated")
			}
		}
		r.moved(n)
	},
	id.Concatenate: func(r *ring, n *dag.Node) {
		dim := n.Attrs.Int("dim")
		along := func(v *dag.Value) bool { return slices.Contains(r.axes(v), dim) }
		if slices.ContainsFunc(n.Inputs[1:], along) {
			r.refuse(n, "only the first of what is concatenated may")
		}
		zeros := func(v *dag.Value) bool { return r.zeros[r.is[v]] }
		zero := zeros(n.Inputs[0]) && (along(n.Inputs[0]) || !slices.ContainsFunc(n.Inputs, func(v *dag.Value) bool { return !zeros(v) }))
		r.zeros[r.copied(n)] = zero && len(r.axes(n.Outputs[0])) == 1
	},
	id.Slice: func(r *ring, n *dag.Node) {
		x := n.Inputs[0].Type.Shape
		start, limit, by := n.Attrs.Dims("start"), n.Attrs.Dims("limit"), n.Attrs.Ints("strides")
		for k := range x {
			from, _ := r.part(start[k])
			to, _ := r.part(limit[k])
			grows := slices.Contains(r.axes(n.Inputs[0]), int64(k))
			switch {
			case !grows && from == 0 && to == 0:
			case grows && from == 1 && to == 1: // among the new ones, counted from the end
			case grows && from == 0 && to == 1 && start[k] == shape.N(0) && by[k] == 1:
			default:
				r.refuse(n, "of its elements, those from "+start[k].String()+" to "+limit[k].String())
			}
		}
		r.moved(n)
	},
	id.Pad: func(r *ring, n *dag.Node) {
		for _, a := range r.axes(n.Inputs[0]) {
			if n.Attrs.Ints("low")[a] != 0 {
				r.refuse(n, "it is padded at the beginning")
			}
		}
		r.copied(n)
	},
	id.Take: func(r *ring, n *dag.Node) {
		if slices.Contains(r.axes(n.Inputs[0]), 0) {
			r.refuse(n, "its elements are chosen by their places")
		}
		r.copied(n)
	},
	id.DynamicSlice:       func(r *ring, n *dag.Node) { r.whole(n, n.Outputs[0]) },
	id.DynamicUpdateSlice: func(r *ring, n *dag.Node) { r.whole(n, n.Inputs[1]) },
	id.DotGeneral: func(r *ring, n *dag.Node) {
		for side, name := range []string{"lhs_contracting", "rhs_contracting"} {
			for _, a := range n.Attrs.Ints(name) {
				if v := n.Inputs[side]; slices.Contains(r.axes(v), a) {
					r.replace(v, r.zeroed(r.is[v], a))
				}
			}
		}
		r.copied(n)
	},
	id.ReduceSum:  reducedTo(func(dtype.DType) float64 { return 0 }),
	id.ReduceProd: reducedTo(func(dtype.DType) float64 { return 1 }),
	id.ReduceMax:  reducedTo(least),
	id.Softmax: func(r *ring, n *dag.Node) {
		x, a := n.Inputs[0], n.Attrs.Int("dim")
		along := slices.Contains(r.axes(x), a)
		if along {
			r.replace(x, r.masked(r.is[x], a, least(x.Type.DType)))
		}
		r.zeros[r.copied(n)] = along && len(r.axes(x)) == 1
	},
	id.Iota: func(r *ring, n *dag.Node) {
		v := r.copied(n)
		if d := n.Outputs[0].Type.Shape[n.Attrs.Int("dim")]; slices.Contains(d.Names(), r.past) {
			r.is[n.Outputs[0]] = r.counted(v, 1)
		}
	},
	id.DimSize: func(r *ring, n *dag.Node) {
		v := r.copied(n)
		if times, _ := r.part(n.Inputs[0].Type.Shape[n.Attrs.Int("dim")]); times > 0 {
			r.is[n.Outputs[0]] = r.counted(v, times)
		}
	},
}

// whole copies a node with a window whose place in its first operand a call decides, if it has
// all of each dimension that grows: it then begins at 0 there.
func (r *ring) whole(n *dag.Node, window *dag.Value) {
	for _, a := range r.axes(n.Inputs[0]) {
		if !window.Type.Shape[a].Same(n.Inputs[0].Type.Shape[a]) {
			r.refuse(n, "a part of it is at a place that a call decides")
		}
	}
	for _, a := range r.axes(window) {
		if !slices.Contains(r.axes(n.Inputs[0]), a) {
			r.refuse(n, "it is a part of what does not grow")
		}
	}
	r.copied(n)
}

// reducedTo is a reduction in which a number changes nothing.
func reducedTo(number func(d dtype.DType) float64) func(r *ring, n *dag.Node) {
	return func(r *ring, n *dag.Node) {
		x := n.Inputs[0]
		for _, a := range n.Attrs.Ints("dims") {
			if !slices.Contains(r.axes(x), a) {
				continue
			}
			if n := number(x.Type.DType); n != 0 || !r.zeros[r.is[x]] {
				r.replace(x, r.masked(r.is[x], a, n))
			}
		}
		r.copied(n)
	}
}

// node adds a node of the model to the new function.
func (r *ring) node(n *dag.Node) {
	for _, v := range slices.Concat(n.Inputs, n.Outputs) {
		r.checked(n, v)
	}
	if rule := ringRules[n.Op.ID]; rule != nil {
		rule(r, n)
		return
	}
	grows := slices.ContainsFunc(slices.Concat(n.Inputs, n.Outputs), r.grows)
	switch {
	case len(n.Blocks) > 0:
		r.blocks(n)
	case !grows, n.Op.Family == op.Elementwise, n.Op.Role == op.Uniform:
		v := r.copied(n)
		if n.Op.Role == op.Converts && n.Op.ID != id.Bitcast {
			r.zeros[v] = r.zeros[r.is[n.Inputs[0]]]
		}
	case r.byRows(n):
		r.copied(n)
	default:
		r.refuse(n, "its elements are not computed one by one")
	}
}

// checked refuses a value in which a dimension grows otherwise than with the steps.
func (r *ring) checked(n *dag.Node, v *dag.Value) {
	for _, a := range r.axes(v) {
		d := v.Type.Shape[a]
		times, ok := r.part(d)
		if rest := d.Minus(shape.Named(r.past)); !ok || times != 1 || rest.Size < 0 && !rest.AtLeast(0) {
			r.refuseAs(n, v, "the dimension "+d.String()+" is not a number more than "+r.past)
		}
	}
}

// byRows reports whether a node reduces dimensions of its first operand, none of which grows, and no
// other operand grows.
func (r *ring) byRows(n *dag.Node) bool {
	if len(n.Inputs) == 0 || n.Op.Reduces != op.Dims && n.Op.Reduces != op.Dim && n.Op.Reduces != op.Last || n.Op.Family == op.Indexing || slices.ContainsFunc(n.Inputs[1:], r.grows) {
		return false
	}
	reduces := n.Op.ReducedDims(n.Attrs, len(n.Inputs[0].Type.Shape))
	return !slices.ContainsFunc(r.axes(n.Inputs[0]), func(a int64) bool { return slices.Contains(reduces, a) })
}

// blocks copies a node with blocks, in which nothing grows.
func (r *ring) blocks(n *dag.Node) {
	inner := map[*dag.Value]bool{}
	n.Reads(func(v *dag.Value) {
		if r.grows(v) {
			r.refuseAs(n, v, "it is in a branch or a loop")
		}
		inner[v] = true
	})
	for _, v := range n.Outputs {
		if r.grows(v) {
			r.refuseAs(n, v, "it is in a branch or a loop")
		}
	}
	made := map[*dag.Value]*dag.Value{}
	for v := range inner {
		if to := r.is[v]; to != nil {
			made[v] = to
		}
	}
	to := copyOf(n, made)
	to.Origin = n.Origin
	for i, o := range n.Outputs {
		r.is[o] = to.Outputs[i]
	}
	r.to.Body.Nodes = append(r.to.Body.Nodes, to)
}

// copied adds the node itself, and returns its first result.
func (r *ring) copied(n *dag.Node) *dag.Value {
	in := make([]*dag.Value, len(n.Inputs))
	for i, v := range n.Inputs {
		in[i] = r.is[v]
	}
	made, err := r.to.Body.AddAt(n.Origin, n.Op.Name, r.attrs(n), in...)
	if err != nil {
		panic(refusal{err})
	}
	for i, o := range n.Outputs {
		r.is[o] = made.Outputs[i]
	}
	return made.Outputs[0]
}

// moved copies a node that moves elements.
func (r *ring) moved(n *dag.Node) {
	zeros := r.zeros[r.is[n.Inputs[0]]] && len(r.axes(n.Inputs[0])) == len(r.axes(n.Outputs[0]))
	v := r.copied(n)
	r.zeros[v] = zeros
}

// replace puts another value in the place of one of the model's: they differ in what means
// nothing.
func (r *ring) replace(v, by *dag.Value) {
	if by != r.is[v] {
		r.zeros[by] = r.zeros[by] || len(r.axes(v)) == 1 && by.Node.Op.ID == id.Select && isZero(by.Node.Inputs[2])
		r.is[v] = by
	}
}

// isZero reports whether all elements are zero.
func isZero(v *dag.Value) bool {
	return v.Node != nil && v.Node.Op.Role == op.Uniform && v.Node.Attrs.Float("value") == 0
}

// counted adds times n - C to integers or floats, so that they are the model's.
func (r *ring) counted(v *dag.Value, times int64) *dag.Value {
	by := r.binary("subtract", r.steps, r.number(dtype.I32, float64(r.kept)))
	if times != 1 {
		by = r.binary("multiply", by, r.number(dtype.I32, float64(times)))
	}
	if d := v.Type.DType; d != dtype.I32 {
		by = r.add("convert", op.Attrs{"dtype": d}, by)
	}
	return r.binary("add", v, r.spread(by, &dag.Value{Type: tensor.Type{DType: v.Type.DType, Shape: v.Type.Shape}}))
}
