//go:build integration

package e2e

import (
	"debug/elf"
	"os"
	"testing"

	"github.com/stretchr/testify/require"
)

// The most bytes that a runner may have: 575 kB were reached before there was a
// contract reader, and a board's flash is small.
const largest = 640 << 10

// A static program asks for no loader and no library, so that it runs on a
// system that has nothing but a kernel.
func TestStaticAndSmall(t *testing.T) {
	for variable, machine := range map[string]elf.Machine{"X86_64": elf.EM_X86_64} {
		file := path(t, variable)
		st, err := os.Stat(file)
		require.NoError(t, err)
		require.Less(t, st.Size(), int64(largest), variable)
		t.Logf("%s: %d bytes", variable, st.Size())
		f, err := elf.Open(file)
		require.NoError(t, err)
		require.Equal(t, machine, f.Machine)
		for _, p := range f.Progs {
			require.NotEqual(t, elf.PT_INTERP, p.Type, variable)
		}
		libraries, err := f.ImportedLibraries()
		require.NoError(t, err)
		require.Empty(t, libraries)
		_, err = f.Symbols()
		require.ErrorIs(t, err, elf.ErrNoSymbols, "stripped")
		require.NoError(t, f.Close())
	}
}
