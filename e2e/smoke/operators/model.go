package operators

import (
	"github.com/skainet-dev/skainet-go/lang"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
)

// Model computes y [4] = sqrt(swish(x, 2)^2 + b^2) of x [4] and b [4].
func Model(m *lang.Module) {
	m.Entry("main", func(f *lang.Func) {
		x, b := f.Input("x", dtype.F32, 4), f.Input("b", dtype.F32, 4)
		f.Output("y", Hypot(Swish(x, 2), b))
	})
}
