//go:build unix

package quant

import (
	"runtime/debug"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestKernelFaultsAreCaught is what tensor.Buffer.View relies on: a fault in a
// kernel, as of a file that was cut short, is a panic that a caller recovers.
func TestKernelFaultsAreCaught(t *testing.T) {
	src, err := syscall.Mmap(-1, 0, 1<<16, syscall.PROT_NONE, syscall.MAP_ANON|syscall.MAP_PRIVATE)
	require.NoError(t, err)
	defer func() { require.NoError(t, syscall.Munmap(src)) }()
	for e, kernel := range kernels() {
		b := plain(t, e)
		fault := func() (r any) {
			defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
			defer func() { r = recover() }()
			return kernel(make([]float32, 64*b.Elements), src[:64*b.Bytes])
		}
		met, ok := fault().(error)
		require.True(t, ok, e)
		require.ErrorContains(t, met, "invalid memory address", e)
	}
}
