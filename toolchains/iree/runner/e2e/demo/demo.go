// Package demo is the model for the runner's tests: an entry point for each kind
// of argument and result that a program has.
package demo

import (
	"github.com/skainet-dev/skainet-go/lang"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
	"github.com/skainet-dev/skainet-go/tensor/shape"
)

// Model has three entry points. The values of weighted come from an archive.
func Model(m *lang.Module) {
	m.Entry("weighted", func(f *lang.Func) {
		x := f.Input("x", dtype.F32, 2, 3)
		w := lang.Weight(f, "w", []float32{0.5, -2, 1e-7, 3e5, 1e10, 0.1}, 2, 3)
		f.Output("y", x.Mul(w))
		f.Output("last", x.Slice(0, 1, 2).Slice(1, 2, 3).Reshape())
	})
	m.Entry("kinds", func(f *lang.Func) {
		for _, d := range []dtype.DType{
			dtype.I8, dtype.I16, dtype.I32, dtype.I64, dtype.U8, dtype.U16, dtype.U32, dtype.U64,
			dtype.F16, dtype.BF16, dtype.F32, dtype.F64,
		} {
			// Exact in every type.
			v := f.Input(d.String()+"_in", d, 3)
			f.Output(d.String(), v.Max(v.Reverse(0)))
		}
		f.Output("bool", f.Input("bool_in", dtype.Bool, 2).Not())
	})
	m.Entry("rows", func(f *lang.Func) {
		x := f.InputOf("x", dtype.F32, shape.Dim{Size: shape.Dynamic, Name: "n"}, shape.Dim{Size: 2})
		f.Output("twice", x.Add(x))
	})
}
