package memory

import (
	"bufio"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestAvailable(t *testing.T) {
	require.Positive(t, Available())
	require.Less(t, Available(), int64(Most))
	require.Greater(t, Installed(), int64(1<<20))
	for text, want := range map[string]int64{
		"MemTotal: 9 kB\nMemAvailable: 3 kB\nSwapFree: 2 kB\n": 5 << 10,
		"MemTotal: 9 kB\n":                          -1,
		"MemAvailable: x kB\n":                      -1,
		"MemAvailable: 99999999999999999999 kB\n":   -1,
		"MemAvailable: 1000000000000000000 kB\n":    -1,
		"SwapFree: 2 kB\n":                          -1,
		"MemAvailable:\nMemAvailable: 1 kB\n":       1 << 10,
		"\x00\nMemAvailable: -1 kB\nSwapFree: 1 kB": -1,
	} {
		n, ok := meminfo(bufio.NewScanner(strings.NewReader(text)))
		if !ok {
			n = -1
		}
		require.Equal(t, want, n, "%q", text)
	}
}

// A group's limit counts, but for its caches of files; max is none.
func TestGroup(t *testing.T) {
	dir := t.TempDir()
	require.Equal(t, int64(Most), grouped(dir))
	put := func(name, text string) {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600))
	}
	put("memory.max", "max\n")
	require.Equal(t, int64(Most), grouped(dir))
	put("memory.max", "1000\n")
	require.Equal(t, int64(1000), grouped(dir))
	put("memory.current", "700\n")
	require.Equal(t, int64(300), grouped(dir))
	put("memory.stat", "anon 400\ninactive_file 250\nactive_file 50\n")
	require.Equal(t, int64(550), grouped(dir))
	put("memory.current", "5000\n")
	require.Zero(t, grouped(dir))
}
