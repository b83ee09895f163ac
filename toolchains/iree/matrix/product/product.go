// Package product is a product of two matrices that both lie with their contracting
// dimension last and have static sizes: none of our kernels applies, and the compiler's own
// code is measured.
package product

import (
	"github.com/skainet-dev/skainet-go/lang"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
)

const size = 1024

// Model computes x times the transpose of y for matrices [1024, 1024].
func Model(m *lang.Module) {
	m.Entry("main", func(f *lang.Func) {
		x, y := f.Input("x", dtype.F32, size, size), f.Input("y", dtype.F32, size, size)
		f.Output("z", x.Dot(y, lang.Dims{}, lang.Dims{LHS: []int{1}, RHS: []int{1}}))
	})
}
