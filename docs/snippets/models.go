package snippets

import (
	"github.com/skainet-dev/skainet-go/lang"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
	"github.com/skainet-dev/skainet-go/tensor/shape"
)

// Halves returns a * sigmoid(b) for x [..., 2 D], whose halves are a and b (Dauphin et al. 2017).
func Halves(x lang.Tensor) lang.Tensor {
	last := x.Rank() - 1
	half := x.Dim(last) / 2
	return x.Slice(last, 0, half).Mul(x.Slice(last, half, 2*half).Logistic())
}

// Dynamic has sizes that each call gives.
func Dynamic(m *lang.Module) {
	m.Entry("main", func(f *lang.Func) {
		x := f.InputOf("x", dtype.F32, shape.Named("batch"), shape.Named("seq"), shape.N(384))
		rows := x.Reshape(-1, 384) // batch*seq? x 384
		heads := x.ReshapeOf(x.DimOf(0), x.DimOf(1), shape.N(6), shape.N(64))
		mean := x.Sum(false, 1).Div(x.Size(1).Convert(dtype.F32)) // a size as a number
		f.Output("rows", rows)
		f.Output("heads", heads)
		f.Output("mean", mean)
	})
}

// Mesh is split over eight devices.
func Mesh(m *lang.Module) {
	m.Mesh(lang.Axis{Name: "data", Size: 2}, lang.Axis{Name: "model", Size: 4})
	m.Entry("main", func(f *lang.Func) {
		x := f.Input("x", dtype.F32, 8, 512).Shard("data", "")
		h := x.MatMul(f.Param("up").Shard("", "model")).GELU()
		f.Output("y", h.MatMul(f.Param("down").Shard("model", "")).Shard("data", ""))
	})
}
