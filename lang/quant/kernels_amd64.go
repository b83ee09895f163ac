package quant

import "golang.org/x/sys/cpu"

// The kernels of kernels_amd64.s and kernels_k_amd64.s, which need AVX2 and
// F16C. ahead is 1 where the output is too large for the cache, else 0.
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
	}
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
