package fromonnx

import (
	"encoding/binary"
	"math"
	"slices"

	"github.com/skainet-dev/skainet-go/compile/dag"
	"github.com/skainet-dev/skainet-go/compile/op"
	"github.com/skainet-dev/skainet-go/io/onnx"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
	"github.com/skainet-dev/skainet-go/tensor/shape"
)

// node is an ONNX node being converted. Its methods end the conversion with a
// refusal if they fail.
type node struct {
	*env
	*onnx.Node
}

func (n *node) refuse(reason string, args ...any) { panic(refusal{unmapped(reason, args...)}) }

// has reports whether input i is given.
func (n *node) has(i int) bool {
	if i >= len(n.Inputs) || n.Inputs[i] == "" {
		return false
	}
	for at := n.env; at != nil; at = at.outer {
		if at.absent[n.Inputs[i]] {
			return false
		}
	}
	return true
}

func (n *node) in(i int) *dag.Value {
	if !n.has(i) {
		n.refuse("the operator %s without its input %d", n.Op, i)
	}
	v := n.find(n.Inputs[i])
	if v == nil {
		n.unmade(n.Inputs[i])
	}
	return v
}

// unmade refuses a name that stands for nothing yet.
func (n *node) unmade(name string) {
	for at := n.env; at != nil; at = at.outer {
		if later := at.makers[name]; later != nil {
			n.refuse("the input %q, which a later node makes, %s: nodes must come after those whose results they take, and not in a circle", name, nameOf(later))
		}
	}
	n.refuse("the input %q, which no node makes", name)
}

func (n *node) all() []*dag.Value {
	var vs []*dag.Value
	for i := range n.Inputs {
		vs = append(vs, n.in(i))
	}
	return vs
}

func (n *node) int(name string, usual int64) int64 {
	if a, ok := n.Attributes[name]; ok {
		return a.Int
	}
	return usual
}

func (n *node) float(name string, usual float64) float64 {
	if a, ok := n.Attributes[name]; ok {
		return float64(a.Float)
	}
	return usual
}

func (n *node) str(name, usual string) string {
	if a, ok := n.Attributes[name]; ok {
		return a.String
	}
	return usual
}

// ints returns the integers of an attribute, or of input i where there is no
// attribute; ok reports whether there is one of them.
func (n *node) ints(name string, i int) (list []int64, ok bool) {
	if a, ok := n.Attributes[name]; ok {
		return a.Ints, true
	}
	if i < 0 || !n.has(i) {
		return nil, false
	}
	return wholes(n.value(n.in(i))), true
}

// wholes returns the elements of an integer or bool tensor.
func wholes(v tensor.Value) []int64 {
	size := v.Type.DType.Bits() / 8
	list := []int64{}
	for b := v.Bytes; len(b) >= size; b = b[size:] {
		var word [8]byte
		copy(word[:], b[:size])
		x := int64(binary.LittleEndian.Uint64(word[:]))
		if v.Type.DType.IsSigned() {
			x = x << (64 - 8*size) >> (64 - 8*size)
		}
		list = append(list, x)
	}
	return list
}

// number returns the only element of input i.
func (n *node) number(i int) float64 {
	return elementOf(n.single(i))
}

// single returns input i, which has one element.
func (n *node) single(i int) tensor.Value {
	v := n.value(n.in(i))
	if count, err := v.Type.Shape.Elements(); err != nil || count != 1 {
		n.malformed("%s of a tensor [%s] in its input %d: it takes a single number there", n.Op, v.Type.Shape, i)
	}
	return v
}

// elementOf returns the first element of a tensor.
func elementOf(v tensor.Value) float64 {
	switch v.Type.DType {
	case dtype.F32:
		return float64(math.Float32frombits(binary.LittleEndian.Uint32(v.Bytes)))
	case dtype.F64:
		return math.Float64frombits(binary.LittleEndian.Uint64(v.Bytes))
	case dtype.F16:
		return float64(tensor.F16ToF32(binary.LittleEndian.Uint16(v.Bytes)))
	case dtype.BF16:
		return float64(tensor.BF16ToF32(binary.LittleEndian.Uint16(v.Bytes)))
	}
	return float64(wholes(v)[0])
}

