package gemm

// The kernels of tile_arm64.s and vector_arm64.s: Advanced SIMD, which every
// processor of this architecture has. k is at least 1 for tiles; lengths and
// strides are in elements.
//
//go:noescape
func tile8x12(k int, a, b *float32, at *int, c *float32, ldc, add int)

//go:noescape
func tile4x12(k int, a, b *float32, at *int, c *float32, ldc, add int)

//go:noescape
func dot4(k int, a *float32, lda int, x, y *float32)

//go:noescape
func dot1(k int, a, x, y *float32)

//go:noescape
func axpy4(n int, a, b *float32, ldb int, y *float32)

//go:noescape
func axpy1(n int, a, b, y *float32)

// available returns the kernels that this processor can run, the best first.
func available() []*kernels {
	return []*kernels{{
		name: "neon", rows: 8, cols: 12, tiles: []tile{{4, tile4x12}, {8, tile8x12}}, packed: steps(12),
		dot4: dot4, dot1: dot1, axpy4: axpy4, axpy1: axpy1,
	}, &portable}
}
