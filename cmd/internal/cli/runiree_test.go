package cli

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/io/npy"
	"github.com/skainet-dev/skainet-go/tensor"
)

// compilers are scripts in place of IREE's tools, with a cache of their own. A program is
// what its compiler copies; each compilation is a line of a file.
type compilers struct {
	t                     *testing.T
	dir, tool, noted, out string
}

func newCompilers(t *testing.T) *compilers {
	t.Helper()
	_, program, _ := fakeRunner(t)
	dir := t.TempDir()
	x, err := tensor.Of([]float32{1, 2, 3, 4, 5}, 1, 5)
	require.NoError(t, err)
	require.NoError(t, npy.WriteFile(filepath.Join(dir, "scores"), x))
	tool := script(t, fmt.Sprintf(`for a in "$@"; do case "$a" in
--list_drivers) echo "  local-task: threads"; exit 0;;
--output=@*out0.npy) cp %s/scores "${a#--output=@}";;
esac; done`, dir))
	c := &compilers{t, dir, tool, filepath.Join(dir, "compiled"), filepath.Join(dir, "cache")}
	require.NoError(t, os.Rename(program, filepath.Join(dir, "program")))
	return c
}

// compiler returns a script of a version, which does something more before it is done.
func (c *compilers) compiler(version, more string) string {
	return script(c.t, fmt.Sprintf(`if [ "$1" = --version ]; then echo "  IREE compiler version %s"; exit 0; fi
cat > /dev/null; echo "$@" >> %s
%s
cp %s/program "$3"`, version, c.noted, more, c.dir))
}

// args are those of a run.
func (c *compilers) args(compiler, model string, more ...string) []string {
	return append([]string{"run", onnxModels + model, "--backend=iree", "--tool", c.tool, "--compiler", compiler, "--cache", c.out, "--target=cpu_x86_64_v1"}, more...)
}

// compiled is how many programs were compiled.
func (c *compilers) compiled() int {
	b, err := os.ReadFile(c.noted)
	if err != nil {
		return 0
	}
	return bytes.Count(b, []byte("\n"))
}

// files counts the entries of the cache with an extension.
func (c *compilers) files(extension string) int {
	found, err := filepath.Glob(filepath.Join(c.out, "*"+extension))
	require.NoError(c.t, err)
	return len(found)
}

func image(t *testing.T) string {
	t.Helper()
	x, err := tensor.Of(make([]float32, 768), 1, 3, 16, 16)
	require.NoError(t, err)
	path := filepath.Join(t.TempDir(), "image.npy")
	require.NoError(t, npy.WriteFile(path, x))
	return "image=" + path
}

// A program is compiled once for a structure, a target and a compiler, and an archive is
// packed once for a weight file.
func TestRunKeepsPrograms(t *testing.T) {
	c := newCompilers(t)
	first, second := c.compiler("3.13.0", ""), c.compiler("3.14.0", "")
	picture := image(t)
	// call returns what is said after the line that names compiler and runtime.
	call := func(compiler, model string, more ...string) string {
		t.Helper()
		status, stdout, stderr := run(c.args(compiler, model, append(more, picture)...)...)
		require.Zero(t, status, stderr)
		require.Equal(t, "RESULT  TYPE      VALUES\nscores  f32[1x5]  1 2 3 4 5\n", stdout)
		used, rest, _ := strings.Cut(stderr, "\n")
		require.Regexp(t, "^skainet: (cpu_x86_64_v1|vmvx), compiled by "+compiler+", run by "+c.tool+"$", used)
		return rest
	}
	require.Equal(t, "skainet: compiling model for cpu_x86_64_v1, which may take minutes, also for a small file\n", call(first, "conv.onnx"))
	require.Empty(t, call(first, "conv.onnx"))
	require.Equal(t, 1, c.compiled())
	require.Equal(t, 1, c.files(".irpa"))
	require.Contains(t, read(t, c.noted), "--iree-llvmcpu-target-cpu=x86-64\n")

	// A fine-tune is only packed, and so is a file that someone wrote to.
	require.Empty(t, call(first, "conv_tuned.onnx"))
	require.Empty(t, call(first, "conv_outside.onnx"))
	require.Equal(t, 1, c.compiled())
	require.Equal(t, 3, c.files(".irpa"))

	// Another compiler, target, flag or size is another program, over the same archive.
	require.NotEmpty(t, call(second, "conv.onnx"))
	require.NotEmpty(t, call(first, "conv.onnx", "--flag=--iree-opt-level=O3"))
	require.NotEmpty(t, call(first, "conv.onnx", "--shape", "image=n,3,16,16"))
	require.NotEmpty(t, call(first, "conv.onnx", "--target=vmvx"))
	require.Equal(t, 5, c.compiled())
	require.Equal(t, 3, c.files(".irpa"))
	require.Empty(t, call(second, "conv.onnx"))

	// A program that is not whole is compiled again.
	programs, err := filepath.Glob(filepath.Join(c.out, "*.vmfb"))
	require.NoError(t, err)
	for _, p := range programs {
		require.NoError(t, os.WriteFile(p, []byte("PK"), 0o644))
	}
	require.NotEmpty(t, call(first, "conv.onnx"))
	require.Empty(t, call(first, "conv.onnx"))
}

