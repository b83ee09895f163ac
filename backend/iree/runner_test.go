package iree

import (
	"archive/zip"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/compile/contract"
	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/io/npy"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
	"github.com/skainet-dev/skainet-go/tensor/shape"
)

// fakeRunner stands for the static runner: it writes down its arguments and each call,
// and answers with the script's commands, in which $out is the file of the result.
func fakeRunner(t *testing.T, answer string) (o Options, log string) {
	dir := t.TempDir()
	log = filepath.Join(dir, "log")
	o = Options{
		Program: program(t, zip.Store, "module.fb"), Device: "local-task",
		Contract: &contract.Contract{Name: "m", Entries: []contract.Entry{{
			Name: "f", State: true, Args: []contract.Named{{Name: "x", DType: dtype.F32, Shape: shape.Of(2)}},
			Results: []contract.Named{{Name: "y", DType: dtype.F32, Shape: shape.Of(2)}},
		}}},
		ToolPrefix: []string{"/bin/sh"},
		Runner: file(t, "runner", fmt.Sprintf(`echo "$@" > %[1]s
while IFS= read -r line; do printf '%%s\n' "$line" >> %[1]s; out=${line##*--output=y=}; %[2]s
done`, log, answer)),
	}
	return o, log
}

func pair(t *testing.T, a, b float32) tensor.Value {
	v, err := tensor.Of([]float32{a, b}, 2)
	require.NoError(t, err)
	return v
}

// One process takes all calls; nothing is left of it.
func TestRunnerKeepsItsProcess(t *testing.T) {
	y := filepath.Join(t.TempDir(), "y.npy")
	require.NoError(t, npy.WriteFile(y, pair(t, 3, 4)))
	o, log := fakeRunner(t, "cp "+y+` "$out"; echo done`)
	tmp := t.TempDir()
	t.Setenv("TMPDIR", tmp)
	x, err := Open(o)
	require.NoError(t, err)
	for range 2 {
		got, err := x.Call(context.Background(), "f", pair(t, 1, 2))
		require.NoError(t, err)
		require.Empty(t, cmp.Diff([]tensor.Value{pair(t, 3, 4)}, got))
	}
	_, err = x.Call(context.Background(), "f")
	require.Error(t, err, "arguments are checked before the process sees them")
	require.NoError(t, x.Close())
	require.NoError(t, x.Close())
	_, err = x.Call(context.Background(), "f", pair(t, 1, 2))
	require.Equal(t, CodeClosed, errs.CodeOf(err))
	text, err := os.ReadFile(log)
	require.NoError(t, err)
	lines := strings.Split(strings.TrimSuffix(string(text), "\n"), "\n")
	require.Len(t, lines, 3)
	require.Regexp(t, `^\S+/m.vmfb --contract=\S+/contract.json --calls$`, lines[0])
	require.Regexp(t, `^f\tx=@\S+/in0.npy\t--output=y=\S+/out0.npy$`, lines[1])
	left, err := os.ReadDir(tmp)
	require.NoError(t, err)
	require.Empty(t, left)
}

// What the runner reports keeps its code; a runner that ended takes no more calls.
func TestRunnerFaults(t *testing.T) {
	other := filepath.Join(t.TempDir(), "other.npy")
	long, err := tensor.Of([]float32{1, 2, 3}, 3)
	require.NoError(t, err)
	require.NoError(t, npy.WriteFile(other, long))
	for _, k := range []struct {
		answer string
		code   errs.Code
		want   string
		after  errs.Code
	}{
		{`echo "iree_runner: PROGRAM_CPU: m.vmfb: it lacks avx" >&2; exit 1`, CodeCPU, "m.vmfb: it lacks avx", CodeClosed},
		{`echo "qemu: uncaught signal" >&2; kill -9 $$`, CodeCall, "qemu: uncaught signal", CodeClosed},
		{`exit 0`, CodeCall, "the static runner ended: exit status 0", CodeClosed},
		{`echo "y: f32[2] = [1 2]"`, CodeCall, `answered "y: f32[2] = [1 2]\n"`, CodeCall},
		{"cp " + other + ` "$out"; echo done`, CodeCall, "a result is f32[3], but the contract says f32[2]", CodeCall},
	} {
		o, _ := fakeRunner(t, k.answer)
		x, err := Open(o)
		require.NoError(t, err)
		_, err = x.Call(context.Background(), "f", pair(t, 1, 2))
		require.Equal(t, k.code, errs.CodeOf(err), "%v", err)
		require.ErrorContains(t, err, k.want)
		_, err = x.Call(context.Background(), "f", pair(t, 1, 2))
		require.Equal(t, k.after, errs.CodeOf(err), "%v", err)
		require.NoError(t, x.Close())
	}
	o, _ := fakeRunner(t, "")
	o.Device = "vulkan"
	_, err = Open(o)
	require.Equal(t, CodeNoDevice, errs.CodeOf(err))
	o, _ = fakeRunner(t, "")
	o.ToolPrefix = []string{"/no/emulator"}
	_, err = Open(o)
	require.Equal(t, CodeLoad, errs.CodeOf(err))
}

// A call that is cancelled ends the process, however long it would have taken.
func TestRunnerIsCancelled(t *testing.T) {
	o, _ := fakeRunner(t, "exec sleep 600")
	x, err := Open(o)
	require.NoError(t, err)
	ctx, cancel := context.WithTimeout(context.Background(), 100*time.Millisecond)
	defer cancel()
	_, err = x.Call(ctx, "f", pair(t, 1, 2))
	require.ErrorIs(t, err, context.DeadlineExceeded)
	_, err = x.Call(context.Background(), "f", pair(t, 1, 2))
	require.Equal(t, CodeClosed, errs.CodeOf(err))
	require.NoError(t, x.Close())
}
