// Package running is a model that keeps state: the mean of all numbers so far.
package running

import (
	"github.com/skainet-dev/skainet-go/lang"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
	"github.com/skainet-dev/skainet-go/tensor/shape"
)

// Model adds n numbers at each call.
func Model(m *lang.Module) {
	total, count := m.State("total", dtype.F32, 0), m.State("count", dtype.I32, 0)
	m.Entry("add", func(f *lang.Func) {
		x := f.InputOf("x", dtype.F32, shape.Named("n"))
		t := f.Read(total).Add(x.Sum(false, 0))
		c := f.Read(count).Add(x.Size(0))
		f.Write(total, t)
		f.Write(count, c)
		f.Output("mean", t.Div(c.Convert(dtype.F32)))
		f.Output("count", c)
	})
}
