package passes

import (
	"slices"

	"github.com/skainet-dev/skainet-go/compile/contract"
	"github.com/skainet-dev/skainet-go/compile/dag"
	"github.com/skainet-dev/skainet-go/compile/dag/analysis"
	"github.com/skainet-dev/skainet-go/compile/op"
	"github.com/skainet-dev/skainet-go/compile/op/id"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
	"github.com/skainet-dev/skainet-go/tensor/shape"
)

// Int8Least is the minimum number of elements of a weight that an export converts
// to int8: smaller ones save nothing.
const Int8Least = 1 << 12

// Int8 returns the pass that stores large weights as 8-bit integers with an f32
// scale for each output channel, the first dimension: weight-only quantisation,
// symmetric (LLM.int8's "absmax", Dettmers et al. 2022, row by row). A weight is a
// float parameter with at least least elements and rank 2 or more, whose uses
// are all of two kinds, possibly through a conversion to f32:
//
//   - a dot_general in f32 that contracts all of its dimensions except the first. The
//     scales multiply the result, so that the product itself is of integers
//     as they are stored: x·(s q) = s (x·q);
//   - a take of its rows, each of which is then multiplied by its scale.
//
// Other parameters stay. Two parameters replace the one: i8 under its own key,
// and its scales under the key with contract.ScalesSuffix. Both are packed into an archive
// from the one tensor of the weight file (io/pack), as the contract specifies.
//
// The error of a weight is at most half its scale, 1/254 of the largest weight of
// the same output channel.
func Int8(least int64) Pass { return int8Pass(StoreInt8, least) }

func int8Pass(name string, least int64) Pass {
	dynamic := storageOf(name).dynamic
	return Pass{Name: name, Run: func(g *dag.Graph) {
		q := &quantizer{chosen: choose(g, least), dynamic: func(paramKey) bool { return dynamic }}
		rewrite(g, q.visit)
		CleanUp(g)
	}}
}

type paramKey struct{ scope, key string }

func keyOf(n *dag.Node) paramKey { return paramKey{n.Attrs.String("scope"), n.Attrs.String("key")} }

// choose returns the parameters whose uses in all functions can be changed.
func choose(g *dag.Graph, least int64) map[paramKey]bool {
	chosen := map[paramKey]bool{}
	keys := map[paramKey]bool{}
	for _, f := range g.Funcs {
		f.Body.Walk(func(n *dag.Node) {
			if n.Op.Role == op.Weight {
				keys[keyOf(n)] = true
				chosen[keyOf(n)] = true
			}
		})
	}
	for _, f := range g.Funcs {
		f.Body.Walk(func(n *dag.Node) {
			if n.Op.Role != op.Weight {
				return
			}
			k := keyOf(n)
			if !large(n.Outputs[0].Type, least) || keys[paramKey{k.scope, k.key + contract.ScalesSuffix}] {
				delete(chosen, k)
			}
		})
		analysis.Uses(f, func(v *dag.Value, by *dag.Node, i int) {
			w := weightOf(v)
			switch {
			case w == nil:
			case by != nil && by.Op.Role == op.Converts && weightOf(by.Outputs[0]) != nil: // the uses of the conversion decide
			case by == nil || !scalable(by, i) || by.Op.Family == op.Contraction && weightOf(by.Inputs[1-i]) != nil:
				delete(chosen, keyOf(w))
			}
		})
	}
	return chosen
}

func large(t tensor.Type, least int64) bool {
	if t.Shape.Rank() < 2 || !t.Shape.IsStatic() || !slices.Contains([]dtype.DType{dtype.F32, dtype.F16, dtype.BF16}, t.DType) {
		return false
	}
	n, err := t.Shape.Elements()
	return err == nil && n >= max(least, 1)
}

// weightOf returns the parameter that v is, directly or converted to f32.
func weightOf(v *dag.Value) *dag.Node {
	if c := made(v, id.Convert); c != nil && v.Type.DType == dtype.F32 {
		v = c.Inputs[0]
	}
	return made(v, id.Parameter)
}

// scalable reports whether operand i of n may be rows scaled after the operation.
func scalable(n *dag.Node, i int) bool {
	switch n.Op.Rows {
	case op.Picked:
		return i == 0 && n.Outputs[0].Type.DType.IsFloat()
	case op.Multiplied:
		side := [2]string{"lhs", "rhs"}[i]
		contracting := n.Attrs.Ints(side + "_contracting")
		return n.Outputs[0].Type.DType == dtype.F32 &&
			len(n.Attrs.Ints(side+"_batching")) == 0 && !slices.Contains(contracting, 0) &&
			len(contracting) == n.Inputs[i].Type.Shape.Rank()-1
	}
	return false
}

