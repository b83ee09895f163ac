package cli

import (
	"archive/zip"
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/backend/iree/processor"
	"github.com/skainet-dev/skainet-go/backend/openfile"
	"github.com/skainet-dev/skainet-go/compile/contract"
	"github.com/skainet-dev/skainet-go/compile/iree/target"
	"github.com/skainet-dev/skainet-go/io/irpa"
	"github.com/skainet-dev/skainet-go/io/npy"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
	"github.com/skainet-dev/skainet-go/tensor/shape"
)

// script writes a shell script that replaces one of IREE's tools.
func script(t *testing.T, body string) string {
	t.Helper()
	path := write(t, "tool", []byte("#!/bin/sh\n"+body+"\n"))
	require.NoError(t, os.Chmod(path, 0o755))
	return path
}

func TestCompileCommand(t *testing.T) {
	text := write(t, "m.mlir", []byte("module {}\n"))
	out := filepath.Join(t.TempDir(), "m.vmfb")
	good := script(t, `cat > "$3"; echo "$4 $5" >> "$3"; echo "<stdin>:1:2: warning: w" >&2`)
	status, stdout, stderr := run("compile", text, "--compiler", good, "--flag=--a=1", "--flag=--b", "-o", out)
	require.Zero(t, status, stderr)
	require.Empty(t, stdout)
	require.Equal(t, "skainet: warning: "+text+":1:2: w\n", stderr)
	b, err := os.ReadFile(out)
	require.NoError(t, err)
	require.Equal(t, "module {}\n--a=1 --b\n", string(b))

	bad := script(t, `echo "<stdin>:3:4: error: no such op" >&2; exit 1`)
	require.Contains(t, fails(t, 1, "IREE_COMPILE_FAILED", "compile", text, "--compiler", bad, "--flag=--a", "-o", "OUT/m.vmfb"), "m.mlir:3:4: no such op")
	crash := script(t, `kill -SEGV $$`)
	fails(t, 1, "IREE_COMPILE_CRASHED", "compile", text, "--compiler", crash, "--flag=--a", "-o", "OUT/m.vmfb")
	fails(t, 1, "IREE_FLAGS", "compile", text, "--compiler", good, "--flag=--iree-hal-target-device=vulkan", "-o", "OUT/m.vmfb")
	fails(t, 1, "FILE_OPEN", "compile", "OUT/none", "--compiler", good, "--flag=--a", "-o", "OUT/m.vmfb")
	fails(t, 1, "FILE_WRITE", "compile", text, "--compiler", good, "--flag=--a", "-o", "OUT/no/m.vmfb")
	t.Setenv("SKAINET_IREE_COMPILE", bad) // where none is named
	fails(t, 1, "IREE_COMPILE_FAILED", "compile", text, "--flag=--a", "-o", "OUT/m.vmfb")

	// A target stands for its flags, a level for more, and an explicit flag overrides both.
	all := script(t, `out=$3; shift 3; echo "$@" > "$out"`)
	status, _, stderr = run("compile", text, "--compiler", all, "--target=cpu_x86_64_v3", "--level=size", "--flag=--iree-opt-level=O3", "-o", out)
	require.Zero(t, status, stderr)
	b, err = os.ReadFile(out)
	require.NoError(t, err)
	require.Contains(t, string(b), "--iree-llvmcpu-target-cpu=x86-64-v3 ")
	require.Contains(t, string(b), "--iree-opt-strip-assertions=true ")
	require.Contains(t, string(b), "--iree-opt-level=O3\n")
	require.NotContains(t, string(b), "--iree-opt-level=O2")
	fails(t, 1, "VMFB_TARGET", "compile", text, "--compiler", all, "--target=cpu", "-o", "OUT/m.vmfb")
	fails(t, 1, "VMFB_REFUSED", "compile", text, "--compiler", all, "--target=webgpu", "-o", "OUT/m.vmfb")
	fails(t, 1, "VMFB_OPTIMIZATION", "compile", text, "--compiler", all, "--target=vulkan", "--level=best", "-o", "OUT/m.vmfb")
	fails(t, 1, "IREE_FLAGS", "compile", text, "--compiler", all, "--flag=--a", "--level=size", "-o", "OUT/m.vmfb")

	// Without both the target is this processor's, and a line says it.
	status, _, stderr = run("compile", text, "--compiler", all, "-o", out)
	require.Zero(t, status, stderr)
	chosen, err := openfile.Target("cpu", processor.Here())
	require.NoError(t, err)
	require.Contains(t, stderr, "the target is "+chosen+", ")
	row, err := target.Find(chosen)
	require.NoError(t, err)
	require.Contains(t, read(t, out), row.Flags[0])
}

