// Package causal is the decoder-only transformer that language models share: its graph,
// and its entry points with the KV caches that they keep. A model's package provides the
// sizes and names, as a Config, and no more.
//
// # Entry points
//
// They share one archive and one state; see entries.go.
//
//	prefill(tokens i32 [seq], start i32) -> logits f32 [1, V]
//	decode(token i32 [1]) -> logits f32 [1, V]
//	logits(tokens i32 [seq]) -> logits f32 [seq, V]
//	generate(tokens i32 [seq], start, max_tokens, temperature, top_k, top_p, min_p,
//	  repeat_penalty, seed i32 [2], stop i32 [stops]) -> tokens i32 [R], count i32
//
// # Adapters
//
// With Config.Adapter they read a second archive, of the scope AdapterScope: a low-rank
// adapter (LoRA) that the library PEFT trained. One program serves every adapter of the
// same rank and layers; one of zeros gives the model itself.
//
// # Errors
//
// CAUSAL_* of this package where metadata or tensors do not fit, each naming the
// key; INDEX_MISSING_TENSOR for a tensor that is not there. Model panics with them,
// which lang.Capture turns into its error.
//
// # Determinism
//
// The graph depends only on the config and the weights index.
package causal

import (
	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/lang"
)

// DefaultContext is the number of positions that the caches hold where a model's
// user does not choose: rows of memory, at most what the model was trained for.
const DefaultContext = 2048

// Config configures a decoder-only transformer, in the words of Hugging Face's
// config.json and of llama.cpp. Weights have the names that GGUF files give them:
// blk.0.attn_q.weight and so on.
type Config struct {
	NumLayers        int64
	FirstLayer       int64 // the first that is used: 0, unless Cut says otherwise
	HiddenSize       int64 // D, the width of the residual stream
	Heads            int64 // H, of queries
	KVHeads          int64 // G, of keys and values; divides Heads (grouped-query attention)
	HeadDim          int64 // elements of a head
	IntermediateSize int64 // F, of the feed-forward layer
	VocabSize        int64 // V
	MaxPositions     int64 // positions that the model was trained for
	Context          int64 // R, rows of the KV caches
	// Layers are the sizes of each layer of the file, where they differ; nil means that all
	// have Heads, KVHeads and IntermediateSize.
	Layers []LayerSizes

	Epsilon           float64 // of the RMS norms
	EmbeddingScale    float64 // factor of the embeddings
	AttentionScale    float64 // factor of the attention scores
	AttnLogitSoftcap  float64 // bound of the attention scores, cap tanh(score/cap); 0 means none
	FinalLogitSoftcap float64 // bound of the logits in the same way; 0 means none

	// Global is attention to all earlier positions; Local has a sliding window.
	Global, Local Attention
	// GlobalEvery is N where every Nth layer is global and the others are local; 1
	// means that all are global. GlobalFirst makes it the first of N and not the last.
	GlobalEvery int64
	GlobalFirst bool
	// GlobalList says of each layer of the file whether it is global, in place of a period.
	GlobalList []bool
	// SharedFrom is the number of the first layer that has no keys and values of its own and
	// reads those of the last layer of its kind that has; 0 means that all have their own.
	SharedFrom int64

	// Activation is that of the gated feed-forward layer.
	Activation func(lang.Tensor) lang.Tensor
	// ActivationOf is that of a layer, of ungated ones whose activations differ; nil means
	// Activation.
	ActivationOf func(layer int64, x lang.Tensor) lang.Tensor
	// Gate makes one of a gate and what it gates; nil means the activation of the gate times
	// the other (a gated linear unit).
	Gate func(gate, up lang.Tensor) lang.Tensor
	// RopeInterleaved selects rotary pairs of adjacent elements; otherwise the pairs
	// are of the two halves of a head.
	RopeInterleaved bool
	// QKNorm adds an RMS norm of queries and keys: attn_q_norm and attn_k_norm.
	QKNorm bool
	// ValueNorm adds an RMS norm of the heads of values, without weights.
	ValueNorm bool
	// KeyValues lists the layers whose values are what their keys are made of.
	KeyValues []int64
	// PostNorm adds an RMS norm of what attention and feed-forward add to the residual
	// stream: post_attention_norm and post_ffw_norm.
	PostNorm bool
	// RopeFreqFactors divides the rotary frequencies by RopeFactorsKey.
	RopeFreqFactors bool
	// RopeFactorsKey is the key of those factors: "" for rope_freqs.weight.
	RopeFactorsKey string
	// OutputKey is the key of the output projection: output.weight, or the embedding
	// table where the two are tied.
	OutputKey string
	// Block is how a block is built where that is not Llama's way.
	Block Block
	// Experts are those of the feed-forward layers; the zero value is none.
	Experts Experts
	// Latent is attention to one vector for each position.
	Latent Latent
	// PerLayer is a vector of each token for each layer.
	PerLayer PerLayer
	// AltUp is several residual streams.
	AltUp AltUp
	// Sparse makes gates of the first layers sparse.
	Sparse Sparse
	// LayerScale multiplies what a layer gives by layer_output_scale.
	LayerScale bool
	// Recurrent is the layers that have a memory of one size.
	Recurrent Recurrent
	// ShortConv is the layers that have a convolution in place of attention.
	ShortConv ShortConv
	// Adapter adds an adapter, which is chosen when a program is opened.
	Adapter Adapter
}

