package kernels

import (
	"fmt"
	"strings"

	"github.com/skainet-dev/skainet-go/lang/quant"
)

// PackedMatVec is y[N] = W[N, K] x[K], with W in the blocks of an encoding as a
// weight file holds them, i8 [N, K/elements, bytes], and x and y in f32: MatVec
// for quantised weights. Arithmetic is that of f32; x is never quantised.
//
// The kernels are bound by operations, not by memory, so each row has one
// horizontal sum, each run one multiplication by its scale, and what depends on
// x alone is computed once a workgroup.
type PackedMatVec struct {
	N, K     int64
	Encoding quant.Encoding
}

const (
	// Rows that are computed together where a block is one run, so that an element
	// of x is loaded once for all. They lie a quarter of the matrix apart: streams
	// that go straight on are foreseen, those of rows side by side jump, which took
	// three times as long.
	packedStreams = 4
	// Bytes of W of a workgroup, about.
	groupBytes = 32 << 10
	// The largest K: a number for each run of x and each scale of a row lie on the
	// stack.
	maxPackedK = 1 << 17
)

// Supported says whether there is a kernel for the shape and encoding.
func (m PackedMatVec) Supported() bool {
	r, ok := readers[m.Encoding]
	if !ok || m.N <= 0 || m.K <= 0 || m.K > maxPackedK {
		return false
	}
	elements, _, _ := r.block()
	return m.K%elements == 0
}

// Symbol names the kernel.
func (m PackedMatVec) Symbol() string {
	return fmt.Sprintf("matvec_%s_%dx%d", strings.ToLower(string(m.Encoding)), m.N, m.K)
}

// Text gives the executable, each line behind indent.
func (m PackedMatVec) Text(indent string) string {
	r := readers[m.Encoding]
	elements, bytes, runs := r.block()
	streams := int64(1)
	if runs == 1 {
		streams = min(packedStreams, m.N)
	}
	length := (m.N + streams - 1) / streams
	each := max(1, groupBytes/(streams*m.K/elements*bytes)) // rows of a stream in a workgroup
	return executable(indent, m.Symbol(), (length+each-1)/each, 3, func(b *builder, bindings []value, group value) {
		p := packedRows{builder: b, reader: r, elements: elements, blocks: m.K / elements, runs: runs}
		p.w = b.subspan(bindings[0], i8, m.N, p.blocks, bytes)
		p.x = b.subspan(bindings[1], f32, m.K)
		y := b.subspan(bindings[2], f32, m.N)
		p.prepare(m.K)
		first := b.mul(group, b.index(each))
		last := b.least(b.plus(first, each), b.index(length))
		b.loop(first, last, b.index(1), nil, func(n value, _ []value) []value {
			rows := []value{n}
			for s := int64(1); s < streams; s++ {
				row := b.plus(n, s*length)
				if streams*length > m.N { // a stream that has ended gives the last row again
					row = b.least(row, b.index(m.N-1))
				}
				rows = append(rows, row)
			}
			for i, sum := range p.products(rows) {
				b.store(sum, y, rows[i])
			}
			return nil
		})
	})
}
