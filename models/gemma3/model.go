// Package gemma3 is Gemma 3 (Gemma Team 2025), the text model, from a GGUF file:
// its settings from the metadata, and its graph, from lang/nn/causal.
//
// Entry points and state are described there. Layers attend to a window
// of positions, except every sixth, which attends to all; queries, keys and
// the outputs of attention and feed-forward are normalised; the residual stream
// is f32. The output head is the embedding table.
//
// The caches have 2048 positions, or the trained length if that is less.
// For another number use another constructor:
//
//	skainet_model(name = "gemma", constructor = "Context(8192)", ...)
//
// # Errors
//
// CAUSAL_* for a file that is not a Gemma 3, or is damaged, with the faulty key;
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

// Settings that the files do not have; these are the constants of the model's
// own configurations, and of llama.cpp.
const (
	localBase     = 10000 // RoPE base in layers with a window
	period        = 6     // every sixth layer is global
	largestLayers = 62    // of the 27B model, which scales attention by the hidden size per head
)

// Model builds the graph from the weights index, with the default context.
func Model(m *lang.Module) { Context(0)(m) }

// Context returns the constructor of a model whose caches have the given number of positions.
func Context(positions int64) lang.Constructor {
	return func(m *lang.Module) {
		c, err := ConfigFrom(m.Index(), positions)
		if err != nil {
			panic(err)
		}
		causal.Model(m, c)
	}
}

// Cut returns the constructor of n of the model's layers, from the given one on (0 is the
// first), with caches of the given number of positions: for comparisons of devices that
// the whole model would take too long on.
func Cut(first, n, positions int64) lang.Constructor {
	return func(m *lang.Module) {
		c, err := ConfigFrom(m.Index(), positions)
		if err == nil {
			c, err = c.Cut(first, n)
		}
		if err != nil {
			panic(err)
		}
		causal.Model(m, c)
	}
}

// ConfigFrom reads the sizes from the index of a GGUF file; context is the number of
// positions in the caches, 0 for the default.
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
