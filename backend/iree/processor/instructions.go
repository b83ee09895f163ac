package processor

import (
	"runtime"

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
		x := &cpu.X86
		return map[string]bool{
			"amx-bf16":        x.HasAMXBF16,
			"amx-int8":        x.HasAMXInt8,
			"amx-tile":        x.HasAMXTile,
			"avx":             x.HasAVX,
			"avx2":            x.HasAVX2,
			"avx512bf16":      x.HasAVX512BF16,
			"avx512bitalg":    x.HasAVX512BITALG,
			"avx512bw":        x.HasAVX512BW,
			"avx512cd":        x.HasAVX512CD,
			"avx512dq":        x.HasAVX512DQ,
			"avx512f":         x.HasAVX512F,
			"avx512ifma":      x.HasAVX512IFMA,
			"avx512vbmi":      x.HasAVX512VBMI,
			"avx512vbmi2":     x.HasAVX512VBMI2,
			"avx512vl":        x.HasAVX512VL,
			"avx512vnni":      x.HasAVX512VNNI,
			"avx512vpopcntdq": x.HasAVX512VPOPCNTDQ,
			"avxifma":         x.HasAVXIFMA,
			"avxvnni":         x.HasAVXVNNI,
			"avxvnniint8":     x.HasAVXVNNIInt8,
			"bmi":             x.HasBMI1,
			"bmi2":            x.HasBMI2,
			"f16c":            x.HasF16C && x.HasAVX,
			"fma":             x.HasFMA && x.HasAVX,
			"lzcnt":           x.HasLZCNT,
			"movbe":           x.HasMOVBE,
			"popcnt":          x.HasPOPCNT,
			"sse2":            x.HasSSE2,
			"sse3":            x.HasSSE3,
			"sse4.1":          x.HasSSE41,
			"sse4.2":          x.HasSSE42,
			"ssse3":           x.HasSSSE3,
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
