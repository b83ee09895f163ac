package cpu

import (
	"cmp"
	"slices"

	"github.com/skainet-dev/skainet-go/compile/dag"
	"github.com/skainet-dev/skainet-go/compile/op"
	"github.com/skainet-dev/skainet-go/tensor"
)

// argsortKernel sorts rows along the last dimension and moves it back.
func argsortKernel(n *dag.Node, in []array, out tensor.Type) array {
	dim := int(n.Attrs.Int("dim"))
	x, length := lastDims(in[0], []int64{int64(dim)})
	rows := 0
	if length > 0 {
		rows = x.len() / length
	}
	y := x.argsortRows(rows, length, n.Attrs.Bool("descending"))
	// Dimension dim is now last; in the result it is dim again.
	order := make([]int, out.Shape.Rank())
	sorted := tensor.Type{DType: out.DType}
	for i, d := range out.Shape {
		if i != dim {
			sorted.Shape = append(sorted.Shape, d)
		}
		order[i] = i
		if i > dim {
			order[i] = i - 1
		}
	}
	sorted.Shape = append(sorted.Shape, out.Shape[dim])
	order[dim] = len(order) - 1
	return array{out, permuted(array{sorted, y}, order)}
}

func (x vec[T]) argsortRows(rows, n int, descending bool) storage {
	y := made[int32](rows * n)
	compare := func(a, b T) int {
		switch { // NaN is greatest, and 0 and -0 are equal
		case a != a || b != b:
			return cmp.Compare(boolByte(a != a), boolByte(b != b))
		case a < b:
			return -1
		case a > b:
			return 1
		}
		return 0
	}
	chunksOf(rows, grain/max(n, 1), func(lo, hi int) {
		for r := lo; r < hi; r++ {
			row, order := x[r*n:(r+1)*n], y[r*n:(r+1)*n]
			for i := range order {
				order[i] = int32(i)
			}
			slices.SortStableFunc(order, func(i, j int32) int {
				if descending {
					i, j = j, i
				}
				return compare(row[i], row[j])
			})
		}
	})
	return y
}

// scatterKernel applies the updates in order, so that the last one wins.
func scatterKernel(n *dag.Node, in []array, out tensor.Type) array {
	x, updates := in[0], in[2]
	last := x.typ.Shape[0].Size - 1
	rows := in[1].data.indices()
	for i, r := range rows {
		rows[i] = clamp(r, last)
	}
	whole := x.data.len()
	y := x.data.like(whole)
	y.move(move{sizes: []int{whole}, dst: []int{1}, src: []int{1}}, x.data)
	y.scatterRows(rows, whole/int(last+1), updates.data, n.Attrs.String("mode"))
	return roundToDType(array{out, y})
}

func (x vec[T]) scatterRows(rows []int64, width int, updates storage, mode string) {
	u := updates.(vec[T])
	f := func(_, b T) T { return b }
	switch mode {
	case op.ScatterAdd:
		f = func(a, b T) T { return a + b }
	case op.ScatterMul:
		f = func(a, b T) T { return a * b }
	case op.ScatterMin:
		f = func(a, b T) T { return min(a, b) }
	case op.ScatterMax:
		f = func(a, b T) T { return max(a, b) }
	}
	for i, r := range rows {
		to := x[int(r)*width:]
		for j, v := range u[i*width : (i+1)*width] {
			to[j] = f(to[j], v)
		}
	}
}
