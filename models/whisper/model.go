package whisper

import (
	"fmt"

	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/lang"
	"github.com/skainet-dev/skainet-go/lang/nn"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
)

// Model builds the graph from the weights index.
func Model(m *lang.Module) { newModel(m).build(m) }

// Cut returns the constructor of a model with the first layers of encoder and decoder
// alone, and of the given positions of the encoder, whose window is then shorter: it
// recognises nothing, and serves to compare devices that the whole model would take too
// long on.
func Cut(layers, positions int64) lang.Constructor {
	return func(m *lang.Module) {
		w := newModel(m)
		if layers < 1 || layers > min(w.EncoderLayers, w.DecoderLayers) || positions < 1 || positions > w.AudioContext {
			panic(errs.New(CodeWeights, "a cut of %d layers and %d positions, and the model has %d and %d layers and %d positions",
				layers, positions, w.EncoderLayers, w.DecoderLayers, w.AudioContext).Hint("choose fewer"))
		}
		w.EncoderLayers, w.DecoderLayers, w.AudioContext = layers, layers, positions
		w.build(m)
	}
}

func (w *model) build(m *lang.Module) {
	w.encoder = m.Func("encoder", w.buildEncoder)
	w.cross = m.Func("cross", w.buildCross)
	w.decoder = m.Func("decoder", w.buildDecoder)

	m.Entry("encode", func(f *lang.Func) {
		f.Output("encoded", f.Call(w.encoder, w.mel(f))[0])
	})
	w.buildSteps(m)
	m.Entry("transcribe", w.buildTranscribe)
}

// Encoder builds only the encoder.
func Encoder(m *lang.Module) {
	w := newModel(m)
	m.Entry("encode", w.buildEncoder)
}

func newModel(m *lang.Module) *model {
	c, err := ConfigFrom(m.Index())
	if err != nil {
		panic(err)
	}
	return &model{Config: c}
}

type model struct {
	Config
	encoder, cross, decoder lang.Callee
}

func (w *model) mel(f *lang.Func) lang.Tensor {
	return f.Input("mel", dtype.F32, 1, w.MelBins, 2*w.AudioContext)
}

// attentionRows is the number of query rows that the encoder's attention processes
// at a time, and pads its sequence to a multiple of: the scores of a block, [6, 96,
// 1536] floats in the smallest model, then fit in a processor's cache.
const attentionRows = 96

// buildEncoder: mel [1, MelBins, 2T] -> [T, HiddenSize].
func (w *model) buildEncoder(f *lang.Func) {
	x := w.mel(f).Reshape(w.MelBins, 2*w.AudioContext).Transpose(1, 0)
	x = nn.Conv1D(f, "encoder/conv1", x, nn.Conv1DOptions{Padding: 1}).GELU()
	x = nn.Conv1D(f, "encoder/conv2", x, nn.Conv1DOptions{Stride: 2, Padding: 1}).GELU()
	x = x.Add(w.positions(f))

	padded := (w.AudioContext + attentionRows - 1) / attentionRows * attentionRows
	x = x.Pad(0, 0, padded-w.AudioContext, 0)
	real := f.Iota(dtype.I32, 0, padded).Less(f.Splat(dtype.I32, float64(w.AudioContext)))
	bias := real.Select(f.Splat(dtype.F32, 0, padded), f.Splat(dtype.F32, -1e9, padded))
	mask := func(scores lang.Tensor) lang.Tensor { return scores.Add(bias) }
	for i := range w.EncoderLayers {
		key := fmt.Sprintf("encoder/layer_%d", i)
		h := nn.LayerNorm(f, key+"/self_attention/layer_norm", x, nn.LayerNormOptions{})
		qkv := nn.Linear(f, key+"/self_attention/linear_0", h, nn.LinearOptions{})
		part := func(i int64) lang.Tensor { return nn.SplitHeads(w.part(qkv, i), w.EncoderHeads) }
		a := nn.Attention(part(0), part(1), part(2), nn.AttentionOptions{Mask: mask, BlockRows: attentionRows})
		x = x.Add(nn.Linear(f, key+"/self_attention/linear_1", nn.MergeHeads(a), nn.LinearOptions{}))
		x = w.feedForward(f, key, x)
	}
	f.Output("encoded", nn.LayerNorm(f, "encoder/layer_norm", x.Slice(0, 0, w.AudioContext), nn.LayerNormOptions{}))
}

// positions are the encoder's position encodings [AudioContext, HiddenSize]: the weight, or
// the first rows of it in a cut.
func (w *model) positions(f *lang.Func) lang.Tensor {
	p := nn.Param(f, "encoder/position_encodings/encodings")
	if p.Dim(0) == w.AudioContext {
		return p
	}
	return p.Slice(0, 0, w.AudioContext)
}

// part returns columns [i*HiddenSize, (i+1)*HiddenSize): the projections of a layer
// are stacked in one weight.
func (w *model) part(x lang.Tensor, i int64) lang.Tensor {
	return x.Slice(-1, i*w.HiddenSize, (i+1)*w.HiddenSize)
}

func (w *model) feedForward(f *lang.Func, key string, x lang.Tensor) lang.Tensor {
	h := nn.LayerNorm(f, key+"/ffn/layer_norm", x, nn.LayerNormOptions{})
	h = nn.Linear(f, key+"/ffn/linear_0", h, nn.LinearOptions{}).GELU()
	return x.Add(nn.Linear(f, key+"/ffn/linear_1", h, nn.LinearOptions{}))
}

// cache is what a decoder step reads: for each layer the keys and values of its
// self-attention [H, R, D], of which it writes one row, and those of its
// cross-attention [H, T, D]. They are separate tensors, since slicing a layer
// out of a larger one would copy it at every step.
type cache struct{ keys, values, crossKeys, crossValues []lang.Tensor }

