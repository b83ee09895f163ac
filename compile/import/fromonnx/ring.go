package fromonnx

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"github.com/skainet-dev/skainet-go/compile/dag"
	"github.com/skainet-dev/skainet-go/compile/op"
	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
	"github.com/skainet-dev/skainet-go/tensor/shape"
)

// A model with a cache takes keys and values of n steps and returns those of n + s. A
// program keeps C of them. So each dimension past + r of the model has C + r elements, and
// what the model has there stands at the end: C - n elements before it mean nothing.
//
// Each value of the new function has the elements of the model's, but for those. The sizes
// and places that the model computes with are its own: past is n, which is a state too,
// and places are counted from C - n on. Where elements are summed over such a dimension, or
// the greatest is looked for, those without meaning are replaced by 0 or -inf. Anything else
// that would mix them with others is refused.
//
// With more than C steps the first ones are forgotten, and n goes on counting.

// ring rewrites an entry point.
type ring struct {
	*importer
	past   string // the size that grows
	kept   int64  // C
	by     []*growth
	to     *dag.Func
	states []*dag.State
	is     map[*dag.Value]*dag.Value // new values by the model's
	zeros  map[*dag.Value]bool       // new values whose elements without meaning are 0
	steps  *dag.Value                // n, an i32
	at     dag.Origin                // of the node being rewritten
	places map[shape.Dim]*dag.Value  // whether an element has a meaning, by the size
}

func newRing(i *importer, past string, by []*growth) *ring {
	return &ring{importer: i, past: past, kept: by[0].steps, by: by, is: map[*dag.Value]*dag.Value{}, zeros: map[*dag.Value]bool{}, places: map[shape.Dim]*dag.Value{}}
}

// rewrite makes the new function of f.
func (r *ring) rewrite(f *dag.Func) (err error) {
	defer recovered(&err)
	r.to = &dag.Func{Name: f.Name, Entry: true, Body: &dag.Block{}}
	variable := func(name string, t tensor.Type) *dag.Value {
		r.states = append(r.states, &dag.State{Name: name, Type: t})
		r.at = dag.Origin{Path: f.Name + "/" + name}
		return r.add("state", op.Attrs{"type": t, "name": name})
	}
	grows := map[int]*growth{}
	for _, g := range r.by {
		grows[g.arg] = g
	}
	names := map[*growth]string{}
	for k, v := range f.Body.Args {
		t := tensor.Type{DType: v.Type.DType, Shape: r.sizes(v.Type.Shape)}
		if g := grows[k]; g != nil {
			names[g] = r.variables.of(g.input)
			r.is[v] = variable(names[g], t)
			r.zeros[r.is[v]] = true
			continue
		}
		r.is[v] = r.to.Body.AddArg(t)
		r.to.Args = append(r.to.Args, f.Args[k])
	}
	counter := r.variables.of("steps")
	r.steps = variable(counter, tensor.TypeOf(dtype.I32))
	for _, n := range f.Body.Nodes {
		r.at = n.Origin
		r.node(n)
	}
	r.at = dag.Origin{Path: f.Name + "/" + counter}
	results := map[int]*growth{}
	for _, g := range r.by {
		results[g.result] = g
	}
	for k, v := range f.Body.Results {
		if results[k] != nil {
			continue
		}
		if r.grows(v) {
			return errs.New(CodeState, "the result %s, %s, grows with the states", f.Results[k], v.Type).On(f.Results[k]).
				Hint("make it a state too, or choose other results: --outputs")
		}
		r.to.Results, r.to.Body.Results = append(r.to.Results, f.Results[k]), append(r.to.Body.Results, r.is[v])
	}
	for _, w := range f.Writes {
		r.to.Writes = append(r.to.Writes, dag.Write{State: w.State, Value: r.is[w.Value]})
	}
	var more *dag.Value
	for _, g := range r.by {
		v := r.zeroed(r.is[f.Body.Results[g.result]], int64(g.axis))
		if more == nil {
			more = r.binary("subtract", r.add("dim_size", op.Attrs{"dim": int64(g.axis)}, v), r.number(dtype.I32, float64(r.kept)))
		}
		r.to.Writes = append(r.to.Writes, dag.Write{State: names[g], Value: r.last(v, g.axis)})
	}
	r.to.Writes = append(r.to.Writes, dag.Write{State: counter, Value: r.binary("add", r.steps, more)})
	place := map[string]int{}
	for k, s := range append(slices.Clone(r.graph.States), r.states...) {
		place[s.Name] = k
	}
	slices.SortFunc(r.to.Writes, func(a, b dag.Write) int { return cmp.Compare(place[a.State], place[b.State]) })
	return nil
}

// last is the last C elements along a dimension.
func (r *ring) last(v *dag.Value, axis int) *dag.Value {
	d := v.Type.Shape[axis]
	start, limit, steps := make(shape.Shape, len(v.Type.Shape)), slices.Clone(v.Type.Shape), make([]int64, len(v.Type.Shape))
	for k := range steps {
		steps[k] = 1
	}
	start[axis] = d.Minus(shape.N(r.kept))
	return r.add("slice", op.Attrs{"start": start, "limit": limit, "strides": steps}, v)
}

