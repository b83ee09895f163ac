// Package mixer is a block that mixes tokens (Tolstikhin et al., "MLP-Mixer", 2021)
// reduced to what compilers had trouble with: norms of transposed products.
package mixer

import (
	"github.com/skainet-dev/skainet-go/lang"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
)

const tokens, channels, hidden = 16, 64, 32

// Model computes of x [16, 64], tokens by channels, and of h [64, 32] that was made
// of its transpose, norm [16, 64] = LayerNorm(x + (h w^T + bias)^T) and
// shares [16, 64] = softmax of the same over the tokens.
func Model(m *lang.Module) {
	m.Entry("main", func(f *lang.Func) {
		x := f.Input("x", dtype.F32, tokens, channels)
		h := f.Input("h", dtype.F32, channels, hidden)
		w, bias := f.Input("w", dtype.F32, tokens, hidden), f.Input("bias", dtype.F32, tokens)
		gamma, beta := f.Input("gamma", dtype.F32, channels), f.Input("beta", dtype.F32, channels)
		y := x.Add(h.Dot(w, lang.Dims{}, lang.Dims{LHS: []int{1}, RHS: []int{1}}).Add(bias).Transpose(1, 0))
		f.Output("norm", y.LayerNorm(gamma, beta, 1e-6))
		f.Output("shares", y.Softmax(0))
	})
}
