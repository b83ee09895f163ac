package whisper

import (
	"fmt"

	"github.com/skainet-dev/skainet-go/lang"
	"github.com/skainet-dev/skainet-go/lang/dtype"
	"github.com/skainet-dev/skainet-go/lang/nn"
	"github.com/skainet-dev/skainet-go/lang/op"
)

// Model builds the graph from the weights index.
func Model(m *lang.Module) {
	c, err := ConfigFrom(m.Index())
	if err != nil {
		panic(err)
	}
	w := &model{Config: c}
	w.encoder = m.Func("encoder", w.buildEncoder)
	w.cross = m.Func("cross", w.buildCross)
	w.decoder = m.Func("decoder", w.buildDecoder)

	m.Entry("encode", func(f *lang.Func) {
		f.Output("encoded", f.Call(w.encoder, w.mel(f))[0])
	})
	w.buildSteps(m)
	m.Entry("transcribe", w.buildTranscribe)
}

type model struct {
	Config
	encoder, cross, decoder lang.Callee
}

func (w *model) mel(f *lang.Func) lang.Tensor {
	return f.Input("mel", dtype.F32, 1, w.Mels, 2*w.AudioContext)
}

// Rows of queries that the encoder's attention takes at a time, and to a
// multiple of which it pads its sequence: the scores of a block, [6, 96, 1536]
// floats in the smallest model, then fit in a processor's cache.
const attentionRows = 96

// buildEncoder: mel [1, Mels, 2T] -> [T, Width].
func (w *model) buildEncoder(f *lang.Func) {
	x := w.mel(f).Reshape(w.Mels, 2*w.AudioContext).Transpose(1, 0)
	x = nn.Conv1D(f, "encoder/conv1", x, 1, 1).GELU()
	x = nn.Conv1D(f, "encoder/conv2", x, 2, 1).GELU()
	x = x.Add(nn.Param(f, "encoder/position_encodings/encodings"))

	padded := (w.AudioContext + attentionRows - 1) / attentionRows * attentionRows
	x = x.Pad(0, 0, padded-w.AudioContext, 0)
	real := f.Iota(dtype.I32, 0, padded).Compare(op.LT, f.Splat(dtype.I32, float64(w.AudioContext)))
	bias := real.Select(f.Splat(dtype.F32, 0, padded), f.Splat(dtype.F32, -1e9, padded))
	mask := func(scores lang.Tensor) lang.Tensor { return scores.Add(bias) }
	for i := range w.EncoderLayers {
		key := fmt.Sprintf("encoder/layer_%d", i)
		h := nn.LayerNorm(f, key+"/self_attention/layer_norm", x)
		qkv := nn.Linear(f, key+"/self_attention/linear_0", h, true)
		part := func(i int64) lang.Tensor { return nn.SplitHeads(w.part(qkv, i), w.EncoderHeads) }
		a := nn.BlockedAttention(part(0), part(1), part(2), attentionRows, mask)
		x = x.Add(nn.Linear(f, key+"/self_attention/linear_1", nn.MergeHeads(a), true))
		x = w.feedForward(f, key, x)
	}
	f.Output("encoded", nn.LayerNorm(f, "encoder/layer_norm", x.Slice(0, 0, w.AudioContext)))
}

// part takes columns [i*Width, (i+1)*Width): the projections of a layer are
// stacked in one weight.
func (w *model) part(x lang.Tensor, i int64) lang.Tensor {
	return x.Slice(-1, i*w.Width, (i+1)*w.Width)
}

func (w *model) feedForward(f *lang.Func, key string, x lang.Tensor) lang.Tensor {
	h := nn.LayerNorm(f, key+"/ffn/layer_norm", x)
	h = nn.Linear(f, key+"/ffn/linear_0", h, true).GELU()
	return x.Add(nn.Linear(f, key+"/ffn/linear_1", h, true))
}

