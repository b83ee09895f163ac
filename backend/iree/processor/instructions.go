package processor

import (
	"runtime"

	"github.com/klauspost/cpuid/v2"
	"golang.org/x/sys/cpu"
)

// instructions reports what this processor has, of those instructions that the compiler
// may use for the arithmetic of a model. The others of a processor's name, for
// cryptography, caches, or the system, are in no program, and boards exist that lack them.
// RISC-V is not here: Linux tells of vectors from 6.5 on, and boards with vectors have
// older ones.
func instructions() map[string]bool {
	switch runtime.GOARCH {
	case "amd64":
		x, has := &cpu.X86, cpuid.CPU.Supports // the second tells of more
		return map[string]bool{
			"amx-bf16":           x.HasAMXBF16,
			"amx-complex":        has(cpuid.AMXCOMPLEX),
			"amx-fp16":           has(cpuid.AMXFP16),
			"amx-int8":           x.HasAMXInt8,
			"amx-tile":           x.HasAMXTile,
			"avx":                x.HasAVX,
			"avx10.1":            cpuid.CPU.AVX10Level >= 1,
			"avx10.2":            cpuid.CPU.AVX10Level >= 2,
			"avx2":               x.HasAVX2,
			"avx512bf16":         x.HasAVX512BF16,
			"avx512bitalg":       x.HasAVX512BITALG,
			"avx512bw":           x.HasAVX512BW,
			"avx512cd":           x.HasAVX512CD,
			"avx512dq":           x.HasAVX512DQ,
			"avx512f":            x.HasAVX512F,
			"avx512fp16":         has(cpuid.AVX512FP16),
			"avx512ifma":         x.HasAVX512IFMA,
			"avx512vbmi":         x.HasAVX512VBMI,
			"avx512vbmi2":        x.HasAVX512VBMI2,
			"avx512vl":           x.HasAVX512VL,
			"avx512vnni":         x.HasAVX512VNNI,
			"avx512vp2intersect": has(cpuid.AVX512VP2INTERSECT),
			"avx512vpopcntdq":    x.HasAVX512VPOPCNTDQ,
			"avxifma":            x.HasAVXIFMA,
			"avxneconvert":       has(cpuid.AVXNECONVERT),
			"avxvnni":            x.HasAVXVNNI,
			"avxvnniint16":       has(cpuid.AVXVNNIINT16),
			"avxvnniint8":        x.HasAVXVNNIInt8,
			"bmi":                x.HasBMI1,
			"bmi2":               x.HasBMI2,
			"f16c":               x.HasF16C && x.HasAVX,
			"fma":                x.HasFMA && x.HasAVX,
			"fma4":               has(cpuid.FMA4),
			"gfni":               has(cpuid.GFNI),
			"lzcnt":              x.HasLZCNT,
			"movbe":              x.HasMOVBE,
			"popcnt":             x.HasPOPCNT,
			"sse2":               x.HasSSE2,
			"sse3":               x.HasSSE3,
			"sse4.1":             x.HasSSE41,
			"sse4.2":             x.HasSSE42,
			"sse4a":              has(cpuid.SSE4A),
			"ssse3":              x.HasSSSE3,
			"tbm":                has(cpuid.TBM),
			"xop":                has(cpuid.XOP),
		}
	case "arm64":
		a := &cpu.ARM64
		return map[string]bool{
			"dotprod":  a.HasASIMDDP,
			"fp-armv8": a.HasFP,
			"fp16fml":  a.HasASIMDFHM,
			"fullfp16": a.HasFPHP && a.HasASIMDHP,
			"i8mm":     a.HasI8MM,
			"lse":      a.HasATOMICS,
			"neon":     a.HasASIMD,
			"rdm":      a.HasASIMDRDM,
			"sve":      a.HasSVE,
			"sve2":     a.HasSVE2,
		}
	}
	return nil
}
