package xla

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/backend/xla/pjrt"
	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/lang"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
	"github.com/skainet-dev/skainet-go/test/xlatest"
)

// blocked is options whose compilations wait: begun tells of each, and each ends with release.
func blocked(t *testing.T, o Options) (_ Options, begun, release, ended chan string) {
	t.Helper()
	begun, release, ended = make(chan string, 1), make(chan string), make(chan string, 1)
	o.Compiling = func(entry string, _ map[string]int64) func() {
		begun <- entry
		<-release
		return func() { ended <- entry }
	}
	return o, begun, release, ended
}

// A ctx that is over ends Open and a call while a program is still compiled. What was compiled
// is there for the next call, and nothing is left after Close.
func TestCancelWhileCompiling(t *testing.T) {
	xlatest.Plugin(t)
	archives := map[string][]string{"model": {weights(t, 2)}}
	o, begun, release, ended := blocked(t, Options{Graph: counting(t), Archives: archives})
	ctx, cancel := context.WithCancel(context.Background())
	go func() {
		<-begun
		cancel()
	}()
	_, err := Open(ctx, o)
	require.ErrorIs(t, err, context.Canceled)
	require.Equal(t, pjrt.CodeCompile, errs.CodeOf(err))
	require.ErrorContains(t, err, "step")
	release <- ""
	<-ended

	_, err = Open(ctx, o)
	require.ErrorIs(t, err, context.Canceled, "a ctx that was over before")
	require.Empty(t, begun)

	o.Lazy = true
	x, err := Open(context.Background(), o)
	require.NoError(t, err)
	ctx, cancel = context.WithCancel(context.Background())
	go func() {
		<-begun
		cancel()
	}()
	one := vector(t, 16, 1)
	_, err = x.Call(ctx, "step", one)
	require.ErrorIs(t, err, context.Canceled)
	require.Equal(t, pjrt.CodeCompile, errs.CodeOf(err))
	other, stop := context.WithCancel(context.Background())
	stop()
	_, err = x.Call(other, "step", one) // not even while another compiles
	require.ErrorIs(t, err, context.Canceled)
	release <- ""
	<-ended
	require.Equal(t, []float32{5, 5}, call(t, x, "step", one), "compiled once")
	client := x.(*session).engine.client
	require.NoError(t, x.Close())
	require.Zero(t, client.Live())
}

// A ctx that is over ends a call while its program runs; the next call comes after the run, and
// has its state.
func TestCancelWhileRunning(t *testing.T) {
	xlatest.Plugin(t)
	const size, rounds = 1024, 20
	g, err := lang.Capture("long", nil, func(m *lang.Module) {
		s := m.State("calls", dtype.F32, 0, 1)
		m.Entry("main", func(f *lang.Func) {
			x := f.Input("x", dtype.F32, size, size)
			n := f.Splat(dtype.I32, 0)
			out := f.While([]lang.Tensor{n, x}, func(c []lang.Tensor) lang.Tensor {
				return c[0].Less(f.Splat(dtype.I32, rounds))
			}, func(c []lang.Tensor) []lang.Tensor {
				return []lang.Tensor{c[0].Add(f.Splat(dtype.I32, 1)), c[1].MatMul(x)}
			})
			next := f.Read(s).Add(f.Splat(dtype.F32, 1).Reshape(1)).Add(out[1].Slice(0, 0, 1).Slice(1, 0, 1).Reshape(1))
			f.Write(s, next)
			f.Output("y", next)
		})
		m.Entry("calls", func(f *lang.Func) { f.Output("n", f.Read(s)) })
	})
	require.NoError(t, err)
	x, err := Open(context.Background(), Options{Graph: g})
	require.NoError(t, err)
	arg, err := tensor.Zero(tensor.TypeOf(dtype.F32, size, size))
	require.NoError(t, err)
	s := x.(*session)
	ctx, cancel := context.WithCancel(context.Background())
	client := s.engine.client
	before := client.Live()
	go func() {
		for client.Live() < before+1 { // the argument: it starts
			time.Sleep(time.Millisecond)
		}
		cancel()
	}()
	_, err = x.Call(ctx, "main", arg)
	require.ErrorIs(t, err, context.Canceled)
	require.Equal(t, pjrt.CodeCall, errs.CodeOf(err))
	require.ErrorContains(t, err, "while the program ran")
	require.Equal(t, []float32{1}, call(t, x, "calls"), "the run came to its end")
	require.Equal(t, []float32{2}, call(t, x, "main", arg))
	require.NoError(t, x.Close())
	require.Zero(t, client.Live())
}
