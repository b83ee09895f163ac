package export

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/backend/cpu"
	"github.com/skainet-dev/skainet-go/compile/hlo"
	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/examples/staircase/linear"
	"github.com/skainet-dev/skainet-go/internal/atomicfile"
	"github.com/skainet-dev/skainet-go/lang"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
	_ "github.com/skainet-dev/skainet-go/test/errtest"
)

// If one output cannot be written, the others stay unchanged.
func TestFailedExportLeavesOlderOutputs(t *testing.T) {
	names := []string{"m.mlir", "m.kernels.mlir", "m.contract.json", "m.irpa", "m.f16.mlir", "m.kernels.f16.mlir"}
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
			o := Options{Name: "linear", Policy: hlo.ExternalAlways, Text: in(0), Kernels: in(1), Contract: in(2), Constants: in(3), TextF16: in(4), KernelsF16: in(5)}
			_, _, err := Run(cpu.Evaluate, linear.Model, o)
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
			_, _, err = Run(cpu.Evaluate, linear.Model, o)
			require.NoError(t, err)
			for _, name := range names {
				got, err := os.ReadFile(filepath.Join(dir, name))
				require.NoError(t, err)
				require.NotEqual(t, "older "+name, string(got))
			}
		})
	}
}

// The texts for processors without f16 differ only where the text has f16.
func TestTextsForProcessorsWithoutF16(t *testing.T) {
	for name, tt := range map[string]struct {
		build lang.Constructor
		same  bool
	}{
		"f32": {linear.Model, true},
		"bf16": {func(m *lang.Module) {
			m.Entry("f", func(f *lang.Func) { f.Output("y", f.Input("x", dtype.BF16, 3).Exp()) })
		}, true},
		"f16": {func(m *lang.Module) {
			m.Entry("f", func(f *lang.Func) { f.Output("y", f.Input("x", dtype.F16, 3).Exp()) })
		}, false},
		"scales of blocks": {func(m *lang.Module) {
			m.Entry("f", func(f *lang.Func) {
				f.Output("y", f.Input("x", dtype.F32, 3, 32).DequantMatMul("Q8_0", f.Input("w", dtype.I8, 4, 1, 34)))
			})
		}, false},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			in := func(name string) string { return filepath.Join(dir, name) }
			read := func(name string) string {
				b, err := os.ReadFile(in(name))
				require.NoError(t, err)
				return string(b)
			}
			_, _, err := Run(cpu.Evaluate, tt.build, Options{Name: "m", Text: in("text"), Kernels: in("kernels"), TextF16: in("text_f16"), KernelsF16: in("kernels_f16")})
			require.NoError(t, err)
			require.Equal(t, tt.same, read("text") == read("text_f16"))
			require.Equal(t, tt.same, read("kernels") == read("kernels_f16"))
			require.NotContains(t, read("kernels_f16"), "arith.extf")
		})
	}
}
