package packed

import "golang.org/x/sys/cpu"

// dotSDOT is the kernel of int8_arm64.s, for processors with FEAT_DotProd. There must
// be at least one group.
//
//go:noescape
func dotSDOT(groups int, codes *int8, scales *float32, x *int8, xScales, y *float32)

// int8Kernels returns the kernels that this processor can run, the best first.
func int8Kernels() []kernels {
	if !cpu.ARM64.HasASIMDDP {
		return []kernels{portable}
	}
	return []kernels{{"sdot", portable.coders, dotSDOT}, portable}
}
