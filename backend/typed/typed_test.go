package typed_test

import (
	"context"
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/backend"
	"github.com/skainet-dev/skainet-go/backend/cpu"
	"github.com/skainet-dev/skainet-go/backend/program"
	"github.com/skainet-dev/skainet-go/backend/typed"
	"github.com/skainet-dev/skainet-go/compile/contract"
	"github.com/skainet-dev/skainet-go/compile/dag/describe"
	"github.com/skainet-dev/skainet-go/compile/export"
	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/lang"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
	"github.com/skainet-dev/skainet-go/tensor/shape"
	_ "github.com/skainet-dev/skainet-go/test/errtest"
)

// open loads a model on the CPU backend.
func open(t *testing.T, m lang.Constructor) backend.Executable {
	t.Helper()
	g, err := export.Capture(cpu.Evaluate, "m", nil, m, "", "")
	require.NoError(t, err)
	doc, err := describe.Contract(g)
	require.NoError(t, err)
	x, err := cpu.Load(g, doc, nil)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, x.Close()) })
	return x
}

// scaled returns x [rows? x 2] times a scalar in f16, and how often it was called.
func scaled(m *lang.Module) {
	calls := m.State("calls", dtype.I64, 0)
	m.Entry("main", func(f *lang.Func) {
		x := f.InputOf("x", dtype.F16, shape.Named("rows"), shape.N(2))
		by := f.Input("by", dtype.F16)
		flags := f.InputOf("flags", dtype.Bool, shape.Named("rows"))
		n := f.Read(calls).AddScalar(1)
		f.Write(calls, n)
		f.Output("y", x.Mul(by))
		f.Output("none", flags.Not())
		f.Output("calls", n)
	})
}

// The arguments and results of all kinds, in order, and the state between calls.
func TestCall(t *testing.T) {
	x := open(t, scaled)
	for calls := range int64(2) {
		c := typed.Begin(x, "main", typed.Sizes{"rows": 3})
		typed.Rounded(c, []float32{1, 2, -3, 4, 0.1, 65504})
		typed.RoundedScalar(c, 0.5)
		typed.Slice(c, []bool{true, false, true})
		c.Run(context.Background())
		// 0.1 is not an f16: the nearest is 1638 / 2^14, half of it 1638 / 2^15.
		require.Equal(t, []float32{0.5, 1, -1.5, 2, 1638.0 / (1 << 15), 32752}, typed.Widened(c))
		require.Equal(t, []bool{false, true, false}, typed.Elements[bool](c))
		require.Equal(t, calls+1, typed.Element[int64](c))
		require.NoError(t, c.Err())
	}
}

// Each mistake is BACKEND_BAD_ARGUMENT and names the entry point; nothing after it counts.
func TestMistakes(t *testing.T) {
	x := open(t, scaled)
	good := []float32{1, 2, 3, 4}
	for name, tt := range map[string]struct {
		call func(c *typed.Call)
		want string
	}{
		"too few elements": {func(c *typed.Call) { typed.Rounded(c, good[:3]) }, `argument "x", f16[rows?x2]`},
		"another type": {func(c *typed.Call) {
			typed.Slice(c, good)
			typed.RoundedScalar(c, 1)
			typed.Slice(c, []bool{true, true})
			c.Run(t.Context())
		}, `argument "x" is f32[2x2]`},
		"beyond the type": {func(c *typed.Call) { typed.Rounded(c, []float32{1, 2, 3, 70000}) }, "1 of 4 numbers are beyond f16"},
		"one too many":    {func(c *typed.Call) { all(c); typed.Scalar(c, true) }, "got 4 arguments, want 3"},
		"one too few":     {func(c *typed.Call) { typed.Rounded(c, good); c.Run(t.Context()) }, "got 1 arguments, want 3"},
		"another result":  {func(c *typed.Call) { all(c); c.Run(t.Context()); typed.Elements[int8](c) }, "f16"},
		"a slice for one": {func(c *typed.Call) { all(c); c.Run(t.Context()); typed.WidenedElement(c) }, "a result has 4 elements, want 1"},
		"no more results": {func(c *typed.Call) {
			all(c)
			c.Run(t.Context())
			typed.Result(c)
			typed.Result(c)
			typed.Result(c)
			typed.Result(c)
		}, "no more than 3 results"},
	} {
		t.Run(name, func(t *testing.T) {
			c := typed.Begin(x, "main", typed.Sizes{"rows": 2})
			tt.call(c)
			require.ErrorContains(t, c.Err(), tt.want)
			first := c.Err()
			typed.Slice(c, []bool{true})
			c.Run(t.Context())
			require.Nil(t, typed.Widened(c))
			require.Zero(t, typed.Element[int64](c))
			require.Same(t, first, c.Err())
		})
	}
	for _, n := range []int64{0, -1, math.MaxInt64} {
		c := typed.Begin(x, "main", typed.Sizes{"rows": n})
		typed.Rounded(c, good)
		require.Equal(t, backend.CodeBadArgument, errs.CodeOf(c.Err()), "%d", n)
	}
	c := typed.Begin(x, "none", nil)
	typed.Scalar(c, true)
	require.Equal(t, contract.CodeNoEntry, errs.CodeOf(c.Err()))
	c = typed.Begin(x, "main", nil)
	typed.Rounded(c, good)
	require.Equal(t, backend.CodeBadArgument, errs.CodeOf(c.Err()))
}

func all(c *typed.Call) {
	typed.Rounded(c, []float32{1, 2, 3, 4})
	typed.RoundedScalar(c, 1)
	typed.Slice(c, []bool{true, true})
}

// A value of any type is passed as it is.
func TestValue(t *testing.T) {
	x := open(t, func(m *lang.Module) {
		m.Entry("main", func(f *lang.Func) { f.Output("y", f.Input("x", dtype.I16, 2).Negate()) })
	})
	v, err := tensor.Of([]int16{1, -2}, 2)
	require.NoError(t, err)
	c := typed.Begin(x, "main", nil)
	typed.Value(c, v)
	c.Run(context.Background())
	require.Equal(t, tensor.TypeOf(dtype.I16, 2), typed.Result(c).Type)
	require.NoError(t, c.Err())
}

// A dimension without a name has a size of its own.
func TestUnnamed(t *testing.T) {
	a := contract.Named{Name: "x", Shape: shape.Of(2, shape.Dynamic)}
	require.Equal(t, "x_1", typed.SizeName(a, 1))
}

func TestSession(t *testing.T) {
	_, err := typed.Session(alone{}, nil)
	require.Equal(t, program.CodeDevice, errs.CodeOf(err))
	_, err = typed.Open(program.Parts{}, program.Options{})
	require.Equal(t, program.CodeDevice, errs.CodeOf(err))
}

// alone is a program with one session.
type alone struct{ backend.Executable }
