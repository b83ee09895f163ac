package causal

import (
	"github.com/skainet-dev/skainet-go/lang"
	"github.com/skainet-dev/skainet-go/lang/nn"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
	"github.com/skainet-dev/skainet-go/tensor/shape"
)

// isShared reports whether a layer of the file reads another's keys and values.
func (c Config) isShared(i int64) bool { return c.SharedFrom > 0 && i >= c.SharedFrom }

// source returns the layer whose keys and values a layer of the file reads.
func (c Config) source(i int64) int64 {
	if !c.isShared(i) {
		return i
	}
	for from := c.SharedFrom - 1; from >= 0; from-- {
		if c.IsGlobal(from) == c.IsGlobal(i) {
			return from
		}
	}
	return 0
}

// attendShared is attention to what another layer's cache holds, [T, H*d].
func (w *model) attendShared(f *lang.Func, rows shape.Dim, h heads) {
	wide := func(name string, width int64) lang.Tensor { return f.InputOf(name, dtype.F32, rows, shape.N(width)) }
	q := wide("q", h.queries*h.size).ReshapeOf(rows, shape.N(h.queries), shape.N(h.size))
	if w.normWeights() {
		q = w.normHeads(q, f.Input("q_norm", dtype.F32, w.qkNormSizes(h.queries, h.size)...))
	}
	q = turnHeads(nn.RotaryFromTables(wide("cos", h.turned/2), wide("sin", h.turned/2), w.RopeInterleaved), q, h.turned)
	keys, values := f.Input("keys", dtype.F16, w.Context, h.keys, h.size), f.Input("values", dtype.F16, w.Context, h.keys, h.size)
	o := lang.AttentionOptions{Scale: w.AttentionScale, Window: w.attention(h.global).Window, SoftCap: w.AttnLogitSoftcap}
	f.Output("y", q.CachedAttention(keys, values, f.Input("start", dtype.I32), o).Flatten(1, 2))
}

// shared is what such attention adds to the residual stream, of which it reads h.
func (b block) shared(h lang.Tensor, rotary nn.Rotary) lang.Tensor {
	w := b.w
	in := []lang.Tensor{b.linear("attn_q", h)}
	if w.normWeights() {
		in = append(in, b.param("attn_q_norm"))
	}
	from := w.source(b.number) - w.FirstLayer
	cos, sin := rotary.Tables()
	in = append(in, cos, sin, *w.of(b.in.cache, "keys", from), *w.of(b.in.cache, "values", from), b.in.start)
	return b.linear("attn_output", b.f.Call(b.v.attentions[b.heads], in...)[0])
}
