package causal

import (
	"fmt"
	"math"
	"slices"

	"github.com/skainet-dev/skainet-go/lang"
	"github.com/skainet-dev/skainet-go/lang/nn"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
	"github.com/skainet-dev/skainet-go/tensor/shape"
)

// block is a layer of the model while it is built.
type block struct {
	w      *model
	f      *lang.Func
	v      variant
	i      int64 // counted from the first that is used
	number int64 // in the file
	in     surroundings
	input  lang.Tensor // of the block
	after  lang.Tensor // what it is after attention
	heads  heads
}

// surroundings is what all layers read, and the cache that they replace.
type surroundings struct {
	global, local nn.Rotary
	cache         cache
	start         lang.Tensor
	inputs        lang.Tensor // of PerLayer
}

func (b block) key(name string) string { return fmt.Sprintf("blk.%d.%s.", b.number, name) }

func (b block) param(name string) lang.Tensor { return nn.Param(b.f, b.key(name)+"weight") }

// biased reports whether a linear layer has a bias.
func (b block) biased(name string) bool { return slices.Contains(b.w.Block.Biases, name) }

// linear is a linear layer of the block, with what it has of a bias, a factor and an
// adapter.
func (b block) linear(name string, x lang.Tensor) lang.Tensor {
	o := nn.LinearOptions{NoBias: !b.biased(name)}
	if !slices.Contains(b.w.Block.Scaled, name) {
		return b.w.adapted(b.f, b.i, name, x, nn.Linear(b.f, b.key(name), x, o))
	}
	y := nn.Linear(b.f, b.key(name), x, noBias).Mul(nn.Param(b.f, b.key(name)+"scale"))
	if !o.NoBias {
		y = y.Add(nn.Param(b.f, b.key(name)+"bias"))
	}
	return b.w.adapted(b.f, b.i, name, x, y)
}

// norm is the norm of that name of the residual stream; x itself where there is none.
func (b block) norm(name string, x lang.Tensor) lang.Tensor {
	if name == "" {
		return x
	}
	if slices.Contains(b.w.Block.Bare, name) {
		return b.f.Call(b.v.norm, x, b.plain(name))[0]
	}
	return b.f.Call(b.v.norm, b.w.normed(b.f, b.key(name), x)...)[0]
}

// add adds what attention or feed-forward gave to the residual stream.
func (b block) add(x, more lang.Tensor, norm string) lang.Tensor {
	if s := b.w.Block.ResidualScale; s != 0 && s != 1 {
		more = more.MulScalar(s)
	}
	if !b.w.PostNorm {
		return x.Add(more)
	}
	return b.f.Call(b.v.addNorm, x, more, nn.Param(b.f, fmt.Sprintf("blk.%d.%s", b.number, norm)))[0]
}

// layer is layer i, counted from the first that is used, of the residual stream x, and
// puts its rows into the cache.
func (w *model) layer(f *lang.Func, v variant, i int64, x lang.Tensor, in surroundings) lang.Tensor {
	b := block{w: w, f: f, v: v, i: i, number: w.FirstLayer + i, in: in, input: x, heads: w.headsOf(w.FirstLayer + i)}
	rotary, c, start := in.local, in.cache, in.start
	if w.IsGlobal(b.number) {
		rotary = in.global
	}
	first, second := w.Block.attentionNorm(), w.Block.feedForwardNorm()
	none := w.layerSizes(b.number).IntermediateSize == 0 && !w.HasExperts(b.number)
	if b.heads.queries == 0 && !w.recurs(b.number) {
		if none {
			return x
		}
		return b.add(x, b.feedForward(b.norm(second, x)), w.Block.postFeedForward())
	}
	h := b.norm(first, x)
	var y lang.Tensor
	switch {
	case w.recurs(b.number) && w.Recurrent.Beside:
		y = b.attention(h, rotary, c, start).Add(b.recurrent(h))
	case w.recurs(b.number):
		y = b.recurrent(h)
	case w.Convolves(b.number):
		y = b.shortConv(h, c, start)
	case w.Latent.Rank > 0:
		y = b.latent(h, rotary, c, start)
	case b.heads.keys == 0:
		y = b.linear("attn_output", h)
	case b.heads.shared:
		y = b.shared(h, rotary)
	default:
		y = b.attention(h, rotary, c, start)
	}
	if w.Block.Parallel {
		if second != first {
			h = b.norm(second, x)
		}
		return b.add(b.add(x, y, w.Block.postAttention()), b.feedForward(h), w.Block.postFeedForward())
	}
	x = b.add(x, y, w.Block.postAttention())
	if none {
		return x
	}
	if w.AltUp.LaurelRank > 0 {
		x = x.Add(b.laurel(h)).MulScalar(1 / math.Sqrt2)
	}
	b.after = x
	x = b.add(x, b.feedForward(b.norm(second, x)), w.Block.postFeedForward())
	if w.PerLayer.Size > 0 && w.AltUp.Streams == 0 {
		x = x.Add(b.perLayer(x))
	}
	if w.LayerScale {
		x = x.Mul(b.param("layer_output_scale"))
	}
	return x
}

