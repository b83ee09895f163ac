package lang

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/compile/op"
	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
)

func TestUnfoldMethods(t *testing.T) {
	x := func(f *Func) Tensor { return f.Input("x", dtype.F32, 2, 3, 5, 6) }
	w := WindowOptions{Strides: []int64{2, 1}, Low: []int64{1, 0}, Dilation: []int64{1, 2}}
	kernel := []int64{2, 2}
	for name, tt := range map[string]struct {
		build func(f *Func) Tensor
		want  tensor.Type
	}{
		"unfold":  {func(f *Func) Tensor { return x(f).Unfold(-1, 4, 2) }, tensor.TypeOf(dtype.F32, 2, 3, 5, 2, 4)},
		"columns": {func(f *Func) Tensor { return x(f).Im2Col(kernel, w) }, tensor.TypeOf(dtype.F32, 2, 12, 12)},
		"image": {func(f *Func) Tensor { return x(f).Im2Col(kernel, w).Col2Im([]int64{5, 6}, kernel, w) },
			tensor.TypeOf(dtype.F32, 2, 3, 5, 6)},
		"apart": {func(f *Func) Tensor {
			return x(f).PadInterior(1, make([]int64, 4), []int64{0, 0, 1, 0}, []int64{1, 0, 0, 2})
		},
			tensor.TypeOf(dtype.F32, 3, 3, 6, 16)},
	} {
		got := typeOf(t, tt.build)
		require.True(t, tt.want.Equal(got), "%s: %s", name, got)
	}
	_, err := capture(func(f *Func) { x(f).Unfold(3, 7, 1) })
	require.Equal(t, op.CodeShape, errs.CodeOf(err), "%v", err)
	require.ErrorContains(t, err, "main/unfold: unfold(f32[2x3x5x6]): a window of 7 does not fit dimension 3")
}

// A number stands on either side; a small whole power is made of products.
func TestScalarMethods(t *testing.T) {
	for name, tt := range map[string]struct {
		method func(x Tensor) Tensor
		d      dtype.DType
		ops    []string // after the input
	}{
		"t - 2":     {func(x Tensor) Tensor { return x.SubScalar(2) }, dtype.F16, []string{"splat", "broadcast_in_dim", "subtract"}},
		"2 - t":     {func(x Tensor) Tensor { return x.RSubScalar(2) }, dtype.I8, []string{"splat", "broadcast_in_dim", "subtract"}},
		"t / 2":     {func(x Tensor) Tensor { return x.DivScalar(2) }, dtype.F32, []string{"splat", "broadcast_in_dim", "divide"}},
		"2 / t":     {func(x Tensor) Tensor { return x.RDivScalar(2) }, dtype.U32, []string{"splat", "broadcast_in_dim", "divide"}},
		"t^0":       {func(x Tensor) Tensor { return x.PowScalar(0) }, dtype.I32, []string{"splat"}},
		"t^5":       {func(x Tensor) Tensor { return x.PowScalar(5) }, dtype.I32, []string{"multiply", "multiply", "multiply"}},
		"t^64":      {func(x Tensor) Tensor { return x.PowScalar(64) }, dtype.F32, []string{"multiply", "multiply", "multiply", "multiply", "multiply", "multiply"}},
		"t^0.5":     {func(x Tensor) Tensor { return x.PowScalar(0.5) }, dtype.F32, []string{"splat", "broadcast_in_dim", "power"}},
		"t^-1":      {func(x Tensor) Tensor { return x.PowScalar(-1) }, dtype.F32, []string{"splat", "broadcast_in_dim", "power"}},
		"t^NaN":     {func(x Tensor) Tensor { return x.PowScalar(math.NaN()) }, dtype.F32, []string{"splat", "broadcast_in_dim", "power"}},
		"t^t float": {func(x Tensor) Tensor { return x.Pow(x) }, dtype.F32, []string{"power"}},
	} {
		t.Run(name, func(t *testing.T) {
			g, err := CaptureWith("m", nil, func(m *Module) {
				m.Entry("main", func(f *Func) { f.Output("y", tt.method(f.Input("x", tt.d, 3))) })
			})
			require.NoError(t, err)
			var ops []string
			for _, n := range g.Funcs[0].Body.Nodes {
				ops = append(ops, n.Op.Name)
			}
			require.Equal(t, tt.ops, ops)
		})
	}
	require.True(t, tensor.TypeOf(dtype.U8, 3).Equal(typeOf(t, func(f *Func) Tensor { return f.Input("x", dtype.U8, 3).Pow(f.Input("n", dtype.U8, 3)) })))
	_, err := capture(func(f *Func) { f.Output("y", f.Input("x", dtype.I32, 3).PowScalar(0.5)) })
	require.Equal(t, CodeMisuse, errs.CodeOf(err), "%v", err)
	require.ErrorContains(t, err, "i32[3] to the power of 0.5")
}
