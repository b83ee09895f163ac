package encoder

import (
	"fmt"
	"math"
	"slices"

	"github.com/skainet-dev/skainet-go/lang"
	"github.com/skainet-dev/skainet-go/lang/nn"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
	"github.com/skainet-dev/skainet-go/tensor/shape"
)

// Pre configures blocks with norms of what attention and the feed-forward layer read, and
// rotary positions (ModernBERT, Warner et al. 2024). The zero value of the rest is that of
// an encoder made of Llama's blocks.
type Pre struct {
	KVHeads, HeadDim int64   // of keys and values; elements of a head
	EmbeddingScale   float64 // factor of the embeddings; 0 means 1
	Window           int64   // positions around its own that a token sees, half of them before it, in layers with a window
	GlobalEvery      int64   // every so many layers have none; 0 means that no layer has one
	GlobalFirst      bool    // the first of so many, and not the last
	LocalBase        float64 // base of rotary positions in layers with a window

	LayerNorm     bool   // layer norms without a shift, in place of RMS norms
	EmbeddingNorm bool   // the norm token_embd_norm of the embeddings; the first layer has no other before attention
	PostNorm      bool   // norms of what attention and the feed-forward layer add (Gemma Team 2024)
	QKNorm        bool   // RMS norms of queries and keys
	OutputNorm    string // the key of the last norm: "" means output_norm
	Interleaved   bool   // rotary pairs are adjacent elements
	// Dense are the sizes of what two projections make of a text's vector one after the
	// other, dense_2 and dense_3; 0 means none.
	Dense [2]int64
}

func (p Pre) isGlobal(i int64) bool {
	switch {
	case p.GlobalEvery == 0:
		return true
	case p.GlobalFirst:
		return i%p.GlobalEvery == 0
	}
	return (i+1)%p.GlobalEvery == 0
}

// normed reports whether layer i has a norm before attention.
func (p Pre) normed(i int64) bool { return i > 0 || !p.EmbeddingNorm }

func (p Pre) outputNorm() string {
	if p.OutputNorm != "" {
		return p.OutputNorm
	}
	return "output_norm"
}

// preNorm returns the vectors of tokens [B, T, D].
func (c Config) preNorm(f *lang.Func, ids, mask, positions lang.Tensor) lang.Tensor {
	x := nn.Embedding(f, "token_embd.weight", ids)
	if s := c.Pre.EmbeddingScale; s != 0 {
		x = x.MulScalar(s)
	}
	if c.Pre.EmbeddingNorm {
		x = c.before(f, "token_embd_norm", x)
	}
	global := padding(mask)
	local := global
	if c.Pre.GlobalEvery != 0 {
		seq := shape.Shape{ids.DimOf(1), ids.DimOf(1)}
		distance := f.IotaOf(dtype.I32, 1, seq...).Sub(f.IotaOf(dtype.I32, 0, seq...)).Abs()
		near := distance.LessEqual(f.Splat(dtype.I32, float64(c.Pre.Window/2)))
		far := near.Select(f.SplatOf(dtype.F32, 0, seq...), f.SplatOf(dtype.F32, -1e9, seq...))
		local = global.Add(far.Unsqueeze(0).Unsqueeze(0))
	}
	for i := range c.NumLayers {
		if c.Pre.isGlobal(i) {
			x = c.preLayer(f, i, x, global, positions, c.RopeBase)
		} else {
			x = c.preLayer(f, i, x, local, positions, c.Pre.LocalBase)
		}
	}
	return c.before(f, c.Pre.outputNorm(), x)
}

// before is a norm of the residual stream.
func (c Config) before(f *lang.Func, key string, x lang.Tensor) lang.Tensor {
	gamma := nn.Param(f, key+".weight")
	if c.Pre.LayerNorm {
		return x.LayerNorm(gamma, f.Splat(dtype.F32, 0, c.HiddenSize), c.Epsilon)
	}
	return x.RMSNorm(gamma, c.Epsilon, 0)
}