// axis normalizes an axis of a tensor of this rank to be non-negative.
func (n *node) axis(a int64, rank int) int64 {
	given := a
	if a < 0 {
		a += int64(rank)
	}
	if a < 0 || a >= int64(rank) {
		n.malformed("the axis %d of %s of a tensor of %s", given, n.Op, dimensions(rank, rank))
	}
	return a
}

// dims returns the sizes of a value, of which some may have names.
func dims(v *dag.Value) shape.Shape { return v.Type.Shape }

// sizes returns the sizes of a value as numbers. It refuses a named size.
func sizes(v *dag.Value) []int64 {
	for i := range v.Type.Shape {
		extent(v, int64(i))
	}
	return v.Type.Shape.Sizes()
}

// extent returns size i of a value as a number. It refuses a named size.
func extent(v *dag.Value, i int64) int64 {
	d := v.Type.Shape[i]
	if !d.IsStatic() {
		panic(unsized{v, int(i)})
	}
	return d.Size
}

// unsized is the refusal of a named size where a rule needs a number.
type unsized struct {
	v   *dag.Value
	dim int
}

func rank(v *dag.Value) int { return v.Type.Shape.Rank() }

// numbers returns the integers of an attribute, or of input i where there is no attribute,
// as far as they are known; ok reports whether there is one of them.
func (n *node) numbers(name string, i int) (list []number, ok bool) {
	if a, ok := n.Attributes[name]; ok {
		list = []number{}
		for _, x := range a.Ints {
			list = append(list, integer(x))
		}
		return list, true
	}
	if i < 0 || !n.has(i) {
		return nil, false
	}
	v := n.in(i)
	if known := n.session.numbers(v); known != nil {
		complete := true
		for _, x := range known {
			complete = complete && x.known
		}
		if complete {
			return known, true
		}
	}
	list = []number{}
	for _, x := range wholes(n.value(v)) {
		list = append(list, integer(x))
	}
	return list, true
}

// extents returns sizes that an attribute or input i lists; each has a number or a name.
func (n *node) extents(name string, i int) (shape.Shape, bool) {
	list, ok := n.numbers(name, i)
	to := shape.Shape{}
	for _, x := range list {
		d, fits := x.size()
		if !fits {
			n.refuse("a size of %s", x)
		}
		to = append(to, d)
	}
	return to, ok
}

// splat makes a tensor like v of one value, rounded to its element type.
func (e *env) splat(v *dag.Value, x float64) *dag.Value {
	return e.splatTo(v.Type.DType, x, dims(v)...)
}

func (e *env) splatOf(d dtype.DType, x float64, sizes ...int64) *dag.Value {
	return e.splatTo(d, x, shape.Of(sizes...)...)
}

// splatTo makes a tensor of one value, rounded to its element type.
func (e *env) splatTo(d dtype.DType, x float64, to ...shape.Dim) *dag.Value {
	switch d {
	case dtype.F32:
		x = float64(float32(x))
	case dtype.F16:
		x = float64(tensor.F16ToF32(tensor.F32ToF16(float32(x))))
	case dtype.BF16:
		x = float64(tensor.BF16ToF32(tensor.F32ToBF16(float32(x))))
	}
	return e.add("splat", op.Attrs{"type": tensor.Type{DType: d, Shape: append(shape.Shape{}, to...)}, "value": x})
}

func (e *env) reshape(v *dag.Value, to ...int64) *dag.Value {
	return e.reshapeTo(v, shape.Of(to...)...)
}

// reshapeTo is reshape to sizes that may have names.
func (e *env) reshapeTo(v *dag.Value, to ...shape.Dim) *dag.Value {
	return e.add("reshape", op.Attrs{"sizes": append(shape.Shape{}, to...)}, v)
}

