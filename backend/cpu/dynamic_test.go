package cpu

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/backend"
	"github.com/skainet-dev/skainet-go/compile/dag"
	"github.com/skainet-dev/skainet-go/compile/op"
	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/lang"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
	"github.com/skainet-dev/skainet-go/tensor/shape"
)

var (
	batch = shape.Named("batch")
	seq   = shape.Named("seq")
)

func captured(t *testing.T, build func(f *lang.Func)) *executable {
	t.Helper()
	g, err := lang.Capture("dynamic", nil, func(m *lang.Module) { m.Entry("main", build) })
	require.NoError(t, err)
	return load(t, g, noParams)
}

func floatsOf(t *testing.T, v []float32, sizes ...int64) tensor.Value {
	t.Helper()
	x, err := tensor.Of(v, sizes...)
	require.NoError(t, err)
	return x
}

func callFloats(t *testing.T, x *executable, args ...tensor.Value) []float32 {
	t.Helper()
	out, err := x.Call(context.Background(), "main", args...)
	require.NoError(t, err)
	s, err := tensor.Slice[float32](out[0])
	require.NoError(t, err)
	return s
}

// Every size attribute that an operation accepts by name: the expected values are worked
// out by hand.
func TestDynamicSizes(t *testing.T) {
	x := captured(t, func(f *lang.Func) {
		x := f.InputOf("x", dtype.F32, batch, shape.N(2))
		y := f.InputOf("y", dtype.F32, seq, shape.N(2))
		joined := f.Concat(0, x, y)                                                           // [batch+seq, 2]
		last := joined.SliceOf(0, joined.DimOf(0).Minus(shape.N(1)), joined.DimOf(0), 1)      // [1, 2]
		rows := f.IotaOf(dtype.F32, 0, joined.Dims()...)                                      // [batch+seq, 2]
		flat := joined.Add(rows).Add(f.SplatOf(dtype.F32, 100, joined.Dims()...)).Reshape(-1) // [2 batch+2 seq]
		mean := flat.Sum(false, 0).Div(flat.Size(0).Convert(dtype.F32))                       // []
		even := flat.SliceOf(0, shape.N(0), flat.DimOf(0), 2).ReshapeOf(batch.Plus(seq))      // [batch+seq]
		outer := x.Slice(1, 0, 1).Reshape(-1, 1).Mul(y.Slice(1, 0, 1).Reshape(1, -1))         // [batch, seq]
		f.Output("y", f.Concat(0, last.Reshape(-1), mean.Reshape(1), even, outer.Reshape(-1)))
	})
	for range 2 { // the second time from the kept program
		got := callFloats(t, x, floatsOf(t, []float32{1, 2, 3, 4}, 2, 2), floatsOf(t, []float32{5, 6}, 1, 2))
		require.Equal(t, []float32{5, 6, 104.5, 101, 104, 107, 5, 15}, got)
		got = callFloats(t, x, floatsOf(t, []float32{1, 2}, 1, 2), floatsOf(t, []float32{3, 4}, 1, 2))
		require.Equal(t, []float32{3, 4, 103, 101, 104, 3}, got)
	}
	require.Len(t, x.made, 2)
	for n := range int64(20) {
		callFloats(t, x, floatsOf(t, make([]float32, 2*n+2), n+1, 2), floatsOf(t, []float32{3, 4}, 1, 2))
	}
	require.Len(t, x.made, keptSizes)
}

// An unnamed size is equal to no other.
func TestSizeWithoutAName(t *testing.T) {
	b := newBuilder(t)
	a := b.AddArg(tensor.Type{DType: dtype.F32, Shape: shape.Of(shape.Dynamic)})
	b.Results = []*dag.Value{b.node("negate", nil, a)}
	_, err := b.Add("add", "test/add", nil, a, a)
	require.Equal(t, op.CodeShape, errs.CodeOf(err))
	require.ErrorContains(t, err, "name")
	x := load(t, graphOf(b.Block), noParams)
	require.Equal(t, []float32{-1, -2}, callFloats(t, x, floatsOf(t, []float32{1, 2}, 2)))
}