type quantizer struct {
	chosen  map[paramKey]bool
	dynamic func(paramKey) bool // whether products with the weight multiply integers
}

func (q *quantizer) visit(e *editor, n *dag.Node) []*dag.Value {
	for i, v := range n.Inputs {
		w := weightOf(v)
		switch {
		case w == nil || !q.chosen[keyOf(w)] || !scalable(n, i):
		case n.Op.Rows == op.Picked:
			return one(takeRows(e, n, w))
		case q.dynamic(keyOf(w)) && multipliesIntegers(w):
			return one(dotDynamic(e, n, i, w))
		default:
			return one(dotRows(e, n, i, w))
		}
	}
	return nil
}

// takeRows returns rows of w, each times its scale, which is looked up the same way.
func takeRows(e *editor, n, w *dag.Node) *dag.Value {
	rows, scales := load(e, w)
	out := n.Outputs[0].Type
	wide := tensor.Type{DType: dtype.F32, Shape: out.Shape}
	x := as(e, n, e.add("take", n.Origin, nil, rows, n.Inputs[1]), dtype.F32)
	s := e.add("take", n.Inner("scales"), nil, scales, n.Inputs[1])
	dims := make([]int64, n.Inputs[1].Type.Shape.Rank())
	for i := range dims {
		dims[i] = int64(i)
	}
	return as(e, n, scaled(e, n, x, s, wide, dims), out.DType)
}

// dotRows returns the product n with w at operand i: the product of the
// integers, times the scales along the result dimension that is w's first.
func dotRows(e *editor, n *dag.Node, i int, w *dag.Node) *dag.Value {
	rows, scales := load(e, w)
	in := slices.Clone(n.Inputs)
	in[i] = as(e, n, rows, dtype.F32)
	y := e.add("dot_general", n.Origin, n.Attrs, in...)
	return scaled(e, n, y, scales, n.Outputs[0].Type, channels(n, i))
}

// channels is the dimension of the result of n that is the first of operand i.
func channels(n *dag.Node, i int) []int64 {
	if i == 0 {
		return []int64{0}
	}
	return []int64{int64(n.Outputs[0].Type.Shape.Rank() - 1)}
}

// scaled multiplies x of type t by scales along dims.
func scaled(e *editor, n *dag.Node, x, scales *dag.Value, t tensor.Type, dims []int64) *dag.Value {
	if x == nil || scales == nil {
		return nil
	}
	over := spread(e, n.Inner("scales"), scales, t.Shape, dims)
	if over == nil {
		return nil
	}
	return e.add("multiply", n.Inner("scaled"), nil, x, over)
}

// spread broadcasts x, whose dimensions are those of the shape at dims.
func spread(e *editor, at dag.Origin, x *dag.Value, to shape.Shape, dims []int64) *dag.Value {
	if x == nil || x.Type.Shape.Equal(to) {
		return x
	}
	var sizes any = to
	if to.IsStatic() {
		sizes = to.Sizes()
	}
	return e.add("broadcast_in_dim", at, op.Attrs{"sizes": sizes, "dims": dims}, x)
}

func as(e *editor, n *dag.Node, x *dag.Value, d dtype.DType) *dag.Value {
	if x == nil || x.Type.DType == d {
		return x
	}
	return e.add("convert", n.Inner("convert"), op.Attrs{"dtype": d}, x)
}

// load appends the parameters that replace w.
func load(e *editor, w *dag.Node) (rows, scales *dag.Value) {
	t := w.Outputs[0].Type
	attrs := op.Attrs{"scope": w.Attrs.String("scope"), "key": w.Attrs.String("key"), "type": tensor.Type{DType: dtype.I8, Shape: t.Shape}}
	rows = e.add("parameter", w.Origin, attrs)
	attrs = op.Attrs{"scope": w.Attrs.String("scope"), "key": w.Attrs.String("key") + contract.ScalesSuffix, "type": tensor.Type{DType: dtype.F32, Shape: t.Shape[:1]}}
	return rows, e.add("parameter", w.Inner("scales"), attrs)
}