// self returns the tensors that a step changes.
func (c cache) self() []lang.Tensor { return append(append([]lang.Tensor{}, c.keys...), c.values...) }

// all returns the tensors in the order of the decoder's arguments.
func (c cache) all() []lang.Tensor { return append(append(c.self(), c.crossKeys...), c.crossValues...) }

// withSelf returns c with the tensors that a step changes replaced.
func (c cache) withSelf(ts []lang.Tensor) cache {
	c.keys, c.values = ts[:len(c.keys)], ts[len(c.keys):]
	return c
}

func (w *model) cacheSizes(rows int64) []int64 {
	return []int64{w.DecoderHeads, rows, w.HiddenSize / w.DecoderHeads}
}

// eachLayer returns one tensor per layer.
func (w *model) eachLayer(name string, build func(name string) lang.Tensor) []lang.Tensor {
	ts := make([]lang.Tensor, w.DecoderLayers)
	for i := range ts {
		ts[i] = build(fmt.Sprintf("%s_%d", name, i))
	}
	return ts
}

// caches returns all tensors of a cache.
func (w *model) caches(build func(name string, rows int64) lang.Tensor) cache {
	of := func(name string, rows int64) []lang.Tensor {
		return w.eachLayer(name, func(n string) lang.Tensor { return build(n, rows) })
	}
	return cache{of("keys", w.CacheRows()), of("values", w.CacheRows()), of("cross_keys", w.AudioContext), of("cross_values", w.AudioContext)}
}

// buildCross: encoded [T, HiddenSize] -> the keys and values of every layer's
// cross-attention. They are the same for all tokens.
func (w *model) buildCross(f *lang.Func) {
	encoded := f.Input("encoded", dtype.F32, w.AudioContext, w.HiddenSize)
	var values []lang.Tensor
	for i := range w.DecoderLayers {
		kv := nn.Linear(f, fmt.Sprintf("decoder/layer_%d/attention/linear_1", i), encoded, nn.LinearOptions{})
		f.Output(fmt.Sprintf("cross_keys_%d", i), nn.SplitHeads(w.part(kv, 0), w.DecoderHeads))
		values = append(values, nn.SplitHeads(w.part(kv, 1), w.DecoderHeads))
	}
	for i, v := range values {
		f.Output(fmt.Sprintf("cross_values_%d", i), v)
	}
}

// buildDecoder: one token at one position -> hidden [1, HiddenSize] and the caches
// with its keys and values.
func (w *model) buildDecoder(f *lang.Func) {
	token := f.Input("token", dtype.I32, 1)
	position := f.Input("position", dtype.I32)
	c := w.caches(func(name string, rows int64) lang.Tensor {
		return f.Input(name, dtype.F32, w.cacheSizes(rows)...)
	})

	zero := f.Splat(dtype.I32, 0)
	x := nn.Embedding(f, "decoder/embeddings/weight", token)
	x = x.Add(f.Param("decoder/position_encodings/encodings").DynamicSlice([]int64{1, w.HiddenSize}, position, zero).Convert(dtype.F32))

	heads, size := w.DecoderHeads, w.HiddenSize/w.DecoderHeads
	// The cache's rows after this position are not valid yet.
	seen := f.Iota(dtype.I32, 2, heads, 1, w.CacheRows()).LessEqual(position)
	mask := func(scores lang.Tensor) lang.Tensor {
		return seen.Select(scores, f.Splat(dtype.F32, -1e30))
	}
	for i := range w.DecoderLayers {
		key := fmt.Sprintf("decoder/layer_%d", i)
		h := nn.LayerNorm(f, key+"/self_attention/layer_norm", x, nn.LayerNormOptions{})
		qkv := nn.Linear(f, key+"/self_attention/linear_0", h, nn.LinearOptions{})
		part := func(i int64) lang.Tensor { return w.part(qkv, i).Reshape(heads, 1, size) }
		c.keys[i] = c.keys[i].Update(part(1), zero, position, zero)
		c.values[i] = c.values[i].Update(part(2), zero, position, zero)
		a := nn.Attention(part(0), c.keys[i], c.values[i], nn.AttentionOptions{Mask: mask})
		x = x.Add(nn.Linear(f, key+"/self_attention/linear_1", a.Reshape(1, w.HiddenSize), nn.LinearOptions{}))

		h = nn.LayerNorm(f, key+"/attention/layer_norm", x, nn.LayerNormOptions{})
		q := nn.Linear(f, key+"/attention/linear_0", h, nn.LinearOptions{}).Reshape(heads, 1, size)
		a = nn.Attention(q, c.crossKeys[i], c.crossValues[i], nn.AttentionOptions{})
		x = x.Add(nn.Linear(f, key+"/attention/linear_2", a.Reshape(1, w.HiddenSize), nn.LinearOptions{}))
		x = w.feedForward(f, key, x)
	}
	f.Output("hidden", x)
	for i := range w.DecoderLayers {
		f.Output(fmt.Sprintf("keys_%d_out", i), c.keys[i])
	}
	for i := range w.DecoderLayers {
		f.Output(fmt.Sprintf("values_%d_out", i), c.values[i])
	}
}

// logits: hidden [1, HiddenSize] -> [1, VocabSize]; the output head is the embedding table.
func (w *model) logits(f *lang.Func, hidden lang.Tensor) lang.Tensor {
	h := nn.LayerNorm(f, "decoder/layer_norm", hidden, nn.LayerNormOptions{})
	return h.Dot(nn.Param(f, "decoder/embeddings/weight"), lang.Dims{}, lang.Dims{LHS: []int{1}, RHS: []int{1}})
}
