package pjrt

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
	"github.com/skainet-dev/skainet-go/tensor/shape"
	"github.com/skainet-dev/skainet-go/test/xlatest"
)

// client opens the plugin that the environment names.
func client(t *testing.T, devices int64) *Client {
	t.Helper()
	p, err := Load(xlatest.Plugin(t), Options{})
	require.NoError(t, err)
	c, err := p.NewClient(map[string]any{"cpu_device_count": devices})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, c.Close()) })
	return c
}

func value[T tensor.Element](t *testing.T, data []T, sizes ...int64) tensor.Value {
	t.Helper()
	v, err := tensor.Of(data, sizes...)
	require.NoError(t, err)
	return v
}

const affine = `module @m {
  func.func @main(%x: tensor<2x3xf32>, %w: tensor<3x2xf32>) -> (tensor<2x2xf32>, tensor<i1>) {
    %y = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<2x3xf32>, tensor<3x2xf32>) -> tensor<2x2xf32>
    %t = stablehlo.constant dense<true> : tensor<i1>
    return %y, %t : tensor<2x2xf32>, tensor<i1>
  }
}
`

// A plugin through a link is the plugin: libraries that lie next to it are found from there.
func TestLoadThroughLink(t *testing.T) {
	path := xlatest.Plugin(t)
	link := filepath.Join(t.TempDir(), "linked.so")
	require.NoError(t, os.Symlink(path, link))
	p, err := Load(path, Options{})
	require.NoError(t, err)
	linked, err := Load(link, Options{})
	require.NoError(t, err)
	require.Same(t, p, linked)
}

func TestDevices(t *testing.T) {
	c := client(t, 3)
	require.Equal(t, "cpu", c.Platform())
	require.NotEmpty(t, c.Version())
	require.Len(t, c.Devices(), 3)
	for i, d := range c.Devices() {
		require.Equal(t, i, d.ID)
		require.Equal(t, "cpu", d.Kind)
	}
	var names []string
	for _, a := range c.Plugin().Attributes() {
		names = append(names, a.Name)
	}
	require.Contains(t, names, "stablehlo_current_version")
	require.Regexp(t, `^0\.\d+$`, c.Plugin().Version())
	again, err := Load(c.Plugin().Path(), Options{})
	require.NoError(t, err)
	require.Same(t, c.Plugin(), again)
	_, err = c.Devices()[0].Memory()
	require.Equal(t, CodeDevice, errs.CodeOf(err), "a CPU plugin does not tell it")
	_, err = c.Plugin().NewClient(map[string]any{"cpu_device_count": "many"})
	require.Equal(t, CodeDevice, errs.CodeOf(err))
	_, err = c.Plugin().NewClient(map[string]any{"x": 1})
	require.ErrorContains(t, err, "the option x is a int;")
}

func TestRuns(t *testing.T) {
	c := client(t, 1)
	e, err := c.Compile([]byte(affine), nil)
	require.NoError(t, err)
	require.Equal(t, 2, e.Outputs())
	need, err := e.Memory()
	require.NoError(t, err)
	require.Equal(t, int64(48), need.Arguments)
	bytes, err := e.Serialize()
	require.NoError(t, err)
	loaded, err := c.Load(bytes, nil)
	require.NoError(t, err)
	x, err := c.Copy(value(t, []float32{1, 2, 3, 4, 5, 6}, 2, 3), c.Devices()[0])
	require.NoError(t, err)
	w, err := c.Copy(value(t, []float32{1, 0, 0, 1, 2, 2}, 3, 2), c.Devices()[0])
	require.NoError(t, err)
	for _, e := range []*Executable{e, loaded} {
		r, err := e.Start(x, w)
		require.NoError(t, err)
		y, err := r.Results[0].Read() // waits by itself
		require.NoError(t, err)
		require.Equal(t, value(t, []float32{7, 8, 16, 17}, 2, 2), y)
		yes, err := r.Results[1].Read()
		require.NoError(t, err)
		require.Equal(t, value(t, []bool{true}), yes)
		require.NoError(t, r.Wait())
		require.True(t, r.Done())
		require.NoError(t, r.Close())
		require.NoError(t, r.Close())
		_, err = r.Results[0].Read()
		require.Equal(t, CodeClosed, errs.CodeOf(err))
	}
	require.ErrorContains(t, x.ReadInto(make([]byte, 5)), "has 24 bytes, and is read into 5")
	_, err = e.Start(x)
	require.Equal(t, CodeCall, errs.CodeOf(err), "an argument is missing")
	var s *Status
	require.ErrorAs(t, err, &s)
	require.Equal(t, "INVALID_ARGUMENT", s.Name())
	require.NoError(t, e.Close())
	_, err = e.Start(x, w)
	require.Equal(t, CodeClosed, errs.CodeOf(err))
	require.NoError(t, c.Close())
	for _, err := range []error{second(x.Read()), second(loaded.Start(x, w)), second(c.Compile([]byte(affine), nil)), second(loaded.Serialize())} {
		require.Equal(t, CodeClosed, errs.CodeOf(err))
	}
	require.NoError(t, x.Close())
}

