package packed

import (
	"golang.org/x/sys/cpu"

	"github.com/skainet-dev/skainet-go/tensor/quant"
)

// The kernels of rows_amd64.s and rows_k_amd64.s, for AVX-512 F, BW and VL. Each row
// must have at least one block.
//
//go:noescape
func rowsQ8_0(rows, blocks int, w *byte, x, y *float32)

//go:noescape
func rowsQ5_0(rows, blocks int, w *byte, x, y *float32)

//go:noescape
func rowsQ4_1(rows, blocks int, w *byte, x, y *float32)

//go:noescape
func rowsSteps(rows, blocks int, w *byte, x, y, steps *float32)

//go:noescape
func rowsQ4K(rows, blocks int, w *byte, x, y *float32)

//go:noescape
func rowsQ6K(rows, blocks int, w *byte, x, y *float32)

// rowKernels returns the kernels that this processor can run.
func rowKernels() map[quant.Encoding]rowKernel {
	if !cpu.X86.HasAVX512F || !cpu.X86.HasAVX512BW || !cpu.X86.HasAVX512VL {
		return nil
	}
	signed, uneven := [16]float32{}, quant.Steps4()
	for i := range signed {
		signed[i] = float32(i - 8)
	}
	steps := func(s *[16]float32) rowKernel {
		return func(rows, blocks int, w *byte, x, y *float32) { rowsSteps(rows, blocks, w, x, y, &s[0]) }
	}
	return map[quant.Encoding]rowKernel{
		"Q8_0": rowsQ8_0, "Q5_0": rowsQ5_0, "Q4_1": rowsQ4_1, "Q4_K": rowsQ4K, "Q6_K": rowsQ6K,
		"Q4_0": steps(&signed), "IQ4_NL": steps(&uneven),
	}
}
