package xlacall

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/backend/cache"
	"github.com/skainet-dev/skainet-go/backend/call"
	"github.com/skainet-dev/skainet-go/backend/xla"
	"github.com/skainet-dev/skainet-go/backend/xla/pjrt"
	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/internal/command"
	"github.com/skainet-dev/skainet-go/lang"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
	_ "github.com/skainet-dev/skainet-go/test/errtest"
	"github.com/skainet-dev/skainet-go/test/xlatest"
)

// A portable file is called by its arguments' names, compiled once for the user.
func TestRun(t *testing.T) {
	g, err := lang.Capture("twice", nil, func(m *lang.Module) {
		m.Entry("main", func(f *lang.Func) {
			x := f.Input("x", dtype.F32, 2)
			f.Output("y", x.Add(x))
		})
	})
	require.NoError(t, err)
	dir := t.TempDir()
	path := filepath.Join(dir, "twice.xla")
	require.NoError(t, xla.WritePortable(path, xla.Options{Graph: g}))
	run := func(args ...string) (string, error) {
		cmd := call.NewRunCommand(Files{})
		var out bytes.Buffer
		cmd.SetOut(&out)
		cmd.SetErr(&out)
		cmd.SilenceUsage, cmd.SilenceErrors = true, true
		cmd.SetArgs(args)
		err := cmd.Execute()
		return out.String(), err
	}
	text := filepath.Join(dir, "text")
	require.NoError(t, os.WriteFile(text, []byte("x"), 0o600))
	_, err = run(text, "x=1,2")
	require.Equal(t, pjrt.CodeProgram, errs.CodeOf(err))

	for _, flag := range []string{"--library=x", "--tool=x", "--tool-prefix=x", "--alternative=x", "--contract=x"} {
		_, err := run(path, flag, "x=1,2")
		require.Equal(t, command.CodeUsage, errs.CodeOf(err), flag)
		require.ErrorContains(t, err, "and this is a file of XLA's programs")
	}

	plugin := xlatest.Plugin(t)
	t.Setenv(cache.Variable, filepath.Join(dir, "cache"))
	out, err := run(path, "--plugin="+plugin, "x=1,2")
	require.NoError(t, err)
	require.Equal(t, "y: f32[2] = [2 4]\n", out)
	kept, err := filepath.Glob(filepath.Join(dir, "cache", "*."+xla.Extension))
	require.NoError(t, err)
	require.Len(t, kept, 1)
}
