package gemm

import "golang.org/x/sys/cpu"

// The kernels of tile_amd64.s (AVX-512F; AVX2 and FMA), vector_amd64.s (AVX2 and
// FMA; dot8 AVX-512F) and pack_amd64.s (AVX). k is at least 1 for tiles and copies; lengths and
// strides are in elements.
//
//go:noescape
func tile12x32(k int, a, b *float32, at *int, c *float32, ldc, add int)

//go:noescape
func tile8x32(k int, a, b *float32, at *int, c *float32, ldc, add int)

//go:noescape
func tile4x32(k int, a, b *float32, at *int, c *float32, ldc, add int)

//go:noescape
func tile6x16(k int, a, b *float32, at *int, c *float32, ldc, add int)

//go:noescape
func dot4(k int, a *float32, lda int, x, y *float32)

//go:noescape
func dot8(k int, a *float32, lda int, x, y *float32)

//go:noescape
func dot1(k int, a, x, y *float32)

//go:noescape
func axpy4(n int, a, b *float32, ldb int, y *float32)

//go:noescape
func axpy1(n int, a, b, y *float32)

//go:noescape
func turn4(k int, a *float32, lda int, dst *float32, width int)

//go:noescape
func copy32(k int, src *float32, stride int, dst *float32)

// available returns the kernels that this processor can run, the best first.
func available() []*kernels {
	var all []*kernels
	if cpu.X86.HasAVX2 && cpu.X86.HasFMA {
		vector := kernels{name: "avx2", rows: 6, cols: 16, tiles: []tile{{6, tile6x16}}, packed: steps(16), dot4: dot4, dot1: dot1, axpy4: axpy4, axpy1: axpy1, turn4: turn4}
		if cpu.X86.HasAVX512F {
			wide := vector
			wide.name, wide.rows, wide.cols, wide.packed = "avx512", 12, 32, steps(32)
			wide.copy, wide.dot8 = copy32, dot8
			wide.tiles = []tile{{4, tile4x32}, {8, tile8x32}, {12, tile12x32}}
			all = append(all, &wide)
		}
		all = append(all, &vector)
	}
	return append(all, &portable)
}
