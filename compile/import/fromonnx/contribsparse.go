package fromonnx

import (
	"math"

	"github.com/skainet-dev/skainet-go/compile/dag"
	"github.com/skainet-dev/skainet-go/compile/op"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
	"github.com/skainet-dev/skainet-go/tensor/shape"
)

// sparse is causal attention in which a head sees some blocks of keys (Child et al. 2019), as
// Phi-3-small has it. The past, inputs 3 and 4, is a buffer [B, G, M, D] into which the new keys
// are written: they end at a number of steps, input 7.
func (n *node) sparse() []*dag.Value {
	heads, groups, size := n.int("num_heads", 1), n.int("kv_num_heads", 1), n.int("sparse_block_size", 0)
	q, k, v := n.sharing(heads, groups)
	layouts, blocks, table := n.blocksSeen(size)
	room := extent(n.in(3), 2)
	if heads%layouts != 0 || room > blocks*size {
		n.malformed("SparseAttention of %d heads and %d keys by %d layouts of %d blocks", heads, room, layouts, blocks)
	}
	total := n.convert(n.unit(n.in(7)), dtype.I32)
	first := n.binary("subtract", total, n.sizeValue(dtype.I32, q, 2))
	s := dims(q)[2]
	places := n.binary("add", n.iotaTo(dtype.I32, 0, s), first)
	if n.int("do_rotary", 0) == 1 {
		row := func(i int) *dag.Value { return n.row(n.rowsOf(n.in(i), places)) }
		cos, sin, paired := row(9), row(10), n.int("rotary_interleaved", 0) == 1
		q, k = n.rotated(q, cos, sin, 0, paired), n.rotated(k, cos, sin, 0, paired)
	}
	zero := n.splatOf(dtype.I32, 0)
	put := func(i int, x *dag.Value) *dag.Value {
		return n.add("dynamic_update_slice", nil, n.in(i), x, zero, zero, first, zero)
	}
	k, v = put(3, k), put(4, v)
	seen := n.takeAlong(table, n.binary("divide", places, n.splatOf(dtype.I32, float64(size))), 1) // [L, S, blocks]
	seen = n.repeated(seen, 2, size, room)
	wide := []shape.Dim{shape.N(heads / layouts), shape.N(layouts), s, shape.N(room)}
	seen = n.reshapeTo(n.spreadTo(seen, wide), shape.N(1), shape.N(heads), s, shape.N(room))
	key := n.iotaTo(dtype.I32, 3, shape.N(1), shape.N(1), shape.N(1), shape.N(room))
	before := n.compare(op.LE, key, n.reshapeTo(places, shape.N(1), shape.N(1), s, shape.N(1)))
	last := n.reshapeTo(n.convert(n.in(8), dtype.I32), dims(q)[0], shape.N(1), shape.N(1), shape.N(1))
	seen = n.binary("and", n.compare(op.NE, seen, n.splat(seen, 0)), n.binary("and", before, n.compare(op.LT, key, last)))
	n.assume("SparseAttention takes all sequences of a batch as equally long")
	mask := n.hiding(seen, q.Type.DType, math.Inf(-1))
	return []*dag.Value{n.flat(n.attended(q, k, v, mask, shape.N(0), false)), k, v}
}

// blocksSeen reads which blocks of keys each block of queries sees, [L, blocks, blocks], from
// the ends of rows, input 5, and their columns, input 6.
func (n *node) blocksSeen(size int64) (layouts, blocks int64, table *dag.Value) {
	layouts, blocks = extent(n.in(5), 0), extent(n.in(5), 1)-1
	width := extent(n.in(6), 1)
	if size < 1 || size > 1<<20 || layouts < 1 || blocks < 1 || extent(n.in(6), 0) != layouts {
		n.malformed("SparseAttention of blocks of %d with rows [%s] and columns [%s]", size, dims(n.in(5)), dims(n.in(6)))
	}
	n.bounded(layouts, blocks, blocks)
	ends, columns := wholes(n.value(n.in(5))), wholes(n.value(n.in(6)))
	list := make([]int64, layouts*blocks*blocks)
	for l := range layouts {
		for r := range blocks {
			from, to := ends[l*(blocks+1)+r], ends[l*(blocks+1)+r+1]
			if from < 0 || from > to || to > width {
				n.malformed("SparseAttention whose row %d has the columns from %d to %d of %d", r, from, to, width)
			}
			for _, c := range columns[l*width+from : l*width+to] {
				if c < 0 || c >= blocks {
					n.malformed("SparseAttention with the column %d of %d", c, blocks)
				}
				list[(l*blocks+r)*blocks+c] = 1
			}
		}
	}
	return layouts, blocks, n.convert(n.reshape(n.list(list), layouts, blocks, blocks), dtype.U8)
}