func (e *env) transpose(v *dag.Value, perm ...int64) *dag.Value {
	return e.add("transpose", op.Attrs{"permutation": append([]int64{}, perm...)}, v)
}

func (e *env) convert(v *dag.Value, d dtype.DType) *dag.Value {
	if v.Type.DType == d {
		return v
	}
	return e.add("convert", op.Attrs{"dtype": d}, v)
}

// spread broadcasts v to these sizes, as NumPy does.
func (e *env) spread(v *dag.Value, to []int64) *dag.Value { return e.spreadTo(v, shape.Of(to...)) }

// spreadTo is spread to sizes that may have names: a name broadcasts to itself alone.
func (e *env) spreadTo(v *dag.Value, to shape.Shape) *dag.Value {
	have := dims(v)
	off := len(to) - len(have)
	if off < 0 {
		panic(refusal{unmapped("shapes that do not broadcast")})
	}
	places, same := []int64{}, off == 0
	for i := range have {
		places = append(places, int64(i+off))
		same = same && have[i] == to[i]
	}
	if same {
		return v
	}
	return e.add("broadcast_in_dim", op.Attrs{"sizes": append(shape.Shape{}, to...), "dims": places}, v)
}

// broadcast returns the common shape of values, as NumPy has it.
func broadcast(shapes ...shape.Shape) shape.Shape {
	to := shape.Shape{}
	for _, s := range shapes {
		for len(to) < len(s) {
			to = slices.Insert(to, 0, shape.N(1))
		}
		for i, x := range s {
			if at := i + len(to) - len(s); to[at].Size == 1 {
				to[at] = x
			}
		}
	}
	return to
}

// together broadcasts values to their common shape.
func (e *env) together(vs ...*dag.Value) []*dag.Value {
	var shapes []shape.Shape
	for _, v := range vs {
		shapes = append(shapes, dims(v))
	}
	to := broadcast(shapes...)
	out := make([]*dag.Value, len(vs))
	for i, v := range vs {
		out[i] = e.spreadTo(v, to)
	}
	return out
}

// binary applies an operation of two operands with broadcasting.
func (e *env) binary(name string, a, b *dag.Value) *dag.Value {
	t := e.together(a, b)
	return e.add(name, nil, t[0], t[1])
}

func (e *env) compare(direction string, a, b *dag.Value) *dag.Value {
	t := e.together(a, b)
	return e.add("compare", op.Attrs{"direction": direction}, t[0], t[1])
}

func (e *env) choose(c, a, b *dag.Value) *dag.Value {
	t := e.together(c, a, b)
	return e.add("select", nil, t[0], t[1], t[2])
}

func (e *env) scale(v *dag.Value, x float64) *dag.Value {
	return e.binary("multiply", v, e.splatOf(v.Type.DType, x))
}

// over divides by x. A product with 1/x is rounded twice.
func (e *env) over(v *dag.Value, x float64) *dag.Value {
	return e.binary("divide", v, e.splatOf(v.Type.DType, x))
}

func (e *env) plus(v *dag.Value, x float64) *dag.Value {
	return e.binary("add", v, e.splatOf(v.Type.DType, x))
}

func (e *env) iota(d dtype.DType, dim int64, sizes ...int64) *dag.Value {
	return e.iotaTo(d, dim, shape.Of(sizes...)...)
}

// iotaTo is iota of sizes that may have names.
func (e *env) iotaTo(d dtype.DType, dim int64, to ...shape.Dim) *dag.Value {
	return e.add("iota", op.Attrs{"type": tensor.Type{DType: d, Shape: append(shape.Shape{}, to...)}, "dim": dim})
}

// sizeValue returns dimension i of v as a scalar of d.
func (e *env) sizeValue(d dtype.DType, v *dag.Value, i int64) *dag.Value {
	if x := dims(v)[i]; x.IsStatic() {
		return e.splatOf(d, float64(x.Size))
	}
	return e.convert(e.add("dim_size", op.Attrs{"dim": i}, v), d)
}

func one(v *dag.Value) []*dag.Value { return []*dag.Value{v} }