// fakeRunner returns an iree-run-module that prints y = [1 2] and n = 7 for
// any call, with matching program and contract files.
func fakeRunner(t *testing.T) (tool, program, contractPath string) {
	dir := t.TempDir()
	y, err := tensor.Of([]float32{1, 2.5}, 2)
	require.NoError(t, err)
	n, err := tensor.Of([]int32{7})
	require.NoError(t, err)
	require.NoError(t, npy.WriteFile(filepath.Join(dir, "y"), y))
	require.NoError(t, npy.WriteFile(filepath.Join(dir, "n"), n))
	tool = script(t, fmt.Sprintf(`for a in "$@"; do case "$a" in
--list_drivers) echo "  local-task: threads"; exit 0;;
--list_devices=local-task) echo local-task://; exit 0;;
--output=@*out0.npy) cp %[1]s/y "${a#--output=@}";;
--output=@*out1.npy) cp %[1]s/n "${a#--output=@}";;
esac; done`, dir))
	c := &contract.Contract{Schema: contract.Schema, Name: "m", Entries: []contract.Entry{{
		Name: "encode",
		Args: []contract.Named{{Name: "x", DType: dtype.F32, Shape: shape.Of(2)}},
		Results: []contract.Named{
			{Name: "y", DType: dtype.F32, Shape: shape.Of(2)}, {Name: "n", DType: dtype.I32, Shape: shape.Shape{}},
		},
	}}}
	b, err := c.Marshal()
	require.NoError(t, err)
	var vmfb bytes.Buffer
	z := zip.NewWriter(&vmfb)
	_, err = z.CreateHeader(&zip.FileHeader{Name: "module.fb", Method: zip.Store})
	require.NoError(t, err)
	require.NoError(t, z.Close())
	return tool, write(t, "m.vmfb", vmfb.Bytes()), write(t, "m.contract.json", b)
}

