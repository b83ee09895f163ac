package packed

import (
	"golang.org/x/sys/cpu"

	"github.com/skainet-dev/skainet-go/tensor/quant"
)

// The kernels of int8_amd64.s: AVX2 and F16C; dotVNNI also AVX512-VNNI and
// AVX512-VL. There must be at least one block or group.
//
//go:noescape
func dotAVX2(groups int, codes *int8, scales *float32, x *int8, xScales, y *float32)

//go:noescape
func dotVNNI(groups int, codes *int8, scales *float32, x *int8, xScales, y *float32)

//go:noescape
func codesQ4_0(blocks int, src *byte, codes *int8, scales, mins *float32)

//go:noescape
func codesQ5_0(blocks int, src *byte, codes *int8, scales, mins *float32)

//go:noescape
func codesQ8_0(blocks int, src *byte, codes *int8, scales, mins *float32)

//go:noescape
func codesQ4K(blocks int, src *byte, codes *int8, scales, mins *float32)

//go:noescape
func codesQ6K(blocks int, src *byte, codes *int8, scales, mins *float32)

// int8Kernels returns the kernels that this processor can run, the best first.
func int8Kernels() []kernels {
	all := []kernels{portable}
	// Every processor with AVX2 has F16C, which package cpu does not report.
	if cpu.X86.HasAVX2 {
		coders := map[quant.Encoding]coder{
			"Q4_0": {read: codesQ4_0}, "Q5_0": {read: codesQ5_0}, "Q8_0": {read: codesQ8_0},
			"Q4_K": {hasMins: true, read: codesQ4K}, "Q6_K": {read: codesQ6K},
		}
		all = append([]kernels{{"avx2", coders, dotAVX2}}, all...)
		if cpu.X86.HasAVX512VNNI && cpu.X86.HasAVX512VL {
			all = append([]kernels{{"vnni", coders, dotVNNI}}, all...)
		}
	}
	return all
}