// attention is what attention adds to the residual stream, of which it reads h.
func (b block) attention(h lang.Tensor, rotary nn.Rotary, c cache, start lang.Tensor) lang.Tensor {
	w, in := b.w, b.project(h)
	var gate lang.Tensor
	if w.Block.JointGate {
		heads := in[0].ReshapeOf(h.DimOf(0), shape.N(b.heads.queries), shape.N(2*b.heads.size))
		in[0] = heads.Slice(2, 0, b.heads.size).Flatten(1, 2)
		gate = heads.Slice(2, b.heads.size, 2*b.heads.size).Flatten(1, 2)
	}
	if w.normWeights() {
		in = append(in, b.param("attn_q_norm"), b.param("attn_k_norm"))
	}
	if !w.Block.NoRotary {
		cos, sin := rotary.Tables()
		in = append(in, cos, sin)
	}
	keys, values := w.of(c, "keys", b.i), w.of(c, "values", b.i)
	in = append(in, *keys, *values, start)
	if w.Block.Sinks {
		in = append(in, b.param("attn_sinks"))
	}
	out := b.f.Call(b.v.attentions[b.heads], in...)
	*keys, *values = out[1], out[2]
	y := out[0]
	if w.Block.SubNorm {
		y = y.RMSNorm(b.param("attn_sub_norm"), w.Epsilon, 0)
	}
	if w.Block.AttentionGate {
		gate = b.linear("attn_gate", h)
	}
	if w.Block.AttentionGate || w.Block.JointGate {
		y = y.Mul(gate.Logistic())
	}
	return b.linear("attn_output", y)
}

// project returns queries [T, H*d], keys and values [T, G*d].
func (b block) project(h lang.Tensor) []lang.Tensor {
	var parts []lang.Tensor
	if b.w.Block.FusedQKV {
		y, at := b.linear("attn_qkv", h), int64(0)
		for _, heads := range []int64{b.heads.queries, b.heads.keys, b.heads.keys} {
			parts = append(parts, y.Slice(1, at, at+heads*b.heads.size))
			at += heads * b.heads.size
		}
	} else {
		parts = []lang.Tensor{b.linear("attn_q", h), b.linear("attn_k", h)}
		if slices.Contains(b.w.KeyValues, b.number) {
			parts = append(parts, parts[1])
		} else {
			parts = append(parts, b.linear("attn_v", h))
		}
	}
	if c := b.w.Block.Clamp; c != 0 {
		for i := range parts {
			parts[i] = parts[i].ClampScalar(-c, c)
		}
	}
	return parts
}

// feedForward is the feed-forward layer for h [T, D].
func (b block) feedForward(h lang.Tensor) lang.Tensor {
	x := b.w.Experts
	switch {
	case !b.w.HasExperts(b.number):
		return b.dense(h)
	case !x.Beside:
		return b.experts(h)
	}
	y := b.dense(h)
	switch {
	case x.Norm != "" && x.Late:
		h = b.norm(x.Norm, b.after)
	case x.Norm != "":
		h = b.norm(x.Norm, b.input)
	}
	more := b.experts(h)
	if x.PostNorms {
		y, more = b.norm("post_ffw_norm_1", y), b.norm("post_ffw_norm_2", more)
	}
	if y = y.Add(more); x.SumScale != 0 {
		y = y.MulScalar(x.SumScale)
	}
	return y
}

