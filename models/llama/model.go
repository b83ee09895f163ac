// Package llama is the Llama architecture (Touvron et al. 2023) and the models that
// share it, such as SmolLM2 and Llama 3, from a GGUF file: its settings from the
// metadata, and its graph, which is that of lang/nn/causal, where entry points and
// state are described.
//
// Converters of this architecture permute the rows of the query and key weights, so
// that rotary pairs are adjacent elements.
//
// The caches hold 2048 positions, or what the model was trained for if that is
// less. Another number is another constructor:
//
//	skainet_model(name = "smollm2", constructor = "Context(8192)", ...)
//
// # Errors
//
// CAUSAL_* where a file is of another architecture or damaged, with the key at
// fault; INDEX_MISSING_TENSOR.
//
// # Determinism
//
// The graph depends only on the weights index and the context.
package llama

import (
	"github.com/skainet-dev/skainet-go/lang"
	"github.com/skainet-dev/skainet-go/lang/nn/causal"
	"github.com/skainet-dev/skainet-go/tensor"
)

// Architecture is the name of the model in a GGUF file.
const Architecture = "llama"

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
	c.Global = causal.Attention{RopeBase: h.NumberOr("rope.freq_base", 10000), RopeScale: h.RopeScale()}
	c.Activation = lang.Tensor.SiLU
	c.RopeInterleaved = true
	_, err := x.Lookup("rope_freqs.weight")
	c.RopeFreqFactors = err == nil
	return c, h.Check(&c)
}
