package reference

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
	"github.com/skainet-dev/skainet-go/lang"
	"github.com/skainet-dev/skainet-go/tensor"
)

// Path returns the absolute path of the runfile that an environment variable names.
func Path(t testing.TB, variable string) string {
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

// Contract reads the file that CONTRACT names.
func Contract(t testing.TB) *contract.Contract {
	t.Helper()
	c, err := contract.ReadFile(Path(t, "CONTRACT"))
	require.NoError(t, err)
	return c
}

// Program is a compiled model on a device, with its weights from ARCHIVE.
func Program(t testing.TB, variable, device string, workers int) backend.Executable {
	t.Helper()
	x, err := iree.Open(iree.Options{
		Program: Path(t, variable), Contract: Contract(t), Library: Path(t, "LIBRARY"), Device: device, Workers: workers,
		Archives: map[string][]string{"model": {Path(t, "ARCHIVE")}},
	})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, x.Close()) })
	return x
}

// OnCPU is a model on our CPU backend, which reads the blocks of WEIGHTS, of which
// INDEX is the index, where they are mapped.
func OnCPU(t testing.TB, name string, build lang.Constructor) backend.Executable {
	t.Helper()
	index, err := export.ReadIndex(Path(t, "INDEX"))
	require.NoError(t, err)
	g, err := export.Capture(cpu.Evaluate, name, index, build, "", "")
	require.NoError(t, err)
	c := Contract(t)
	stored := map[string]tensor.Type{}
	for _, p := range c.Parameters {
		stored[p.Key], err = p.Stored()
		require.NoError(t, err)
	}
	file, err := weights.Open(Path(t, "WEIGHTS"))
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
