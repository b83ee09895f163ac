//go:build integration

package e2e

import (
	"crypto/sha256"
	"encoding/hex"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// A record of another file than the pinned one proves nothing.
func TestRecordsAreOfThePinnedFiles(t *testing.T) {
	var records map[string]struct {
		SHA256      string
		ONNXRuntime string
	}
	read(t, "RECORDS", &records)
	for name, r := range records {
		require.Equal(t, "1.32.0", r.ONNXRuntime)
		file := name
		for _, suffix := range []string{"_f32", "_frames", "_page", "_short", "_long"} { // made of it, or other sizes
			file = strings.TrimSuffix(file, suffix)
		}
		b, err := os.ReadFile(path(t, "MODEL_"+strings.ToUpper(file)))
		require.NoError(t, err)
		sum := sha256.Sum256(b)
		require.Equal(t, r.SHA256, hex.EncodeToString(sum[:]), name)
	}
	require.Len(t, records, 19)
}
