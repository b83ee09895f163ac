package xla

import (
	"context"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/backend"
	"github.com/skainet-dev/skainet-go/backend/cache"
	"github.com/skainet-dev/skainet-go/backend/xla/pjrt"
	"github.com/skainet-dev/skainet-go/compile/dag"
	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/io/irpa"
	"github.com/skainet-dev/skainet-go/lang"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
	"github.com/skainet-dev/skainet-go/tensor/shape"
	_ "github.com/skainet-dev/skainet-go/test/errtest"
	"github.com/skainet-dev/skainet-go/test/xlatest"
)

// counting has a weight, a state variable that starts from 3, and a dynamic size.
func counting(t *testing.T) *dag.Graph {
	t.Helper()
	index := &tensor.Index{Tensors: []tensor.Spec{{Name: "w", DType: dtype.F32, Shape: shape.Of(16), Bytes: 64}}}
	g, err := lang.Capture("counting", index, func(m *lang.Module) {
		s := m.State("sum", dtype.F32, 3, 16)
		m.Entry("step", func(f *lang.Func) {
			next := f.Read(s).Add(f.Input("x", dtype.F32, 16).Mul(f.Param("w")))
			f.Write(s, next)
			f.Output("y", next.Slice(0, 0, 2))
		})
		m.Entry("twice", func(f *lang.Func) {
			x := f.InputOf("x", dtype.F32, shape.Named("n"))
			f.Output("y", x.Add(x))
		})
	})
	require.NoError(t, err)
	return g
}

// weights is an archive of w, with the same number in each element.
func weights(t *testing.T, w float32) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "w.irpa")
	require.NoError(t, irpa.Write(path, []irpa.Item{irpa.Bytes("w", vector(t, 16, w).Bytes)}))
	return path
}

func vector(t *testing.T, n int64, v float32) tensor.Value {
	t.Helper()
	data := make([]float32, n)
	for i := range data {
		data[i] = v
	}
	x, err := tensor.Of(data, n)
	require.NoError(t, err)
	return x
}

func call(t *testing.T, x backend.Executable, entry string, args ...tensor.Value) []float32 {
	t.Helper()
	out, err := x.Call(context.Background(), entry, args...)
	require.NoError(t, err)
	y, err := tensor.Slice[float32](out[0])
	require.NoError(t, err)
	return y
}

// State persists, sessions have their own and share what is equal, and either may be closed
// first; nothing is left of them.
func TestSessions(t *testing.T) {
	xlatest.Plugin(t)
	x, err := Open(context.Background(), Options{Graph: counting(t), Archives: map[string][]string{"model": {weights(t, 2)}}})
	require.NoError(t, err)
	one := vector(t, 16, 1)
	require.Equal(t, []float32{5, 5}, call(t, x, "step", one))
	require.Equal(t, []float32{7, 7}, call(t, x, "step", one))
	require.True(t, x.(*session).weight("w")[0].Borrowed(), "the weight is in the mapped archive")

	same, err := x.(backend.Shared).Session(nil)
	require.NoError(t, err)
	require.Same(t, x.(*session).weight("w")[0], same.(*session).weight("w")[0])
	other, err := x.(backend.Shared).Session(map[string][]string{"model": {weights(t, 10)}})
	require.NoError(t, err)
	require.Equal(t, []float32{5, 5}, call(t, same, "step", one))
	require.Equal(t, []float32{13, 13}, call(t, other, "step", one))
	require.Equal(t, []float32{9, 9}, call(t, x, "step", one))
	into := []tensor.Value{vector(t, 2, 0)}
	out, err := x.(backend.CallerAllocated).CallInto(context.Background(), "step", into, one)
	require.NoError(t, err)
	require.Equal(t, &into[0].Bytes[0], &out[0].Bytes[0])
	require.Equal(t, vector(t, 2, 11), into[0])

	require.NoError(t, x.Close())
	require.NoError(t, x.Close())
	require.Equal(t, []float32{7, 7}, call(t, same, "step", one))
	require.NoError(t, same.Close())
	require.Equal(t, []float32{23, 23}, call(t, other, "step", one))
	client := other.(*session).engine.client
	require.NoError(t, other.Close())
	require.Zero(t, client.Live())
	for _, err := range []error{second(x.Call(context.Background(), "step", one)), second(x.(backend.Shared).Session(nil))} {
		require.Equal(t, pjrt.CodeClosed, errs.CodeOf(err))
	}
}

func second[T any](_ T, err error) error { return err }

