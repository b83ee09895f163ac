//go:build integration

package e2e

import (
	"debug/elf"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// The shared runtime built by the hermetic compiler needs glibc of 2018 or later, whatever
// the host has.
func TestLibrary(t *testing.T) {
	f, err := elf.Open(path(t, "LIBRARY"))
	require.NoError(t, err)
	defer f.Close()
	symbols, err := f.ImportedSymbols()
	require.NoError(t, err)
	versions := 0
	for _, s := range symbols {
		version, ok := strings.CutPrefix(s.Version, "GLIBC_2.")
		if !ok {
			continue
		}
		versions++
		minor, err := strconv.ParseFloat(version, 64)
		require.NoError(t, err, s.Version)
		require.LessOrEqual(t, minor, 28.0, s.Name)
	}
	require.Positive(t, versions)
	noRepository(t, path(t, "LIBRARY"))
}
