package causal

import (
	"github.com/skainet-dev/skainet-go/lang"
	"github.com/skainet-dev/skainet-go/lang/nn"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
	"github.com/skainet-dev/skainet-go/tensor/shape"
)

// Latent configures attention whose keys and values are made of one vector for each
// position (multi-head latent attention, DeepSeek-AI 2024): the cache holds that vector and
// a rotated part of the keys, which all heads share. attn_k_b makes the queries those of
// such vectors, and attn_v_b the values of what attention gives. The zero value is none.
type Latent struct {
	Rank      int64 // of the vector; Config.HeadDim is Rank and the elements that are rotated
	QueryRank int64 // of attn_q_a, which attn_q_b follows; 0 means attn_q alone
	Key       int64 // elements of a head of queries, of which the last are rotated
	Value     int64 // elements of a head of values
	Joint     bool  // both matrices are one for each head, attn_kv_b, the keys' transposed
}

// plain is the number of elements of a query that are not rotated.
func (c Config) plain() int64 { return c.Latent.Key - c.rotated() }

func (l *list) latent() {
	c, x := l.c, l.c.Latent
	queries := c.Heads * x.Key
	if x.QueryRank > 0 {
		l.linear("attn_q_a", x.QueryRank, c.HiddenSize)
		l.add("attn_q_a_norm.weight", x.QueryRank)
		l.linear("attn_q_b", queries, x.QueryRank)
	} else {
		l.linear("attn_q", queries, c.HiddenSize)
	}
	l.linear("attn_kv_a_mqa", c.HeadDim, c.HiddenSize)
	l.add("attn_kv_a_norm.weight", x.Rank)
	if x.Joint {
		l.linear("attn_kv_b", c.Heads*(c.plain()+x.Value), x.Rank)
	} else {
		l.add("attn_k_b.weight", c.Heads, x.Rank, c.plain())
		l.add("attn_v_b.weight", c.Heads, x.Value, x.Rank)
	}
	l.linear("attn_output", c.HiddenSize, c.Heads*x.Value)
}

// eachHead multiplies heads [H, T, n] by a matrix for each, [H, m, n].
func eachHead(x, matrices lang.Tensor) lang.Tensor {
	return x.Dot(matrices, lang.Dims{LHS: []int{0}, RHS: []int{0}}, lang.Dims{LHS: []int{2}, RHS: []int{2}})
}

// eachMatrix returns the matrices [H, Rank, n] and [H, Value, Rank] of keys and values.
func (b block) eachMatrix() (keys, values lang.Tensor) {
	x, plain := b.w.Latent, b.w.plain()
	if !x.Joint {
		return b.param("attn_k_b"), b.param("attn_v_b")
	}
	both := b.param("attn_kv_b").Reshape(b.w.Heads, plain+x.Value, x.Rank)
	return both.Slice(1, 0, plain).Transpose(0, 2, 1), both.Slice(1, plain, plain+x.Value)
}

// latent is what such attention adds to the residual stream, of which it reads h.
func (b block) latent(h lang.Tensor, rotary nn.Rotary, c cache, start lang.Tensor) lang.Tensor {
	w, x := b.w, b.w.Latent
	q := h
	if x.QueryRank > 0 {
		q = b.linear("attn_q_b", b.linear("attn_q_a", h).RMSNorm(b.param("attn_q_a_norm"), w.Epsilon, 0))
	} else {
		q = b.linear("attn_q", h)
	}
	q = q.ReshapeOf(h.DimOf(0), shape.N(w.Heads), shape.N(x.Key)).Transpose(1, 0, 2)
	cos, sin := rotary.Tables()
	keys := w.of(c, "keys", b.i)
	toKeys, toValues := b.eachMatrix()
	out := b.f.Call(b.v.latent, eachHead(q.Slice(2, 0, w.plain()), toKeys), q.Slice(2, w.plain(), x.Key),
		b.linear("attn_kv_a_mqa", h), b.param("attn_kv_a_norm"), cos, sin, *keys, start)
	*keys = out[1]
	y := eachHead(out[0], toValues).Transpose(1, 0, 2)
	return b.linear("attn_output", y.Flatten(1, 2))
}

// attendLatent is the attention of queries of vectors [H, T, Rank], and their elements that
// are to be turned, to the layer's cache, after the new vectors and keys [T, HeadDim] are
// put into it: [H, T, Rank].
func (w *model) attendLatent(f *lang.Func, rows shape.Dim) {
	rank, turned := w.Latent.Rank, w.rotated()
	each := func(name string, dims ...shape.Dim) lang.Tensor { return f.InputOf(name, dtype.F32, dims...) }
	q, rest := each("q", shape.N(w.Heads), rows, shape.N(rank)), each("q_rest", shape.N(w.Heads), rows, shape.N(turned))
	made, norm := each("made", rows, shape.N(w.HeadDim)), f.Input("norm", dtype.F32, rank)
	rotary := nn.RotaryFromTables(each("cos", rows, shape.N(turned/2)), each("sin", rows, shape.N(turned/2)), w.RopeInterleaved)
	keys, start := f.Input("keys", dtype.F16, w.Context, 1, w.HeadDim), f.Input("start", dtype.I32)

	key := f.Concat(2, made.Slice(1, 0, rank).RMSNorm(norm, w.Epsilon, 0).Unsqueeze(1), rotary.Apply(made.Slice(1, rank, w.HeadDim).Unsqueeze(1)))
	keys = keys.UpdateRows(key.Convert(dtype.F16), start)
	q = f.Concat(2, q.Transpose(1, 0, 2), rotary.Apply(rest.Transpose(1, 0, 2)))
	q = w.Global.Temperature.warm(q, start)
	y := w.biasedAttention(f, q, keys, keys.Slice(2, 0, rank), start, lang.AttentionOptions{Scale: w.AttentionScale, SoftCap: w.AttnLogitSoftcap}, 0)
	f.Output("y", y.Transpose(1, 0, 2))
	f.Output("new_keys", keys)
}
