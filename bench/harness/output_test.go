package harness

import (
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/spf13/pflag"
	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/bench/harness/figures"
	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/internal/atomicfile"
)

func output(t *testing.T, path string) *Output {
	t.Helper()
	var o Output
	f := pflag.NewFlagSet("benchmark", pflag.ContinueOnError)
	o.Flag(f)
	require.NoError(t, f.Parse([]string{"--json=" + path}))
	return &o
}

func TestOutput(t *testing.T) {
	path := filepath.Join(t.TempDir(), "figures.json")
	o := output(t, path)
	require.NoError(t, o.Begin())
	row := figures.Row{Benchmark: "zoo", Case: "silero", Engine: "ort", Version: "1", Peer: true, Threads: 1, Unit: figures.Wall, Rounds: figures.Once([]float64{1})}
	o.Add(row)
	require.NoFileExists(t, path, "before the end")
	require.NoError(t, o.End("a note"))
	got, err := figures.Read(path)
	require.NoError(t, err)
	require.Equal(t, []figures.Row{row}, got.Rows)
	require.Equal(t, []string{"a note"}, got.Notes)
	require.Equal(t, runtime.NumCPU(), got.Machine.Cores)
	require.Equal(t, runtime.GOOS, got.Machine.OS)
}

// What cannot be written is said before anything is measured, and figures that are none leave no file.
func TestOutputFaults(t *testing.T) {
	require.Equal(t, atomicfile.CodeWrite, errs.CodeOf(output(t, filepath.Join(t.TempDir(), "none", "figures.json")).Begin()))
	path := filepath.Join(t.TempDir(), "figures.json")
	o := output(t, path)
	require.NoError(t, o.Begin())
	o.Add(figures.Row{Benchmark: "zoo"})
	require.Equal(t, figures.CodeValue, errs.CodeOf(o.End()))
	require.NoFileExists(t, path)

	t.Chdir(t.TempDir())
	o = output(t, "")
	require.NoError(t, o.Begin())
	require.NoError(t, o.End())
	list, err := os.ReadDir(".")
	require.NoError(t, err)
	require.Empty(t, list)
}

func TestTarget(t *testing.T) {
	require.Equal(t, "cpu_x86_64_v4", Target("ours-v4"))
	require.Equal(t, "cpu_x86_64_v3", Target("cpu_x86_64_v3"))
	require.Empty(t, Target("ort"))
	require.Empty(t, Target("ours-go"))
}
