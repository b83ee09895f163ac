package kernels

import (
	"fmt"
	"strings"

	"github.com/skainet-dev/skainet-go/tensor/quant"
)

// PackedMatVec is y[N] = W[N, K] x[K], with W in the blocks of an encoding as stored
// in a weight file, i8 [N, K/elements, bytes], and x and y in f32: MatVec
// for quantised weights. Arithmetic is that of f32; x is never quantised.
//
// The kernels are bound by arithmetic, not by memory, so each row has one horizontal
// sum, each run one multiplication by its scale, and what depends only on x is computed
// once per workgroup.
type PackedMatVec struct {
	N, K     int64
	Encoding quant.Encoding
}

const (
	// Rows that are computed together where a block is one run, so that an element of x
	// is loaded once for all. They are a quarter of the matrix apart: sequential
	// streams are prefetched, but those of adjacent rows jump, which took three times
	// as long.
	packedStreams = 4
	// Approximate bytes of W per workgroup.
	groupBytes = 32 << 10
	// The largest K: a number for each run of x and each scale of a row are on the
	// stack.
	maxPackedK = 1 << 17
)

// Supported reports whether the shape and encoding have a kernel.
func (m PackedMatVec) Supported() bool {
	r, ok := readers[m.Encoding]
	if !ok || m.N <= 0 || m.K <= 0 || m.K > maxPackedK {
		return false
	}
	elements, _, _ := r.block()
	return m.K%elements == 0
}

// Symbol returns the kernel's name.
func (m PackedMatVec) Symbol() string {
	return fmt.Sprintf("matvec_%s_%d", strings.ToLower(string(m.Encoding)), m.K)
}

// Text returns the executable in this form. N is an operand, so that
// the matrices of a model share it.
func (m PackedMatVec) Text(f Form) string {
	r := readers[m.Encoding]
	elements, bytes, runs := r.block()
	streams := int64(1)
	if runs == 1 {
		streams = packedStreams
	}
	each := max(1, groupBytes/(streams*m.K/elements*bytes)) // rows of a stream in a workgroup
	return sized(f, m.Symbol(), []string{"n"}, []dealt{{of: "n", by: streams * each}}, func(b *builder, w, x, y value, sizes []value) {
		n := sizes[0]
		p := packedRows{builder: b, reader: r, elements: elements, blocks: m.K / elements, runs: runs}
		p.w = b.view(w, i8, []value{n}, -1, p.blocks, bytes)
		p.x = b.subspan(x, f32, m.K)
		out := b.view(y, f32, []value{n}, -1)
		p.prepare(m.K)
		length := b.over(n, b.index(streams), true)
		final := b.sub(n, b.index(1))
		first := b.mul(b.workgroup("id", 0), b.index(each))
		last := b.least(b.plus(first, each), length)
		b.loop(first, last, b.index(1), nil, func(row value, _ []value) []value {
			rows := []value{row}
			for range streams - 1 {
				row = b.add(row, length)
				rows = append(rows, b.least(row, final)) // a stream that has ended repeats the last row
			}
			for i, sum := range p.products(rows) {
				b.store(sum, out, rows[i])
			}
			return nil
		})
	})
}
