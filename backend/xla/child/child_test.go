package child

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/backend/cache"
	"github.com/skainet-dev/skainet-go/backend/xla"
	"github.com/skainet-dev/skainet-go/backend/xla/pjrt"
	"github.com/skainet-dev/skainet-go/compile/dag"
	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/lang"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
	_ "github.com/skainet-dev/skainet-go/test/errtest"
	"github.com/skainet-dev/skainet-go/test/xlatest"
)

// without is set in the environment of a process of the test whose main function does not call Main.
const without = "SKAINET_TEST_WITHOUT_MAIN"

func TestMain(m *testing.M) {
	if os.Getenv(without) == "" {
		Main()
		os.Exit(m.Run())
	}
	_, err := Open(context.Background(), xla.Options{Program: "none.xla"}, nil)
	fmt.Println(err)
}

// A program that does not call Main would start itself without end: it starts nothing, nor does
// one that was started as a child.
func TestMainIsNotCalled(t *testing.T) {
	for _, child := range []string{"", "1"} {
		cmd := exec.Command(os.Args[0])
		cmd.Env = append(os.Environ(), without+"=1", variable+"="+child)
		out, err := cmd.CombinedOutput()
		require.NoError(t, err, "%s", out)
		require.Contains(t, string(out), "XLA_CHILD")
		require.Contains(t, string(out), "main does not call child.Main")
	}
	cmd := []string{"/usr/bin/env", without + "=1", os.Args[0]}
	_, err := Open(context.Background(), xla.Options{Program: "none.xla"}, cmd)
	require.Equal(t, CodeChild, errs.CodeOf(err), "another program that does not serve")
}

// The process keeps programs in the folder of the caller's cache, and finds them there.
func TestCache(t *testing.T) {
	plugin := xlatest.Plugin(t)
	dir := t.TempDir()
	kept, err := cache.Open(dir)
	require.NoError(t, err)
	programs := func() (times []time.Time) {
		all, err := filepath.Glob(filepath.Join(dir, "*"+xla.Extension))
		require.NoError(t, err)
		require.Len(t, all, 1)
		st, err := os.Stat(all[0])
		require.NoError(t, err)
		return append(times, st.ModTime())
	}
	var first []time.Time
	for range 2 {
		x, err := Open(context.Background(), xla.Options{Graph: counting(t), Plugin: plugin, Cache: kept}, nil)
		require.NoError(t, err)
		out, err := x.Call(context.Background(), "step", pair(t, 1, 2))
		require.NoError(t, err)
		require.Equal(t, pair(t, 1, 2).Bytes, out[0].Bytes)
		require.NoError(t, x.Close())
		if first == nil {
			first = programs()
		}
	}
	require.Equal(t, first, programs(), "it was made once")
}

func counting(t *testing.T) *dag.Graph {
	t.Helper()
	g, err := lang.Capture("counting", nil, func(m *lang.Module) {
		s := m.State("sum", dtype.F32, 0, 2)
		m.Entry("step", func(f *lang.Func) {
			next := f.Read(s).Add(f.Input("x", dtype.F32, 2))
			f.Write(s, next)
			f.Output("y", next)
		})
	})
	require.NoError(t, err)
	return g
}

func pair(t *testing.T, a, b float32) tensor.Value {
	t.Helper()
	v, err := tensor.Of([]float32{a, b}, 2)
	require.NoError(t, err)
	return v
}

// A program keeps its state in the process; a process that is killed in between is an error,
// and the caller goes on.
func TestProcess(t *testing.T) {
	plugin := xlatest.Plugin(t)
	x, err := Open(context.Background(), xla.Options{Graph: counting(t), Plugin: plugin}, nil)
	require.NoError(t, err)
	for i := range 3 {
		out, err := x.Call(context.Background(), "step", pair(t, 1, 2))
		require.NoError(t, err)
		require.Equal(t, pair(t, float32(i+1), float32(2*i+2)).Bytes, out[0].Bytes)
	}
	_, err = x.Call(context.Background(), "none")
	require.NotEmpty(t, errs.CodeOf(err))
	require.NoError(t, x.(*session).cmd.Process.Kill())
	<-x.(*session).ended
	_, err = x.Call(context.Background(), "step", pair(t, 1, 2))
	require.Equal(t, CodeChild, errs.CodeOf(err), "%v", err)
	_, err = x.Call(context.Background(), "step", pair(t, 1, 2))
	require.Equal(t, CodeChild, errs.CodeOf(err))
	require.NoError(t, x.Close())
	require.NoError(t, x.Close())
	_, err = x.Call(context.Background(), "step", pair(t, 1, 2))
	require.Equal(t, pjrt.CodeClosed, errs.CodeOf(err))
}

