// Package adapters has a cut of SmolLM2 with an adapter: the first two layers with their
// real weights, for tests that need not compile the whole model.
package adapters

import (
	"github.com/skainet-dev/skainet-go/lang"
	"github.com/skainet-dev/skainet-go/lang/nn/causal"
	"github.com/skainet-dev/skainet-go/models/llama"
)

// Layers is how many the cut has.
const Layers = 2

// Cut is the constructor of the cut, with an adapter of rank 8 for queries and values.
func Cut(m *lang.Module) { cut(m, causal.Adapter{Rank: 8, Layers: []string{"attn_q", "attn_v"}}) }

// Plain is the constructor of the cut without an adapter.
func Plain(m *lang.Module) { cut(m, causal.Adapter{}) }

func cut(m *lang.Module, a causal.Adapter) {
	c, err := llama.ConfigFrom(m.Index(), 128)
	if err != nil {
		panic(err)
	}
	c.NumLayers, c.Adapter = Layers, a
	causal.Model(m, c)
}