func (c Config) preLayer(f *lang.Func, number int64, x, hidden, positions lang.Tensor, base float64) lang.Tensor {
	key := fmt.Sprintf("blk.%d.", number)
	linear := func(name string, x lang.Tensor) lang.Tensor {
		return nn.Linear(f, key+name+".", x, nn.LinearOptions{NoBias: !slices.Contains(c.Biases, name)})
	}
	add := func(x lang.Tensor, name string, more lang.Tensor) lang.Tensor {
		if c.Pre.PostNorm {
			more = c.before(f, key+name, more)
		}
		return x.Add(more)
	}
	h := x
	if c.Pre.normed(number) {
		h = c.before(f, key+"attn_norm", x)
	}
	parts := c.preHeads(linear, h)
	for i, name := range []string{"attn_q_norm", "attn_k_norm"} {
		if c.Pre.QKNorm {
			parts[i] = parts[i].RMSNorm(nn.Param(f, key+name+".weight"), c.Epsilon, 0)
		}
		parts[i] = parts[i].Transpose(0, 2, 1, 3).Rotary(positions, lang.RotaryOptions{Base: base, Scale: c.RopeScale, Interleaved: c.Pre.Interleaved})
	}
	a := parts[0].Attention(parts[1], parts[2].Transpose(0, 2, 1, 3), lang.AttentionOptions{Mask: hidden, Scale: 1 / math.Sqrt(float64(c.Pre.HeadDim))})
	a = a.Transpose(0, 2, 1, 3).ReshapeOf(x.DimOf(0), x.DimOf(1), shape.N(c.Heads*c.Pre.HeadDim))
	x = add(x, "post_attention_norm", linear("attn_output", a))
	h = c.before(f, key+"ffn_norm", x)
	var g lang.Tensor
	if y, n := linear("ffn_up", h), c.IntermediateSize; c.FusedGate {
		g = nn.GLU(y.Slice(2, 0, n), y.Slice(2, n, 2*n), c.Activation)
	} else {
		g = nn.GLU(linear("ffn_gate", h), y, c.Activation)
	}
	return add(x, "post_ffw_norm", linear("ffn_down", g))
}

// preHeads returns queries [B, T, H, d], keys and values of h [B, T, D].
func (c Config) preHeads(linear func(name string, x lang.Tensor) lang.Tensor, h lang.Tensor) []lang.Tensor {
	var parts []lang.Tensor
	var fused lang.Tensor
	if c.FusedQKV {
		fused = linear("attn_qkv", h)
	}
	at := int64(0)
	for i, n := range []int64{c.Heads, c.Pre.KVHeads, c.Pre.KVHeads} {
		width := n * c.Pre.HeadDim
		var y lang.Tensor
		if c.FusedQKV {
			y = fused.Slice(2, at, at+width)
		} else {
			y = linear([]string{"attn_q", "attn_k", "attn_v"}[i], h)
		}
		at += width
		parts = append(parts, y.ReshapeOf(h.DimOf(0), h.DimOf(1), shape.N(n), shape.N(c.Pre.HeadDim)))
	}
	return parts
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
	p, queries, keys := c.Pre, c.Heads*c.Pre.HeadDim, c.Pre.KVHeads*c.Pre.HeadDim
	if p.EmbeddingNorm {
		add("token_embd_norm.weight", c.HiddenSize)
	}
	for i := range c.NumLayers {
		each := func(has bool, name string, sizes ...int64) {
			if has {
				add(fmt.Sprintf("blk.%d.%s.weight", i, name), sizes...)
			}
			if has && slices.Contains(c.Biases, name) {
				add(fmt.Sprintf("blk.%d.%s.bias", i, name), sizes[0])
			}
		}
		each(p.normed(i), "attn_norm", c.HiddenSize)
		each(p.PostNorm, "post_attention_norm", c.HiddenSize)
		each(true, "ffn_norm", c.HiddenSize)
		each(p.PostNorm, "post_ffw_norm", c.HiddenSize)
		each(c.FusedQKV, "attn_qkv", queries+2*keys, c.HiddenSize)
		each(!c.FusedQKV, "attn_q", queries, c.HiddenSize)
		each(!c.FusedQKV, "attn_k", keys, c.HiddenSize)
		each(!c.FusedQKV, "attn_v", keys, c.HiddenSize)
		each(p.QKNorm, "attn_q_norm", p.HeadDim)
		each(p.QKNorm, "attn_k_norm", p.HeadDim)
		each(true, "attn_output", c.HiddenSize, queries)
		each(!c.FusedGate, "ffn_gate", c.IntermediateSize, c.HiddenSize)
		each(!c.FusedGate, "ffn_up", c.IntermediateSize, c.HiddenSize)
		each(c.FusedGate, "ffn_up", 2*c.IntermediateSize, c.HiddenSize)
		each(true, "ffn_down", c.HiddenSize, c.IntermediateSize)
	}
	add(p.outputNorm()+".weight", c.HiddenSize)
	width := c.HiddenSize
	for i, n := range p.Dense {
		if n > 0 {
			add(fmt.Sprintf("dense_%d.weight", i+2), n, width)
			width = n
		}
	}
}
