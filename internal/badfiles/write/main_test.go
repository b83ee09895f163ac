package main

import (
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/internal/badfiles"
)

// Every corpus has at least 40 files, whose names say stage and fault and are
// not used twice.
func TestWrite(t *testing.T) {
	dir := t.TempDir()
	require.NoError(t, write(dir))
	form := regexp.MustCompile(`^[a-z0-9]+(_[a-z0-9]+)+$`)
	for _, corpus := range badfiles.All() {
		good, err := os.ReadFile(filepath.Join(dir, "good", corpus.Format))
		require.NoError(t, err)
		require.Equal(t, corpus.Good(), good)
		entries, err := os.ReadDir(filepath.Join(dir, "bad", corpus.Format))
		require.NoError(t, err)
		require.Len(t, entries, len(corpus.Bad()), "two files of %s have one name", corpus.Format)
		require.GreaterOrEqual(t, len(entries), 40, corpus.Format)
		for _, e := range entries {
			require.Regexp(t, form, e.Name())
		}
		for _, c := range corpus.Bad() {
			b, err := os.ReadFile(filepath.Join(dir, "bad", corpus.Format, c.Name))
			require.NoError(t, err)
			require.Equal(t, len(c.Data), len(b), c.Name)
			require.NotEqual(t, good, b, c.Name)
		}
	}
	require.Error(t, write(filepath.Join(dir, "good", "irpa")), "a file is no folder")
}
