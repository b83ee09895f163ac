//go:build integration

package e2e

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/backend/parity"
	"github.com/skainet-dev/skainet-go/cmd/internal/cli"
	"github.com/skainet-dev/skainet-go/io/npy"
	"github.com/skainet-dev/skainet-go/tensor"
)

// A model in a file is compiled for this processor once, kept, and computes what ONNX
// Runtime does; other weights of the same shapes are only packed.
func TestRunOfAModelFile(t *testing.T) {
	dir := t.TempDir()
	cache := filepath.Join(dir, "cache")
	skainet := func(args ...string) (stdout, stderr string) {
		t.Helper()
		var out, said bytes.Buffer
		args = append(args, "--threads=1", "--cache", cache,
			"--compiler", path(t, "IREE_COMPILE"), "--linker", path(t, "IREE_LLD"), "--library", path(t, "IREERT_LIBRARY"))
		require.Zero(t, cli.Main(args, &out, &said), said.String())
		return out.String(), said.String()
	}
	arrays, err := npy.ReadArchive(path(t, "CONV_CASE"))
	require.NoError(t, err)
	recorded := map[string]tensor.Value{}
	for _, a := range arrays {
		recorded[a.Name] = a.Value
		require.NoError(t, npy.WriteFile(filepath.Join(dir, a.Name+".npy"), a.Value))
	}
	call := func(model string, more ...string) (stderr string) {
		t.Helper()
		require.NoError(t, os.RemoveAll(filepath.Join(dir, "out")))
		_, stderr = skainet(append([]string{"run", path(t, model), "--backend=iree", "--input", "image=@" + filepath.Join(dir, "image.npy"), "--output", filepath.Join(dir, "out")}, more...)...)
		return stderr
	}
	scores := func() tensor.Value {
		got, err := npy.ReadFile(filepath.Join(dir, "out", "scores.npy"))
		require.NoError(t, err)
		return got
	}
	agrees := func() {
		t.Helper()
		r, err := parity.Compare("conv", []string{"scores"}, []tensor.Value{scores()}, []tensor.Value{recorded["scores"]}, parity.Default())
		require.NoError(t, err)
		require.NoError(t, r.Err())
	}
	require.Regexp(t, `^skainet: compiling model for cpu_x86_64_v[1-4]\n$`, call("CONV"))
	agrees()
	require.Empty(t, call("CONV"), "the second start compiles nothing")
	agrees()
	require.Empty(t, call("CONV_TUNED"), "a fine-tune compiles nothing")
	require.NotEqual(t, recorded["scores"], scores())
	require.NotEmpty(t, call("CONV", "--shape", "image=batch,3,16,16"), "a program of any size")
	agrees()
	stdout, stderr := skainet("bench", path(t, "CONV"), "--backend=iree", "--rounds=2", "image="+filepath.Join(dir, "image.npy"))
	require.Contains(t, stdout, "main ")
	require.Empty(t, stderr, "the program of run")
	stdout, stderr = skainet("parity", path(t, "CONV"), "--input", "image=@"+filepath.Join(dir, "image.npy"), "--recorded", "picture="+path(t, "CONV_CASE"))
	require.Regexp(t, `(?m)^main: main: agree$`, stdout)
	require.Regexp(t, `(?m)^picture: main, the program against the recorded results: agree$`, stdout)
	require.Empty(t, stderr)
}
