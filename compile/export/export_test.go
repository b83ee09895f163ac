package export

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/compile/hlo"
	"github.com/skainet-dev/skainet-go/examples/staircase/linear"
	"github.com/skainet-dev/skainet-go/internal/atomicfile"
	"github.com/skainet-dev/skainet-go/internal/errs"
	_ "github.com/skainet-dev/skainet-go/internal/errs/errtest"
)

// Whatever output cannot be written, the others stay what they were.
func TestFailedExportLeavesOlderOutputs(t *testing.T) {
	names := []string{"m.mlir", "m.kernels.mlir", "m.contract.json", "m.irpa"}
	for _, obstacle := range names {
		t.Run(obstacle, func(t *testing.T) {
			dir := t.TempDir()
			in := func(i int) string { return filepath.Join(dir, names[i]) }
			for _, name := range names {
				path := filepath.Join(dir, name)
				if name == obstacle {
					require.NoError(t, os.Mkdir(path, 0o755))
				} else {
					require.NoError(t, os.WriteFile(path, []byte("older "+name), 0o644))
				}
			}
			o := Options{Name: "linear", Policy: hlo.ExternalAlways, Text: in(0), Kernels: in(1), Contract: in(2), Constants: in(3)}
			_, _, err := Run(linear.Model, o)
			require.Equal(t, atomicfile.CodeWrite, errs.CodeOf(err))
			require.ErrorContains(t, err, filepath.Join(dir, obstacle))
			for _, name := range names {
				if name == obstacle {
					continue
				}
				got, err := os.ReadFile(filepath.Join(dir, name))
				require.NoError(t, err)
				require.Equal(t, "older "+name, string(got))
			}
			entries, err := os.ReadDir(dir)
			require.NoError(t, err)
			require.Len(t, entries, len(names), "no temporary file")

			require.NoError(t, os.Remove(filepath.Join(dir, obstacle)))
			_, _, err = Run(linear.Model, o)
			require.NoError(t, err)
			for _, name := range names {
				got, err := os.ReadFile(filepath.Join(dir, name))
				require.NoError(t, err)
				require.NotEqual(t, "older "+name, string(got))
			}
		})
	}
}
