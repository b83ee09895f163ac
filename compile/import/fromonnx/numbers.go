package fromonnx

import (
	"encoding/binary"
	"math"
	"slices"

	"github.com/skainet-dev/skainet-go/compile/dag"
	"github.com/skainet-dev/skainet-go/compile/op"
	"github.com/skainet-dev/skainet-go/compile/op/id"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
)

// mostNumbers is the number of elements of the largest tensor that is followed as numbers.
const mostNumbers = 1 << 10

// numbers returns the elements of v as far as constants and sizes say what they are, or
// nil. Each value is looked at once.
func (s *session) numbers(v *dag.Value) []number {
	if list, seen := s.followed[v]; seen {
		return list
	}
	list := s.follow(v)
	if count, ok := countOf(v); !ok || int64(len(list)) != count || !slices.ContainsFunc(list, func(x number) bool { return x.known }) {
		list = nil
	}
	s.followed[v] = list
	return list
}

// countOf returns the number of elements of a value that is small enough to be followed.
func countOf(v *dag.Value) (int64, bool) {
	count := int64(1)
	for _, d := range v.Type.Shape {
		if !d.IsStatic() || d.Size > mostNumbers {
			return 0, false
		}
		if count *= d.Size; count > mostNumbers {
			return 0, false
		}
	}
	return count, true
}

// follow works out the elements of v from those of its node's operands.
func (s *session) follow(v *dag.Value) []number {
	count, small := countOf(v)
	if !small {
		return nil
	}
	if known, ok := s.known[v]; ok {
		return numbersOf(known)
	}
	n := v.Node
	if n == nil {
		return nil
	}
	switch n.Op.Role {
	case op.Measures:
		return []number{sizeOf(n.Inputs[0].Type.Shape[n.Attrs.Int("dim")])}
	case op.Uniform:
		return slices.Repeat([]number{fraction(n.Attrs.Float("value"))}, int(count))
	case op.Literal:
		return numbersOf(n.Attrs.Value("value"))
	case op.Weight:
		if t := s.stored[v]; t != nil {
			if w, err := t.Value(); err == nil {
				return numbersOf(Carrier(w))
			}
		}
		return nil
	case op.Counts:
		return s.iotas(v)
	case op.Chooses:
		if p := s.numbers(n.Inputs[0]); p != nil {
			if c, ok := p[0].constant(); ok {
				return s.numbers(n.Blocks[1-min(max(c, 0), 1)].Results[v.Port])
			}
		}
		return nil
	}
	in := make([][]number, len(n.Inputs))
	any := false
	for i, x := range n.Inputs {
		in[i] = s.numbers(x)
		any = any || in[i] != nil
		if c, ok := countOf(x); in[i] == nil && ok {
			in[i] = make([]number, c)
		} else if !ok {
			return nil
		}
	}
	if !any {
		return nil
	}
	if f := moved[n.Op.ID]; f != nil {
		return f(n, in)
	}
	if _, ok := gathered[n.Op.ID]; ok {
		return reduced(n, in[0])
	}
	if f := computed[n.Op.ID]; f != nil {
		list := make([]number, count)
		args := make([]number, len(in))
		for i := range list {
			for k := range in {
				if len(in[k]) == 1 {
					args[k] = in[k][0]
				} else {
					args[k] = in[k][i]
				}
			}
			list[i] = f(n, args)
		}
		return list
	}
	return nil
}

// numbersOf returns the elements of a small tensor.
func numbersOf(v tensor.Value) []number {
	d := v.Type.DType
	count, err := v.Type.Shape.Elements()
	if err != nil || count > mostNumbers {
		return nil
	}
	list := make([]number, 0, count)
	switch {
	case d == dtype.F32 || d == dtype.F64:
		floats := make([]float64, count)
		if tensor.Float64s(d, floats, v.Bytes) != nil {
			return nil
		}
		for _, f := range floats {
			list = append(list, fraction(f))
		}
	case d.IsInt() || d == dtype.Bool:
		if d.Bits() < 8 {
			return nil
		}
		if d == dtype.U64 {
			for b := v.Bytes; len(b) >= 8; b = b[8:] {
				if x := binary.LittleEndian.Uint64(b); x <= math.MaxInt64 {
					list = append(list, integer(int64(x)))
				} else {
					list = append(list, number{})
				}
			}
			return list
		}
		for _, x := range wholes(v) {
			list = append(list, integer(x))
		}
	}
	return list
}

