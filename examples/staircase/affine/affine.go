// Package affine is the first stage of the staircase: y = 2x + 1.
package affine

import (
	"github.com/skainet-dev/skainet-go/lang"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
)

// Model computes y = 2x + 1 for four numbers.
func Model(m *lang.Module) {
	m.Entry("main", func(f *lang.Func) {
		x := f.Input("x", dtype.F32, 4)
		f.Output("y", x.MulScalar(2).AddScalar(1))
	})
}