// Weights that are copied are the device's own.
func TestCopiedWeights(t *testing.T) {
	xlatest.Plugin(t)
	x, err := Open(context.Background(), Options{Graph: counting(t), CopyParameters: true, Archives: map[string][]string{"model": {weights(t, 2)}}})
	require.NoError(t, err)
	defer x.Close()
	require.False(t, x.(*session).weight("w")[0].Borrowed())
	require.Equal(t, []float32{5, 5}, call(t, x, "step", vector(t, 16, 1)))
}

// A dynamic size is compiled when the program is opened, or at the first call with it, once;
// another process loads what the cache has.
func TestSizesAndCache(t *testing.T) {
	xlatest.Plugin(t)
	kept, err := cache.Open(t.TempDir())
	require.NoError(t, err)
	var made []string
	o := Options{
		Graph: counting(t), Archives: map[string][]string{"model": {weights(t, 2)}}, Sizes: []map[string]int64{{"n": 4}}, Cache: kept,
		Compiling: func(entry string, sizes map[string]int64) func() {
			made = append(made, strings.TrimSpace(entry+" "+Spelled(sizes)))
			return func() {}
		},
	}
	for _, want := range [][]string{{"step", "twice n=4", "twice n=5"}, nil} {
		made = nil
		x, err := Open(context.Background(), o)
		require.NoError(t, err)
		for _, n := range []int64{4, 5, 5, 4} {
			require.Len(t, call(t, x, "twice", vector(t, n, 1)), int(n))
		}
		require.Equal(t, []float32{5, 5}, call(t, x, "step", vector(t, 16, 1)))
		require.Equal(t, want, made)
		require.NoError(t, x.Close())
	}
	// A file of the cache that is damaged is made again.
	files, err := filepath.Glob(filepath.Join(kept.Folder(), "*."+Extension))
	require.NoError(t, err)
	require.Len(t, files, 3)
	require.NoError(t, os.WriteFile(files[0], []byte("damaged"), 0o600))
	x, err := Open(context.Background(), o)
	require.NoError(t, err)
	require.Equal(t, []float32{2}, call(t, x, "twice", vector(t, 1, 1)))
	require.NoError(t, x.Close())
}

// Of programs for the sizes of calls the last ones used stay loaded, and those for the sizes that
// the program was opened for, with those of entry points without any.
func TestPrograms(t *testing.T) {
	xlatest.Plugin(t)
	var made []string
	x, err := Open(context.Background(), Options{
		Graph: counting(t), Archives: map[string][]string{"model": {weights(t, 2)}}, Sizes: []map[string]int64{{"n": 9}}, Programs: 2,
		Compiling: func(entry string, sizes map[string]int64) func() {
			made = append(made, strings.TrimSpace(entry+" "+Spelled(sizes)))
			return func() {}
		},
	})
	require.NoError(t, err)
	for _, c := range []struct {
		n    int64
		made string
	}{{1, "twice n=1"}, {2, "twice n=2"}, {1, ""}, {3, "twice n=3"}, {1, ""}, {9, ""}, {2, "twice n=2"}, {3, "twice n=3"}, {2, ""}, {9, ""}} {
		made = nil
		require.Len(t, call(t, x, "twice", vector(t, c.n, 1)), int(c.n))
		require.Equal(t, c.made, strings.Join(made, " "), "for %d", c.n)
	}
	made = nil
	call(t, x, "step", vector(t, 16, 1))
	require.Empty(t, made)

	// Sessions that use up each other's programs compute what they should.
	var all sync.WaitGroup
	for at := range int64(4) {
		other, err := x.(backend.Shared).Session(nil)
		require.NoError(t, err)
		all.Go(func() {
			for i := range int64(6) {
				n := 1 + (at+i)%4
				got, err := other.Call(context.Background(), "twice", vector(t, n, 3))
				assert.NoError(t, err) //nolint:testifylint // require is for the test's own goroutine
				assert.Equal(t, []tensor.Value{vector(t, n, 6)}, got)
				runtime.GC() // which frees programs
			}
			assert.NoError(t, other.Close())
		})
	}
	all.Wait()
	require.NoError(t, x.Close())
}

// A file of programs has those of its sizes alone.
func TestSizesOfAFile(t *testing.T) {
	xlatest.Plugin(t)
	path := filepath.Join(t.TempDir(), "m.xla")
	files := map[string][]string{"model": {weights(t, 2)}}
	sizes := []map[string]int64{{"n": 2}}
	require.NoError(t, Write(context.Background(), path, Options{Graph: counting(t), Sizes: sizes}))
	_, err := Open(context.Background(), Options{Program: path, Archives: files, Sizes: sizes})
	require.Equal(t, CodeSizes, errs.CodeOf(err))
}

