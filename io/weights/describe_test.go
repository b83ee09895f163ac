package weights

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// A file of XLA's programs is told apart from other zip archives.
func TestForeign(t *testing.T) {
	zip := append([]byte("PK\x03\x04"), make([]byte, 26)...)
	require.Equal(t, "a file of XLA's programs (.xla)", Foreign(append(zip, "manifest.json and more"...)))
	require.Contains(t, Foreign(append(zip, "other.json"...)), "a zip archive")
	require.Contains(t, Foreign(zip), "a zip archive")
	arrays := append([]byte{}, zip...)
	arrays[26] = 5 // the length of the name
	require.Contains(t, Foreign(append(arrays, "w.npy\x93NUMPY"...)), "safetensors.numpy.save_file")
	require.Contains(t, Foreign(append(arrays, "w.np"...)), "a zip archive", "cut short")
	require.Empty(t, Foreign([]byte("GGUF")))
	require.Contains(t, describe(append(zip, "manifest.json"...)), "looks like a file of XLA's programs")
}
