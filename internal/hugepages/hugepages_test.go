package hugepages

import (
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"
)

// Large pages begin at multiples of their size, and what is not whole is left to
// its neighbours.
func TestWhole(t *testing.T) {
	memory := make([]byte, 5*Size)
	first := int(-uintptr(unsafe.Pointer(&memory[0])) % Size)
	for _, c := range []struct{ from, to, wantFrom, wantTo int }{
		{0, Size, 0, Size},
		{0, Size - 1, 0, 0},
		{1, Size, 0, 0},
		{1, 2*Size - 1, 0, 0},
		{1, 2 * Size, Size, 2 * Size},
		{0, 4*Size - 1, 0, 3 * Size},
		{Size - 1, 3*Size + 5, Size, 3 * Size},
	} {
		got := whole(memory[first+c.from : first+c.to])
		require.Len(t, got, c.wantTo-c.wantFrom, "%+v", c)
		if len(got) > 0 {
			require.Same(t, &memory[first+c.wantFrom], &got[0], "%+v", c)
		}
	}
	require.Empty(t, whole(nil))
}

func TestContentsStay(t *testing.T) {
	b := make([]byte, 3*Size)
	for i := range b {
		b[i] = byte(i % 251)
	}
	Advise(b)
	Advise(nil)
	for i, v := range b {
		if v != byte(i%251) {
			t.Fatalf("byte %d is %d", i, v)
		}
	}
}
