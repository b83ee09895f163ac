package open

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/backend"
	"github.com/skainet-dev/skainet-go/backend/cache"
	"github.com/skainet-dev/skainet-go/backend/xla"
	"github.com/skainet-dev/skainet-go/backend/xla/child"
	"github.com/skainet-dev/skainet-go/compile/iree/target"
	xlatext "github.com/skainet-dev/skainet-go/compile/xla"
	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/test/xlatest"
)

// One call names the backend, the target and the level.
func TestTo(t *testing.T) {
	for name, want := range map[string]string{"cpu": CPU, "cpu_x86_64_v3": IREE, "vulkan": IREE, "xla_cpu": XLA, "xla_cuda": XLA} {
		for _, level := range []string{"", "size", "aggressive"} {
			o, err := To(name, level)
			require.NoError(t, err)
			require.Equal(t, want, o.Backend, name)
			require.Equal(t, level, o.Level)
		}
	}
	for want, names := range map[errs.Code][2]string{
		target.CodeTarget: {"cpu_x86_64_v9", ""}, target.CodeLevel: {"cpu_x86_64_v3", "best"},
		xlatext.CodeTarget: {"xla_toaster", ""}, xlatext.CodeLevel: {"xla_cpu", "best"},
	} {
		_, err := To(names[0], names[1])
		require.Equal(t, want, errs.CodeOf(err))
	}
}

func TestMain(m *testing.M) {
	child.Main()
	os.Exit(m.Run())
}

// A program in a process of its own has the weights of the file and the cache of the caller.
func TestXLAProcess(t *testing.T) {
	xlatest.Plugin(t)
	o, err := To("xla_cpu", "")
	require.NoError(t, err)
	path := file(t)
	o.Weights, o.Device = path, child.Prefix+"cpu"
	dir := t.TempDir()
	o.Cache, err = cache.Open(dir)
	require.NoError(t, err)
	x, err := Graph(context.Background(), weighted(t, path), o)
	require.NoError(t, err)
	got, err := x.Call(context.Background(), "main", vector(t, 10, 20))
	require.NoError(t, err)
	require.Equal(t, vector(t, 11, 22), got[0])
	require.NoError(t, x.Close())
	kept, err := filepath.Glob(filepath.Join(dir, "*"+xla.Extension))
	require.NoError(t, err)
	require.Len(t, kept, 1)
}

// Weights come from a file of any format, and another session has other ones.
func TestXLA(t *testing.T) {
	xlatest.Plugin(t)
	o, err := To("xla_cpu", "")
	require.NoError(t, err)
	path := file(t)
	o.Weights = path
	o.Cache, err = cache.Open(t.TempDir())
	require.NoError(t, err)
	var told []string
	o.Progress.Compiling = func(name, target string) func() {
		told = append(told, name+" for "+target)
		return func() {}
	}
	for range 2 {
		x, err := Graph(context.Background(), weighted(t, path), o)
		require.NoError(t, err)
		got, err := x.Call(context.Background(), "main", vector(t, 10, 20))
		require.NoError(t, err)
		require.Equal(t, vector(t, 11, 22), got[0])
		other, err := x.(backend.Shared).Session(map[string][]string{"model": {path}})
		require.NoError(t, err)
		got, err = other.Call(context.Background(), "main", vector(t, 1, 2))
		require.NoError(t, err)
		require.Equal(t, vector(t, 2, 4), got[0])
		require.NoError(t, x.Close())
		require.NoError(t, other.Close())
	}
	require.Equal(t, []string{"main for xla_cpu"}, told, "the second time it is in the cache")
}
