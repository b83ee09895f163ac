package fromgguf

import (
	"fmt"

	"github.com/skainet-dev/skainet-go/lang/nn/causal"
)

// lfm2 is Liquid AI's LFM2, most of whose layers have a short convolution in place of
// attention. The norm of what its head reads has the name of one of embeddings.
func lfm2(h *causal.Header, c *causal.Config) {
	modern(h, c)
	qkNorm(h, c)
	c.ShortConv.Width = h.Size("shortconv.l_cache")
	for i := range c.NumLayers {
		if h.HasTensor(fmt.Sprintf("blk.%d.shortconv.conv.weight", i)) {
			c.ShortConv.Layers = append(c.ShortConv.Layers, i)
		}
	}
	if !h.HasTensor("output_norm.weight") {
		c.Block.OutputNorm = "token_embd_norm"
	}
}
