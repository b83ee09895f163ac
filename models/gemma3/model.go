// Package gemma3 is Gemma 3 (Gemma Team 2025), the text model, from a GGUF file:
// its settings from the metadata, and its graph, which is that of lang/nn/causal.
//
// Entry points and state are described there. Layers attend to a window of
// positions, but for every sixth, which attends to all; queries and keys are
// normalised, and so is what attention and feed-forward add to the residual stream,
// which is f32. The head is the embedding table.
//
// The caches hold 2048 positions, or what the model was trained for if that is
// less. Another number is another constructor:
//
//	skainet_model(name = "gemma", constructor = "Context(8192)", ...)
//
// # Errors
//
// CAUSAL_* where a file is not a Gemma 3, or is damaged, with the key at fault;
// INDEX_MISSING_TENSOR.
//
// # Determinism
//
// The graph depends only on the weights index and the context.
package gemma3

import (
	"math"

	"github.com/skainet-dev/skainet-go/lang"
	"github.com/skainet-dev/skainet-go/lang/nn/causal"
	"github.com/skainet-dev/skainet-go/tensor"
)

// Architecture is the name of the model in a GGUF file.
const Architecture = "gemma3"

// What the files do not say; these are the constants of the model's own
// configurations, and of llama.cpp.
const (
	localBase     = 10000 // of the rotary frequencies in layers with a window
	period        = 6     // every sixth layer is global
	largestLayers = 62    // of the 27B model, which scales attention by its width
)

// Model builds the graph from the weights index, with the default context.
func Model(m *lang.Module) { Context(0)(m) }

// Context returns the constructor of a model whose caches hold so many positions.
func Context(positions int64) lang.Constructor {
	return func(m *lang.Module) {
		c, err := ConfigFrom(m.Index(), positions)
		if err != nil {
			panic(err)
		}
		causal.Model(m, c)
	}
}

// ConfigFrom reads the sizes from the index of a GGUF file; context is the number of
// positions that the caches hold, 0 for the default.
func ConfigFrom(x *tensor.Index, context int64) (causal.Config, error) {
	h := causal.NewHeader(x, Architecture)
	c := h.Sizes(context)
	c.Global = causal.Attention{RopeBase: h.NumberOr("rope.freq_base", 1000000), RopeScale: h.RopeScale()}
	c.Local = causal.Attention{RopeBase: h.NumberOr("rope.freq_base_swa", localBase), RopeScale: 1, Window: h.Size("attention.sliding_window")}
	c.GlobalEvery = h.SizeOr("attention.sliding_window_pattern", period)
	c.EmbeddingScale = math.Sqrt(float64(c.HiddenSize))
	if c.NumLayers == largestLayers {
		c.AttentionScale = 1 / math.Sqrt(float64(c.HiddenSize)/float64(c.Heads))
	}
	c.AttnLogitSoftcap = h.NumberOr("attn_logit_softcapping", 0)
	c.FinalLogitSoftcap = h.NumberOr("final_logit_softcapping", 0)
	c.Activation = lang.Tensor.GELUTanh
	c.QKNorm, c.PostNorm = true, true
	return c, h.Check(&c)
}
