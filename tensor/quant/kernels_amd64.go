package quant

import (
	"sync"

	"golang.org/x/sys/cpu"
)

// The kernels of kernels_*amd64.s, which need AVX2 and F16C. ahead is 1 where the output is too large for the cache, else 0.
//
//go:noescape
func q8_0(dst *float32, src *byte, blocks, ahead int)

//go:noescape
func q4_0(dst *float32, src *byte, blocks, ahead int)

//go:noescape
func q5_0(dst *float32, src *byte, blocks, ahead int)

//go:noescape
func q4K(dst *float32, src *byte, blocks, ahead int)

//go:noescape
func q4_1(dst *float32, src *byte, blocks, ahead int)

//go:noescape
func q5_1(dst *float32, src *byte, blocks, ahead int)

//go:noescape
func q2K(dst *float32, src *byte, blocks, ahead int)

//go:noescape
func q3K(dst *float32, src *byte, blocks, ahead int)

//go:noescape
func tq1_0(dst *float32, src *byte, blocks, ahead int)

//go:noescape
func tq2_0(dst *float32, src *byte, blocks, ahead int)

// grid has 2048 points.
//
//go:noescape
func iq1s(dst *float32, src *byte, blocks, ahead int, grid *[8]int8)

//go:noescape
func iq1m(dst *float32, src *byte, blocks, ahead int, grid *[8]int8)

// grid has 256 points, and signs the signs of each of 128 codes.
//
//go:noescape
func iq2xxs(dst *float32, src *byte, blocks, ahead int, grid *[8]int8, signs *[8]uint32)

//go:noescape
func q5K(dst *float32, src *byte, blocks, ahead int)

//go:noescape
func q6K(dst *float32, src *byte, blocks, ahead int)

// kernels are the unpackers that this processor has in place of those in Go.
func kernels() map[Encoding]func(dst []float32, src []byte) error {
	if !cpu.X86.HasAVX2 || !cpu.X86.HasF16C {
		return nil
	}
	return map[Encoding]func(dst []float32, src []byte) error{
		"Q8_0": func(dst []float32, src []byte) error { return inPieces(q8_0, dst, src, 32, 34) },
		"Q4_0": func(dst []float32, src []byte) error { return inPieces(q4_0, dst, src, 32, 18) },
		"Q5_0": func(dst []float32, src []byte) error { return inPieces(q5_0, dst, src, 32, 22) },
		"Q4_1": func(dst []float32, src []byte) error { return inPieces(q4_1, dst, src, 32, 20) },
		"Q5_K": func(dst []float32, src []byte) error { return inPieces(q5K, dst, src, 256, 176) },
		"Q6_K": func(dst []float32, src []byte) error { return inPieces(q6K, dst, src, 256, 210) },
		"Q4_K": func(dst []float32, src []byte) error { return inPieces(q4K, dst, src, 256, 144) },

		"Q5_1":  func(dst []float32, src []byte) error { return inPieces(q5_1, dst, src, 32, 24) },
		"Q2_K":  func(dst []float32, src []byte) error { return inPieces(q2K, dst, src, 256, 84) },
		"Q3_K":  func(dst []float32, src []byte) error { return inPieces(q3K, dst, src, 256, 110) },
		"TQ1_0": func(dst []float32, src []byte) error { return inPieces(tq1_0, dst, src, 256, 54) },
		"TQ2_0": func(dst []float32, src []byte) error { return inPieces(tq2_0, dst, src, 256, 66) },
		"IQ1_S": func(dst []float32, src []byte) error { return onGrid(iq1s, iq1Grid(), dst, src, 50) },
		"IQ1_M": func(dst []float32, src []byte) error { return onGrid(iq1m, iq1Grid(), dst, src, 56) },
		"IQ2_XXS": func(dst []float32, src []byte) error {
			signs := signMasks()
			return onGrid(func(dst *float32, src *byte, blocks, ahead int, grid *[8]int8) {
				iq2xxs(dst, src, blocks, ahead, grid, &signs[0])
			}, iq2xxsGrid(), dst, src, 66)
		},
	}
}

// signMasks gives, for every code of evenSigns, the bits that change the signs of
// eight floats.
var signMasks = sync.OnceValue(func() *[128][8]uint32 {
	var masks [128][8]uint32
	for code := range masks {
		for j := range masks[code] {
			masks[code][j] = evenSigns(uint32(code)) >> j << 31
		}
	}
	return &masks
})

// onGrid calls a kernel that looks points up in a grid, for blocks of 256.
func onGrid(kernel func(dst *float32, src *byte, blocks, ahead int, grid *[8]int8), grid [][8]int8, dst []float32, src []byte, bytes int) error {
	return inPieces(func(dst *float32, src *byte, blocks, ahead int) { kernel(dst, src, blocks, ahead, &grid[0]) }, dst, src, 256, bytes)
}

const (
	// pieceElements bounds what a kernel does at a time, to a few dozen
	// microseconds: the scheduler cannot interrupt assembly.
	pieceElements = 1 << 16
	// cachedElements is how much output is taken to stay in the second level of
	// the cache, so that nothing is gained by asking for it ahead.
	cachedElements = 1 << 17
)

// inPieces calls a kernel for all blocks of a size.
func inPieces(kernel func(dst *float32, src *byte, blocks, ahead int), dst []float32, src []byte, elements, bytes int) error {
	ahead := 0
	if len(dst) > cachedElements {
		ahead = 1
	}
	for len(dst) > 0 {
		n := min(len(dst), pieceElements) / elements
		_, _ = dst[n*elements-1], src[n*bytes-1]
		kernel(&dst[0], &src[0], n, ahead)
		dst, src = dst[n*elements:], src[n*bytes:]
	}
	return nil
}