// buildCross: encoded [T, Width] -> the keys and values of every layer's
// cross-attention, [L, H, T, D] each. They are the same for all tokens.
func (w *model) buildCross(f *lang.Func) {
	encoded := f.Input("encoded", dtype.F32, w.AudioContext, w.Width)
	var ks, vs []lang.Tensor
	for i := range w.DecoderLayers {
		kv := nn.Linear(f, fmt.Sprintf("decoder/layer_%d/attention/linear_1", i), encoded, true)
		row := []int64{1, w.DecoderHeads, w.AudioContext, w.Width / w.DecoderHeads}
		ks = append(ks, nn.SplitHeads(w.part(kv, 0), w.DecoderHeads).Reshape(row...))
		vs = append(vs, nn.SplitHeads(w.part(kv, 1), w.DecoderHeads).Reshape(row...))
	}
	f.Output("cross_keys", f.Concat(0, ks...))
	f.Output("cross_values", f.Concat(0, vs...))
}

// caches are the tensors that a decoder step reads, and of which it changes the
// first two: keys, values [L, H, R, D], cross keys, cross values [L, H, T, D].
func (w *model) cacheSizes(rows int64) []int64 {
	return []int64{w.DecoderLayers, w.DecoderHeads, rows, w.Width / w.DecoderHeads}
}

// buildDecoder: one token at one position -> hidden [1, Width] and the caches
// with its keys and values.
func (w *model) buildDecoder(f *lang.Func) {
	token := f.Input("token", dtype.I32, 1)
	position := f.Input("position", dtype.I32)
	keys := f.Input("keys", dtype.F32, w.cacheSizes(w.CacheRows())...)
	values := f.Input("values", dtype.F32, w.cacheSizes(w.CacheRows())...)
	crossKeys := f.Input("cross_keys", dtype.F32, w.cacheSizes(w.AudioContext)...)
	crossValues := f.Input("cross_values", dtype.F32, w.cacheSizes(w.AudioContext)...)

	zero := f.Splat(dtype.I32, 0)
	x := nn.Embedding(f, "decoder/embeddings/weight", token)
	x = x.Add(f.Param("decoder/position_encodings/encodings").DynamicSlice([]int64{1, w.Width}, position, zero).Convert(dtype.F32))

	heads, size := w.DecoderHeads, w.Width/w.DecoderHeads
	// The cache's rows after this position hold nothing yet.
	seen := f.Iota(dtype.I32, 2, heads, 1, w.CacheRows()).Compare("LE", position)
	mask := func(scores lang.Tensor) lang.Tensor {
		return seen.Select(scores, f.Splat(dtype.F32, -1e30))
	}
	layer := func(t lang.Tensor, i int64) lang.Tensor {
		return t.Slice(0, i, i+1).Reshape(heads, t.Dim(2), size)
	}
	for i := range w.DecoderLayers {
		key := fmt.Sprintf("decoder/layer_%d", i)
		h := nn.LayerNorm(f, key+"/self_attention/layer_norm", x)
		qkv := nn.Linear(f, key+"/self_attention/linear_0", h, true)
		row := []int64{1, heads, 1, size}
		at := f.Splat(dtype.I32, float64(i))
		keys = keys.Update(w.part(qkv, 1).Reshape(row...), at, zero, position, zero)
		values = values.Update(w.part(qkv, 2).Reshape(row...), at, zero, position, zero)
		a := nn.Attention(w.part(qkv, 0).Reshape(heads, 1, size), layer(keys, i), layer(values, i), mask)
		x = x.Add(nn.Linear(f, key+"/self_attention/linear_1", a.Reshape(1, w.Width), true))

		h = nn.LayerNorm(f, key+"/attention/layer_norm", x)
		q := nn.Linear(f, key+"/attention/linear_0", h, true).Reshape(heads, 1, size)
		a = nn.Attention(q, layer(crossKeys, i), layer(crossValues, i), nil)
		x = x.Add(nn.Linear(f, key+"/attention/linear_2", a.Reshape(1, w.Width), true))
		x = w.feedForward(f, key, x)
	}
	f.Output("hidden", x)
	f.Output("keys", keys)
	f.Output("values", values)
}

// logits: hidden [1, Width] -> [1, Vocabulary]; the head is the embedding table.
func (w *model) logits(f *lang.Func, hidden lang.Tensor) lang.Tensor {
	h := nn.LayerNorm(f, "decoder/layer_norm", hidden)
	return h.Dot(nn.Param(f, "decoder/embeddings/weight"), lang.Dims{}, lang.Dims{LHS: []int{1}, RHS: []int{1}})
}