func TestRunCommand(t *testing.T) {
	tool, program, c := fakeRunner(t)
	base := []string{"run", program, "--contract", c, "--tool", tool}
	with := func(more ...string) []string { return append(append([]string{}, base...), more...) }

	status, stdout, stderr := run(with("x=1,2", "--entry", "encode")...)
	require.Zero(t, status, stderr)
	require.Equal(t, "y: f32[2] = [1 2.5]\nn: i32[scalar] = 7\n", stdout)

	status, stdout, stderr = run(with("x=1,2", "--function=encode")...)
	require.Zero(t, status, stderr)
	require.Contains(t, stdout, "y: f32[2] = [1 2.5]")
	fails(t, 2, "USAGE", with("x=1,2", "--function=encode", "--entry=encode")...)
	fails(t, 1, "CONTRACT_NO_ENTRY", with("x=1,2", "--function", "decode")...)

	empty := filepath.Join(t.TempDir(), "empty.irpa")
	require.NoError(t, irpa.Write(empty, nil))
	status, _, stderr = run(with("x=1,2", "--archive", "model="+empty)...)
	require.Zero(t, status, stderr)

	// Arguments in a file, as build rules pass long ones.
	words := write(t, "args", []byte(strings.Join(with("x=1,2"), "\n")+"\n"))
	status, stdout, stderr = run("@" + words)
	require.Zero(t, status, stderr)
	require.Contains(t, stdout, "y: f32[2] = [1 2.5]")
	fails(t, 1, "PARAMS_READ", "@OUT/none")

	text := filepath.Join(t.TempDir(), "printed.txt")
	status, stdout, stderr = run(with("x=1,2", "--text", text)...)
	require.Zero(t, status, stderr)
	require.Empty(t, stdout)
	printed, err := os.ReadFile(text)
	require.NoError(t, err)
	require.Equal(t, "y: f32[2] = [1 2.5]\nn: i32[scalar] = 7\n", string(printed))

	dir := t.TempDir()
	status, stdout, stderr = run(with("x=1,2", "-o", "y="+filepath.Join(dir, "first.npy"), "--json")...)
	require.Zero(t, status, stderr)
	require.JSONEq(t, `{"entry":"encode","results":[{"name":"n","dtype":"i32","shape":[],"values":[7]}]}`, stdout)
	y, err := npy.ReadFile(filepath.Join(dir, "first.npy"))
	require.NoError(t, err)
	require.Equal(t, tensor.TypeOf(dtype.F32, 2), y.Type)

	status, stdout, stderr = run(with("x=@"+filepath.Join(dir, "first.npy"), "-o", dir)...)
	require.Zero(t, status, stderr)
	require.Empty(t, stdout)
	require.FileExists(t, filepath.Join(dir, "n.npy"))

	fresh := filepath.Join(dir, "a", "folder")
	status, _, stderr = run(with("x="+filepath.Join(dir, "first.npy"), "-o", fresh)...)
	require.Zero(t, status, stderr)
	require.FileExists(t, filepath.Join(fresh, "n.npy"))
	fails(t, 1, "FILE_WRITE", with("x=1,2", "-o", filepath.Join(c, "x"))...)

	fails(t, 1, "BACKEND_BAD_ARGUMENT", with()...)
	fails(t, 1, "BACKEND_BAD_ARGUMENT", with("x=1")...)
	fails(t, 1, "FILE_OPEN", with("x=@OUT/none.npy")...)
	fails(t, 1, "CONTRACT_NO_ENTRY", with("x=1,2", "--entry", "decode")...)
	fails(t, 1, "IREE_PARAMETERS", with("x=1,2", "--archive", "model="+c)...)
	fails(t, 1, "IREE_PARAMETERS", with("x=1,2", "--archive", c)...) // of the scope model
	require.Contains(t, fails(t, 2, "USAGE", with("x=1,2", "-o", "z=OUT/z.npy")...), ": encode has no such result; its results are y, n\n")
	fails(t, 2, "USAGE", with("x=1,2", "-o", c)...)
	require.Contains(t, fails(t, 1, "IREE_NO_DEVICE", with("x=1,2", "--device", "gpu")...), "local-task")
	fails(t, 1, "IREE_LOAD", "run", "OUT/none.vmfb", "x=1,2", "--contract", c, "--tool", tool)
	fails(t, 1, "IREE_LOAD", "run", program, "x=1,2", "--contract", c, "--tool", "OUT/none")
	fails(t, 2, "USAGE", "run", program)
	fails(t, 2, "USAGE", with("x=1,2", "--workers", "-1")...)
}

