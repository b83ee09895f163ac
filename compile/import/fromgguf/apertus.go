package fromgguf

import (
	"math"

	"github.com/skainet-dev/skainet-go/lang"
	"github.com/skainet-dev/skainet-go/lang/nn/causal"
)

// apertus is the Swiss AI Initiative's Apertus (2025), whose activation xIELU (Huang and
// Schlag 2024) has numbers that were trained for each layer.
func apertus(h *causal.Header, c *causal.Config) {
	modern(h, c)
	qkNorm(h, c)
	c.Block.Ungated = true
	negative, positive := h.Numbers(c, "xielu.alpha_n"), h.Numbers(c, "xielu.alpha_p")
	beta, epsilon := h.Numbers(c, "xielu.beta"), h.Numbers(c, "xielu.eps")
	c.ActivationOf = func(i int64, x lang.Tensor) lang.Tensor {
		zero := x.Func().SplatOf(x.DType(), 0, x.Dims()...)
		up := x.Square().MulScalar(softplus(positive[i]))
		down := x.Min(x.Func().Splat(x.DType(), epsilon[i])).Expm1().Sub(x).MulScalar(beta[i] + softplus(negative[i]))
		return x.Greater(zero).Select(up, down).Add(x.MulScalar(beta[i]))
	}
}

func softplus(v float64) float64 { return math.Max(v, 0) + math.Log1p(math.Exp(-math.Abs(v))) }