// dense is the feed-forward layer that is not one of experts.
func (b block) dense(h lang.Tensor) lang.Tensor {
	if f := b.w.ActivationOf; f != nil {
		return b.linear("ffn_down", f(b.number, b.linear("ffn_up", h)))
	}
	var in []lang.Tensor
	size := b.w.layerSizes(b.number).IntermediateSize
	switch {
	case b.w.Block.Ungated:
		in = []lang.Tensor{b.linear("ffn_up", h)}
	case b.w.Block.FusedGate:
		y := b.linear("ffn_up", h)
		in = []lang.Tensor{y.Slice(1, 0, size), y.Slice(1, size, 2*size)}
	default:
		in = []lang.Tensor{b.sparse(b.linear("ffn_gate", h)), b.linear("ffn_up", h)}
	}
	g := b.f.Call(b.v.glus[size], in...)[0]
	if b.w.Block.SubNorm {
		g = g.RMSNorm(b.param("ffn_sub_norm"), b.w.Epsilon, 0)
	}
	return b.linear("ffn_down", g)
}

// normed is the arguments of a function that is a norm of x: its weights are those of the
// key.
func (w *model) normed(f *lang.Func, key string, x lang.Tensor) []lang.Tensor {
	if w.Block.PlainNorm {
		return []lang.Tensor{x}
	}
	in := []lang.Tensor{x, nn.Param(f, key+"weight")}
	if w.Block.NormBias {
		in = append(in, nn.Param(f, key+"bias"))
	}
	return in
}

// normalize is the body of such a function.
func (w *model) normalize(f *lang.Func, x lang.Tensor) lang.Tensor {
	var gamma lang.Tensor
	if w.Block.PlainNorm {
		gamma = f.Splat(dtype.F32, 1, w.HiddenSize)
	} else {
		gamma = f.Input("gamma", dtype.F32, w.HiddenSize)
	}
	if !w.Block.LayerNorm {
		y := x.RMSNorm(gamma, w.Epsilon, 0)
		if w.Block.NormBias {
			y = y.Add(f.Input("beta", dtype.F32, w.HiddenSize))
		}
		return y
	}
	beta := f.Splat(dtype.F32, 0, w.HiddenSize)
	if w.Block.NormBias {
		beta = f.Input("beta", dtype.F32, w.HiddenSize)
	}
	return x.LayerNorm(gamma, beta, w.Epsilon)
}

// normHeads is the norm of queries or keys x [T, n, d], with its weights.
func (w *model) normHeads(x, weights lang.Tensor) lang.Tensor {
	switch w.Block.QKNorm {
	case QKNormWhole:
		return x.Flatten(1, 2).RMSNorm(weights, w.Epsilon, 0).ReshapeOf(x.Dims()...)
	case QKNormEach:
		f := x.Func()
		one, zero := f.Splat(dtype.F32, 1, x.Dim(2)), f.Splat(dtype.F32, 0, x.Dim(2))
		return x.LayerNorm(one, zero, w.Epsilon).Mul(weights.Unsqueeze(0))
	}
	return x.RMSNorm(weights, w.Epsilon, 0)
}

// normWeights reports whether norms of queries and keys have weights.
func (c Config) normWeights() bool { return c.QKNorm && c.Block.QKNorm != QKNormPlain }

// qkNormSizes returns the sizes of such weights for n heads of so many elements.
func (c Config) qkNormSizes(n, size int64) []int64 {
	switch c.Block.QKNorm {
	case QKNormWhole:
		return []int64{n * size}
	case QKNormEach:
		return []int64{n, size}
	}
	return []int64{size}
}

// turnHeads turns the first n elements of the heads x [T, H, d].
func turnHeads(rotary nn.Rotary, x lang.Tensor, n int64) lang.Tensor {
	if n == x.Dim(2) {
		return rotary.Apply(x)
	}
	return x.Func().Concat(2, rotary.Apply(x.Slice(2, 0, n)), x.Slice(2, n, x.Dim(2)))
}
