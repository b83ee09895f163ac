package causal

import (
	"math"

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
	// Dense is the number of the first layers that have a feed-forward layer of
	// Config.IntermediateSize in place of experts.
	Dense int64
	// Every is N where only every Nth layer has experts; 0 means each.
	Every int64
	// Layers says of each layer of the file whether it has experts; nil means each.
	Layers []bool
	// Router makes the weights of what the router gives. Selection adds exp_probs_b.bias to
	// them where the K are chosen, and not where they are used (DeepSeek-AI 2024).
	Router    Router
	Selection bool
	// Groups is the number of groups of experts of which UsedGroups are used, those whose two
	// best experts have the greatest sum; 0 means no groups.
	Groups, UsedGroups int64
	// Normalize divides the weights of the K by their sum.
	Normalize bool
	Scale     float64 // factor of the weights; 0 means 1
	// WeightInput multiplies what an expert reads by its weight, and not what it gives.
	WeightInput bool
	// Shared is the size of an expert that every token takes too: ffn_gate_shexp and so on;
	// 0 means none. SharedGate multiplies its result by the sigmoid of ffn_gate_inp_shexp.
	Shared     int64
	SharedGate bool
	// Early routers read what comes into the block, before attention and any norm.
	Early bool
	// Beside experts add to a feed-forward layer of Config.IntermediateSize that every token
	// takes; SumScale is a factor of the sum, 0 for 1. Norm names a norm of what comes into
	// the block that these experts read: "" means what that layer reads.
	Beside   bool
	SumScale float64
	Norm     string
	// Late makes that norm one of what attention has made of it, and PostNorms adds norms of
	// both, post_ffw_norm_1 and post_ffw_norm_2, before they are added.
	Late, PostNorms bool
	// RouterNorm routers read an RMS norm of what attention has made of it, by the weights
	// ffn_gate_inp.scale and one over the root of the hidden size.
	RouterNorm bool
	// FusedGate is one matrix ffn_gate_up_exps of the gate and of what it gates, and OutScale
	// a factor ffn_down_exps.scale of each expert.
	FusedGate, OutScale bool
}

// Router is how the weights of experts are made.
type Router int

// The kinds of routers.
const (
	RouterSoftmax Router = iota // of all experts
	RouterSigmoid               // of each expert
	RouterChosen                // softmax of the K that are chosen
)

// HasExperts reports whether layer i has experts.
func (c Config) HasExperts(i int64) bool {
	x := c.Experts
	return x.Count > 0 && i >= x.Dense && (x.Every == 0 || (i+1)%x.Every == 0) && (x.Layers == nil || x.Layers[i])
}

// smallestSum is what a sum of weights counts as at least, so that none divides by zero:
// the smallest normal f16.
const smallestSum = 6.103515625e-05

// experts is the feed-forward layer for h [T, D]. A token reads the matrices of its own
// experts alone: several are computed one after another.
func (b block) experts(h lang.Tensor) lang.Tensor {
	x := b.w.Experts
	weights, chosen := b.route(h)
	var y lang.Tensor
	if rows := h.DimOf(0); rows == shape.N(1) {
		y = b.mixture(h, weights, chosen)
	} else {
		y = b.eachRow(h, weights, chosen)
	}
	if x.Shared == 0 {
		return y
	}
	g := b.linear("ffn_up_shexp", h)
	if b.w.Block.Ungated {
		g = b.w.Activation(g)
	} else {
		g = b.w.gated(b.linear("ffn_gate_shexp", h), g)
	}
	shared := b.linear("ffn_down_shexp", g)
	if x.SharedGate {
		g := b.param("ffn_gate_inp_shexp").Reshape(1, b.w.HiddenSize)
		shared = shared.Mul(h.Mul(g).Sum(true, 1).Logistic())
	}
	return y.Add(shared)
}