// fraction returns a float as a number, if it is one over a small power of two.
func fraction(f float64) number {
	for over := int64(1); over <= maxOver; over *= 2 {
		if x := f * float64(over); x == math.Trunc(x) && math.Abs(x) < 1<<53 {
			return number{known: true, n: int64(x), over: over}
		}
	}
	return number{}
}

// iotas returns the elements of an iota.
func (s *session) iotas(v *dag.Value) []number {
	sizes, dim := v.Type.Shape.Sizes(), v.Node.Attrs.Int("dim")
	var list []number
	each(sizes, func(at []int64) { list = append(list, integer(at[dim])) })
	return list
}

// moved are the operations that move elements.
var moved map[id.ID]func(n *dag.Node, in [][]number) []number

// In init, since it refers to itself through blocks.
func init() {
	same := func(_ *dag.Node, in [][]number) []number { return in[0] }
	moved = map[id.ID]func(n *dag.Node, in [][]number) []number{
		id.Reshape: same, id.Barrier: same,
		id.Transpose: func(n *dag.Node, in [][]number) []number {
			perm := n.Attrs.Ints("permutation")
			return picked(n, in[0], func(at, from []int64) {
				for i, p := range perm {
					from[p] = at[i]
				}
			})
		},
		id.BroadcastInDim: func(n *dag.Node, in [][]number) []number {
			dims, have := n.Attrs.Ints("dims"), n.Inputs[0].Type.Shape
			return picked(n, in[0], func(at, from []int64) {
				for i, d := range dims {
					from[i] = min(at[d], have[i].Size-1)
				}
			})
		},
		id.Slice: func(n *dag.Node, in [][]number) []number {
			start, by := n.Attrs.Ints("start"), n.Attrs.Ints("strides")
			return picked(n, in[0], func(at, from []int64) {
				for i := range at {
					from[i] = start[i] + by[i]*at[i]
				}
			})
		},
		id.Reverse: func(n *dag.Node, in [][]number) []number {
			dims, have := n.Attrs.Ints("dims"), n.Inputs[0].Type.Shape
			return picked(n, in[0], func(at, from []int64) {
				copy(from, at)
				for _, d := range dims {
					from[d] = have[d].Size - 1 - at[d]
				}
			})
		},
		id.Concatenate: func(n *dag.Node, in [][]number) []number {
			dim := n.Attrs.Int("dim")
			var list []number
			each(n.Outputs[0].Type.Shape.Sizes(), func(at []int64) {
				k := 0
				for ; at[dim] >= n.Inputs[k].Type.Shape[dim].Size; k++ {
					at[dim] -= n.Inputs[k].Type.Shape[dim].Size
				}
				list = append(list, in[k][placeOf(n.Inputs[k], at)])
			})
			return list
		},
		id.Take: func(n *dag.Node, in [][]number) []number {
			rows := n.Inputs[0].Type.Shape[0].Size
			if rows == 0 {
				return nil
			}
			width := int64(len(in[0])) / rows
			var list []number
			for _, x := range in[1] {
				row, ok := x.constant()
				for c := range width {
					if !ok {
						list = append(list, number{})
						continue
					}
					list = append(list, in[0][min(max(row, 0), rows-1)*width+c])
				}
			}
			return list
		},
	}
}

// picked is a result of n whose elements are those of its first operand at other places.
func picked(n *dag.Node, in []number, place func(at, from []int64)) []number {
	from := make([]int64, n.Inputs[0].Type.Shape.Rank())
	var list []number
	each(n.Outputs[0].Type.Shape.Sizes(), func(at []int64) {
		place(at, from)
		list = append(list, in[placeOf(n.Inputs[0], from)])
	})
	return list
}

// placeOf returns the place of an element in row-major order.
func placeOf(v *dag.Value, at []int64) int64 {
	place := int64(0)
	for i, d := range v.Type.Shape {
		place = place*d.Size + at[i]
	}
	return place
}
