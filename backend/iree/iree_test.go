package iree

import (
	"archive/zip"
	"bytes"
	"cmp"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/backend"
	"github.com/skainet-dev/skainet-go/backend/iree/ireert"
	"github.com/skainet-dev/skainet-go/compile/contract"
	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/io/irpa"
	"github.com/skainet-dev/skainet-go/io/npy"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
	"github.com/skainet-dev/skainet-go/tensor/shape"
	_ "github.com/skainet-dev/skainet-go/test/errtest"
)

func file(t *testing.T, name, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	require.NoError(t, os.WriteFile(path, []byte(text), 0o755))
	return path
}

func archive(t *testing.T, name string, items ...irpa.Item) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	require.NoError(t, irpa.Write(path, items))
	return path
}

// program writes a ZIP in the form of a .vmfb.
func program(t *testing.T, method uint16, members ...string) string {
	t.Helper()
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for _, m := range members {
		f, err := w.CreateHeader(&zip.FileHeader{Name: m, Method: method})
		require.NoError(t, err)
		_, err = f.Write(bytes.Repeat([]byte(m+"."), 100))
		require.NoError(t, err)
	}
	require.NoError(t, w.Close())
	return file(t, "m.vmfb", b.String())
}

func TestParts(t *testing.T) {
	good := program(t, zip.Store, "module.fb", "kernels.so")
	parts, err := Parts(good)
	require.NoError(t, err)
	require.Equal(t, []Part{{"module.fb", 1000}, {"kernels.so", 1100}}, parts)
	require.NoError(t, checkProgram(good, &contract.Contract{}, nil))
	b, err := os.ReadFile(good)
	require.NoError(t, err)
	for name, path := range map[string]string{
		"empty":      file(t, "m.vmfb", ""),
		"text":       file(t, "m.vmfb", "no program"),
		"cut":        file(t, "m.vmfb", string(b[:len(b)-1])),
		"half":       file(t, "m.vmfb", string(b[:len(b)/2])),
		"flipped":    file(t, "m.vmfb", strings.Replace(string(b), "module.fb.module", "modulE.fb.module", 1)),
		"flipped 2":  file(t, "m.vmfb", strings.Replace(string(b), "kernels.so.kernels", "kernels.so.kernelt", 1)),
		"no parts":   program(t, zip.Store),
		"other ZIP":  program(t, zip.Store, "kernels.so"),
		"compressed": program(t, zip.Deflate, "module.fb"),
	} {
		err := checkProgram(path, &contract.Contract{}, nil)
		require.Equal(t, CodeLoad, errs.CodeOf(err), name)
		_, err = Parts(path)
		require.Equal(t, CodeLoad, errs.CodeOf(err), name)
		require.ErrorContains(t, err, path)
	}
}

func TestCheckArchives(t *testing.T) {
	c := &contract.Contract{Name: "m", Parameters: []contract.Parameter{
		{Scope: "model", Key: "a", Bytes: 2}, {Scope: "model", Key: "b", Bytes: 3}, {Scope: "extra", Key: "c", Bytes: 1},
	}}
	a, b := irpa.Bytes("a", make([]byte, 2)), irpa.Bytes("b", make([]byte, 3))
	extra := archive(t, "extra.irpa", irpa.Bytes("c", []byte{1}), irpa.Bytes("shared with another program", nil))
	both, part := archive(t, "both.irpa", a, b), archive(t, "m-00001-of-00007.irpa", a)
	for _, k := range []struct {
		archives map[string][]string
		code     errs.Code
		want     string
	}{
		{map[string][]string{"model": {both}, "extra": {extra}}, "", ""},
		{map[string][]string{"model": {archive(t, "1.irpa", a), archive(t, "2.irpa", b)}, "extra": {extra}}, "", ""},
		{map[string][]string{"model": {both}}, CodeParameters, "extra: program m needs 1 parameters of this scope"},
		{map[string][]string{"model": {both}, "extra": {extra}, "x": {extra}}, CodeParameters, `x: program m has no parameters in this scope`},
		{map[string][]string{"model": {archive(t, "one.irpa", a)}, "extra": {extra}}, CodeParameters, "one.irpa: model::b: the archive lacks the key"},
		{map[string][]string{"model": {archive(t, "one.irpa", a)}, "extra": {extra}}, CodeParameters, "; pack the weights for this program's contract"},
		{map[string][]string{"model": {part}, "extra": {extra}}, CodeParameters, "model::b: the archive lacks the key; give all parts of the archive; missing: " + strings.Replace(part, "00001-of", "00002-of", 1) + ", "},
		{map[string][]string{"model": {part}, "extra": {extra}}, CodeParameters, "m-00005-of-00007.irpa and 2 more"},
		{map[string][]string{"model": {both, archive(t, "again.irpa", b)}, "extra": {extra}}, CodeParameters, "again.irpa: model::b: the key is in"},
		{map[string][]string{"model": {archive(t, "long.irpa", a, irpa.Bytes("b", make([]byte, 4)))}, "extra": {extra}}, CodeParameters, "long.irpa: model::b: 4 bytes are stored, the program needs 3"},
		{map[string][]string{"model": {file(t, "text.irpa", "text")}, "extra": {extra}}, irpa.CodeMagic, "text.irpa"},
	} {
		err := CheckArchives(c, k.archives)
		require.Equal(t, k.code, errs.CodeOf(err), "%v", err)
		if k.want != "" {
			require.ErrorContains(t, err, k.want)
		}
	}
}

