//go:build !amd64 && !arm64

package gemm

// available returns the kernels that this processor can run, the best first.
func available() []*kernels { return []*kernels{&portable} }
