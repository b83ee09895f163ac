package cpu

import (
	"github.com/skainet-dev/skainet-go/backend/cpu/gemm"
	"github.com/skainet-dev/skainet-go/backend/cpu/packed"
	"github.com/skainet-dev/skainet-go/compile/dag"
	"github.com/skainet-dev/skainet-go/compile/op/id"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/quant"
)

// Operations on weights in blocks read them in place: see packed.Matrix.
var blockKernels = map[id.ID]kernel{
	id.DequantizeBlocks: one(func(n *dag.Node, in []array, out tensor.Type) array {
		rows := 1
		for _, d := range out.Shape[:out.Shape.Rank()-1] {
			rows *= int(d.Size)
		}
		m := matrixOf(n, in[0], rows, columns(out))
		return array{out, m.takeRows(nil)}
	}),
	id.DequantTake: one(func(n *dag.Node, in []array, out tensor.Type) array {
		rows := int(in[0].typ.Shape[0].Size)
		at := in[1].data.indices()
		for i, r := range at {
			at[i] = min(max(r, 0), int64(rows-1))
		}
		return array{out, matrixOf(n, in[0], rows, columns(out)).takeRows(at)}
	}),
	id.DequantMatmul: one(func(n *dag.Node, in []array, out tensor.Type) array {
		x, k := in[0].data.(vec[float32]), columns(in[0].typ)
		m := matrixOf(n, in[1], columns(out), k)
		rows := count(out) / max(columns(out), 1)
		y := fresh[float32](count(out))
		if err := m.Multiply(gemm.Result{Data: y, Row: columns(out)}, gemm.Operand{Data: x, Row: k, Col: 1}, rows, parallel); err != nil {
			panic(err) // the shape rule has checked this
		}
		return array{out, y}
	}),
}

// columns returns the size of the last dimension.
func columns(t tensor.Type) int { return int(t.Shape[t.Shape.Rank()-1].Size) }

// blockMatrix is a matrix whose rows are blocks.
type blockMatrix struct {
	*packed.Matrix
	encoding quant.Encoding
	data     []byte
}

func matrixOf(n *dag.Node, w array, rows, cols int) blockMatrix {
	e := quant.Encoding(n.Attrs.String("encoding"))
	data := w.data.bytes()
	m, err := packed.New(e, rows, cols, data)
	if err != nil {
		panic(err) // the shape rule has checked this
	}
	return blockMatrix{m, e, data}
}

// takeRows unpacks rows; nil means all.
func (m blockMatrix) takeRows(which []int64) vec[float32] {
	rows, cols := m.Size()
	stride := 0
	if rows > 0 {
		stride = len(m.data) / rows
	}
	if which != nil {
		rows = len(which)
	}
	y := fresh[float32](rows * cols)
	chunksOf(rows, grain/max(cols, 1), func(lo, hi int) {
		for i := lo; i < hi; i++ {
			r := i
			if which != nil {
				r = int(which[i])
			}
			if err := quant.Unpack(m.encoding, y[i*cols:(i+1)*cols], m.data[r*stride:(r+1)*stride]); err != nil {
				panic(err) // packed.New has checked the lengths
			}
		}
	})
	return y
}
