// Package linear is the second and third stage of the staircase: y = Wx + b. The
// BUILD file decides whether W and b are in the program or in an archive.
package linear

import (
	"github.com/skainet-dev/skainet-go/lang"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
)

// Model computes y = Wx + b with W the identity and b zero, so y = x.
func Model(m *lang.Module) {
	m.Entry("main", func(f *lang.Func) {
		x := f.Input("x", dtype.F32, 2)
		w := lang.Weight(f, "w", []float32{1, 0, 0, 1}, 2, 2)
		b := lang.Weight(f, "b", []float32{0, 0}, 2)
		y := w.Dot(x, lang.Dims{}, lang.Dims{LHS: []int{1}, RHS: []int{0}})
		f.Output("y", y.Add(b))
	})
}
