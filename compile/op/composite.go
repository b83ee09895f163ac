package op

import (
	"fmt"
	"slices"

	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
	"github.com/skainet-dev/skainet-go/tensor/shape"
)

// A composite operation is a row of the table with a Decompose function.
// The graph builder checks a call of it like any other call, and then
// adds the nodes of the decomposition instead: a graph contains only base
// operations, so kernels, lowerings and passes need not handle composite ones. To
// turn one into a base operation, replace its Decompose by a kernel and a
// lowering; models do not change.

// Ref is a value of a graph under construction. Value is opaque except to the
// graph.
type Ref struct {
	Type  tensor.Type
	Value any
}

// Adder adds a node to a graph and returns its results.
type Adder func(name string, attrs Attrs, in []Ref) ([]Ref, error)

// Expand adds the decomposition of o, or its portable form. in and attrs are those
// of a call that Infer has accepted, attrs as completed by Infer; the results have the
// types that Infer returned. The error is that of the inner operation that add rejected.
func (o *Op) Expand(in []Ref, attrs Attrs, add Adder) (out []Ref, err error) {
	defer func() {
		switch r := recover().(type) {
		case nil:
		case refusal:
			out, err = nil, r.error
		default:
			panic(r)
		}
	}()
	form := o.Decompose
	if form == nil {
		form, add = o.Portable, dedupe(add) // a separate function in a text
	}
	c := &Call{Op: o, Attrs: attrs}
	xs := make([]expr, len(in))
	for i, r := range in {
		c.In = append(c.In, r.Type)
		xs[i] = expr{Ref: r, add: add}
	}
	for _, x := range form(c, &builder{add}, xs) {
		out = append(out, x.Ref)
	}
	return out, nil
}

// dedupe returns an Adder that adds equal nodes only once.
func dedupe(add Adder) Adder {
	made := map[string][]Ref{}
	return func(name string, attrs Attrs, in []Ref) ([]Ref, error) {
		key := name
		for _, n := range attrs.Names() {
			key += fmt.Sprintf(" %s=%v", n, attrs[n])
		}
		for _, r := range in {
			if r.Value == nil { // values identify operands
				return add(name, attrs, in)
			}
			key += fmt.Sprintf(" %p", r.Value)
		}
		if out, ok := made[key]; ok {
			return out, nil
		}
		out, err := add(name, attrs, in)
		if err == nil {
			made[key] = out
		}
		return out, err
	}
}

// refusal carries an error out of a decomposition by panic; its code would otherwise
// be mostly error handling.
type refusal struct{ error }

// expr is a value in a decomposition. Binary operations broadcast as NumPy does.
type expr struct {
	Ref
	add Adder
}

// builder creates values without operands.
type builder struct{ add Adder }

func apply(add Adder, name string, attrs Attrs, in ...expr) expr {
	refs := make([]Ref, len(in))
	for i, x := range in {
		refs[i] = x.Ref
	}
	out, err := add(name, attrs, refs)
	if err == nil && len(out) != 1 {
		err = errs.New(CodeOperands, "%s has %d results inside a decomposition", name, len(out))
	}
	if err != nil {
		panic(refusal{err})
	}
	return expr{out[0], add}
}

func (b *builder) splat(d dtype.DType, v float64, dims ...shape.Dim) expr {
	return apply(b.add, "splat", Attrs{"type": tensor.Type{DType: d, Shape: append(shape.Shape{}, dims...)}, "value": tensor.Round(d, v)})
}

// numbers returns a constant of element type d (f32, f64, i32 or bool).
func (b *builder) numbers(d dtype.DType, v []float64, sizes ...int64) expr {
	var c tensor.Value
	var err error
	switch d {
	case dtype.F64:
		c, err = tensor.Of(v, sizes...)
	case dtype.I32:
		c, err = tensor.Of(cast[int32](v), sizes...)
	default:
		c, err = tensor.Of(cast[float32](v), sizes...)
	}
	if err != nil {
		panic(refusal{err})
	}
	return apply(b.add, "constant", Attrs{"value": c})
}