func second[T any](_ T, err error) error { return err }

func TestRefusals(t *testing.T) {
	c := client(t, 1)
	for text, want := range map[string]string{
		"":        "the text is empty",
		"garbage": "custom op 'garbage' is unknown",
		strings.ReplaceAll(affine, "@main", "@other"):         "main",
		strings.ReplaceAll(affine, "2x3xf32", "?x3xf32"):      "dynamism",
		strings.ReplaceAll(affine, "stablehlo.dot", "util.d"): "util",
	} {
		_, err := c.Compile([]byte(text), nil)
		require.Equal(t, CodeCompile, errs.CodeOf(err), text)
		require.ErrorContains(t, err, want)
	}
	for _, bytes := range []string{"", "garbage", strings.Repeat("\x00", 1000)} {
		_, err := c.Load([]byte(bytes), nil)
		require.Equal(t, CodeProgram, errs.CodeOf(err), "%q", bytes)
	}
	x, err := c.Compile([]byte(affine), []byte{}) // as no options
	require.NoError(t, err)
	_, err = x.Start(nil)
	require.Equal(t, CodeCall, errs.CodeOf(err))
	require.NoError(t, x.Close())
	for _, n := range []int64{-1, 0, 1 << 40} {
		_, err := c.plugin.NewClient(map[string]any{DeviceCount: n})
		require.Equal(t, CodeDevice, errs.CodeOf(err), n)
	}
	other := client(t, 1)
	_, err = c.Copy(value(t, []int8{1}, 1), other.Devices()[0])
	require.Equal(t, CodeDevice, errs.CodeOf(err))
	_, err = c.Copy(tensor.Value{Type: tensor.TypeOf(dtype.F32, 2), Bytes: make([]byte, 7)}, c.Devices()[0])
	require.Error(t, err)
}

// Each element type goes to the device and back, as does a value without elements.
func TestElements(t *testing.T) {
	c := client(t, 1)
	for d := range elements {
		for _, sizes := range [][]int64{{}, {3}, {2, 0}, {2, 3, 1}} {
			typ := tensor.Type{DType: d, Shape: shape.Of(sizes...)}
			v, err := tensor.Zero(typ)
			require.NoError(t, err)
			for i := range v.Bytes {
				v.Bytes[i] = byte(i+1) & 1
			}
			b, err := c.Copy(v, c.Devices()[0])
			require.NoError(t, err)
			got, err := b.Read()
			require.NoError(t, err)
			require.Equal(t, v.Type.String(), got.Type.String())
			require.Equal(t, v.Bytes, got.Bytes, typ)
			require.NoError(t, b.Close())
		}
	}
	require.Zero(t, c.Live())
}

const step = `module @m {
  func.func @main(%x: tensor<4096xf32>, %s: tensor<4096xf32> {tf.aliasing_output = 1 : i32}) -> (tensor<f32>, tensor<4096xf32>) {
    %n = stablehlo.add %s, %x : tensor<4096xf32>
    %z = stablehlo.constant dense<0.0> : tensor<f32>
    %y = stablehlo.reduce(%n init: %z) applies stablehlo.add across dimensions = [0] : (tensor<4096xf32>, tensor<f32>) -> tensor<f32>
    return %y, %n : tensor<f32>, tensor<4096xf32>
  }
}
`

// A donated argument is gone after the run and its memory is the result's; results are
// arguments of runs that start before theirs is over.
func TestDonation(t *testing.T) {
	c := client(t, 1)
	e, err := c.Compile([]byte(step), nil)
	require.NoError(t, err)
	need, err := e.Memory()
	require.NoError(t, err)
	require.Equal(t, int64(4*4096), need.Aliased)
	ones := make([]float32, 4096)
	for i := range ones {
		ones[i] = 1
	}
	x, err := c.Copy(value(t, ones, 4096), c.Devices()[0])
	require.NoError(t, err)
	state, err := c.Copy(value(t, make([]float32, 4096), 4096), c.Devices()[0])
	require.NoError(t, err)
	const runs = 20
	var last *Buffer
	for range runs {
		r, err := e.Start(x, state)
		require.NoError(t, err)
		gone, err := state.Deleted()
		require.NoError(t, err)
		require.True(t, gone)
		require.NoError(t, state.Close())
		last, state = r.Results[0], r.Results[1]
	}
	y, err := last.Read()
	require.NoError(t, err)
	require.Equal(t, value(t, []float32{runs * 4096}), y)
	gone, err := x.Deleted()
	require.NoError(t, err)
	require.False(t, gone)
}

