package cpu

import (
	"math"

	"github.com/skainet-dev/skainet-go/compile/dag"
	"github.com/skainet-dev/skainet-go/compile/op/id"
	"github.com/skainet-dev/skainet-go/tensor"
)

var indexingKernels = map[id.ID]kernel{
	id.Take: one(func(n *dag.Node, in []array, out tensor.Type) array {
		table := in[0].typ.Shape
		rows := in[1].data.indices()
		for i, r := range rows {
			rows[i] = clamp(r, table[0].Size-1)
		}
		width := in[0].data.len() / int(table[0].Size)
		return array{out, in[0].data.takeRows(rows, width)}
	}),
	id.Scatter: one(scatterKernel),
	id.Argsort: one(argsortKernel),
	id.DynamicSlice: one(func(n *dag.Node, in []array, out tensor.Type) array {
		steps := make([]int, out.Shape.Rank())
		for i := range steps {
			steps[i] = 1
		}
		return window(in[0], out, corner(in[0].typ, out, in[1:]), steps)
	}),
	id.UpdateRows: func(f *frame, n *dag.Node, in []array) ([]array, error) {
		x, u, out := in[0], in[1], n.Outputs[0].Type
		rows, count := int(out.Shape[0].Size), int(u.typ.Shape[0].Size)
		width := x.data.len() / rows
		start := int(clamp(in[2].data.indices()[0], int64(max(rows-count, 0))))
		return []array{f.update(n, x, u, move{sizes: []int{min(rows, count) * width}, dst: []int{1}, src: []int{1}, dstAt: start * width})}, nil
	},
	id.DynamicUpdateSlice: func(f *frame, n *dag.Node, in []array) ([]array, error) {
		x, u, out := in[0], in[1], n.Outputs[0].Type
		sizes := sizesOf(u.typ)
		m := move{sizes: sizes, dst: strides(sizesOf(out)), src: strides(sizes)}
		for i, at := range corner(out, u.typ, in[2:]) {
			m.dstAt += at * m.dst[i]
		}
		return []array{f.update(n, x, u, m)}, nil
	},
}

func clamp(i, high int64) int64 { return max(0, min(i, high)) }

// corner reads scalar starts and clamps them so that the box fits in outer.
func corner(outer, box tensor.Type, starts []array) []int {
	at := make([]int, len(starts))
	for i, s := range starts {
		at[i] = int(clamp(s.data.indices()[0], outer.Shape[i].Size-box.Shape[i].Size))
	}
	return at
}

// indices returns the elements as int64, saturating.
func (x vec[T]) indices() []int64 {
	out := make([]int64, len(x))
	for i, v := range x {
		out[i] = int64(v)
		if v > 0 && out[i] < 0 {
			out[i] = math.MaxInt64
		}
	}
	return out
}

func (x vec[T]) takeRows(rows []int64, width int) storage {
	y := made[T](len(rows) * width)
	chunksOf(len(rows), grain/max(width, 1), func(lo, hi int) {
		for i := lo; i < hi; i++ {
			copy(y[i*width:(i+1)*width], x[int(rows[i])*width:])
		}
	})
	return y
}