// add adds an operation to the new function.
func (r *ring) add(name string, attrs op.Attrs, in ...*dag.Value) *dag.Value {
	n, err := r.to.Body.AddAt(r.at, name, attrs, in...)
	if err != nil {
		panic(refusal{err})
	}
	return n.Outputs[0]
}

func (r *ring) binary(name string, a, b *dag.Value) *dag.Value { return r.add(name, nil, a, b) }

// number is a scalar.
func (r *ring) number(d dtype.DType, x float64) *dag.Value {
	return r.add("splat", op.Attrs{"type": tensor.TypeOf(d), "value": x})
}

// refuse refuses a node whose result would depend on what means nothing.
func (r *ring) refuse(n *dag.Node, what string) {
	all := slices.Concat(n.Inputs, n.Outputs)
	r.refuseAs(n, all[max(slices.IndexFunc(all, r.grows), 0)], what)
}

// refuseAs refuses a node for one of its values.
func (r *ring) refuseAs(n *dag.Node, v *dag.Value, what string) {
	err := errs.New(CodeState, "%s of %s, which grows with a state: %s", n.Op.Name, v.Type, what).On(n.Path).
		Hint("leave out the states: the model's inputs and outputs are then arguments and results, which the caller passes on")
	for path := n.Path; path != ""; {
		if from := r.sources[path]; from != nil {
			err.On(nameOf(from))
			if from.At > 0 {
				err.At(from.At)
			}
			break
		}
		path = path[:max(strings.LastIndexByte(path, '/'), 0)]
	}
	panic(refusal{err})
}

// part returns how often past is in a size, and whether the rest is without it.
func (r *ring) part(d shape.Dim) (times int64, ok bool) {
	if !slices.Contains(d.Names(), r.past) {
		return 0, true
	}
	for times = int64(1); times <= 4; times++ {
		if d = d.Minus(shape.Named(r.past)); d.Size != shape.Dynamic || d.Name != "" && !slices.Contains(d.Names(), r.past) {
			return times, true
		}
	}
	return 0, false
}

// grows reports whether a dimension of a value of the model grows.
func (r *ring) grows(v *dag.Value) bool {
	return slices.ContainsFunc(v.Type.Shape, func(d shape.Dim) bool { return slices.Contains(d.Names(), r.past) })
}

// axes are the dimensions of a value that grow.
func (r *ring) axes(v *dag.Value) (list []int64) {
	for k, d := range v.Type.Shape {
		if slices.Contains(d.Names(), r.past) {
			list = append(list, int64(k))
		}
	}
	return list
}

// sizes are those of the new function.
func (r *ring) sizes(s shape.Shape) shape.Shape {
	to, err := s.Bind(map[string]int64{r.past: r.kept})
	if err != nil {
		panic(refusal{err})
	}
	return to
}

// attrs are the attributes in the new function.
func (r *ring) attrs(n *dag.Node) op.Attrs {
	to := op.Attrs{}
	for name, x := range n.Attrs {
		switch x := x.(type) {
		case shape.Shape:
			to[name] = r.sizes(x)
		case tensor.Type:
			to[name] = tensor.Type{DType: x.DType, Shape: r.sizes(x.Shape)}
		default:
			to[name] = x
		}
	}
	return to
}

// meant reports which elements along a dimension have a meaning, for the whole of v.
func (r *ring) meant(v *dag.Value, axis int64) *dag.Value {
	d := v.Type.Shape[axis]
	have := r.places[d]
	if have == nil {
		first := r.binary("subtract", r.number(dtype.I32, float64(r.kept)), r.steps)
		places := r.add("iota", op.Attrs{"type": tensor.Type{DType: dtype.I32, Shape: shape.Shape{d}}, "dim": int64(0)})
		have = r.add("compare", op.Attrs{"direction": op.GE}, places, r.spread(first, places))
		r.places[d] = have
	}
	return r.add("broadcast_in_dim", op.Attrs{"sizes": v.Type.Shape, "dims": []int64{axis}}, have)
}

// spread repeats a scalar to the shape of v.
func (r *ring) spread(scalar, v *dag.Value) *dag.Value {
	if len(v.Type.Shape) == 0 {
		return scalar
	}
	return r.add("broadcast_in_dim", op.Attrs{"sizes": v.Type.Shape, "dims": []int64{}}, scalar)
}

// masked puts a number where elements along a dimension mean nothing.
func (r *ring) masked(v *dag.Value, axis int64, number float64) *dag.Value {
	other := r.add("splat", op.Attrs{"type": v.Type, "value": number})
	return r.add("select", nil, r.meant(v, axis), v, other)
}

// zeroed is masked by zero.
func (r *ring) zeroed(v *dag.Value, axis int64) *dag.Value {
	if r.zeros[v] {
		return v
	}
	return r.masked(v, axis, 0)
}

// least is the least number of a type.
func least(d dtype.DType) float64 {
	switch {
	case d.IsFloat():
		return math.Inf(-1)
	case d == dtype.U8 || d == dtype.U16 || d == dtype.U32 || d == dtype.U64:
		return 0
	}
	return -math.Ldexp(1, d.Bits()-1)
}
