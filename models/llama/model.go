// Package llama is the Llama architecture (Touvron et al. 2023) and the models that
// share it, such as SmolLM2 and Llama 3, from a GGUF file: its settings from the
// metadata, and its graph, from lang/nn/causal, which describes entry
// points and state. It is the row "llama" of compile/import/fromgguf.
//
// The caches have 2048 positions, or the trained length if that is less.
// For another number use another constructor:
//
//	skainet_model(name = "smollm2", constructor = "Context(8192)", ...)
//
// Adapted is the constructor of a model whose adapter (LoRA) is chosen when the program is
// opened:
//
//	skainet_model(name = "smollm2", constructor = "Adapted(8, \"attn_q\", \"attn_v\")", ...)
//
// # Errors
//
// CAUSAL_* for a file of another architecture or a damaged one, with the
// faulty key; INDEX_MISSING_TENSOR.
//
// # Determinism
//
// The graph depends only on the weights index and the context.
package llama

import (
	"github.com/skainet-dev/skainet-go/compile/import/fromgguf"
	"github.com/skainet-dev/skainet-go/lang"
	"github.com/skainet-dev/skainet-go/lang/nn/causal"
	"github.com/skainet-dev/skainet-go/tensor"
)

// Architecture is the name of the model in a GGUF file.
const Architecture = "llama"

// Model builds the graph from the weights index, with the default context.
func Model(m *lang.Module) { Context(0)(m) }

// Context returns the constructor of a model whose caches have the given number of positions.
func Context(positions int64) lang.Constructor {
	return fromgguf.OfArchitecture(Architecture, fromgguf.Options{Context: positions})
}

// Adapted returns the constructor of a model with an adapter (LoRA) of this rank on these
// linear layers of each block, such as attn_q and attn_v: see causal.Adapter. Caches have
// the default number of positions.
func Adapted(rank int64, layers ...string) lang.Constructor {
	return fromgguf.OfArchitecture(Architecture, fromgguf.Options{Adapter: causal.Adapter{Rank: rank, Layers: layers}})
}

// Cut returns the constructor of n of the model's layers, from the given one on (0 is the
// first), with caches of the given number of positions: for comparisons of devices that
// the whole model would take too long on.
func Cut(first, n, positions int64) lang.Constructor {
	return fromgguf.OfArchitecture(Architecture, fromgguf.Options{Context: positions, Cut: &fromgguf.Cut{First: first, Layers: n}})
}

// ConfigFrom reads the sizes from the index of a GGUF file; context is the number of
// positions in the caches, 0 for the default.
func ConfigFrom(x *tensor.Index, context int64) (causal.Config, error) {
	return fromgguf.Config(x, Architecture, context)
}
