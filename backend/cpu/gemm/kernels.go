package gemm

import "unsafe"

// kernels are the kernels of a processor. Pointers are to as many elements as
// a kernel accesses, which the caller has checked with slices.
type kernels struct {
	name       string
	rows, cols int // of a tile

	// tiles[i] computes i+1 rows; the last one computes all rows of a tile.
	tiles []tile
	// packed holds the offsets of the rows of a packed strip.
	packed []int
	// dot4 multiplies four rows of a by x, dot1 one, dot8, if not nil, eight.
	dot8 func(k int, a *float32, lda int, x, y *float32)
	dot4 func(k int, a *float32, lda int, x, y *float32)
	dot1 func(k int, a, x, y *float32)
	// axpy4 adds four rows of b times the four elements of a to y, axpy1 one.
	axpy4 func(n int, a, b *float32, ldb int, y *float32)
	axpy1 func(n int, a, b, y *float32)
	// turn4, if not nil, writes four rows of a as columns of dst; k is a
	// multiple of 4.
	turn4 func(k int, a *float32, lda int, dst *float32, width int)
	// copy, if not nil, copies k rows of cols elements into a strip.
	copy func(k int, src *float32, stride int, dst *float32)
}

// tile computes, or with add accumulates, the first rows of a tile of c with leading
// dimension ldc from a panel a [k, kernels.rows] and a strip of b, whose row i is the
// kernels.cols elements starting at at[i].
type tile struct {
	rows int
	f    func(k int, a, b *float32, at *int, c *float32, ldc, add int)
}

// steps returns the offsets of the rows of a packed strip.
func steps(cols int) []int {
	at := make([]int, blockDepth)
	for i := range at {
		at[i] = i * cols
	}
	return at
}

// chosen is the best for this processor.
var chosen = available()[0]

// portable is written in Go. Its tile is as wide as scalar registers allow.
var portable = kernels{name: "go", rows: 2, cols: 4, tiles: []tile{{2, tile2x4}}, packed: steps(4), dot4: goDot4, dot1: goDot1, axpy4: goAxpy4, axpy1: goAxpy1}

func tile2x4(k int, pa, pb *float32, pat *int, pc *float32, ldc, add int) {
	a, at, c := unsafe.Slice(pa, 2*k), unsafe.Slice(pat, k), unsafe.Slice(pc, ldc+4)
	var s00, s01, s02, s03, s10, s11, s12, s13 float32
	if add != 0 {
		s00, s01, s02, s03 = c[0], c[1], c[2], c[3]
		s10, s11, s12, s13 = c[ldc], c[ldc+1], c[ldc+2], c[ldc+3]
	}
	for _, p := range at {
		b := (*[4]float32)(unsafe.Add(unsafe.Pointer(pb), 4*p))
		x, y := a[0], a[1]
		v0, v1 := b[0], b[1]
		s00 += x * v0
		s01 += x * v1
		s10 += y * v0
		s11 += y * v1
		v2, v3 := b[2], b[3]
		s02 += x * v2
		s03 += x * v3
		s12 += y * v2
		s13 += y * v3
		a = a[2:]
	}
	c[0], c[1], c[2], c[3] = s00, s01, s02, s03
	c[ldc], c[ldc+1], c[ldc+2], c[ldc+3] = s10, s11, s12, s13
}

func goDot4(k int, a *float32, lda int, x, y *float32) {
	rows, out := unsafe.Slice(a, 3*lda+k), unsafe.Slice(y, 4)
	for i := range 4 {
		goDot1(k, unsafe.SliceData(rows[i*lda:]), x, &out[i])
	}
}

func goDot1(k int, a, x, y *float32) {
	p, q := unsafe.Slice(a, k), unsafe.Slice(x, k)
	var s0, s1, s2, s3 float32
	for len(p) >= 4 && len(q) >= 4 {
		s0 += p[0] * q[0]
		s1 += p[1] * q[1]
		s2 += p[2] * q[2]
		s3 += p[3] * q[3]
		p, q = p[4:], q[4:]
	}
	sum := (s0 + s2) + (s1 + s3)
	for i, v := range p {
		sum += v * q[i]
	}
	*y = sum
}

func goAxpy4(n int, a, b *float32, ldb int, y *float32) {
	f, rows, out := unsafe.Slice(a, 4), unsafe.Slice(b, 3*ldb+n), unsafe.Slice(y, n)
	f0, f1, f2, f3 := f[0], f[1], f[2], f[3]
	b0, b1, b2, b3 := rows[:n], rows[ldb:][:n], rows[2*ldb:][:n], rows[3*ldb:][:n]
	for i, v := range out {
		v += f0 * b0[i]
		v += f1 * b1[i]
		v += f2 * b2[i]
		out[i] = v + f3*b3[i]
	}
}

func goAxpy1(n int, a, b, y *float32) {
	f, row, out := *a, unsafe.Slice(b, n), unsafe.Slice(y, n)
	for i, v := range row {
		out[i] += f * v
	}
}
