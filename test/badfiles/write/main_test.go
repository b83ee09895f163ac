package main

import (
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/test/badfiles"
)

// Every corpus has at least 40 files, whose names say stage and fault and are
// not used twice.
func TestWrite(t *testing.T) {
	dir := t.TempDir()
	require.NoError(t, write(dir))
	form := regexp.MustCompile(`^[a-z0-9]+(_[a-z0-9]+)+$`)
	for _, corpus := range badfiles.All() {
		good, err := os.ReadFile(filepath.Join(dir, "good", corpus.Name, "file"))
		require.NoError(t, err)
		require.Equal(t, corpus.Good(), good)
		cases := corpus.Bad()
		require.GreaterOrEqual(t, len(cases), 40, corpus.Name)
		seen := map[string]bool{}
		for _, c := range cases {
			require.Regexp(t, form, c.Name)
			require.False(t, seen[c.Name], "%s: two files are named %s", corpus.Name, c.Name)
			seen[c.Name] = true
			b, err := os.ReadFile(filepath.Join(dir, "bad", corpus.Name, c.Name))
			require.NoError(t, err)
			require.Len(t, b, len(c.Data), c.Name)
			require.NotEqual(t, good, b, c.Name)
		}
		for name := range corpus.Beside {
			require.FileExists(t, filepath.Join(dir, "bad", corpus.Name, name))
		}
	}
	require.Error(t, write(filepath.Join(dir, "good", "irpa", "file")), "a file is not a folder")
}
