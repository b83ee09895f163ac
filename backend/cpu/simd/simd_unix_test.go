//go:build unix

package simd

import (
	"syscall"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"
)

// guarded returns n elements that end, or begin, at a protected page.
func guarded(t *testing.T, n int, end bool) []float32 {
	page := syscall.Getpagesize()
	size := (4*n + page - 1) / page * page
	memory, err := syscall.Mmap(-1, 0, size+2*page, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_ANON|syscall.MAP_PRIVATE)
	require.NoError(t, err)
	require.NoError(t, syscall.Mprotect(memory[:page], syscall.PROT_NONE))
	require.NoError(t, syscall.Mprotect(memory[page+size:], syscall.PROT_NONE))
	t.Cleanup(func() { require.NoError(t, syscall.Munmap(memory)) })
	at := page
	if end {
		at = page + size - 4*n
	}
	return unsafe.Slice((*float32)(unsafe.Pointer(unsafe.SliceData(memory[at:]))), n)
}

// TestNothingBeyondRowsIsTouched fails with a segmentation fault. Rows of ones have known
// results.
func TestNothingBeyondRowsIsTouched(t *testing.T) {
	for n := 1; n < 40; n++ {
		for _, end := range []bool{true, false} {
			x, y, g := guarded(t, n, end), guarded(t, n, end), guarded(t, n, end)
			for i := range x {
				x[i], g[i] = 1, 1
			}
			Exp(y, x)
			require.Equal(t, float32(2.7182817), y[n-1])
			Logistic(y, x)
			require.Equal(t, float32(0.7310586), y[n-1])
			Softmax(y, x)
			require.Equal(t, 1/float32(n), y[n-1])
			require.InDelta(t, float64(n), Sum(x), 0)
			Norm(y, x, g, g, 1)
			require.Equal(t, float32(1), y[n-1])
			for _, f := range functions {
				f.ours(y, x)
				require.InDelta(t, f.exact(1), y[n-1], 0x1p-24, f.name)
			}
		}
	}
}
