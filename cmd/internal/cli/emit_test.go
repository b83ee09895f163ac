package cli

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/test/judgetest"
)

const sized = `module @sized {
  func.func @one(%x: tensor<3xf32>) -> tensor<3xf32> {
    %y = stablehlo.add %x, %x : tensor<3xf32>
    return %y : tensor<3xf32>
  }
  func.func @two(%x: tensor<2xf32>) -> tensor<2xf32> {
    %y = stablehlo.multiply %x, %x : tensor<2xf32>
    return %y : tensor<2xf32>
  }
}
`

// A model's artifact is read back as a text that computes the same; each entry point has one.
func TestEmit(t *testing.T) {
	python := "--python=" + judgetest.Python(t)
	dir := t.TempDir()
	in := func(name string) string { return filepath.Join(dir, name) }
	require.NoError(t, os.WriteFile(in("m.mlir"), []byte(doubling), 0o600))
	require.NoError(t, os.WriteFile(in("two.mlir"), []byte(sized), 0o600))
	for _, args := range [][]string{
		{"compile", in("m.mlir"), "--emit=portable", "--stablehlo-version=1.9.0", python, "-o", in("m.mlirbc")},
		{"compile", in("m.mlirbc"), "--emit=text", python, "-o", in("back.mlir")},
		{"compile", in("two.mlir"), "--emit=portable", python, "-o", in("two.mlirbc")},
		{"compile", in("two.mlir"), "--emit=text", "-o", in("texts.mlir")},
	} {
		status, _, stderr := run(args...)
		require.Zero(t, status, "%v: %s", args, stderr)
	}
	data, err := os.ReadFile(in("m.mlirbc"))
	require.NoError(t, err)
	require.Contains(t, string(data[:40]), "StableHLO_v1.9.0")
	status, stdout, stderr := run("run", in("back.mlir"), "arg0=1,2,3") // artifacts have no names of arguments
	require.Zero(t, status, stderr)
	require.Contains(t, stdout, "2 4 6")
	for _, name := range []string{"two.one.mlirbc", "two.two.mlirbc", "texts.one.mlir", "texts.two.mlir"} {
		require.FileExists(t, in(name))
	}
	for want, args := range map[string][]string{
		"JUDGE_REFUSED":                 {"compile", in("m.mlir"), "--emit=portable", "--stablehlo-version=0.1.0", python, "-o", in("x")},
		"JUDGE_NONE":                    {"compile", in("m.mlir"), "--emit=portable", "--python=" + in("none"), "-o", in("x")},
		"USAGE: --emit=x is none":       {"compile", in("m.mlir"), "--emit=x", "-o", in("x")},
		"USAGE: --stablehlo-version is": {"compile", in("m.mlir"), "--emit=text", "--stablehlo-version=1.9.0", "-o", in("x")},
		"XLA_SIZES":                     {"compile", "../../../rules/tests/onnx/encoder.onnx", "--emit=text", "-o", in("x")},
	} {
		status, _, stderr := run(args...)
		require.NotZero(t, status, want)
		require.Contains(t, stderr, want)
		require.NoFileExists(t, in("x"))
	}
}
