package op

import (
	"fmt"
	"slices"

	"github.com/skainet-dev/skainet-go/internal/errs"
	"github.com/skainet-dev/skainet-go/lang/dtype"
	"github.com/skainet-dev/skainet-go/lang/tensor"
)

// A composite operation is a row of the table with a Decompose function. The
// graph builder checks a call of it as it checks every call, and then adds the
// nodes of the decomposition in its place: a graph holds only base operations, so
// that kernels, lowerings and passes know nothing of composite ones. An operation
// that becomes a base operation loses its Decompose and gains a kernel and a
// lowering; models do not change.

// Ref is a value of a graph under construction. Only the graph knows what Value
// is.
type Ref struct {
	Type  tensor.Type
	Value any
}

// Adder adds a node to a graph and gives its results.
type Adder func(name string, attrs Attrs, in []Ref) ([]Ref, error)

// Expand adds what o decomposes into. in and attrs are those of a call that Infer
// has accepted, attrs as Infer filled them in; the results have the types that it
// gave. The error is that of the inner operation that add refused.
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
	c := &Call{Op: o, Attrs: attrs}
	xs := make([]expr, len(in))
	for i, r := range in {
		c.In = append(c.In, r.Type)
		xs[i] = expr{Ref: r, add: add}
	}
	for _, x := range o.Decompose(c, &builder{add}, xs) {
		out = append(out, x.Ref)
	}
	return out, nil
}

// refusal carries an error out of a decomposition, whose code would otherwise be
// mostly error handling.
type refusal struct{ error }

// expr is a value in a decomposition. Binary operations broadcast as NumPy does.
type expr struct {
	Ref
	add Adder
}

// builder makes values out of nothing.
type builder struct{ add Adder }

func apply(add Adder, name string, attrs Attrs, in ...expr) expr {
	refs := make([]Ref, len(in))
	for i, x := range in {
		refs[i] = x.Ref
	}
	out, err := add(name, attrs, refs)
	if err == nil && len(out) != 1 {
		err = errs.New(CodeOperands, "%s gives %d results inside a decomposition", name, len(out))
	}
	if err != nil {
		panic(refusal{err})
	}
	return expr{out[0], add}
}

func (b *builder) splat(d dtype.DType, v float64, sizes ...int64) expr {
	return apply(b.add, "splat", Attrs{"type": tensor.TypeOf(d, sizes...), "value": rounded(d, v)})
}

// rounded gives v as the element type holds it.
func rounded(d dtype.DType, v float64) float64 {
	switch d {
	case dtype.F32:
		return float64(float32(v))
	case dtype.F16:
		return float64(tensor.F16ToF32(tensor.F32ToF16(float32(v))))
	case dtype.BF16:
		return float64(tensor.BF16ToF32(tensor.F32ToBF16(float32(v))))
	}
	return v
}

// numbers makes a constant of element type d (f32, f64, i32 or bool).
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

func (b *builder) iota(d dtype.DType, dim int, sizes ...int64) expr {
	return apply(b.add, "iota", Attrs{"type": tensor.TypeOf(d, sizes...), "dim": int64(dim)})
}

func (b *builder) concat(dim int, xs ...expr) expr {
	if len(xs) == 1 {
		return xs[0]
	}
	return apply(b.add, "concatenate", Attrs{"dim": int64(dim)}, xs...)
}

func (x expr) d() dtype.DType    { return x.Type.DType }
func (x expr) rank() int         { return x.Type.Shape.Rank() }
func (x expr) sizes() []int64    { return x.Type.Shape.Sizes() }
func (x expr) dim(i int) int64   { return x.Type.Shape[i].Size }
func (x expr) un(op string) expr { return apply(x.add, op, nil, x) }

func (x expr) bin(op string, y expr) expr {
	sizes := broadcastSizes(x.sizes(), y.sizes())
	return apply(x.add, op, nil, x.spread(sizes...), y.spread(sizes...))
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
	sizes := broadcastSizes(x.sizes(), y.sizes())
	return apply(x.add, "compare", Attrs{"direction": direction}, x.spread(sizes...), y.spread(sizes...))
}

// choose gives a where x (bools) holds, and b elsewhere.
func (x expr) choose(a, b expr) expr {
	sizes := broadcastSizes(x.sizes(), broadcastSizes(a.sizes(), b.sizes()))
	return apply(x.add, "select", nil, x.spread(sizes...), a.spread(sizes...), b.spread(sizes...))
}

// broadcastSizes gives the common sizes; sizes that have none are refused by the
// broadcast that follows.
func broadcastSizes(a, b []int64) []int64 {
	if len(a) < len(b) {
		a, b = b, a
	}
	out := slices.Clone(a)
	for i, n := range b {
		if j := len(a) - len(b) + i; out[j] == 1 {
			out[j] = n
		}
	}
	return out
}

