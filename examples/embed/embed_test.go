//go:build integration

package embed

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/bazelbuild/rules_go/go/runfiles"
	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/backend/iree"
	"github.com/skainet-dev/skainet-go/compile/contract"
	"github.com/skainet-dev/skainet-go/examples/embed/program"
	"github.com/skainet-dev/skainet-go/internal/atomicfile"
	"github.com/skainet-dev/skainet-go/tensor"
)

// The binary contains everything that the model needs; the runtime maps files, so they
// are written out first.
func TestEmbeddedProgram(t *testing.T) {
	dir := t.TempDir()
	vmfb, irpa := filepath.Join(dir, "program.vmfb"), filepath.Join(dir, "parameters.irpa")
	require.NoError(t, atomicfile.WriteFile(vmfb, program.Program))
	require.NoError(t, atomicfile.WriteFile(irpa, program.Archive))
	c, err := contract.Parse(program.Contract)
	require.NoError(t, err)
	x, err := iree.Open(iree.Options{
		Program: vmfb, Contract: c, Archives: map[string][]string{program.Scope: {irpa}},
		Tool: runfile(t, "TOOL"),
	})
	require.NoError(t, err)
	arg, err := tensor.Of([]float32{3, -4.5}, 2)
	require.NoError(t, err)
	results, err := x.Call(context.Background(), "main", arg)
	require.NoError(t, err)
	got, err := tensor.Slice[float32](results[0])
	require.NoError(t, err)
	require.Equal(t, []float32{3, -4.5}, got)
	require.NoError(t, x.Close())
}

func runfile(t *testing.T, variable string) string {
	t.Helper()
	p, err := runfiles.Rlocation(os.Getenv(variable))
	require.NoError(t, err)
	return p
}
