//go:build integration

// Package programs runs a model's targets as `bazel run` does.
package programs

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/bazelbuild/rules_go/go/runfiles"
	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/io/npy"
	"github.com/skainet-dev/skainet-go/rules/tests/fixture/split"
	"github.com/skainet-dev/skainet-go/tensor"
)

func place(t *testing.T, variable string) string {
	t.Helper()
	path, err := runfiles.Rlocation(os.Getenv(variable))
	require.NoError(t, err, variable)
	return path
}

// run starts a target from a folder, as `bazel run` does for a user in that folder.
func run(t *testing.T, variable, dir string, args ...string) (output string, status int) {
	t.Helper()
	cmd := exec.Command(place(t, variable), args...)
	cmd.Env = append(os.Environ(), "BUILD_WORKING_DIRECTORY="+dir, "BUILD_WORKSPACE_DIRECTORY="+dir)
	out, err := cmd.CombinedOutput()
	if _, ok := err.(*exec.ExitError); !ok {
		require.NoError(t, err, "%s", out)
	}
	return string(out), cmd.ProcessState.ExitCode()
}

// The fixture computes w*x + v with w = [2, -3] and v = 0.5, here of x = [1, 2].
const answer = "y: f32[2] = [2.5 -5.5]\n"

func TestRun(t *testing.T) {
	dir := t.TempDir()
	out, status := run(t, "RUN", dir, "--function=main", "x=1,2")
	require.Zero(t, status, out)
	require.Equal(t, answer, out)

	// Files by paths relative to the user's folder, and results as files.
	x, err := tensor.Of([]float32{1, 2}, 2)
	require.NoError(t, err)
	require.NoError(t, npy.WriteFile(filepath.Join(dir, "x.npy"), x))
	out, status = run(t, "RUN", dir, "x=x.npy", "--output=results")
	require.Zero(t, status, out)
	require.Empty(t, out)
	y, err := npy.ReadFile(filepath.Join(dir, "results", "y.npy"))
	require.NoError(t, err)
	values, err := tensor.Slice[float32](y)
	require.NoError(t, err)
	require.Equal(t, []float32{2.5, -5.5}, values)

	for _, bad := range []struct {
		args []string
		want string
	}{
		{[]string{"x=1"}, "BACKEND_BAD_ARGUMENT: main: argument \"x\""},
		{[]string{"z=1"}, "BACKEND_BAD_ARGUMENT: main: no argument is named \"z\""},
		{[]string{"x=none.npy"}, "FILE_OPEN: none.npy"},
		{[]string{"x=1,2", "--function=decode"}, "CONTRACT_NO_ENTRY"},
	} {
		out, status := run(t, "RUN", dir, bad.args...)
		require.Equal(t, 1, status, out)
		require.Contains(t, out, bad.want)
	}
}

// The help is the program's: the arguments of its entry points.
func TestHelp(t *testing.T) {
	for _, args := range [][]string{{"--help"}, {"--function=main", "--help"}, {"-h", "x=1,2"}} {
		out, status := run(t, "RUN", t.TempDir(), args...)
		require.Zero(t, status, out)
		require.Contains(t, out, "ARGUMENT=VALUE")
		require.Contains(t, out, "name=FILE.npy")
		require.True(t, strings.HasSuffix(out, "\nEntry points of rows:\n  --entry=main\n    takes x: f32[2], 2 elements\n    gives y: f32[2]\n"), out)
	}
}

func TestBench(t *testing.T) {
	out, status := run(t, "BENCH", t.TempDir(), "--rounds=3")
	require.Zero(t, status, out)
	require.Regexp(t, `main +3 +[0-9.]+ ms +[0-9.]+ ms +[0-9.]+ ms +[0-9]+%`, out)
}

// Of each dispatch, by IREE's tools.
func TestDispatches(t *testing.T) {
	out, status := run(t, "BENCH", t.TempDir(), "--rounds=3", "--dispatches")
	require.Zero(t, status, out)
	require.Regexp(t, `(?m)^main +COUNT +TIME +OF CALL +GFLOP/S +OF PEAK +GB/S +OF COPY$`, out)
	require.Regexp(t, `(?m)^main_dispatch_0\S* +1 +[0-9.]+ ms +[0-9]+%`, out)
	require.Regexp(t, `(?m)^One thread; .* This core: [0-9]+ GFLOP/s, .*; [0-9.]+ GB/s, .*\.$`, out)
}

func TestAnotherProcessor(t *testing.T) {
	out, status := run(t, "AARCH64", t.TempDir(), "x=1,2")
	require.Equal(t, 1, status)
	require.Contains(t, out, "//rules/tests/fixture:rows_run_aarch64: PROGRAM_PLATFORM: the program is for aarch64")
}

