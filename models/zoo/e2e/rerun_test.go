//go:build integration

package e2e

import (
	"crypto/sha256"
	"encoding/hex"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/io/npy"
	"github.com/skainet-dev/skainet-go/tensor"
)

// rerun runs ONNX Runtime on the arguments of a record, and returns the results by name.
func rerun(t *testing.T, record string) map[string]tensor.Value {
	t.Helper()
	var records map[string]struct{ SHA256, ONNXRuntime string }
	read(t, "RECORDS", &records)
	made := records[os.Getenv("NAME")]
	model := path(t, "MODEL")
	data, err := os.ReadFile(model)
	require.NoError(t, err)
	sum := sha256.Sum256(data)
	require.Equal(t, made.SHA256, hex.EncodeToString(sum[:]), "the record is of another file")
	dir := t.TempDir()
	if os.Getenv("DEQUANTIZE") != "" { // the record is of the model in f32
		plain := filepath.Join(dir, "model.onnx")
		run(t, "PYTHON", path(t, "DEQUANTIZE"), model, plain)
		model = plain
	}
	out := filepath.Join(dir, "results.npz")
	version := run(t, "PYTHON", append([]string{path(t, "SCRIPT"), model, record, out}, strings.Fields(os.Getenv("STATES"))...)...)
	require.Equal(t, made.ONNXRuntime, strings.TrimSpace(version))
	return byName(t, out)
}

func byName(t *testing.T, path string) map[string]tensor.Value {
	t.Helper()
	list, err := npy.ReadArchive(path)
	require.NoError(t, err)
	all := map[string]tensor.Value{}
	for _, a := range list {
		all[a.Name] = a.Value
	}
	return all
}