// The help of a program lists its entry points; that of the command itself does not.
func TestRunHelp(t *testing.T) {
	_, program, c := fakeRunner(t)
	_, general, _ := run("run", "--help")
	require.Contains(t, general, "1e-3, 0x1.8p-3, inf or nan")
	require.Contains(t, general, "--backend=xla")
	require.Contains(t, general, "xla+process://")
	const list = "\nEntry points of m:\n  --entry=encode\n    takes x: f32[2], 2 elements\n    gives y: f32[2]\n    gives n: i32[scalar]\n"
	for _, args := range [][]string{
		{"run", program, "--contract", c, "--help"},
		{"run", program, "--help", "--contract", c, "--entry=encode"},
		{"run", "-h", "--contract", c, "--function", "encode", "x=1"},
	} {
		status, stdout, stderr := run(args...)
		require.Zero(t, status)
		require.Equal(t, general+list, stdout)
		require.Empty(t, stderr)
	}
	// Of a model file the arguments are those of its import.
	for want, args := range map[string][]string{
		"takes image: f32[batch?x3x16x16], elements, whose number tells the size, or a .npy file": nil,
		"takes image: f32[2x3x16x16], 1536 elements":                                              {"--shape", "image=2,3,16,16"},
	} {
		status, stdout, stderr := run(append([]string{"run", onnxModels + "conv.onnx", "--help"}, args...)...)
		require.Zero(t, status)
		require.Empty(t, stderr)
		require.True(t, strings.HasPrefix(stdout, general), stdout)
		require.Contains(t, stdout, want)
	}
	_, stdout, stderr := run("run", write(t, "empty", nil), "--help")
	require.Equal(t, general, stdout)
	require.Contains(t, stderr, "skainet: MODELFILE_UNKNOWN: ")
	for _, bad := range []struct{ contract, entry, want string }{
		{c, "decode", "CONTRACT_NO_ENTRY: "},
		{program, "", "CONTRACT_BAD: "},
		{c + ".none", "", "FILE_OPEN: "},
	} {
		status, stdout, stderr := run("run", "--help", "--contract", bad.contract, "--entry", bad.entry)
		require.Zero(t, status)
		require.Equal(t, general, stdout)
		require.True(t, strings.HasPrefix(stderr, "skainet: "+bad.want), stderr)
	}
}

// No output replaces an input or another output, and none is dropped
// silently.
func TestRunOutputs(t *testing.T) {
	tool, program, c := fakeRunner(t)
	dir := t.TempDir()
	in := func(name string) string { return filepath.Join(dir, name) }
	with := func(more ...string) []string {
		return append([]string{"run", program, "--contract", c, "--tool", tool, "x=1,2"}, more...)
	}
	archive := in("empty.irpa")
	require.NoError(t, irpa.Write(archive, nil))
	for _, read := range []string{program, c, tool, archive} {
		before, err := os.ReadFile(read)
		require.NoError(t, err)
		fails(t, 2, "USAGE", with("--archive", "model="+archive, "-o", "y="+read)...)
		fails(t, 2, "USAGE", with("--archive", "model="+archive, "--text", read)...)
		fails(t, 2, "USAGE", "bench", program, "--contract", c, "--tool", tool, "x=1,2", "--archive", "model="+archive, "--text", read)
		after, err := os.ReadFile(read)
		require.NoError(t, err)
		require.Equal(t, before, after)
	}
	fails(t, 2, "USAGE", with("-o", "y="+in("a1.npy"), "-o", "y="+in("a2.npy"))...)
	fails(t, 2, "USAGE", with("-o", in("a"), "-o", in("b"))...)
	fails(t, 2, "USAGE", with("-o", "y=")...)
	fails(t, 2, "USAGE", with("-o", "")...)
	fails(t, 2, "USAGE", with("-o", "y="+in("a.npy"), "-o", "n="+in("a.npy"))...)
	fails(t, 2, "USAGE", with("-o", "y="+in("a.npy"), "--text", in("a.npy"))...)
	left, err := os.ReadDir(dir)
	require.NoError(t, err)
	require.Len(t, left, 1, "the archive")

	// A named file takes precedence over a folder, in either order.
	for _, more := range [][]string{{"-o", in("a"), "-o", "y=" + in("y2.npy")}, {"-o", "y=" + in("y2.npy"), "-o", in("a")}} {
		status, stdout, stderr := run(with(more...)...)
		require.Zero(t, status, stderr)
		require.Empty(t, stdout)
		require.FileExists(t, in("y2.npy"))
		require.FileExists(t, in("a/n.npy"))
		require.NoFileExists(t, in("a/y.npy"))
	}

	// A result may replace its argument; printed text may not.
	args := []string{"run", program, "--contract", c, "--tool", tool, "x=" + in("y2.npy")}
	status, _, stderr := run(append(args, "-o", "y="+in("y2.npy"))...)
	require.Zero(t, status, stderr)
	fails(t, 2, "USAGE", append(args, "--text", in("y2.npy"))...)
}
