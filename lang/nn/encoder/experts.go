package encoder

import (
	"github.com/skainet-dev/skainet-go/lang"
	"github.com/skainet-dev/skainet-go/lang/nn"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
	"github.com/skainet-dev/skainet-go/tensor/shape"
)

// Experts configures feed-forward layers without a gate of which a router takes a few for
// each token (Nussbaum et al. 2025), in every second layer and so on. The zero value is none.
type Experts struct {
	Count, Used int64 // E, and K for each token
	Every       int64 // the second of so many layers has experts
}

// has reports whether layer i has experts.
func (x Experts) has(i int64) bool { return x.Every > 0 && i%x.Every == 1 }

// mixture is such a layer for x [B, T, D]. Each token reads the matrices of its own experts,
// one token after another.
func (c Config) mixture(f *lang.Func, key string, x lang.Tensor) lang.Tensor {
	rows, width, used := x.DimOf(0).Times(x.DimOf(1)), c.HiddenSize, c.Experts.Used
	h := x.ReshapeOf(rows, shape.N(width))
	scores := nn.Linear(f, key+"ffn_gate_inp.", h, nn.LinearOptions{NoBias: true}).Softmax(1)
	weights, chosen := scores.TopK(used, 1, true)
	chosen = chosen.Convert(dtype.I32)
	zero, one := f.Splat(dtype.I32, 0), lang.Dims{LHS: []int{2}, RHS: []int{0}}
	size := h.Size(0)
	out := f.While([]lang.Tensor{zero, f.SplatOf(dtype.F32, 0, h.Dims()...)},
		func(v []lang.Tensor) lang.Tensor { return v[0].Less(size) },
		func(v []lang.Tensor) []lang.Tensor {
			row := func(x lang.Tensor) lang.Tensor { return x.DynamicSlice([]int64{1, x.Dim(1)}, v[0], zero) }
			ids := row(chosen).Reshape(used)
			matrices := func(name string) lang.Tensor { return f.Param(key + name + ".weight").Take(ids).Convert(dtype.F32) }
			g := c.Activation(matrices("ffn_up_exps").Dot(row(h).Reshape(width), lang.Dims{}, one)).Mul(row(weights).Reshape(used, 1)) // [K, F]
			each := matrices("ffn_down_exps").Dot(g, lang.Dims{LHS: []int{0}, RHS: []int{0}}, lang.Dims{LHS: []int{2}, RHS: []int{1}})
			return []lang.Tensor{v[0].AddScalar(1), v[1].Update(each.Sum(false, 0).Reshape(1, width), v[0], zero)}
		})
	return out[1].ReshapeOf(x.Dims()...)
}