// Memory that lies at a multiple of Alignment is read in place, other memory copied.
func TestBorrow(t *testing.T) {
	c := client(t, 1)
	pages, err := mapped(1 << 16)
	if err != nil {
		t.Skipf("no mapped memory: %v", err)
	}
	v := tensor.Value{Type: tensor.TypeOf(dtype.F32, 2, 3), Bytes: pages[64:88]}
	copy(v.Bytes, value(t, []float32{1, 2, 3, 4, 5, 6}, 2, 3).Bytes)
	in, err := c.Borrow(v, c.Devices()[0])
	require.NoError(t, err)
	require.True(t, in.Borrowed())
	got, err := in.Read()
	require.NoError(t, err)
	require.Equal(t, v, got)
	odd := v
	odd.Bytes = pages[4:28]
	out, err := c.Borrow(odd, c.Devices()[0])
	require.NoError(t, err)
	require.False(t, out.Borrowed())
	// A borrowed buffer that is donated is copied: the memory stays as it is.
	e, err := c.Compile([]byte(strings.ReplaceAll(step, "4096", "16")), nil)
	require.NoError(t, err)
	lent := tensor.Value{Type: tensor.TypeOf(dtype.F32, 16), Bytes: pages[4096 : 4096+64]}
	b, err := c.Borrow(lent, c.Devices()[0])
	require.NoError(t, err)
	x, err := c.Copy(value(t, []float32{1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1}, 16), c.Devices()[0])
	require.NoError(t, err)
	r, err := e.Start(x, b)
	require.NoError(t, err)
	require.NoError(t, r.Wait())
	require.Equal(t, make([]byte, 64), lent.Bytes)
	require.NoError(t, c.Close())
	require.NoError(t, pages.Unmap())
}

// What is forgotten is freed, and Close frees what is left.
func TestForgotten(t *testing.T) {
	c := client(t, 1)
	func() {
		for range 10 {
			_, err := c.Copy(value(t, make([]float32, 1000), 1000), c.Devices()[0])
			require.NoError(t, err)
		}
		e, err := c.Compile([]byte(strings.ReplaceAll(step, "4096", "16")), nil)
		require.NoError(t, err)
		require.NotNil(t, e)
	}()
	for range 500 {
		if runtime.GC(); c.Live() == 0 {
			break
		}
		time.Sleep(10 * time.Millisecond)
	}
	require.Zero(t, c.Live())
	b, err := c.Copy(value(t, []int32{1}, 1), c.Devices()[0])
	require.NoError(t, err)
	require.Equal(t, 1, c.Live())
	require.NoError(t, c.Close())
	require.Zero(t, c.Live())
	require.NoError(t, b.Close())
	require.NoError(t, c.Close())
}

// The number of threads is read from the environment, which is set before the plugin starts.
func TestThreads(t *testing.T) {
	if os.Getenv(threadsTest) == "" {
		for threads, want := range map[string]string{"1": "1\n", "3": "3\n"} {
			xlatest.Plugin(t)
			own, err := os.Executable()
			require.NoError(t, err)
			cmd := exec.Command(own, "-test.run=^TestThreads$", "-test.v")
			cmd.Env = append(os.Environ(), threadsTest+"="+threads)
			out, err := cmd.CombinedOutput()
			require.NoError(t, err, "%s", out)
			require.Contains(t, string(out), "threads: "+want)
		}
		return
	}
	n, err := strconv.Atoi(os.Getenv(threadsTest))
	require.NoError(t, err)
	p, err := Load(os.Getenv(Variable), Options{Threads: n})
	require.NoError(t, err)
	c, err := p.NewClient(map[string]any{"cpu_device_count": int64(1)})
	require.NoError(t, err)
	names, err := filepath.Glob("/proc/self/task/*/comm")
	require.NoError(t, err)
	all := map[string]int{}
	for _, name := range names {
		b, err := os.ReadFile(name)
		require.NoError(t, err)
		all[string(b)]++
	}
	fmt.Printf("threads: %d\n", all["tf_XLAEigen\n"])
	require.NoError(t, c.Close())
}

const threadsTest = "SKAINET_TEST_THREADS"