// What depends only on parameters is computed once for all sizes; what also depends
// on sizes, once for each.
func TestFixedValuesOfDynamicPrograms(t *testing.T) {
	b := newBuilder(t)
	dims := shape.Shape{batch, shape.N(2)}
	x := b.AddArg(tensor.Type{DType: dtype.F32, Shape: dims})
	w := b.node("parameter", op.Attrs{"type": tensor.TypeOf(dtype.F32, 2), "key": "w"})
	wide := b.node("broadcast_in_dim", op.Attrs{"sizes": dims, "dims": []int64{1}}, b.node("negate", nil, w))
	count := b.node("reduce_sum", op.Attrs{"dims": []int64{0}}, b.node("splat", op.Attrs{"type": x.Type, "value": 1.0}))
	b.Results = []*dag.Value{b.node("multiply", nil, b.node("add", nil, x, wide),
		b.node("broadcast_in_dim", op.Attrs{"sizes": dims, "dims": []int64{1}}, b.node("abs", nil, count))),
		b.node("dot_general", op.Attrs{"lhs_contracting": []int64{1}, "rhs_contracting": []int64{0}}, x, b.node("floor", nil, w))}
	g := graphOf(b.Block)
	ran := map[string]int{}
	loaded, err := LoadWith(g, contractOf(g), func(string, string) (tensor.Value, error) { return floatsOf(t, []float32{1, 2}, 2), nil },
		Options{Trace: func(n *dag.Node, _ []tensor.Value) { ran[n.Op.Name]++ }})
	require.NoError(t, err)
	y := loaded.(*executable)
	for range 2 {
		require.Equal(t, []float32{9, 8}, callFloats(t, y, floatsOf(t, []float32{10, 10}, 1, 2)))
		require.Equal(t, []float32{18, 16, 18, 16}, callFloats(t, y, floatsOf(t, []float32{10, 10, 10, 10}, 2, 2)))
	}
	require.Equal(t, 1, ran["floor"], "once for all sizes")
	require.Equal(t, 2, ran["negate"], "an intermediate value of what each size keeps")
	require.Equal(t, 2, ran["abs"], "once for each size")
	require.Equal(t, 4, ran["add"])
}

// A value that is squared repeatedly is computed once per step.
func TestFixedValuesThatAreUsedAgain(t *testing.T) {
	b := newBuilder(t)
	v := b.node("constant", op.Attrs{"value": floatsOf(t, []float32{1, -1}, 2)})
	for range 100 {
		v = b.node("multiply", nil, v, v)
	}
	b.Results = []*dag.Value{b.node("add", nil, v, b.AddArg(v.Type))}
	require.Equal(t, []float32{3, 4}, callFloats(t, load(t, graphOf(b.Block), noParams), floatsOf(t, []float32{2, 3}, 2)))
}

// Functions, loops and conditionals of dynamic sizes, and a state that they share.
func TestDynamicControl(t *testing.T) {
	g, err := lang.Capture("dynamic", nil, func(m *lang.Module) {
		calls := m.State("calls", dtype.F32, 0)
		double := m.Func("double", func(f *lang.Func) {
			x := f.InputOf("x", dtype.F32, batch)
			f.Output("y", x.Add(x))
		})
		m.Entry("main", func(f *lang.Func) {
			x := f.InputOf("x", dtype.F32, batch)
			n := f.Read(calls)
			f.Write(calls, n.AddScalar(1))
			y := f.Call(double, x)[0]
			out := f.While([]lang.Tensor{f.Splat(dtype.I32, 0), y}, func(c []lang.Tensor) lang.Tensor {
				return c[0].Less(x.Size(0))
			}, func(c []lang.Tensor) []lang.Tensor {
				return []lang.Tensor{c[0].Add(f.Splat(dtype.I32, 1)), c[1].Add(f.SplatOf(dtype.F32, 1, batch))}
			})
			f.Output("y", f.Cond(n.Less(f.Splat(dtype.F32, 1)), func() []lang.Tensor { return out[1:] },
				func() []lang.Tensor { return []lang.Tensor{x} })[0])
		})
	})
	require.NoError(t, err)
	x := load(t, g, noParams)
	require.Equal(t, []float32{4, 6}, callFloats(t, x, floatsOf(t, []float32{1, 2}, 2)))
	require.Equal(t, []float32{7, 8, 9}, callFloats(t, x, floatsOf(t, []float32{7, 8, 9}, 3)), "the state is that of the first call")
}

func TestDynamicCallRefuses(t *testing.T) {
	x := captured(t, func(f *lang.Func) {
		a, b := f.InputOf("a", dtype.F32, batch, seq), f.InputOf("b", dtype.F32, batch, seq.Plus(shape.N(1)))
		f.Output("y", f.Concat(1, a, b))
	})
	for _, tt := range []struct {
		name string
		a, b []int64
		says []string
	}{
		{"two sizes of one name", []int64{2, 3}, []int64{1, 4}, []string{"batch?", `"b"`, "is 1", "2 in", `"a"`}},
		{"a sum that is another", []int64{2, 3}, []int64{2, 3}, []string{"seq+1?", `"b"`, "is 3", "is 4 here"}},
		{"a size of zero", []int64{0, 3}, []int64{0, 4}, []string{"batch?", `"a"`, "at least 1"}},
		{"another rank", []int64{2}, []int64{2, 4}, []string{`"a"`}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			of := func(sizes []int64) tensor.Value {
				n, err := shape.Of(sizes...).Elements()
				require.NoError(t, err)
				return floatsOf(t, make([]float32, n), sizes...)
			}
			_, err := x.Call(context.Background(), "main", of(tt.a), of(tt.b))
			require.Equal(t, backend.CodeBadArgument, errs.CodeOf(err))
			for _, s := range tt.says {
				require.ErrorContains(t, err, s)
			}
		})
	}
}
