package dynlib

import (
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"
)

// The C library is on every Linux that has a dynamic linker.
func TestCLibrary(t *testing.T) {
	c, err := Open("libc.so.6")
	if err != nil {
		t.Skipf("no GNU C library: %v", err)
	}
	length, err := Symbol(c, "strlen")
	require.NoError(t, err)
	text := []byte("seven..\x00and more")
	require.Equal(t, uintptr(7), Invoke(length, uintptr(unsafe.Pointer(&text[0]))))
	var strlen func(s string) int64
	Register(&strlen, length)
	require.Equal(t, int64(3), strlen("abc"))
	_, err = Symbol(c, "no such function")
	require.Error(t, err)
}