// What the process reports keeps its code.
func TestReported(t *testing.T) {
	_, err := Open(context.Background(), xla.Options{Graph: counting(t), Plugin: "none.so"}, nil)
	require.Equal(t, pjrt.CodePlugin, errs.CodeOf(err))
	require.ErrorContains(t, err, "none.so: the plugin does not exist")
	_, err = Open(context.Background(), xla.Options{Program: "none.xla"}, nil)
	require.Equal(t, pjrt.CodeProgram, errs.CodeOf(err))
}

func TestOtherPrograms(t *testing.T) {
	for want, command := range map[string][]string{
		"does not start":              {"/no/such/program"},
		"exit status 3":               {"/bin/sh", "-c", "exit 3"},
		"it printed: oh no":           {"/bin/sh", "-c", "echo oh no >&2; kill -ABRT $$"},
		"it printed: the reason at x": {"/bin/sh", "-c", "echo the reason at x >&2; for i in $(seq 9000); do echo goroutine $i >&2; done; kill -ABRT $$"},
		"bytes; 1073741824 ":          {"/bin/sh", "-c", "echo an answer of another program; cat > /dev/null"},
	} {
		_, err := Open(context.Background(), xla.Options{Program: "x"}, command)
		require.Equal(t, CodeChild, errs.CodeOf(err), want)
		require.ErrorContains(t, err, want)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	_, err := Open(ctx, xla.Options{Program: "x"}, []string{"/bin/cat"})
	require.ErrorIs(t, err, context.Canceled)
}

// The beginning and the end of what a process printed are kept, whatever is between.
func TestPrinted(t *testing.T) {
	var e ends
	for _, part := range []string{"fatal: no memory\n", strings.Repeat("goroutine\n", 100_000), "\xff the end"} {
		n, err := e.Write([]byte(part))
		require.NoError(t, err)
		require.Len(t, part, n)
	}
	require.Less(t, len(e.String()), 3*maxHead)
	require.True(t, strings.HasPrefix(e.String(), "fatal: no memory goroutine"), e.String())
	require.True(t, strings.HasSuffix(e.String(), "the end"), e.String())
	require.Contains(t, e.String(), " ... ")
	short := ends{}
	_, err := short.Write([]byte(strings.Repeat("x", maxHead+1)))
	require.NoError(t, err)
	require.Equal(t, strings.Repeat("x", maxHead+1), short.String())
}

// Messages that lie about their lengths take no memory for it.
func TestMessages(t *testing.T) {
	var b bytes.Buffer
	require.NoError(t, write(&b, message{Entry: "e"}, []tensor.Value{pair(t, 1, 2)}))
	whole := b.Bytes()
	m, err := read(bytes.NewReader(whole))
	require.NoError(t, err)
	require.Equal(t, "e", m.Entry)
	require.Equal(t, pair(t, 1, 2).Bytes, m.values[0].Bytes)
	for n := range whole {
		_, err := read(bytes.NewReader(whole[:n]))
		require.Error(t, err, n)
	}
	for _, text := range []string{"\xff\xff\xff\xff\xff\xff\xff\xff", "\x02\x00\x00\x00\x00\x00\x00\x00[]", "\xff\xff\xff\x0f\x00\x00\x00\x00{}"} {
		_, err := read(strings.NewReader(text))
		require.Error(t, err)
	}
	device, apart := Device(Prefix + "cpu:1")
	require.True(t, apart)
	require.Equal(t, "cpu:1", device)
	_, apart = Device("cpu")
	require.False(t, apart)
}
