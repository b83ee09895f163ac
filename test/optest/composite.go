package optest

import (
	"slices"

	"github.com/skainet-dev/skainet-go/lang"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
)

// composites are the composite operations, each in the variants in which its decomposition
// depends on element type, rank and attributes.
var composites = slices.Concat(compositeNorms, convolutions, attentions, resizes, unfolds)

var compositeNorms = each("norms", halves, func(f *lang.Func, d dtype.DType) {
	x, gamma, beta := f.Input("x", d, 2, 6, 5), f.Input("gamma", d, 6), f.Input("beta", d, 6)
	scale := f.Input("scale", d, 5)
	f.Output("log_softmax", x.LogSoftmax(-1))
	f.Output("rms", x.RMSNorm(scale, 1e-6, 1))
	f.Output("l2", x.L2Normalize(2, 1e-12))
	variance := beta.Mul(beta).AddScalar(0.5)
	f.Output("batch", x.BatchNorm(gamma, beta, beta, variance, 1e-5))
	f.Output("instance", x.InstanceNorm(gamma, beta, 1e-5))
	f.Output("group", x.GroupNorm(3, gamma, beta, 1e-5))
}, nil)