func TestChoiceOfForm(t *testing.T) {
	lib, tool, none := file(t, "libireert.so", ""), file(t, "iree-run-module", ""), filepath.Join(t.TempDir(), "none")
	t.Setenv(LibraryVariable, lib)
	for _, k := range []struct {
		o    Options
		want string // the library, "" for the tool
		code errs.Code
	}{
		{Options{}, lib, ""},
		{Options{Library: lib}, lib, ""},
		{Options{Library: lib, Tool: tool}, lib, ""},
		{Options{Library: none, Tool: tool}, "", ""},
		{Options{Library: none}, none, ""}, // loading then reports the fault
		{Options{Tool: tool}, "", ""},
		{Options{Tool: none}, "", CodeLoad},
		{Options{Library: lib, Tool: tool, ToolPrefix: []string{"qemu"}}, "", ""},
		{Options{Library: lib, ToolPrefix: []string{"qemu"}}, "", CodeLoad},
	} {
		got, err := k.o.library()
		require.Equal(t, k.code, errs.CodeOf(err), "%+v: %v", k.o, err)
		require.Equal(t, k.want, got, "%+v", k.o)
		runtime, err := k.o.Runtime()
		require.Equal(t, k.code, errs.CodeOf(err), "%+v: %v", k.o, err)
		if k.want = cmp.Or(k.want, k.o.Tool); err == nil {
			require.Equal(t, k.want, runtime, "%+v", k.o)
		}
	}
	t.Setenv(LibraryVariable, "")
	_, err := FindLibrary() // there is nothing next to a test's executable
	require.Equal(t, CodeLoad, errs.CodeOf(err))
	require.ErrorContains(t, err, LibraryVariable)
}

// fakeTool stands for iree-run-module: it writes its command line to a file and
// copies y.npy to the first output.
func fakeTool(t *testing.T, y tensor.Value) (o Options, commandLine string) {
	dir := t.TempDir()
	require.NoError(t, npy.WriteFile(filepath.Join(dir, "y.npy"), y))
	commandLine = filepath.Join(dir, "args")
	o = Options{
		Program: program(t, zip.Store, "module.fb"), Device: "local-task", Workers: 3,
		Contract: &contract.Contract{Name: "m", Entries: []contract.Entry{{
			Name: "f", Args: []contract.Named{{Name: "x", DType: dtype.BF16, Shape: shape.Of(2, 1)}, {Name: "n", DType: dtype.Bool}},
			Results: []contract.Named{{Name: "y", DType: dtype.F32, Shape: shape.Of(2)}},
		}}},
		ToolPrefix: []string{"/bin/sh"},
		Tool: file(t, "tool", fmt.Sprintf(`case "$1" in --list_drivers) echo "# Available"; echo "  local-task: threads"; exit 0;; esac
for a in "$@"; do case "$a" in --output=@*) cp %[1]s/y.npy "${a#--output=@}";; esac; done
echo "$FROM_ENV $@" > %[2]s`, dir, commandLine)),
		Env: []string{"FROM_ENV=here", "PATH=/usr/bin:/bin"},
	}
	return o, commandLine
}

