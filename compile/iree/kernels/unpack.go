package kernels

import (
	"strings"

	"github.com/skainet-dev/skainet-go/tensor/quant"
)

// Take is y[M, K] = the rows of W[N, K] at M indices of i32, with W in the blocks
// of an encoding, as in MatMul, and y in f32: token embeddings. An index out of
// range is clamped. As in MatMul, M, N and K are operands.
type Take struct {
	N, K     int64
	Encoding quant.Encoding
}

// rowsOfTake is the number of rows that a workgroup unpacks.
const rowsOfTake = 16

// Supported reports whether the shape and encoding have a kernel, for any M.
func (t Take) Supported() bool {
	return MatMul{N: t.N, K: t.K, Encoding: t.Encoding}.Supported() && !t.Encoding.IsDense()
}

// Symbol returns the kernel's name.
func (t Take) Symbol() string { return "take_" + strings.ToLower(string(t.Encoding)) }

// Text returns the executable in this form.
func (t Take) Text(f Form) string {
	s, _ := MatMul{Encoding: t.Encoding}.source()
	return sized(f, t.Symbol(), []string{"m", "n", "k"}, []dealt{{of: "m", by: rowsOfTake}}, func(b *builder, w, indices, y value, sizes []value) {
		m, n, k := sizes[0], sizes[1], sizes[2]
		zero, one := b.index(0), b.index(1)
		blocks := b.over(k, b.index(s.elements), false)
		table := s.memory(b, w, n, blocks)
		at := b.view(indices, i32, []value{m}, -1)
		out := b.view(y, f32, []value{m, k}, -1, -1)
		last := b.def(typ{elem: i32}, "arith.index_cast %s : index to i32", b.sub(n, one).name)
		first := b.mul(b.workgroup("id", 0), b.index(rowsOfTake))
		b.loop(first, b.least(b.plus(first, rowsOfTake), m), one, nil, func(i value, _ []value) []value {
			chosen := b.def(last.typ, "arith.minsi %s, %s : i32", b.load(at, 0, i).name, last.name)
			chosen = b.def(last.typ, "arith.maxsi %s, %s : i32", chosen.name, b.zeros(last.typ).name)
			row := b.def(indexType, "arith.index_cast %s : i32 to index", chosen.name)
			b.loop(zero, blocks, one, nil, func(block value, _ []value) []value {
				start := b.mul(block, b.index(s.elements))
				s.unpack(b, table, row, block, func(element int, v value) {
					b.store(v, out, i, b.plus(start, int64(element)))
				})
				return nil
			})
			return nil
		})
	})
}
