//go:build integration

// Package e2e tests Gemma 3 with its real weights against other implementations.
// README.md says what each file proves.
package e2e

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/bazelbuild/rules_go/go/runfiles"
	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/backend"
	"github.com/skainet-dev/skainet-go/backend/cpu"
	"github.com/skainet-dev/skainet-go/backend/iree"
	"github.com/skainet-dev/skainet-go/compile/contract"
	"github.com/skainet-dev/skainet-go/compile/export"
	"github.com/skainet-dev/skainet-go/io/weights"
	"github.com/skainet-dev/skainet-go/lang/tensor"
	"github.com/skainet-dev/skainet-go/models/gemma3"
	"github.com/skainet-dev/skainet-go/models/internal/reference"
)

// path gives the absolute path of the runfile that an environment variable names.
func path(t testing.TB, variable string) string {
	t.Helper()
	name := os.Getenv(variable)
	require.NotEmpty(t, name, "%s must name a runfile; run this test through Bazel", variable)
	p, err := runfiles.Rlocation(name)
	require.NoError(t, err)
	p, err = filepath.Abs(p)
	require.NoError(t, err)
	require.FileExists(t, p)
	return p
}

func numpy(t testing.TB) reference.File {
	t.Helper()
	return reference.Read(t, path(t, "REFERENCE"))
}

func readContract(t testing.TB) *contract.Contract {
	t.Helper()
	b, err := os.ReadFile(path(t, "CONTRACT"))
	require.NoError(t, err)
	c, err := contract.Parse(b)
	require.NoError(t, err)
	return c
}

// program is the compiled model on a device, with its weights from the archive.
func program(t testing.TB, variable, device string, workers int) backend.Executable {
	t.Helper()
	x, err := iree.Open(iree.Options{
		Program: path(t, variable), Contract: readContract(t), Library: path(t, "LIBRARY"), Device: device, Workers: workers,
		Archives: map[string][]string{"model": {path(t, "ARCHIVE")}},
	})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, x.Close()) })
	return x
}

// onCPU is the model on our CPU backend, which reads the weight file's own blocks
// where they are mapped.
func onCPU(t testing.TB) backend.Executable {
	t.Helper()
	index, err := export.ReadIndex(path(t, "INDEX"))
	require.NoError(t, err)
	g, err := export.CaptureStored("gemma3", index, gemma3.Model, "", "")
	require.NoError(t, err)
	c := readContract(t)
	stored := map[string]tensor.Type{}
	for _, p := range c.Parameters {
		stored[p.Key], err = p.Stored()
		require.NoError(t, err)
	}
	file, err := weights.Open(path(t, "WEIGHTS"))
	require.NoError(t, err)
	x, err := cpu.Load(g, c, func(_, key string) (tensor.Value, error) {
		b, err := file.Tensor(key)
		if err != nil {
			return tensor.Value{}, err
		}
		data, err := b.Bytes()
		return tensor.Value{Type: stored[key], Bytes: data}, err
	})
	require.NoError(t, err)
	t.Cleanup(func() {
		require.NoError(t, x.Close())
		require.NoError(t, file.Close())
	})
	return x
}