func TestRunWithoutIREE(t *testing.T) {
	c := newCompilers(t)
	good, picture := c.compiler("3.13.0", ""), image(t)
	t.Setenv("PATH", t.TempDir())
	t.Setenv("SKAINET_IREERT", "")
	t.Setenv("SKAINET_IREE_COMPILE", "")
	require.Contains(t, fails(t, 1, "IREE_NO_COMPILER", "run", onnxModels+"conv.onnx", "--backend=iree", "--tool", c.tool, "--cache", c.out, "--fetch=false", picture), "--backend=cpu")
	require.Contains(t, fails(t, 1, "IREE_LOAD", "run", onnxModels+"conv.onnx", "--backend=iree", "--compiler", good, "--cache", c.out, "--fetch=false", picture), "--backend=cpu")
	fails(t, 1, "VMFB_TARGET", c.args(good, "conv.onnx", picture, "--target=cpu")...)
	fails(t, 1, "MODELFILE_TARGET", "run", onnxModels+"conv.onnx", "--backend=iree", "--tool", c.tool, "--compiler", good, "--device=gpu9", picture)
	fails(t, 1, "CACHE_FOLDER", c.args(good, "conv.onnx", picture, "--cache=/dev/null/x")...)
	require.Zero(t, c.compiled())
	bad := c.compiler("3.13.0", `echo "<stdin>:3:4: error: no such op" >&2; exit 1`)
	status, _, stderr := run(c.args(bad, "conv.onnx", picture)...)
	require.Equal(t, 1, status)
	require.Contains(t, stderr, "skainet: IREE_COMPILE_FAILED: model.mlir:3:4: no such op")
	require.Zero(t, c.files(".vmfb"))
	status, _, stderr = run(c.args(script(t, "exit 2"), "conv.onnx", picture)...)
	require.Equal(t, 1, status)
	require.Contains(t, stderr, "cannot run the compiler")
}

// asProcess starts a command line as a process of its own.
func asProcess(t *testing.T, args []string) *exec.Cmd {
	t.Helper()
	own, err := os.Executable()
	require.NoError(t, err)
	cmd := exec.Command(own)
	cmd.Env = append(os.Environ(), asProgram+"=1")
	cmd.Stdin = strings.NewReader(strings.Join(args, " ") + "\n")
	cmd.Stderr = io.Discard
	return cmd
}

// A run that is killed while it compiles leaves nothing that a later one takes for a
// program, nor a lock.
func TestAKilledRun(t *testing.T) {
	c, picture := newCompilers(t), image(t)
	slow := c.compiler("3.13.0", `printf PK > "$3"; sleep 60`)
	cmd := asProcess(t, c.args(slow, "conv.onnx", picture))
	require.NoError(t, cmd.Start())
	require.Eventually(t, func() bool { return c.compiled() == 1 }, time.Minute, 5*time.Millisecond)
	require.NoError(t, cmd.Process.Kill())
	require.Error(t, cmd.Wait())
	require.Zero(t, c.files(".vmfb"))
	status, _, stderr := run(c.args(c.compiler("3.13.0", ""), "conv.onnx", picture)...)
	require.Zero(t, status, stderr)
	require.Equal(t, 2, c.compiled())
	require.Equal(t, 1, c.files(".vmfb"))
}

// Two processes that need the same program compile it once.
func TestTwoRunsAtOnce(t *testing.T) {
	c, picture := newCompilers(t), image(t)
	args := c.args(c.compiler("3.13.0", "sleep 0.3"), "conv.onnx", picture)
	var out [3]bytes.Buffer
	var all []*exec.Cmd
	for i := range out {
		cmd := asProcess(t, args)
		cmd.Stdout = &out[i]
		require.NoError(t, cmd.Start())
		all = append(all, cmd)
	}
	for i, cmd := range all {
		require.NoError(t, cmd.Wait())
		require.True(t, strings.HasPrefix(out[i].String(), "0\n"), out[i].String())
	}
	require.Equal(t, 1, c.compiled())
	require.Equal(t, 1, c.files(".vmfb"))
	require.Equal(t, 1, c.files(".irpa"))
}

// A program that is not the model's differs from the CPU backend, and the exit status says so.
func TestParityOfAModelFile(t *testing.T) {
	c, picture := newCompilers(t), image(t)
	args := append(c.args(c.compiler("3.13.0", ""), "conv.onnx")[1:], "--input", picture)
	args = append([]string{"parity"}, slices.DeleteFunc(args, func(a string) bool { return a == "--backend=iree" })...)
	status, stdout, stderr := run(args...)
	require.Equal(t, 1, status)
	require.Regexp(t, `(?m)^main: main: DIFFER\n  FAIL scores +f32\[1x5\]`, stdout)
	require.Contains(t, stderr, `skainet: PARITY_MISMATCH: main: main: result 0 "scores": 5 of 5 elements differ`)
	status, stdout, stderr = run(append(args, "--atol=10")...)
	require.Zero(t, status, stderr)
	require.Contains(t, stdout, "1 results agree\n")
	require.Equal(t, 1, c.compiled())

	// A recorded case has sizes too: it is the same program.
	case1 := filepath.Join(t.TempDir(), "case.npz")
	x, err := npy.ReadFile(strings.TrimPrefix(picture, "image="))
	require.NoError(t, err)
	require.NoError(t, npy.WriteArchive(case1, []npy.Array{{Name: "image", Value: x}}))
	recorded := append(slices.Clone(args[:len(args)-2]), "--atol=10", "--recorded", "zeros="+case1)
	status, stdout, stderr = run(recorded...)
	require.Zero(t, status, stderr)
	require.Contains(t, stdout, "zeros: main: agree")
	require.Equal(t, 1, c.compiled())
	run(append(recorded, "--sizes=batch=2")...)
	require.Equal(t, 2, c.compiled(), "sizes that differ are those of a program of any size")
	fails(t, 1, "PARITY_BAD_INPUT", append(args, "--only=other")...)
	fails(t, 1, "PARITY_BAD_INPUT", append(args, "--sizes=batch=1")...)
	fails(t, 1, "BACKEND_BAD_ARGUMENT", append(args, "--input", picture)...)
	fails(t, 2, "USAGE", append(args, "-o", onnxModels+"conv.onnx")...)
}
