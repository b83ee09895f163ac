package lang

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/compile/dag"
	"github.com/skainet-dev/skainet-go/compile/op"
	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
	"github.com/skainet-dev/skainet-go/tensor/shape"
)

func TestDynamicTypes(t *testing.T) {
	b, s := shape.Named("b"), shape.Named("s")
	x := func(f *Func, dims ...shape.Dim) Tensor { return f.InputOf("x", dtype.F32, dims...) }
	for name, tt := range map[string]struct {
		build func(f *Func) Tensor
		want  string
	}{
		"a size without a name":  {func(f *Func) Tensor { return f.Input("x", dtype.F32, shape.Dynamic, 4) }, "f32[x_0?x4]"},
		"reshape by -1":          {func(f *Func) Tensor { return x(f, b, s, shape.N(4)).Reshape(-1, 2) }, "f32[2*b*s?x2]"},
		"reshape by the operand": {func(f *Func) Tensor { y := x(f, b, shape.N(6)); return y.ReshapeOf(y.DimOf(0), shape.N(2), shape.N(3)) }, "f32[b?x2x3]"},
		"reshape to the same":    {func(f *Func) Tensor { y := x(f, b, shape.N(6)); return y.ReshapeOf(y.Dims()...) }, "f32[b?x6]"},
		"flatten":                {func(f *Func) Tensor { return x(f, b, s, shape.N(4)).Flatten(0, 1) }, "f32[b*s?x4]"},
		"squeeze and unsqueeze":  {func(f *Func) Tensor { return x(f, b, shape.N(1), s).Squeeze(1).Unsqueeze(-1) }, "f32[b?xs?x1]"},
		"slice of another":       {func(f *Func) Tensor { return x(f, b, shape.N(5)).Slice(1, 1, 3) }, "f32[b?x2]"},
		"slice of a dynamic one": {func(f *Func) Tensor { return x(f, s, shape.N(5)).SliceOf(0, shape.N(0), s.Minus(shape.N(1)), 1) }, "f32[s-1?x5]"},
		"window": {func(f *Func) Tensor {
			return x(f, s, s).DynamicSliceOf([]shape.Dim{s, shape.N(1)}, f.Splat(dtype.I32, 0), f.Splat(dtype.I32, 0))
		}, "f32[s?x1]"},
		"split of another":    {func(f *Func) Tensor { return x(f, b, shape.N(5)).Split(1, 2, 3)[1] }, "f32[b?x3]"},
		"sum that broadcasts": {func(f *Func) Tensor { return x(f, b, shape.N(1)).Add(f.InputOf("y", dtype.F32, s)) }, "f32[b?xs?]"},
		"sum with itself":     {func(f *Func) Tensor { y := x(f, b); return y.Add(y) }, "f32[b?]"},
		"broadcast":           {func(f *Func) Tensor { f.InputOf("y", dtype.F32, s); return x(f, b).BroadcastOf(s, b) }, "f32[s?xb?]"},
		"matrix product":      {func(f *Func) Tensor { return x(f, b, shape.N(3)).MatMul(f.InputOf("w", dtype.F32, shape.N(3), s)) }, "f32[b?xs?]"},
		"join":                {func(f *Func) Tensor { return f.Concat(0, x(f, b), f.InputOf("y", dtype.F32, s)) }, "f32[b+s?]"},
		"equation": {func(f *Func) Tensor {
			return f.Einsum("bij,bjk->kb", x(f, b, shape.N(2), s), f.InputOf("y", dtype.F32, b, s, shape.N(3)))
		}, "f32[3xb?]"},
		"equation that broadcasts": {func(f *Func) Tensor {
			return f.Einsum("...i,...i->...", x(f, b, s), f.InputOf("y", dtype.F32, shape.N(1), s))
		}, "f32[b?]"},
		"iota":  {func(f *Func) Tensor { x(f, b); return f.IotaOf(dtype.I32, 0, b, shape.N(2)) }, "i32[b?x2]"},
		"splat": {func(f *Func) Tensor { x(f, b); return f.SplatOf(dtype.BF16, 0.1, b) }, "bf16[b?]"},
		"size":  {func(f *Func) Tensor { return x(f, b, s).Size(-1) }, "i32[scalar]"},
	} {
		t.Run(name, func(t *testing.T) { require.Equal(t, tt.want, typeOf(t, tt.build).String()) })
	}
}

func TestDynamicMistakes(t *testing.T) {
	b, s := shape.Named("b"), shape.Named("s")
	x := func(f *Func, dims ...shape.Dim) Tensor { return f.InputOf("x", dtype.F32, dims...) }
	for name, tt := range map[string]struct {
		build func(f *Func)
		code  errs.Code
		says  string
	}{
		"a number of a dynamic size": {func(f *Func) { x(f, b).Dim(0) }, CodeMisuse, "main: dimension 0 of f32[b?] has no fixed size; use DimOf"},
		"two names":                  {func(f *Func) { x(f, b).Add(f.InputOf("y", dtype.F32, s)) }, CodeMisuse, "b? and s? are equal in some calls only: give the dimensions of the inputs the same name"},
		"a name and a number":        {func(f *Func) { x(f, b).Add(f.Input("y", dtype.F32, 3)) }, CodeMisuse, "b? and 3 are equal in some calls only"},
		"an equation of two names":   {func(f *Func) { f.Einsum("i,i->", x(f, b), f.InputOf("y", dtype.F32, s)) }, CodeMisuse, "a dimension of size s? has the letter of one of size b?"},
		"a diagonal":                 {func(f *Func) { f.Einsum("ii->i", x(f, b, b)) }, CodeMisuse, "has no fixed size"},
		"parts":                      {func(f *Func) { x(f, b).Split(0, 1, 1) }, CodeMisuse, "has no fixed size"},
		"a reshape that may not fit": {func(f *Func) { x(f, b).Reshape(2, -1) }, CodeMisuse, "no size fits for -1 in a reshape of f32[b?]"},
		"fewer dimensions":           {func(f *Func) { x(f, b, s).BroadcastOf(s) }, CodeMisuse, "cannot be broadcast to s?"},
		"no name":                    {func(f *Func) { x(f, shape.Dim{Size: shape.Dynamic, Name: "a b"}) }, CodeMisuse, `"a b" is not a valid dimension name`},
		"a name of no input":         {func(f *Func) { f.Output("y", f.SplatOf(dtype.F32, 1, b)) }, dag.CodeDim, "main/splat: dimension b?: no argument of the function has a dimension b?"},
		"a slice that may not fit":   {func(f *Func) { x(f, b).Slice(0, 0, 2) }, op.CodeShape, "main/slice"},
		"a loop that grows": {func(f *Func) {
			one := f.Splat(dtype.F32, 1).Reshape(1)
			f.Output("y", f.While([]Tensor{x(f, b)}, func(c []Tensor) Tensor { return f.Splat(dtype.I32, 0).Less(f.Splat(dtype.I32, 1)) },
				func(c []Tensor) []Tensor { return []Tensor{f.Concat(0, c[0], one)} })[0])
		}, "DAG_WHILE", "main/while"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := capture(tt.build)
			require.Equal(t, tt.code, errs.CodeOf(err), "%v", err)
			require.ErrorContains(t, err, tt.says)
		})
	}
	_, err := Capture("m", nil, func(m *Module) {
		callee := m.Func("callee", func(f *Func) { f.Output("y", x(f, s)) })
		m.Entry("main", func(f *Func) { f.Output("y", f.Call(callee, x(f, b))[0]) })
	})
	require.Equal(t, errs.Code("DAG_CALL"), errs.CodeOf(err))
}