func cast[T int32 | float32](v []float64) []T {
	out := make([]T, len(v))
	for i, x := range v {
		out[i] = T(x)
	}
	return out
}

func (b *builder) iota(d dtype.DType, dim int, dims ...shape.Dim) expr {
	return apply(b.add, "iota", Attrs{"type": tensor.Type{DType: d, Shape: slices.Clone(dims)}, "dim": int64(dim)})
}

func (b *builder) concat(dim int, xs ...expr) expr {
	if len(xs) == 1 {
		return xs[0]
	}
	return apply(b.add, "concatenate", Attrs{"dim": int64(dim)}, xs...)
}

func (x expr) d() dtype.DType      { return x.Type.DType }
func (x expr) rank() int           { return x.Type.Shape.Rank() }
func (x expr) dims() shape.Shape   { return slices.Clone(x.Type.Shape) }
func (x expr) dim(i int) shape.Dim { return x.Type.Shape[i] }
func (x expr) un(op string) expr   { return apply(x.add, op, nil, x) }

func (x expr) bin(op string, y expr) expr {
	dims := broadcastDims(x.dims(), y.dims())
	return apply(x.add, op, nil, x.spread(dims...), y.spread(dims...))
}

func (x expr) plus(y expr) expr  { return x.bin("add", y) }
func (x expr) minus(y expr) expr { return x.bin("subtract", y) }
func (x expr) times(y expr) expr { return x.bin("multiply", y) }
func (x expr) over(y expr) expr  { return x.bin("divide", y) }

// with applies a binary operation to x and a number.
func (x expr) with(op string, v float64) expr {
	return x.bin(op, (&builder{x.add}).splat(x.d(), v))
}

func (x expr) compare(direction string, y expr) expr {
	dims := broadcastDims(x.dims(), y.dims())
	return apply(x.add, "compare", Attrs{"direction": direction}, x.spread(dims...), y.spread(dims...))
}

// choose returns a where x (bools) is true, and b elsewhere.
func (x expr) choose(a, b expr) expr {
	dims := broadcastDims(x.dims(), broadcastDims(a.dims(), b.dims()))
	return apply(x.add, "select", nil, x.spread(dims...), a.spread(dims...), b.spread(dims...))
}

// broadcastDims returns the common sizes; incompatible sizes are rejected by the
// broadcast that follows.
func broadcastDims(a, b shape.Shape) shape.Shape {
	if len(a) < len(b) {
		a, b = b, a
	}
	out := slices.Clone(a)
	for i, n := range b {
		if j := len(a) - len(b) + i; out[j].Size == 1 {
			out[j] = n
		}
	}
	return out
}

// dot sums products; the pairs are {lhs, rhs}.
func (x expr) dot(y expr, batching, contracting [2][]int64) expr {
	for _, side := range []*[]int64{&batching[0], &batching[1]} {
		if *side == nil {
			*side = []int64{}
		}
	}
	return apply(x.add, "dot_general", Attrs{
		"lhs_batching": batching[0], "rhs_batching": batching[1],
		"lhs_contracting": contracting[0], "rhs_contracting": contracting[1],
	}, x, y)
}

// span returns low, low+1, ..., high-1.
func span(low, high int) []int64 {
	out := []int64{}
	for i := low; i < high; i++ {
		out = append(out, int64(i))
	}
	return out
}

// maxTable bounds the number of elements of constants in a decomposition, whatever
// the sizes of the operands.
const maxTable = 1 << 20

// oneDType returns an error if the first n operands differ in element type.
func (c *Call) oneDType(n int) error {
	for _, t := range c.In[:n] {
		if t.DType != c.In[0].DType {
			return c.Failf(CodeDType, "operands must have the same element type")
		}
	}
	return nil
}

// wants returns an error if operand i does not have these sizes.
func (c *Call) wants(i int, dims ...shape.Dim) error {
	if !c.In[i].Shape.Same(dims) {
		return c.Failf(CodeShape, "operand %q must have shape %s", c.operand(i), shape.Shape(dims))
	}
	return nil
}
