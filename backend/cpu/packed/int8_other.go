//go:build !amd64 && !arm64

package packed

// int8Kernels returns the kernels that this processor can run, the best first.
func int8Kernels() []kernels { return []kernels{portable} }
