package kernels

import (
	"fmt"
	"strings"

	"github.com/skainet-dev/skainet-go/lang/quant"
)

// PackedMatVec is y[N] = W[N, K] x[K], with W in the blocks of an encoding as a
// weight file holds them, i8 [N, K/elements, bytes], and x and y in f32: MatVec
// for quantised weights. Arithmetic is that of f32; x is never quantised.
type PackedMatVec struct {
	N, K     int64
	Encoding quant.Encoding
}

// Supported says whether there is a kernel for the shape and encoding.
func (m PackedMatVec) Supported() bool {
	r, ok := readers[m.Encoding]
	if !ok || m.N <= 0 || m.K <= 0 {
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
	elements, bytes, _ := r.block()
	blocks := m.K / elements
	return executable(indent, m.Symbol(), (m.N+rowsOfGroup-1)/rowsOfGroup, 3, func(b *builder, bindings []value, group value) {
		w := b.subspan(bindings[0], i8, m.N, blocks, bytes)
		x := b.subspan(bindings[1], f32, m.K)
		y := b.subspan(bindings[2], f32, m.N)
		first := b.mul(group, b.index(rowsOfGroup))
		last := b.least(b.plus(first, rowsOfGroup), b.index(m.N))
		zero, one := b.index(0), b.index(1)
		vector := typ{f32, lanes}
		b.loop(first, last, one, nil, func(n value, _ []value) []value {
			initial := []value{b.zeros(vector), b.zeros(vector)}
			sums := b.loop(zero, b.index(blocks), one, initial, func(k value, sums []value) []value {
				from := func(offset int64, count int) value { return b.load(w, count, n, k, b.index(offset)) }
				at := b.mul(k, b.index(elements))
				return m.block(b, r, from, func(element int) value {
					return b.load(x, lanes, b.plus(at, int64(element)))
				}, sums)
			})
			b.store(b.sum(b.add(sums[0], sums[1])), y, n)
			return nil
		})
	})
}

// block adds the products of one block to the sums.
func (m PackedMatVec) block(b *builder, r reader, from source, x func(element int) value, sums []value) []value {
	sums = append([]value{}, sums...)
	scales, shifts := r.scales(b, from)
	r.codes(b, from, func(run int, codes []value) {
		var product, plain value
		for i, c := range codes {
			at := x(run*r.run + i*lanes)
			product = b.fma(c, at, product)
			if plain.none() {
				plain = at
			} else {
				plain = b.add(plain, at)
			}
		}
		k := run % len(sums)
		sums[k] = b.fma(product, b.splat(b.lane(scales, run), lanes), sums[k])
		if !shifts.none() {
			k = (run + 1) % len(sums)
			sums[k] = b.fma(plain, b.splat(b.lane(shifts, run), lanes), sums[k])
		}
	})
	return sums
}
