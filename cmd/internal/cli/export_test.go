package cli

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/io/irpa"
	"github.com/skainet-dev/skainet-go/test/badfiles"
)

func TestExport(t *testing.T) {
	dir := t.TempDir()
	prefix := filepath.Join(dir, "m")
	status, stdout, stderr := run("export", exporter(t, "linear"), "--constants", "external", "--prefix", prefix)
	require.Equal(t, 0, status, stderr)
	require.Empty(t, stdout)
	text, err := os.ReadFile(prefix + ".mlir")
	require.NoError(t, err)
	require.Contains(t, string(text), `@w = #flow.parameter.named<"model"::"w"> : tensor<2x2xf32>`)
	a, err := irpa.Open(prefix + ".constants.irpa")
	require.NoError(t, err)
	defer a.Close()
	require.Len(t, a.Entries(), 2)

	// The export can be packed and verified.
	status, _, stderr = run("pack", "--contract", prefix+".contract.json", "--constants", prefix+".constants.irpa", "-o", prefix+".irpa")
	require.Equal(t, 0, status, stderr)
	status, _, stderr = run("verify", "--contract", prefix+".contract.json", "--archive", prefix+".irpa")
	require.Equal(t, 0, status, stderr)
}

// The texts for processors without f16 are written on request; here they
// equal the normal ones.
func TestExportWithoutF16(t *testing.T) {
	prefix := filepath.Join(t.TempDir(), "m")
	status, _, stderr := run("export", exporter(t, "linear"), "-o", prefix)
	require.Zero(t, status, stderr)
	require.NoFileExists(t, prefix+".f16.mlir")
	status, _, stderr = run("export", exporter(t, "linear"), "--integer-f16", "-o", prefix)
	require.Zero(t, status, stderr)
	for _, form := range []string{"", ".kernels"} {
		want, err := os.ReadFile(prefix + form + ".mlir")
		require.NoError(t, err)
		got, err := os.ReadFile(prefix + form + ".f16.mlir")
		require.NoError(t, err)
		require.Equal(t, string(want), string(got))
	}
}

// A program in smaller floats keeps its signature, and its archive is packed in them.
func TestExportInAPrecision(t *testing.T) {
	prefix := filepath.Join(t.TempDir(), "m")
	status, _, stderr := run("export", exporter(t, "linear"), "--dtype", "bf16", "--constants", "external", "--graph", "-o", prefix)
	require.Zero(t, status, stderr)
	text, err := os.ReadFile(prefix + ".mlir")
	require.NoError(t, err)
	require.Contains(t, string(text), `@w = #flow.parameter.named<"model"::"w"> : tensor<2x2xbf16>`)
	require.Contains(t, string(text), "(%x: tensor<2xf32>) -> (tensor<2xf32>)")
	status, _, stderr = run("pack", "--contract", prefix+".contract.json", "--constants", prefix+".constants.irpa", "-o", prefix+".irpa")
	require.Zero(t, status, stderr)
	status, _, stderr = run("verify", "--contract", prefix+".contract.json", "--archive", prefix+".irpa")
	require.Zero(t, status, stderr)
	status, stdout, stderr := run("eval", "--graph", prefix+".graph.json", "--input", "x=1,2")
	require.Zero(t, status, stderr)
	require.Contains(t, stdout, "y: f32[2] = ")
}

func TestExportMergesWeights(t *testing.T) {
	prefix := filepath.Join(t.TempDir(), "m")
	status, _, stderr := run("export", exporter(t, "linear"), "--merge-equal-weights", "--weights", write(t, "model.bin", badfiles.CT2Good()), "--constants", "external", "-o", prefix)
	require.Zero(t, status, stderr)
	text, err := os.ReadFile(prefix + ".mlir")
	require.NoError(t, err)
	require.Contains(t, string(text), `@w = #flow`)
	require.Contains(t, string(text), `@b = #flow`, "it has other values")
}

func TestExportRefusesAndLeavesNothing(t *testing.T) {
	dir := t.TempDir()
	prefix := filepath.Join(dir, "m")
	fails(t, 1, "EXPORT_NO_MODEL", "export", "nothing", "-o", prefix)
	fails(t, 1, "EXPORT_POLICY", "export", exporter(t, "linear"), "--constants", "half", "-o", prefix)
	fails(t, 1, "EXPORT_DTYPE", "export", exporter(t, "linear"), "--dtype", "f8", "--prefix", prefix)
	fails(t, 1, "LANG_NO_WEIGHTS", "export", exporter(t, "weights"), "-o", prefix)
	fails(t, 1, "EXPORT_READ", "export", exporter(t, "weights"), "--index", filepath.Join(dir, "none"), "-o", prefix)
	fails(t, 2, "USAGE", "export", exporter(t, "weights"), "--index", "a", "--weights", "b", "-o", prefix)
	fails(t, 2, "USAGE", "export", exporter(t, "linear"), "--merge-equal-weights", "-o", prefix)
	fails(t, 1, "WEIGHTS_NO_INDEX", "export", exporter(t, "linear"), "--merge-equal-weights", "--weights", write(t, "w.irpa", badfiles.IRPAGood()), "-o", prefix)
	fails(t, 1, "CT2_TRUNCATED", "export", exporter(t, "weights"), "--weights", write(t, "w.bin", badfiles.CT2Good()[:40]), "-o", prefix)
	entries, err := os.ReadDir(dir)
	require.NoError(t, err)
	require.Empty(t, entries)
}

// A program that is not an exporter is reported, with its output.
func TestExportWithAnotherProgram(t *testing.T) {
	dir := t.TempDir()
	require.Contains(t, fails(t, 1, "EXPORT_EXPORTER", "export", script(t, "echo no >&2; exit 1"), "-o", filepath.Join(dir, "m")), "the exporter failed: no")
	fails(t, 1, "EXPORT_EXPORTER", "export", script(t, "kill -KILL $$"), "-o", filepath.Join(dir, "m"))
	fails(t, 1, "EXPORT_NO_MODEL", "export", dir, "-o", filepath.Join(dir, "m"))
}

// The module's name is the exporter's, or the value of --name.
func TestExportName(t *testing.T) {
	for name, args := range map[string][]string{"linear": nil, "other": {"--name=other"}} {
		prefix := filepath.Join(t.TempDir(), "m")
		status, _, stderr := run(append([]string{"export", exporter(t, "linear"), "-o", prefix}, args...)...)
		require.Zero(t, status, stderr)
		text, err := os.ReadFile(prefix + ".mlir")
		require.NoError(t, err)
		require.Contains(t, string(text), "func.func @main(")
		c, err := os.ReadFile(prefix + ".contract.json")
		require.NoError(t, err)
		require.Contains(t, string(c), `"name": "`+name+`"`)
	}
}
