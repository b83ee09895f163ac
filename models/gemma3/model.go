// Package gemma3 is Gemma 3 (Gemma Team 2025), the text model, from a GGUF file:
// its settings from the metadata, and its graph, from lang/nn/causal. It is the row
// "gemma3" of compile/import/fromgguf.
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
	"github.com/skainet-dev/skainet-go/compile/dag/shard"
	"github.com/skainet-dev/skainet-go/compile/import/fromgguf"
	"github.com/skainet-dev/skainet-go/lang"
	"github.com/skainet-dev/skainet-go/lang/nn/causal"
	"github.com/skainet-dev/skainet-go/tensor"
)

// Architecture is the name of the model in a GGUF file.
const Architecture = "gemma3"

// Model builds the graph from the weights index, with the default context.
func Model(m *lang.Module) { Context(0)(m) }

// Context returns the constructor of a model whose caches have the given number of positions.
func Context(positions int64) lang.Constructor {
	return fromgguf.OfArchitecture(Architecture, fromgguf.Options{Context: positions})
}

// Cut returns the constructor of n of the model's layers, from the given one on (0 is the
// first), with caches of the given number of positions: for comparisons of devices that
// the whole model would take too long on.
func Cut(first, n, positions int64) lang.Constructor {
	return fromgguf.OfArchitecture(Architecture, fromgguf.Options{Context: positions, Cut: &fromgguf.Cut{First: first, Layers: n}})
}

// TensorParallel says how the model of a file is split over devices along the axis model: see
// causal.Config.TensorParallel.
func TensorParallel(x *tensor.Index) (shard.Layout, error) {
	c, err := ConfigFrom(x, 0)
	return c.TensorParallel(), err
}

// ConfigFrom reads the sizes from the index of a GGUF file; context is the number of
// positions in the caches, 0 for the default.
func ConfigFrom(x *tensor.Index, context int64) (causal.Config, error) {
	return fromgguf.Config(x, Architecture, context)
}
