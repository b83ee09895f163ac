//go:build integration

// Package layerdiff plants a bug in a compiled program and checks that it is
// found: the compiler is a script that changes one operation of its input text.
package layerdiff

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/bazelbuild/rules_go/go/runfiles"
	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/compile/iree/compiler"
	"github.com/skainet-dev/skainet-go/compile/iree/target"
)

func place(t *testing.T, variable string) string {
	t.Helper()
	path, err := runfiles.Rlocation(os.Getenv(variable))
	require.NoError(t, err, variable)
	return path
}

// faulty returns a compiler that compiles log(1+x) as exp(x)-1.
func faulty(t *testing.T) string {
	path := filepath.Join(t.TempDir(), "iree-compile")
	script := fmt.Sprintf("#!/bin/sh\nsed s/stablehlo.log_plus_one/stablehlo.exponential_minus_one/ | '%s' \"$@\"\n", place(t, "IREE_COMPILE"))
	require.NoError(t, os.WriteFile(path, []byte(script), 0o755))
	return path
}

func run(t *testing.T, variable string, args ...string) (output string, status int) {
	t.Helper()
	cmd := exec.Command(place(t, variable), args...)
	out, err := cmd.CombinedOutput()
	if _, ok := err.(*exec.ExitError); !ok {
		require.NoError(t, err, "%s", out)
	}
	return string(out), cmd.ProcessState.ExitCode()
}

const node = "main/layer_7/log1p: log1p"

func TestTheOperationIsNamed(t *testing.T) {
	out, status := run(t, "LAYER_DIFF", "--compiler="+faulty(t))
	require.Equal(t, 1, status, out)
	require.Contains(t, out, "main: the backends differ from "+node+" on, operation ")
	require.Contains(t, out, "  input  main/layer_7/multiply: multiply f32[4] agrees")
	require.Contains(t, out, "4 of 4 differ")
	require.Contains(t, out, "on its own, on the reference's inputs, it differs too")
	require.Contains(t, out, "PARITY_MISMATCH: main/layer_7/log1p: ")

	out, status = run(t, "LAYER_DIFF")
	require.Zero(t, status, out)
	require.Equal(t, "main: the backends agree\n", out)
	out, status = run(t, "LAYER_DIFF", "--only=none")
	require.Equal(t, 1, status)
	require.Contains(t, out, `PARITY_BAD_INPUT: no case is named "none"; --only takes a comma-separated list of main`)
	out, status = run(t, "LAYER_DIFF", "--help")
	require.Zero(t, status, out)
	require.Contains(t, out, "\nCases:\n  main\n")
	out, status = run(t, "LAYER_DIFF", "--loud")
	require.Equal(t, 2, status)
	require.Contains(t, out, "parity: USAGE: unknown flag: --loud; see parity --help")
	out, status = run(t, "LAYER_DIFF", "--compiler=/none")
	require.Equal(t, 1, status)
	require.Contains(t, out, "IREE_COMPILE_FAILED")
}

func TestTheParityTestSaysHowToFindIt(t *testing.T) {
	text, err := os.ReadFile(place(t, "TEXT"))
	require.NoError(t, err)
	program := filepath.Join(t.TempDir(), "faulty.vmfb")
	_, err = compiler.Compile(context.Background(), compiler.Options{
		Compiler: faulty(t), Linker: place(t, "IREE_LLD"), Target: target.Default(), Text: text, TextName: "deep.mlir", Out: program,
	})
	require.NoError(t, err)
	out, status := run(t, "PARITY", "--program="+program)
	require.Equal(t, 1, status, out)
	require.Contains(t, out, "PARITY_MISMATCH: main: main: ")
	require.Contains(t, out, "bazel run //rules/tests/fixture:deep_layer_diff_cpu -- --only=main")
}