func TestToolCommandLine(t *testing.T) {
	y, err := tensor.Of([]float32{1, 2}, 2)
	require.NoError(t, err)
	o, commandLine := fakeTool(t, y)
	tmp := t.TempDir()
	t.Setenv("TMPDIR", tmp)
	x, err := Open(o)
	require.NoError(t, err)
	args := []tensor.Value{{Type: tensor.TypeOf(dtype.BF16, 2, 1), Bytes: []byte{1, 2, 3, 4}}, {Type: tensor.TypeOf(dtype.Bool), Bytes: []byte{1}}}
	args[1].Type.Shape = nil
	got, err := x.Call(context.Background(), "f", args...)
	require.NoError(t, err)
	require.Empty(t, gocmp.Diff([]tensor.Value{y}, got))
	line, err := os.ReadFile(commandLine)
	require.NoError(t, err)
	require.Regexp(t, `^here --device=local-task --module=\S+/m.vmfb --function=f --task_worker_stack_size=1048576 --task_topology_group_count=3 `+
		`--input=2x1xbf16=@\S+/in0.bin --input=i1=@\S+/in1.bin --output=@\S+/out0.npy\n$`, string(line))
	left, err := os.ReadDir(tmp)
	require.NoError(t, err)
	require.Empty(t, left, "inputs and outputs are removed")
}

func TestToolResultsAreChecked(t *testing.T) {
	y, err := tensor.Of([]int32{1, 2}, 2)
	require.NoError(t, err)
	o, _ := fakeTool(t, y)
	o.Contract.Entries[0].Args = nil
	x, err := Open(o)
	require.NoError(t, err)
	_, err = x.Call(context.Background(), "f")
	require.Equal(t, CodeCall, errs.CodeOf(err))
	require.ErrorContains(t, err, "a result is i32[2], but the contract says f32[2]")
}

func TestToolErrors(t *testing.T) {
	for _, k := range []struct {
		stderr string
		code   errs.Code
		want   string
	}{
		{"c/runtime/src/iree/hal/driver_registry.c:319: NOT_FOUND; no driver 'x' registered; creating driver for device 'x'", CodeNoDevice, "NOT_FOUND; no driver 'x'"},
		{"x.c:1: NOT_FOUND; no provider registered that handles scopes like 'model'; loading parameter", CodeParameters, "scopes like 'model'"},
		{"x.c:1: INVALID_ARGUMENT; bad header; creating run context", CodeLoad, "bad header"},
		{"x.c:1: INVALID_ARGUMENT; input0 shape mismatch; invoking function 'f'", CodeCall, "input0 shape mismatch"},
	} {
		o, _ := fakeTool(t, tensor.Value{Type: tensor.TypeOf(dtype.F32, 0)})
		o.Tool = file(t, "tool", `case "$1" in --list_drivers) echo "  local-task: threads"; exit 0;; esac
echo "`+k.stderr+`" >&2; exit 1`)
		o.Contract.Entries[0].Args = nil
		x, err := Open(o)
		require.NoError(t, err)
		_, err = x.Call(context.Background(), "f")
		require.Equal(t, k.code, errs.CodeOf(err), "%v", err)
		require.ErrorContains(t, err, k.want)
		require.ErrorContains(t, err, "m.vmfb: f: ")
		require.NotContains(t, err.Error(), ".c:")
	}
	o, _ := fakeTool(t, tensor.Value{Type: tensor.TypeOf(dtype.F32, 0)})
	o.Tool = file(t, "tool", `case "$1" in --list_drivers) echo "  local-task: threads"; exit 0;; esac; kill -SEGV $$`)
	o.Contract.Entries[0].Args = nil
	x, err := Open(o)
	require.NoError(t, err)
	_, err = x.Call(context.Background(), "f")
	require.ErrorContains(t, err, "killed by the signal segmentation fault")
	o.Tool = file(t, "tool", "exit 1")
	_, err = Open(o)
	require.Equal(t, CodeLoad, errs.CodeOf(err))
}

