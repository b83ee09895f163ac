// Package smoke is a model of another workspace: y = scale*x + shift.
package smoke

import (
	"github.com/skainet-dev/skainet-go/lang"
	"github.com/skainet-dev/skainet-go/lang/nn"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
)

// Model computes y [3] = scale [3] * x [3] + shift [3].
func Model(m *lang.Module) {
	m.Entry("main", func(f *lang.Func) {
		x := f.Input("x", dtype.F32, 3)
		f.Output("y", x.Mul(nn.Param(f, "scale")).Add(nn.Param(f, "shift")))
	})
}
