package cpu

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/backend"
	"github.com/skainet-dev/skainet-go/compile/dag"
	"github.com/skainet-dev/skainet-go/compile/dag/describe"
	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/lang"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
	"github.com/skainet-dev/skainet-go/tensor/shape"
)

// twoScopes is y = x + 2w + 3a and a count of calls; w is of the model, a of an adapter.
func twoScopes(t *testing.T) (*dag.Graph, backend.Executable) {
	t.Helper()
	index := &tensor.Index{Tensors: []tensor.Spec{{Name: "w", DType: dtype.F32, Shape: shape.Of(2), Bytes: 8}}}
	g, err := lang.CaptureWith("two", index, func(m *lang.Module) {
		s := m.State("calls", dtype.I32, 0)
		m.Entry("main", func(f *lang.Func) {
			x := f.Input("x", dtype.F32, 2)
			f.Output("y", x.Add(f.Param("w").MulScalar(2)).Add(f.ParamIn("adapter", "a", dtype.F32, 2).MulScalar(3)))
			n := f.Read(s).AddScalar(1)
			f.Output("n", n)
			f.Write(s, n)
		})
	})
	require.NoError(t, err)
	c, err := describe.Contract(g)
	require.NoError(t, err)
	x, err := Load(g, c, values(t, 1, 10))
	require.NoError(t, err)
	return g, x
}

// values gives every parameter of the model, and of the adapter, two equal elements.
func values(t *testing.T, model, adapter float32) Params {
	return func(scope, _ string) (tensor.Value, error) {
		v := map[string]float32{"model": model, "adapter": adapter}[scope]
		out, err := tensor.Of([]float32{v, v}, 2)
		require.NoError(t, err)
		return out, nil
	}
}

func requireTwo(t *testing.T, x backend.Executable, y float32, calls int32) {
	t.Helper()
	in, err := tensor.Of([]float32{0.5, 0.5}, 2)
	require.NoError(t, err)
	out, err := x.Call(context.Background(), "main", in)
	require.NoError(t, err)
	got, err := tensor.Slice[float32](out[0])
	require.NoError(t, err)
	require.Equal(t, []float32{y, y}, got)
	n, err := tensor.Slice[int32](out[1])
	require.NoError(t, err)
	require.Equal(t, []int32{calls}, n)
}

func TestSessionsShareAllButTheirScopes(t *testing.T) {
	_, base := twoScopes(t)
	requireTwo(t, base, 0.5+2+30, 1)
	session := func(from backend.Executable, adapter float32) *executable {
		// The model's value would be another one, were it read again.
		s, err := from.(Shared).Session([]string{"adapter"}, values(t, 100, adapter), nil)
		require.NoError(t, err)
		return s.(*executable)
	}
	one, two := session(base, 20), session(base, 30)
	requireTwo(t, one, 0.5+2+60, 1)
	requireTwo(t, two, 0.5+2+90, 1)
	requireTwo(t, base, 0.5+2+30, 2)
	requireTwo(t, one, 0.5+2+60, 2)

	// In memory once: the model's parameter, and what was computed from it; not the adapter's.
	first := func(x *executable, scope, key string) *float32 {
		return &x.params[paramID{scope, key}].data.(vec[float32])[0]
	}
	b := base.(*executable)
	require.Same(t, first(b, "model", "w"), first(one, "model", "w"))
	require.NotSame(t, first(b, "adapter", "a"), first(one, "adapter", "a"))
	require.NotSame(t, first(one, "adapter", "a"), first(two, "adapter", "a"))
	require.Len(t, one.fixed, 1, "three times the adapter")
	require.Len(t, b.fixed, 3, "and of the first, twice the model and the constant too")

	require.NoError(t, base.Close())
	requireTwo(t, one, 0.5+2+60, 3)
	three := session(one, 40) // of a session
	requireTwo(t, three, 0.5+2+120, 1)
	requireTwo(t, two, 0.5+2+90, 2)
	_, err := base.(Shared).Session([]string{"adapter"}, values(t, 1, 1), nil)
	require.Equal(t, CodeClosed, errs.CodeOf(err))
}

func TestSessionsThatDoNotFit(t *testing.T) {
	_, base := twoScopes(t)
	_, err := base.(Shared).Session([]string{"adaptr"}, values(t, 1, 1), nil)
	require.Equal(t, CodeParameter, errs.CodeOf(err))
	require.ErrorContains(t, err, `"adapter" "model"`)
	_, err = base.(Shared).Session([]string{"adapter"}, func(string, string) (tensor.Value, error) { return tensor.Of([]float32{1}, 1) }, nil)
	require.Equal(t, CodeParameter, errs.CodeOf(err))
	require.ErrorContains(t, err, `"a" is f32[1]`)
	require.ErrorContains(t, err, "adapter")
	requireTwo(t, base, 0.5+2+30, 1)
}

// Sessions may be used at the same time.
func TestSessionsAtTheSameTime(t *testing.T) {
	_, base := twoScopes(t)
	done := make(chan struct{})
	for i := range 4 {
		s, err := base.(Shared).Session([]string{"adapter"}, values(t, 1, float32(i)), nil)
		require.NoError(t, err)
		go func() {
			defer func() { done <- struct{}{} }()
			in, _ := tensor.Of([]float32{0, 0}, 2)
			for range 50 {
				out, err := s.Call(context.Background(), "main", in)
				if err != nil {
					t.Error(err)
					return
				}
				if y, err := tensor.Slice[float32](out[0]); err != nil || y[1] != 2+3*float32(i) {
					t.Errorf("%v %v", y, err)
				}
			}
		}()
	}
	for range 4 {
		<-done
	}
}
