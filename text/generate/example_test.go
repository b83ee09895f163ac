package generate_test

import (
	"context"
	"fmt"
	"log"

	"github.com/skainet-dev/skainet-go/backend"
	"github.com/skainet-dev/skainet-go/backend/cpu"
	"github.com/skainet-dev/skainet-go/compile/dag/describe"
	"github.com/skainet-dev/skainet-go/lang"
	"github.com/skainet-dev/skainet-go/lang/nn/causal"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/text/generate"
)

// A session continues a text of token IDs. The model here has a vocabulary of four
// tokens, and says of each that the next one follows.
func Example() {
	program, err := counting()
	if err != nil {
		log.Fatal(err)
	}
	defer program.Close()

	session, err := generate.NewSession(program, generate.Options{})
	if err != nil {
		log.Fatal(err)
	}
	if err := session.Append(1, 2); err != nil {
		log.Fatal(err)
	}
	result, err := session.Generate(context.Background(), generate.Request{Tokens: 4})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(result.Tokens, result.Reason)

	// The same with a token that ends the text.
	result, err = session.Generate(context.Background(), generate.Request{Stop: []int32{1}})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(result.Tokens, result.Reason)
	// Output:
	// [3 0 1 2] length
	// [3 0] stop
}

// counting loads a decoder of one layer that adds nothing to the embeddings, each of
// which has a direction of its own; the output projection turns token t into t + 1.
func counting() (backend.Executable, error) {
	c := causal.Config{
		NumLayers: 1, HiddenSize: 4, Heads: 1, KVHeads: 1, HeadDim: 4, IntermediateSize: 4, VocabSize: 4,
		MaxPositions: 32, Context: 32, Epsilon: 1e-5, EmbeddingScale: 1, AttentionScale: 0.5,
		Global: causal.Attention{RopeBase: 10000, RopeScale: 1}, GlobalEvery: 1,
		Activation: lang.Tensor.SiLU, OutputKey: "output.weight",
	}
	index := &tensor.Index{Format: "gguf", Tensors: c.Tensors()}
	graph, err := lang.Capture("counting", index, func(m *lang.Module) { causal.Model(m, c) })
	if err != nil {
		return nil, err
	}
	contract, err := describe.Contract(graph)
	if err != nil {
		return nil, err
	}
	return cpu.Load(graph, contract, func(_, key string) (tensor.Value, error) {
		spec, err := index.Lookup(key)
		if err != nil {
			return tensor.Value{}, err
		}
		switch n := spec.Shape.Sizes(); {
		case key == "token_embd.weight":
			return tensor.Of([]float32{1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1}, n...)
		case key == "output.weight":
			return tensor.Of([]float32{0, 0, 0, 1, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0}, n...)
		case len(n) == 1: // a norm
			return tensor.Of([]float32{1, 1, 1, 1}, n...)
		}
		return tensor.Zero(spec.Type())
	})
}
