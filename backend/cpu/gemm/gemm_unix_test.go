//go:build unix

package gemm

import (
	"math/rand/v2"
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

// TestNothingBeyondOperandsIsTouched fails with a segmentation fault.
func TestNothingBeyondOperandsIsTouched(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	for _, v := range available() {
		use(t, v)
		for _, s := range []Size{
			{1, 1, 1, 1}, {1, 12, 32, 4}, {1, 13, 33, 5}, {1, 11, 31, 3}, {1, 6, 16, 257}, {1, 1, 37, 21}, {1, 1, 16, 16}, {1, 5, 1, 33}, {1, 4, 1, 15}, {1, 8, 1, 35}, {3, 5, 6, 7},
		} {
			for _, end := range []bool{true, false} {
				for layout := range 4 {
					a := Operand{guarded(t, s.Batch*s.M*s.K, end), s.M * s.K, s.K, 1}
					b := Operand{guarded(t, s.Batch*s.K*s.N, end), s.K * s.N, s.N, 1}
					copy(a.Data, random(r, len(a.Data)))
					copy(b.Data, random(r, len(b.Data)))
					if layout&1 != 0 {
						a.Row, a.Col = 1, s.M
					}
					if layout&2 != 0 {
						b.Row, b.Col = 1, s.K
					}
					c := Result{guarded(t, s.Batch*s.M*s.N, end), s.M * s.N, s.N}
					require.NoError(t, Multiply(c, a, b, s, Serial))
					requireProduct(t, c, a, b, s)
					if s.Batch == 1 && layout&2 == 0 {
						at := make([]int, s.K)
						for k := range at {
							at[k] = k * s.N
						}
						require.NoError(t, MultiplyShifted(c, a, Shifted{b.Data, at}, s, Serial))
						requireProduct(t, c, a, b, s)
					}
				}
			}
		}
	}
}
