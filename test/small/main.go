// Command small writes a GGUF file of a Gemma 3 with made-up weights that is small
// enough to be compiled and run on a software Vulkan driver: two layers, one with a
// window and one without, whose matrices are in the blocks that Q4_K_M files have.
//
// It shows that programs compute what the reference computes; its output text is meaningless.
//
//	small OUTPUT.gguf
package main

import (
	"bytes"
	"fmt"
	"io"
	"math/rand/v2"
	"os"

	"github.com/skainet-dev/skainet-go/io/gguf"
	"github.com/skainet-dev/skainet-go/lang/nn/causal"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/quant"
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: small OUTPUT.gguf")
		os.Exit(2)
	}
	if err := write(os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, "small:", err)
		os.Exit(1)
	}
}

// encodings are assigned to the matrices in turn.
var encodings = []quant.Encoding{"Q8_0", "Q5_0", "Q4_K", "Q6_K"}

func write(path string) error {
	c := causal.Config{
		NumLayers: 2, HiddenSize: 256, Heads: 4, KVHeads: 2, HeadDim: 64, IntermediateSize: 512, VocabSize: 512,
		QKNorm: true, PostNorm: true, OutputKey: "token_embd.weight",
	}
	pairs := []gguf.Pair{{Key: "general.architecture", Value: "gemma3"}}
	for _, p := range []struct {
		key   string
		value any
	}{
		{"block_count", uint32(c.NumLayers)}, {"embedding_length", uint32(c.HiddenSize)}, {"feed_forward_length", uint32(c.IntermediateSize)},
		{"attention.head_count", uint32(c.Heads)}, {"attention.head_count_kv", uint32(c.KVHeads)}, {"attention.key_length", uint32(c.HeadDim)},
		{"attention.value_length", uint32(c.HeadDim)}, {"attention.sliding_window", uint32(8)}, {"attention.sliding_window_pattern", uint32(2)},
		{"attention.layer_norm_rms_epsilon", float32(1e-6)}, {"rope.freq_base", float32(1e6)}, {"context_length", uint32(64)},
	} {
		pairs = append(pairs, gguf.Pair{Key: "gemma3." + p.key, Value: p.value})
	}
	r := rand.New(rand.NewPCG(3, 270))
	var items []gguf.Item
	matrices := 0
	for _, spec := range c.Tensors() {
		n, err := spec.Shape.Elements()
		if err != nil {
			return err
		}
		data := make([]float32, n)
		var stored []byte
		if spec.Shape.Rank() == 1 { // a norm
			for i := range data {
				data[i] = float32(1 + 0.1*r.NormFloat64())
			}
			v, err := tensor.Of(data, n)
			if err != nil {
				return err
			}
			stored = v.Bytes
		} else {
			for i := range data {
				data[i] = float32(r.NormFloat64()) / 16
			}
			spec.Encoding = encodings[matrices%len(encodings)]
			matrices++
			size, err := spec.Encoding.Size(n)
			if err != nil {
				return err
			}
			stored = make([]byte, size)
			if err := quant.Pack(spec.Encoding, stored, data); err != nil {
				return err
			}
		}
		spec.Bytes = int64(len(stored))
		items = append(items, gguf.Item{Spec: spec, Open: func() (io.Reader, error) { return bytes.NewReader(stored), nil }})
	}
	_, err := gguf.Write(path, pairs, items, gguf.Options{NoSync: true})
	return err
}