// route returns the experts of each token of h [T, D] and their weights, [T, K].
func (b block) route(h lang.Tensor) (weights, chosen lang.Tensor) {
	x := b.w.Experts
	switch {
	case x.Early:
		h = b.input
	case x.RouterNorm:
		h = b.after.RMSNorm(nn.Param(b.f, b.key("ffn_gate_inp")+"scale"), b.w.Epsilon, 0).MulScalar(1 / math.Sqrt(float64(b.w.HiddenSize)))
	}
	scores := nn.Linear(b.f, b.key("ffn_gate_inp"), h, nn.LinearOptions{NoBias: !b.biased("ffn_gate_inp")}) // [T, E]
	switch x.Router {
	case RouterSoftmax:
		scores = scores.Softmax(1)
	case RouterSigmoid:
		scores = scores.Logistic()
	}
	selection := scores
	if x.Selection {
		selection = scores.Add(nn.Param(b.f, b.key("exp_probs_b")+"bias"))
	}
	if x.Groups != 0 {
		selection = b.best(selection)
	}
	weights, chosen = selection.TopK(x.Used, 1, true)
	if x.Selection {
		weights = scores.TakeAlong(chosen, 1)
	}
	if x.Router == RouterChosen {
		weights = weights.Softmax(1)
	}
	if x.Normalize {
		weights = weights.Div(weights.Sum(true, 1).Max(b.f.Splat(dtype.F32, smallestSum)))
	}
	if x.Scale != 0 && x.Scale != 1 {
		weights = weights.MulScalar(x.Scale)
	}
	return weights, chosen.Convert(dtype.I32)
}

// best hides the scores [T, E] of the groups of experts that are not used.
func (b block) best(scores lang.Tensor) lang.Tensor {
	x := b.w.Experts
	rows, groups, size := scores.DimOf(0), shape.N(x.Groups), shape.N(x.Count/x.Groups)
	grouped := scores.ReshapeOf(rows, groups, size)
	top, _ := grouped.TopK(2, 2, true)
	sums := top.Sum(false, 2)                    // [T, G]
	least, _ := sums.TopK(x.UsedGroups, 1, true) // in falling order
	used := sums.GreaterEqual(least.Slice(1, x.UsedGroups-1, x.UsedGroups).BroadcastOf(rows, groups))
	hidden := b.f.SplatOf(dtype.F32, math.Inf(-1), rows, groups, size)
	return used.Unsqueeze(2).BroadcastOf(rows, groups, size).Select(grouped, hidden).ReshapeOf(scores.Dims()...)
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
	shifted := func(name string, y lang.Tensor) lang.Tensor { // [K, N]
		if !b.biased(name) {
			return y
		}
		return y.Add(nn.Param(b.f, b.key(name)+"bias").Take(ids))
	}
	token := h.Reshape(b.w.HiddenSize)
	one := lang.Dims{LHS: []int{2}, RHS: []int{0}}
	var gate, up lang.Tensor // [K, F]
	if x.FusedGate {
		y := shifted("ffn_gate_up_exps", matrices("ffn_gate_up_exps").Dot(token, lang.Dims{}, one))
		gate, up = y.Slice(1, 0, x.Size), y.Slice(1, x.Size, 2*x.Size)
	} else {
		if !b.w.Block.Ungated {
			gate = shifted("ffn_gate_exps", matrices("ffn_gate_exps").Dot(token, lang.Dims{}, one))
		}
		up = shifted("ffn_up_exps", matrices("ffn_up_exps").Dot(token, lang.Dims{}, one))
	}
	share := weights.Reshape(x.Used, 1)
	if x.OutScale {
		share = share.Mul(nn.Param(b.f, b.key("ffn_down_exps")+"scale").Take(ids).Reshape(x.Used, 1))
	}
	if x.WeightInput { // the layers are linear
		gate, up, share = gate.Mul(share), up.Mul(share), b.f.Splat(dtype.F32, 1, x.Used, 1)
	}
	g := up
	if b.w.Block.Ungated {
		g = b.w.Activation(up)
	} else {
		g = b.w.gated(gate, up)
	}
	if !b.biased("ffn_down_exps") && !x.WeightInput {
		g = g.Mul(share)
	}
	each := matrices("ffn_down_exps").Dot(g, lang.Dims{LHS: []int{0}, RHS: []int{0}}, lang.Dims{LHS: []int{2}, RHS: []int{1}}) // [K, D]
	if b.biased("ffn_down_exps") {
		each = shifted("ffn_down_exps", each).Mul(share)
	}
	return each.Sum(false, 0).Reshape(1, b.w.HiddenSize)
}