// A program's own target names the one that calls it.
func TestProgramAlone(t *testing.T) {
	out, status := run(t, "ALONE", t.TempDir(), "x=1,2")
	require.Equal(t, 1, status)
	require.Equal(t, "//rules/tests/fixture:rows_vmfb_aarch64: PROGRAM_RUN: this target is the program alone, built without what calls it; "+
		"run //rules/tests/fixture:rows_run_aarch64 instead, with the same arguments\n", out)
}

// Unexpected results are reported by name, index, values and tolerance.
func TestDifference(t *testing.T) {
	out, status := run(t, "WRONG", t.TempDir())
	require.Equal(t, 1, status, out)
	require.Contains(t, out, "The program printed:\n"+answer)
	require.Contains(t, out, "//rules/tests/bad:wrong_run_test: RUN_MISMATCH: y: 1 of 2 elements differ by more than 0 + 0.01 times what is wanted; first y[1]: got -5.5, want -5 (differs by 0.5); ")
	out, status = run(t, "WRONG", t.TempDir(), "--rtol=0.1")
	require.Zero(t, status, out)
}

// A size test without limits prints those that could be set, and fails.
func TestNoLimits(t *testing.T) {
	out, status := run(t, "NO_LIMITS", t.TempDir())
	require.Equal(t, 1, status, out)
	require.Regexp(t, `(?m)^program: [0-9]+ bytes, without a limit$`, out)
	require.Regexp(t, `//rules/tests/fixture:deep.size_test: ARTIFACT_LIMITS: no limit is given; give the model size_limits = \{"program": [0-9]+\}`, out)
}

// unpack returns the folder of a tar, unpacked and checksummed by tools that are not ours.
func unpack(t *testing.T, variable, folder string, names ...string) string {
	t.Helper()
	dir := t.TempDir()
	out, err := exec.Command("tar", "-C", dir, "-xf", place(t, variable)).CombinedOutput()
	require.NoError(t, err, "%s", out)
	cmd := exec.Command("sha256sum", "-c", "SHA256SUMS")
	cmd.Dir = filepath.Join(dir, folder)
	out, err = cmd.CombinedOutput()
	require.NoError(t, err, "%s", out)
	for _, name := range append(names, "README.md", "contract.json", "program.vmfb", "run") {
		require.Contains(t, string(out), name+": OK\n")
	}
	return cmd.Dir
}

// A model's tar has the programs of all rows for the processor, each of which its runner runs.
func TestTar(t *testing.T) {
	dir := unpack(t, "TAR", "rows", "model.irpa", "program-cpu_x86_64_v1.vmfb", "program-cpu_x86_64_v4.vmfb")
	for _, program := range []string{"program.vmfb", "program-cpu_x86_64_v1.vmfb"} { // any processor runs these
		cmd := exec.Command("./run", program, "--contract=contract.json", "--archive=model=model.irpa", "--entry=main", "x=1,2")
		cmd.Dir = dir
		out, err := cmd.CombinedOutput()
		require.NoError(t, err, "%s", out)
		require.Equal(t, answer, string(out), program)
	}
}

// A model with each parameter in a separate archive computes the same: in
// process, with IREE's tool, and with the runner of its tar.
func TestSplit(t *testing.T) {
	out, status := run(t, "SPLIT", t.TempDir(), "x=1,2")
	require.Zero(t, status, out)
	require.Equal(t, answer, out)
	out, status = run(t, "SPLIT", t.TempDir(), "--library=", "x=1,2")
	require.Zero(t, status, out)
	require.Equal(t, answer, out)

	names := []string{"model-00001-of-00002.irpa", "model-00002-of-00002.irpa"}
	dir := unpack(t, "SPLIT_TAR", "split", names...)
	readme, err := os.ReadFile(filepath.Join(dir, "README.md"))
	require.NoError(t, err)
	words := []string{"program.vmfb", "--contract=contract.json", "--archive=model=" + names[0], "--archive=model=" + names[1], "--entry=main"}
	require.Contains(t, string(readme), "\n    ./run "+strings.Join(words, " ")+" x=x.npy\n")
	cmd := exec.Command("./run", append(words, "x=1,2")...)
	cmd.Dir = dir
	text, err := cmd.CombinedOutput()
	require.NoError(t, err, "%s", text)
	require.Equal(t, answer, string(text))

	// And both archives are embedded in a Go program.
	require.Len(t, split.Archives, len(names))
	for i, name := range names {
		file, err := os.ReadFile(filepath.Join(dir, name))
		require.NoError(t, err)
		require.Equal(t, file, split.Archives[i])
	}
}