// A tool that prints without end is stopped; its error messages are truncated.
func TestToolThatPrintsMuch(t *testing.T) {
	const much = `i=0; while [ $i -lt 20 ]; do printf '%0200000d' 0; i=$((i+1)); done`
	o, _ := fakeTool(t, tensor.Value{Type: tensor.TypeOf(dtype.F32, 0)})
	o.Contract.Entries[0].Args = nil
	for name, c := range map[string]struct {
		script string
		code   errs.Code
		want   string
	}{
		"endless names":   {`while :; do printf '%0200000d' 0; done`, CodeLoad, "printed more than 1048576 bytes"},
		"names to an end": {`trap '' PIPE; (` + much + `) 2>/dev/null; exit 0`, CodeLoad, "printed more than 1048576 bytes"},
		"endless results": {`case "$1" in --list_drivers) echo "  local-task: threads"; exit 0;; esac; while :; do printf '%0200000d' 0; done`, CodeCall, "printed more than 1048576 bytes"},
		"many complaints": {`case "$1" in --list_drivers) echo "  local-task: threads"; exit 0;; esac; echo "x.c:1: INTERNAL; so it is" >&2; (` + much + `) >&2; exit 1`, CodeCall, "so it is"},
	} {
		o.Tool = file(t, "tool", c.script)
		x, err := Open(o)
		if err == nil {
			_, err = x.Call(context.Background(), "f")
		}
		require.Equal(t, c.code, errs.CodeOf(err), "%s: %v", name, err)
		require.ErrorContains(t, err, c.want, name)
		require.Less(t, len(err.Error()), 4000, name)
	}
}

func TestClean(t *testing.T) {
	for in, want := range map[string]string{
		"runtime/src/iree/vm/a.c:12: NOT_FOUND; no\n  such   thing; [ 0] f": "no such thing; [ 0] f",
		"NOT_FOUND":      "",
		"NOT_FOUND; a:b": "a:b",
		`<vm>:0: NOT_FOUND; HAL device: #hal.device.target<"local", [#hal.executable.target<"x", "y">]>`: `HAL device: #hal.device.target<"local", ...>`,
	} {
		require.Equal(t, want, ireert.Clean(in, "NOT_FOUND"))
	}
	long := ireert.Clean(fmt.Sprint(make([]int, 5000)), "X")
	require.Less(t, len(long), 700)
	require.Equal(t, "NOT_FOUND: gone", (&ireert.Status{Code: 5, Text: "gone"}).Error())
	require.Equal(t, "UNKNOWN", (&ireert.Status{Code: 99}).Error())
}

func TestWorkers(t *testing.T) {
	for _, n := range []int{-1, maxWorkers + 1} {
		_, err := Open(Options{Contract: &contract.Contract{}, Workers: n})
		require.Equal(t, CodeWorkers, errs.CodeOf(err), n)
	}
}

// The state of a call ends with the tool's process.
func TestToolKeepsNoState(t *testing.T) {
	y, err := tensor.Of([]float32{1, 2}, 2)
	require.NoError(t, err)
	o, _ := fakeTool(t, y)
	o.Contract.Entries[0].State = true
	x, err := Open(o)
	require.NoError(t, err)
	args := []tensor.Value{
		{Type: tensor.TypeOf(dtype.BF16, 2, 1), Bytes: make([]byte, 4)}, {Type: tensor.TypeOf(dtype.Bool), Bytes: []byte{1}},
	}
	_, err = x.Call(context.Background(), "f", args...)
	require.NoError(t, err)
	_, err = x.Call(context.Background(), "f", args...)
	require.Equal(t, CodeToolState, errs.CodeOf(err))
	require.True(t, backend.KeepsState(x), "a caller that does not ask is told")
	require.NoError(t, x.Close())
	_, err = x.Call(context.Background(), "f", args...)
	require.Equal(t, CodeClosed, errs.CodeOf(err))

	o.PerCall = true
	x, err = Open(o)
	require.NoError(t, err)
	require.False(t, backend.KeepsState(x))
	s, err := x.(backend.Shared).Session(nil)
	require.NoError(t, err)
	require.False(t, backend.KeepsState(s))
	for range 2 {
		_, err = x.Call(context.Background(), "f", args...)
		require.NoError(t, err)
	}
}
