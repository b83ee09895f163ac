//go:build linux && !cgo

package opencpu_test

import (
	"debug/elf"
	"os"
	"testing"

	"github.com/stretchr/testify/require"
)

// A program with this package needs no library: this one has it, and names none.
func TestStatic(t *testing.T) {
	own, err := os.Executable()
	require.NoError(t, err)
	f, err := elf.Open(own)
	require.NoError(t, err)
	defer f.Close()
	libraries, err := f.ImportedLibraries()
	require.NoError(t, err)
	require.Empty(t, libraries)
}