// Attention configures the attention of a layer.
type Attention struct {
	Window    int64   // positions that a query sees, its own included; 0 means all
	RopeBase  float64 // base of the rotary frequencies
	RopeScale float64 // divides positions: linear scaling of the context; 1 means none
	Yarn      Yarn    // scales high and low frequencies otherwise; the zero value is none
	Magnitude float64 // factor of the rotated queries and keys; 0 means 1
	NoRotary  bool    // queries and keys are not turned
	// HeadDim and RotaryDims are the elements of a head and those of them that are turned,
	// where they are not the config's and all of them; 0 means that they are.
	HeadDim, RotaryDims int64
	// Chunk makes a query see only the positions of its own chunk of so many; 0 means none.
	Chunk       int64
	NoFactors   bool // RopeFreqFactors are not of these layers
	Temperature Temperature
}

// Temperature multiplies queries by 1 + Scale ln(1 + floor((position + Offset) / Length)),
// for texts longer than that (Meta 2025). The zero value does not.
type Temperature struct {
	Length        int64
	Scale, Offset float64
}

// IsGlobal reports whether layer i attends to everything.
func (c Config) IsGlobal(i int64) bool {
	switch {
	case i < int64(len(c.GlobalList)):
		return c.GlobalList[i]
	case !c.hasLocal():
		return true
	case c.GlobalFirst:
		return i%c.GlobalEvery == 0
	}
	return (i+1)%c.GlobalEvery == 0
}

// Cut returns the config of the model's layers first to first+n-1 alone, with the model's
// own embeddings and head: too few to speak, and enough to compare a device with the CPU
// backend where the whole model takes too long.
func (c Config) Cut(first, n int64) (Config, error) {
	if first < 0 || n < 1 || n > c.NumLayers || first > c.NumLayers-n {
		return c, errs.New(CodeLayers, "a cut of %d layers from layer %d on, and the model has %d", n, first, c.NumLayers).
			Hint("choose 1 to %d layers, the first of them from 0 on", c.NumLayers)
	}
	c.FirstLayer, c.NumLayers = c.FirstLayer+first, n
	for i := c.FirstLayer; i < c.FirstLayer+n; i++ {
		if from := c.source(i); from < c.FirstLayer {
			return c, errs.New(CodeLayers, "layer %d reads the keys and values of layer %d, which the cut does not have", i, from).
				Hint("begin the cut at layer %d or before", from)
		}
	}
	return c, nil
}
