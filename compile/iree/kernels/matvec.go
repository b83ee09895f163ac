// Package kernels writes kernels as MLIR text for the operations where StableHLO is too
// slow. A kernel is a stream.executable of scf and vector operations inside the
// StableHLO module, called by flow.dispatch; the compiler turns it into code for any
// CPU that it supports (not for Vulkan or VMVX). Each kernel has an equivalent
// StableHLO form, which is the fallback on other targets and the reference in the
// parity tests.
//
// The dialects are those of one release, target.IREEVersion; the build rules use the
// portable text with any other release.
//
// # Errors
//
// None: Supported returns false for a shape without a kernel.
//
// # Determinism
//
// The text depends only on the shape and the element type.
package kernels

import (
	"fmt"

	"github.com/skainet-dev/skainet-go/tensor/dtype"
)

// MatVec is y[N] = W[N, K] x[K], with W as it is stored and x and y in f32: the
// products of a decoder that generates one token at a time. Each row is summed in
// accumulators of 16 lanes that are added up once at its end. Types other than f32 are
// widened in registers, so that a weight is read once and no f32 copy of it is made.
type MatVec struct {
	N, K   int64
	Weight dtype.DType // F32, F16, BF16 or I8
}

// Lanes is the number of f32 in a vector: one AVX-512 register, two of AVX2, four of NEON.
const Lanes = 16

const (
	lanes        = Lanes
	maxUnroll    = 8  // vectors of one iteration
	accumulators = 4  // independent sums, to hide the latency of multiply-add
	rowsOfGroup  = 32 // rows per workgroup
)

// Supported reports whether the shape and type have a kernel.
func (m MatVec) Supported() bool {
	return m.N > 0 && m.K > 0 && m.K%lanes == 0 && Widens(m.Weight)
}

// Widens reports whether the kernels for dense weights read the type.
func Widens(d dtype.DType) bool {
	return d == dtype.F32 || d == dtype.F16 || d == dtype.BF16 || d == dtype.I8
}

// Symbol returns the kernel's name.
func (m MatVec) Symbol() string { return fmt.Sprintf("matvec_%s_%dx%d", m.Weight, m.N, m.K) }

// unroll is the largest number of vectors up to maxUnroll that divides a row.
func (m MatVec) unroll() int {
	u := maxUnroll
	for m.K%int64(u*lanes) != 0 {
		u /= 2
	}
	return u
}

// Text returns the executable in this form.
func (m MatVec) Text(f Form) string {
	return executable(f, m.Symbol(), (m.N+rowsOfGroup-1)/rowsOfGroup, 3, nil, func(b *builder, bindings, _ []value, group value) {
		w := b.subspan(bindings[0], element(m.Weight.MLIR()), m.N, m.K)
		x := b.subspan(bindings[1], f32, m.K)
		y := b.subspan(bindings[2], f32, m.N)
		first := b.mul(group, b.index(rowsOfGroup))
		last := b.least(b.plus(first, rowsOfGroup), b.index(m.N))
		b.loop(first, last, b.index(1), nil, func(n value, _ []value) []value {
			b.store(b.sum(m.row(b, w, x, n)), y, n)
			return nil
		})
	})
}

// row returns the sums of a row, one per lane.
func (m MatVec) row(b *builder, w, x memory, n value) value {
	sums := make([]value, min(accumulators, m.unroll()))
	for i := range sums {
		sums[i] = b.zeros(vectorType)
	}
	step := b.index(int64(m.unroll() * lanes))
	sums = b.loop(b.index(0), b.index(m.K), step, sums, func(k value, sums []value) []value {
		next := append([]value{}, sums...)
		for i := range m.unroll() {
			at := b.offset(k, i*lanes)
			v := b.load(w, lanes, n, at)
			if m.Weight != dtype.F32 {
				v = b.signed(v, f32)
			}
			s := &next[i%len(next)]
			*s = b.fma(v, b.load(x, lanes, at), *s)
		}
		return next
	})
	for len(sums) > 1 {
		sums = append(append([]value{}, sums[2:]...), b.add(sums[0], sums[1]))
	}
	return sums[0]
}