// spread repeats x to sizes, aligned at the last dimension.
func (x expr) spread(sizes ...int64) expr {
	dims := make([]int64, x.rank())
	for i := range dims {
		dims[i] = int64(len(sizes) - x.rank() + i)
	}
	return x.spreadOver(dims, sizes...)
}

// spreadOver repeats x to sizes; dims are its dimensions in the result.
func (x expr) spreadOver(dims []int64, sizes ...int64) expr {
	if slices.Equal(sizes, x.sizes()) {
		return x
	}
	return apply(x.add, "broadcast_in_dim", Attrs{"sizes": slices.Clone(sizes), "dims": dims}, x)
}

func (x expr) reshape(sizes ...int64) expr {
	if slices.Equal(sizes, x.sizes()) {
		return x
	}
	return apply(x.add, "reshape", Attrs{"sizes": slices.Clone(sizes)}, x)
}

func (x expr) transpose(perm ...int64) expr {
	return apply(x.add, "transpose", Attrs{"permutation": perm}, x)
}

func (x expr) to(d dtype.DType) expr {
	if x.d() == d {
		return x
	}
	return apply(x.add, "convert", Attrs{"dtype": d}, x)
}

// wide converts narrow floats to f32, in which composite operations compute.
func (x expr) wide() expr { return x.to(wide(x.d())) }

func wide(d dtype.DType) dtype.DType {
	if d.IsFloat() && d.Bits() < 32 {
		return dtype.F32
	}
	return d
}

// slice takes first, first+step, ... of dimension dim: count elements.
func (x expr) slice(dim int, first, count, step int64) expr {
	start, limit, strides := make([]int64, x.rank()), x.sizes(), make([]int64, x.rank())
	for i := range strides {
		strides[i] = 1
	}
	start[dim], limit[dim], strides[dim] = first, first+(count-1)*step+1, step
	if count == 0 {
		limit[dim] = first
	}
	if first == 0 && step == 1 && count == x.dim(dim) {
		return x
	}
	return apply(x.add, "slice", Attrs{"start": start, "limit": limit, "strides": strides}, x)
}

// pad adds elements of value v around dimensions from first on; a negative
// number takes elements away.
func (x expr) pad(first int, low, high []int64, v float64) expr {
	lo, hi, any := make([]int64, x.rank()), make([]int64, x.rank()), false
	for i := range low {
		if l, h := min(low[i], 0), min(high[i], 0); l < 0 || h < 0 {
			x = x.slice(first+i, -l, x.dim(first+i)+l+h, 1)
		}
		lo[first+i], hi[first+i] = max(low[i], 0), max(high[i], 0)
		any = any || low[i] > 0 || high[i] > 0
	}
	if !any {
		return x
	}
	return apply(x.add, "pad", Attrs{"low": lo, "high": hi}, x, (&builder{x.add}).splat(x.d(), v))
}

// reduce applies reduce_sum, reduce_max or reduce_min and keeps the dimensions.
func (x expr) reduce(op string, dims ...int64) expr {
	return apply(x.add, op, Attrs{"dims": dims, "keepdims": true}, x)
}

// mean averages over dims and keeps them.
func (x expr) mean(dims ...int64) expr {
	n := int64(1)
	for _, d := range dims {
		n *= x.dim(int(d))
	}
	return x.reduce("reduce_sum", dims...).with("divide", float64(n))
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

// span gives low, low+1, ..., high-1.
func span(low, high int) []int64 {
	out := []int64{}
	for i := low; i < high; i++ {
		out = append(out, int64(i))
	}
	return out
}

// maxTable bounds the elements of the constants in a decomposition, whatever sizes
// the operands claim to have.
const maxTable = 1 << 20

// allStatic is an error where a size is not known: most composite operations
// compute their nodes from the sizes.
func (c *Call) allStatic() error {
	for i, t := range c.In {
		if !t.Shape.IsStatic() {
			return c.Failf(CodeShape, "all sizes must be known; those of operand %d are %s", i, t.Shape)
		}
	}
	return nil
}

// oneDType is an error where the first n operands differ in element type.
func (c *Call) oneDType(n int) error {
	for _, t := range c.In[:n] {
		if t.DType != c.In[0].DType {
			return c.Failf(CodeDType, "operands must have one element type")
		}
	}
	return nil
}

// wants is an error where operand i is not of these sizes.
func (c *Call) wants(i int, sizes ...int64) error {
	if !slices.Equal(c.In[i].Shape.Sizes(), sizes) {
		return c.Failf(CodeShape, "operand %q must have shape %s", c.Op.Operands[min(i, len(c.Op.Operands)-1)].Name, fmt.Sprint(sizes))
	}
	return nil
}
