package fromonnx

import (
	"encoding/binary"
	"math"

	"github.com/skainet-dev/skainet-go/compile/dag"
	"github.com/skainet-dev/skainet-go/compile/op"
	"github.com/skainet-dev/skainet-go/io/onnx"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
)

// node is an ONNX node being converted. Its methods end the conversion with a
// refusal if they fail.
type node struct {
	*env
	*onnx.Node
}

func (n *node) refuse(reason string, args ...any) { panic(refusal{unmapped(reason, args...)}) }

// has reports whether input i is given.
func (n *node) has(i int) bool { return i < len(n.Inputs) && n.Inputs[i] != "" }

func (n *node) in(i int) *dag.Value {
	if !n.has(i) || n.values[n.Inputs[i]] == nil {
		n.refuse("an input that no rule makes")
	}
	return n.values[n.Inputs[i]]
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
	v := n.value(n.in(i))
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
	if a < 0 {
		a += int64(rank)
	}
	if a < 0 || a >= int64(max(rank, 1)) {
		n.refuse("an axis outside the rank")
	}
	return a
}

func sizes(v *dag.Value) []int64 { return v.Type.Shape.Sizes() }
func rank(v *dag.Value) int      { return v.Type.Shape.Rank() }

// splat makes a tensor like v of one value, rounded to its element type.
func (e *env) splat(v *dag.Value, x float64) *dag.Value {
	return e.splatOf(v.Type.DType, x, sizes(v)...)
}

func (e *env) splatOf(d dtype.DType, x float64, sizes ...int64) *dag.Value {
	switch d {
	case dtype.F32:
		x = float64(float32(x))
	case dtype.F16:
		x = float64(tensor.F16ToF32(tensor.F32ToF16(float32(x))))
	case dtype.BF16:
		x = float64(tensor.BF16ToF32(tensor.F32ToBF16(float32(x))))
	}
	return e.add("splat", op.Attrs{"type": tensor.TypeOf(d, sizes...), "value": x})
}

func (e *env) reshape(v *dag.Value, to ...int64) *dag.Value {
	return e.add("reshape", op.Attrs{"sizes": append([]int64{}, to...)}, v)
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
func (e *env) spread(v *dag.Value, to []int64) *dag.Value {
	have := sizes(v)
	off := len(to) - len(have)
	if off < 0 {
		panic(refusal{unmapped("shapes that do not broadcast")})
	}
	dims, same := []int64{}, off == 0
	for i := range have {
		dims = append(dims, int64(i+off))
		same = same && have[i] == to[i]
	}
	if same {
		return v
	}
	return e.add("broadcast_in_dim", op.Attrs{"sizes": append([]int64{}, to...), "dims": dims}, v)
}

// together broadcasts values to their common shape.
func (e *env) together(vs ...*dag.Value) []*dag.Value {
	var to []int64
	for _, v := range vs {
		s := sizes(v)
		for len(to) < len(s) {
			to = append([]int64{1}, to...)
		}
		for i, x := range s {
			if at := i + len(to) - len(s); to[at] == 1 {
				to[at] = x
			}
		}
	}
	out := make([]*dag.Value, len(vs))
	for i, v := range vs {
		out[i] = e.spread(v, to)
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
	return e.add("iota", op.Attrs{"type": tensor.TypeOf(d, sizes...), "dim": dim})
}

func one(v *dag.Value) []*dag.Value { return []*dag.Value{v} }
