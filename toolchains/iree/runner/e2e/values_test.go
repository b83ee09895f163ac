//go:build integration

package e2e

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/backend"
	"github.com/skainet-dev/skainet-go/backend/argtext"
	"github.com/skainet-dev/skainet-go/backend/cpu"
	"github.com/skainet-dev/skainet-go/compile/contract"
	"github.com/skainet-dev/skainet-go/compile/export"
	"github.com/skainet-dev/skainet-go/io/npy"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/toolchains/iree/runner/e2e/demo"
)

// The calls. Each result has at most one rounding, so the runner's program and
// the CPU backend must return the same bits, and any difference in the text is a bug.
var calls = []struct {
	entry string
	args  []string
}{
	{"weighted", []string{"x=1,2,3,4,5,6"}},
	{"weighted", []string{"x=-1.5, 0.1,1e-30,3.4e38,-0,1e5"}},
	{"weighted", []string{"x=nan,inf,-inf,1,0x1p-3,100000"}},
	{"kinds", []string{
		"i8_in=-128,127,0x10", "i16_in=-32768,32767,5", "i32_in=-2147483648,2147483647,0",
		"i64_in=-9223372036854775808,9223372036854775807,7", "u8_in=255,0,17", "u16_in=65535,1,2",
		"u32_in=4294967295,3,4", "u64_in=18446744073709551615,5,6",
		"f16_in=65504,0.1,1e-7", "bf16_in=3.3e38,0.1,1e-40", "f32_in=16777216,0.1,1e-45", "f64_in=0.1,1e300,5e-324",
		"bool_in=true,0",
	}},
	{"kinds", []string{
		"bool_in=1,false", "f64_in=1234567.5,-0.0001,123456", "f32_in=0.00001,1e21,123456.7",
		"i8_in=1,2,3", "i16_in=1,2,3", "i32_in=1,2,3", "i64_in=1,2,3", "u8_in=1,2,3", "u16_in=1,2,3",
		"u32_in=1,2,3", "u64_in=1,2,3", "f16_in=6e-8,65519,-0.33", "bf16_in=1,-1.01,0.33",
	}},
}

// reference runs the CPU backend on the archive's weights.
func reference(t *testing.T) backend.Executable {
	t.Helper()
	c, err := contract.ReadFile(path(t, "CONTRACT"))
	require.NoError(t, err)
	g, err := export.Capture(cpu.Evaluate, c.Name, nil, demo.Model, "", "")
	require.NoError(t, err)
	x, err := cpu.Load(g, c, weights)
	require.NoError(t, err)
	return x
}

// weights returns w of package demo.
func weights(_, _ string) (tensor.Value, error) {
	return tensor.Of([]float32{0.5, -2, 1e-7, 3e5, 1e10, 0.1}, 2, 3)
}

func TestTextSameAsCPUBackend(t *testing.T) {
	x, dir := reference(t), board(t)
	for _, c := range calls {
		e, err := x.Contract().Entry(c.entry)
		require.NoError(t, err)
		args, err := argtext.Parse(e, c.args)
		require.NoError(t, err)
		results, err := x.Call(context.Background(), c.entry, args...)
		require.NoError(t, err)
		want, err := argtext.Text(e.Results, results)
		require.NoError(t, err)
		got := run(t, dir, call(c.entry, c.args...)...)
		require.Empty(t, cmp.Diff(outcome{0, want, ""}, got, cmp.AllowUnexported(outcome{})), "%s %v", c.entry, c.args)
	}
}

// Arguments by position and from files, results to files; a dynamic dimension.
func TestFilesSameAsCPUBackend(t *testing.T) {
	x, dir := reference(t), board(t)
	for _, rows := range []int64{1, 3, 100} {
		arg := filled(t, rows)
		results, err := x.Call(context.Background(), "rows", arg)
		require.NoError(t, err)
		require.NoError(t, npy.WriteFile(filepath.Join(dir, "x.npy"), arg))
		require.NoError(t, npy.WriteFile(filepath.Join(dir, "want.npy"), results[0]))
		got := run(t, dir, call("rows", "x.npy", "--output", "twice=y.npy")...)
		require.Equal(t, outcome{}, got)
		require.Equal(t, read(t, dir, "want.npy"), read(t, dir, "y.npy"), "the bytes that io/npy writes")
		names, err := filepath.Glob(filepath.Join(dir, "*.partial*"))
		require.NoError(t, err)
		require.Empty(t, names)
	}
	// Of more than 64 elements the first are printed, as skainet run does.
	got := run(t, dir, call("rows", "@x.npy")...)
	require.Equal(t, "twice: f32[100x2] = [0 0.25 0.5 0.75 1 1.25 1.5 1.75 ... 200 elements]\n", got.stdout)
}

// The tar contains the runner and a README whose commands do what they say when
// run in its folder; nothing else is used here.
func TestTar(t *testing.T) {
	dir := t.TempDir()
	out, err := exec.Command("tar", "-C", dir, "-xf", path(t, "TAR")).CombinedOutput()
	require.NoError(t, err, "%s", out)
	dir = filepath.Join(dir, "demo")
	x := []float32{1, 2, 3, 4, 5, 6}
	var printed []string
	for _, line := range strings.Split(string(read(t, dir, "README.md")), "\n") {
		command, ok := strings.CutPrefix(line, "    ")
		if !ok || strings.Contains(command, "--entry=kinds") && strings.Contains(command, ".npy") {
			continue // a file for each of its many types
		}
		if put(t, dir, "x.npy", array(t, x, 2, 3)); strings.Contains(command, "--entry=rows") {
			put(t, dir, "x.npy", array(t, x, 3, 2))
		}
		got := start(t, dir, strings.Fields(command)...)
		require.Equal(t, outcome{0, got.stdout, ""}, got, command)
		printed = append(printed, got.stdout)
	}
	const weighted = "y: f32[2x3] = [[0.5 -4 3e-07] [1.2e+06 5e+10 0.6]]\nlast: f32[scalar] = 6\n"
	require.Len(t, printed, 4)
	require.Equal(t, []string{weighted, weighted}, printed[:2])
	require.Contains(t, printed[2], "i8: i8[3] = [3 2 3]\n")
	require.Contains(t, printed[2], "bool: bool[2] = [0 1]\n")
	require.Equal(t, "twice: f32[3x2] = [[2 4] [6 8] [10 12]]\n", printed[3])
}

// Without a contract the types come with the values.
func TestWithoutContract(t *testing.T) {
	got := run(t, board(t), "demo.vmfb", "--archive", "model=demo.irpa", "--entry=demo.weighted", "2x3xf32=1,2,3,4,5,6")
	require.Equal(t, 0, got.status, got.stderr)
	require.Equal(t, "result0: f32[2x3] = [[0.5 -4 3e-07] [1.2e+06 5e+10 0.6]]\nresult1: f32[scalar] = 6\n", got.stdout)
}

// filled returns an array of eighths with the given number of rows.
func filled(t *testing.T, rows int64) tensor.Value {
	t.Helper()
	var fs []float32
	for i := range 2 * rows {
		fs = append(fs, float32(i)/8)
	}
	v, err := tensor.Of(fs, rows, 2)
	require.NoError(t, err)
	return v
}

func read(t *testing.T, dir, name string) []byte {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(dir, name))
	require.NoError(t, err)
	return b
}
