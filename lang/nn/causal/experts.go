package causal

import (
	"github.com/skainet-dev/skainet-go/lang"
	"github.com/skainet-dev/skainet-go/lang/nn"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
	"github.com/skainet-dev/skainet-go/tensor/shape"
)

// Experts configures feed-forward layers of which a router takes a few for each token
// (Shazeer et al. 2017, Jiang et al. 2024).
type Experts struct {
	Count int64 // E
	Used  int64 // K, for each token
	Size  int64 // of the feed-forward layer of an expert
	// Normalize divides the weights of the K by their sum.
	Normalize bool
	Scale     float64 // factor of the weights; 0 means 1
	// Shared is the size of an expert that every token takes too: ffn_gate_shexp and so on;
	// 0 means none. SharedGate multiplies its result by the sigmoid of ffn_gate_inp_shexp.
	Shared     int64
	SharedGate bool
}

// smallestSum is what a sum of weights counts as at least, so that none divides by zero:
// the smallest normal f16.
const smallestSum = 6.103515625e-05

// experts is the feed-forward layer for h [T, D]. A token reads the matrices of its own
// experts alone: several are computed one after another.
func (b block) experts(h lang.Tensor) lang.Tensor {
	x := b.w.Experts
	scores := nn.Linear(b.f, b.key("ffn_gate_inp"), h, noBias).Softmax(1) // [T, E]
	weights, chosen := scores.TopK(x.Used, 1, true)                       // [T, K]
	if x.Normalize {
		weights = weights.Div(weights.Sum(true, 1).Max(b.f.Splat(dtype.F32, smallestSum)))
	}
	if x.Scale != 0 && x.Scale != 1 {
		weights = weights.MulScalar(x.Scale)
	}
	chosen = chosen.Convert(dtype.I32)
	var y lang.Tensor
	if rows := h.DimOf(0); rows == shape.N(1) {
		y = b.mixture(h, weights, chosen)
	} else {
		y = b.eachRow(h, weights, chosen)
	}
	if x.Shared == 0 {
		return y
	}
	gate, up := b.linear("ffn_gate_shexp", h), b.linear("ffn_up_shexp", h)
	shared := b.linear("ffn_down_shexp", nn.GLU(gate, up, b.w.Activation))
	if x.SharedGate {
		g := b.param("ffn_gate_inp_shexp").Reshape(1, b.w.HiddenSize)
		shared = shared.Mul(h.Mul(g).Sum(true, 1).Logistic())
	}
	return y.Add(shared)
}

// eachRow is the mixture for each row of h [T, D], in a loop.
func (b block) eachRow(h, weights, chosen lang.Tensor) lang.Tensor {
	zero := b.f.Splat(dtype.I32, 0)
	rows := h.Size(0)
	out := b.f.While([]lang.Tensor{zero, b.f.SplatOf(dtype.F32, 0, h.Dims()...)},
		func(c []lang.Tensor) lang.Tensor { return c[0].Less(rows) },
		func(c []lang.Tensor) []lang.Tensor {
			row := func(x lang.Tensor) lang.Tensor { return x.DynamicSlice([]int64{1, x.Dim(1)}, c[0], zero) }
			y := b.mixture(row(h), row(weights), row(chosen))
			return []lang.Tensor{c[0].AddScalar(1), c[1].Update(y, c[0], zero)}
		})
	return out[1]
}

// mixture is the weighted sum of the experts chosen [1, K] for one token h [1, D].
func (b block) mixture(h, weights, chosen lang.Tensor) lang.Tensor {
	x := b.w.Experts
	ids := chosen.Reshape(x.Used)
	matrices := func(name string) lang.Tensor { return b.f.Param(b.key(name) + "weight").Take(ids).Convert(dtype.F32) }
	token := h.Reshape(b.w.HiddenSize)
	one := lang.Dims{LHS: []int{2}, RHS: []int{0}}
	gate := matrices("ffn_gate_exps").Dot(token, lang.Dims{}, one) // [K, F]
	up := matrices("ffn_up_exps").Dot(token, lang.Dims{}, one)
	g := nn.GLU(gate, up, b.w.Activation).Mul(weights.Reshape(x.Used, 1))
	each := matrices("ffn_down_exps").Dot(g, lang.Dims{LHS: []int{0}, RHS: []int{0}}, lang.Dims{LHS: []int{2}, RHS: []int{1}})
	return each.Sum(false, 0).Reshape(1, b.w.HiddenSize) // of [K, D]
}
