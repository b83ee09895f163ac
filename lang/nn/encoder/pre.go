package encoder

import (
	"fmt"
	"math"

	"github.com/skainet-dev/skainet-go/lang"
	"github.com/skainet-dev/skainet-go/lang/nn"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
	"github.com/skainet-dev/skainet-go/tensor/shape"
)

// Pre configures blocks with RMS norms of what attention and the feed-forward layer read and
// of what they add, rotary positions and norms of queries and keys (EmbeddingGemma, Vera et
// al. 2025).
type Pre struct {
	KVHeads, HeadDim int64   // of keys and values; elements of a head
	EmbeddingScale   float64 // factor of the embeddings
	Window           int64   // positions around its own that a token sees, half of them before it, in layers with a window
	GlobalEvery      int64   // every so many layers have none
	LocalBase        float64 // base of rotary positions in layers with a window
	// Dense are the sizes of what two projections make of a text's vector one after the
	// other, dense_2 and dense_3; 0 means none.
	Dense [2]int64
}

// preNorm returns the vectors of tokens [B, T, D].
func (c Config) preNorm(f *lang.Func, ids, mask, positions lang.Tensor) lang.Tensor {
	x := nn.Embedding(f, "token_embd.weight", ids).MulScalar(c.Pre.EmbeddingScale)
	global := padding(mask)
	seq := shape.Shape{ids.DimOf(1), ids.DimOf(1)}
	distance := f.IotaOf(dtype.I32, 1, seq...).Sub(f.IotaOf(dtype.I32, 0, seq...)).Abs()
	near := distance.LessEqual(f.Splat(dtype.I32, float64(c.Pre.Window/2)))
	far := near.Select(f.SplatOf(dtype.F32, 0, seq...), f.SplatOf(dtype.F32, -1e9, seq...))
	local := global.Add(far.Unsqueeze(0).Unsqueeze(0))
	for i := range c.NumLayers {
		if (i+1)%c.Pre.GlobalEvery == 0 {
			x = c.preLayer(f, fmt.Sprintf("blk.%d.", i), x, global, positions, c.RopeBase)
		} else {
			x = c.preLayer(f, fmt.Sprintf("blk.%d.", i), x, local, positions, c.Pre.LocalBase)
		}
	}
	return x.RMSNorm(nn.Param(f, "output_norm.weight"), c.Epsilon, 0)
}

func (c Config) preLayer(f *lang.Func, key string, x, hidden, positions lang.Tensor, base float64) lang.Tensor {
	linear := func(name string, x lang.Tensor) lang.Tensor {
		return nn.Linear(f, key+name+".", x, nn.LinearOptions{NoBias: true})
	}
	norm := func(name string, x lang.Tensor) lang.Tensor {
		return x.RMSNorm(nn.Param(f, key+name+".weight"), c.Epsilon, 0)
	}
	h := norm("attn_norm", x)
	heads := func(name string, n int64) lang.Tensor {
		return linear(name, h).ReshapeOf(x.DimOf(0), x.DimOf(1), shape.N(n), shape.N(c.Pre.HeadDim))
	}
	turned := func(x lang.Tensor) lang.Tensor {
		return x.Transpose(0, 2, 1, 3).Rotary(positions, lang.RotaryOptions{Base: base, Scale: c.RopeScale})
	}
	q, k := norm("attn_q_norm", heads("attn_q", c.Heads)), norm("attn_k_norm", heads("attn_k", c.Pre.KVHeads))
	v := heads("attn_v", c.Pre.KVHeads).Transpose(0, 2, 1, 3)
	a := turned(q).Attention(turned(k), v, lang.AttentionOptions{Mask: hidden, Scale: 1 / math.Sqrt(float64(c.Pre.HeadDim))})
	a = a.Transpose(0, 2, 1, 3).ReshapeOf(x.DimOf(0), x.DimOf(1), shape.N(c.Heads*c.Pre.HeadDim))
	x = x.Add(norm("post_attention_norm", linear("attn_output", a)))
	h = norm("ffn_norm", x)
	g := nn.GLU(linear("ffn_gate", h), linear("ffn_up", h), c.Activation)
	return x.Add(norm("post_ffw_norm", linear("ffn_down", g)))
}

// project returns what the projections make of a text's vector.
func (c Config) project(f *lang.Func, x lang.Tensor) lang.Tensor {
	for i, n := range c.Pre.Dense {
		if n > 0 {
			x = nn.Linear(f, fmt.Sprintf("dense_%d.", i+2), x, nn.LinearOptions{NoBias: true})
		}
	}
	return x
}

func (c Config) preTensors(add func(name string, sizes ...int64)) {
	queries, keys := c.Heads*c.Pre.HeadDim, c.Pre.KVHeads*c.Pre.HeadDim
	for i := range c.NumLayers {
		each := func(name string, sizes ...int64) { add(fmt.Sprintf("blk.%d.%s.weight", i, name), sizes...) }
		for _, name := range []string{"attn_norm", "post_attention_norm", "ffn_norm", "post_ffw_norm"} {
			each(name, c.HiddenSize)
		}
		each("attn_q", queries, c.HiddenSize)
		each("attn_k", keys, c.HiddenSize)
		each("attn_v", keys, c.HiddenSize)
		each("attn_q_norm", c.Pre.HeadDim)
		each("attn_k_norm", c.Pre.HeadDim)
		each("attn_output", c.HiddenSize, queries)
		each("ffn_gate", c.IntermediateSize, c.HiddenSize)
		each("ffn_up", c.IntermediateSize, c.HiddenSize)
		each("ffn_down", c.HiddenSize, c.IntermediateSize)
	}
	add("output_norm.weight", c.HiddenSize)
	width := c.HiddenSize
	for i, n := range c.Pre.Dense {
		if n > 0 {
			add(fmt.Sprintf("dense_%d.weight", i+2), n, width)
			width = n
		}
	}
}