func TestMistakes(t *testing.T) {
	xlatest.Plugin(t)
	good := Options{Graph: counting(t), Archives: map[string][]string{"model": {weights(t, 2)}}, Lazy: true}
	for want, change := range map[string]struct {
		code errs.Code
		of   func(o *Options)
	}{
		"a graph or a file of programs is needed": {pjrt.CodeProgram, func(o *Options) { o.Graph = nil }},
		"not both":               {pjrt.CodeProgram, func(o *Options) { o.Program = "x" }},
		"needs 1 parameters":     {CodeParameters, func(o *Options) { o.Archives = nil }},
		"-1 threads":             {CodeThreads, func(o *Options) { o.Threads = -1 }},
		"does not exist":         {pjrt.CodePlugin, func(o *Options) { o.Plugin = "none.so" }},
		"the plugin is for cpu":  {pjrt.CodeDevice, func(o *Options) { o.Device = "tpu" }},
		"no number of a device":  {pjrt.CodeDevice, func(o *Options) { o.Device = "cpu:x" }},
		"unknown level":          {"XLA_LEVEL", func(o *Options) { o.Level, o.Lazy = "best", false }},
		"unknown rewrite":        {"XLA_REWRITE", func(o *Options) { o.Without, o.Lazy = []string{"x"}, false }},
		"not a file of programs": {pjrt.CodeProgram, func(o *Options) { o.Graph, o.Program = nil, weights(t, 1) }},
	} {
		o := good
		change.of(&o)
		_, err := Open(context.Background(), o)
		require.Equal(t, change.code, errs.CodeOf(err), "%s: %v", want, err)
		require.ErrorContains(t, err, want)
	}
	x, err := Open(context.Background(), good)
	require.NoError(t, err)
	defer x.Close()
	_, err = x.Call(context.Background(), "step", vector(t, 3, 1))
	require.Equal(t, backend.CodeBadArgument, errs.CodeOf(err))
	_, err = x.Call(context.Background(), "none")
	require.NotEmpty(t, errs.CodeOf(err))
	over, cancel := context.WithCancel(context.Background())
	cancel()
	_, err = x.Call(over, "step", vector(t, 16, 1))
	require.ErrorIs(t, err, context.Canceled)
	require.Equal(t, []float32{5, 5}, call(t, x, "step", vector(t, 16, 1)), "the state is as it was")
}

// A level reaches the compiler: with size the same program has less code.
func TestLevels(t *testing.T) {
	xlatest.Plugin(t)
	g, err := lang.Capture("wide", nil, func(m *lang.Module) {
		m.Entry("main", func(f *lang.Func) {
			f.Output("y", f.Input("x", dtype.F32, 64, 64).Tanh().Softmax(1).GELU())
		})
	})
	require.NoError(t, err)
	size := func(level string) int64 {
		path := filepath.Join(t.TempDir(), "m.xla")
		require.NoError(t, Write(context.Background(), path, Options{Graph: g, Level: level}))
		st, err := os.Stat(path)
		require.NoError(t, err)
		return st.Size()
	}
	require.Less(t, size("size"), size("latency"))
}

func TestNoPluginFound(t *testing.T) {
	t.Setenv(pjrt.Variable, "")
	_, err := FindPlugin("") // there is nothing next to a test's executable
	require.Equal(t, pjrt.CodePlugin, errs.CodeOf(err))
	require.ErrorContains(t, err, pjrt.Variable)
	require.ErrorContains(t, err, "--backend=cpu")
	t.Setenv(pjrt.Variable, "/some/plugin.so")
	path, err := FindPlugin("cuda")
	require.NoError(t, err)
	require.Equal(t, "/some/plugin.so", path)
}

// Which plugin is taken of several follows from the table of targets, by the platform.
func TestPluginsOfATarget(t *testing.T) {
	dir := t.TempDir()
	require.NoError(t, os.Mkdir(filepath.Join(dir, "bin"), 0o700))
	require.NoError(t, os.Mkdir(filepath.Join(dir, "lib"), 0o700))
	for _, name := range []string{"bin/xla_cuda_plugin.so", "bin/libtpu.so", "lib/pjrt_c_api_cpu_plugin.so"} {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), nil, 0o600))
	}
	for platform, want := range map[string]string{
		"": "lib/pjrt_c_api_cpu_plugin.so", "cpu": "lib/pjrt_c_api_cpu_plugin.so", "cuda": "bin/xla_cuda_plugin.so", "tpu": "bin/libtpu.so", "rocm": "", "none": "",
	} {
		if want != "" {
			want = filepath.Join(dir, want)
		}
		require.Equal(t, want, pluginIn(filepath.Join(dir, "bin"), pluginNames(platform)), platform)
	}
}
