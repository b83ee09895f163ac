package cpu

import (
	"slices"

	"github.com/skainet-dev/skainet-go/compile/dag"
	"github.com/skainet-dev/skainet-go/compile/op"
	"github.com/skainet-dev/skainet-go/compile/op/id"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
)

var reductionKernels = map[id.ID]kernel{
	id.ReduceSum: one(reduceKernel), id.ReduceProd: one(reduceKernel), id.ReduceMax: one(reduceKernel), id.ReduceMin: one(reduceKernel),
	id.Argmax: one(func(n *dag.Node, in []array, out tensor.Type) array {
		x, length := lastDims(in[0], []int64{n.Attrs.Int("dim")})
		return array{out, x.argmaxRows(count(out), length)}
	}),
}

func reduceKernel(n *dag.Node, in []array, out tensor.Type) array {
	x, length := lastDims(in[0], n.Attrs.Ints("dims"))
	return roundToDType(array{out, x.reduceRows(n.Op.ID, count(out), length, out.DType)})
}

// lastDims moves dims after the others, in ascending order, and returns their total
// number of elements.
func lastDims(x array, dims []int64) (data storage, length int) {
	var order, last []int
	length = 1
	for i, d := range x.typ.Shape {
		if slices.Contains(dims, int64(i)) {
			last = append(last, i)
			length *= int(d.Size)
		} else {
			order = append(order, i)
		}
	}
	return permuted(x, append(order, last...)), length
}

// reduceRows reduces x [rows, n] along n, in order.
func (x vec[T]) reduceRows(i op.ID, rows, n int, d dtype.DType) storage {
	low, high := bounds[T](d)
	var first T
	f := func(a, b T) T { return a + b }
	switch i {
	case id.ReduceProd:
		first, f = 1, func(a, b T) T { return a * b }
	case id.ReduceMax:
		first, f = low, func(a, b T) T { return max(a, b) }
	case id.ReduceMin:
		first, f = high, func(a, b T) T { return min(a, b) }
	}
	if f, ok := fast(x); ok && i == id.ReduceSum {
		return sumF32(f, rows, n)
	}
	y := fresh[T](rows)
	eachRow(rows, n, func(r int) {
		row := x[r*n : (r+1)*n]
		acc, done := extremeOf(i, row, first)
		if !done {
			for _, v := range row {
				acc = f(acc, v)
			}
		}
		y[r] = acc
	})
	return y
}

func (x vec[T]) argmaxRows(rows, n int) vec[int32] {
	y := fresh[int32](rows)
	chunksOf(rows, grain/max(n, 1), func(lo, hi int) {
		for r := lo; r < hi; r++ {
			row := x[r*n : (r+1)*n]
			best := 0
			for i, v := range row {
				if v != v { // the first NaN wins
					best = i
					break
				}
				if v > row[best] {
					best = i
				}
			}
			y[r] = int32(best)
		}
	})
	return y
}

// extremeOf reduces x to its minimum or maximum with first, or NaN if there
// is one; it does nothing for other reductions.
func extremeOf[T number](i op.ID, x []T, first T) (T, bool) {
	switch i {
	case id.ReduceMax:
		for _, v := range x {
			first = max(first, v)
		}
	case id.ReduceMin:
		for _, v := range x {
			first = min(first, v)
		}
	default:
		return first, false
	}
	return first, true
}
