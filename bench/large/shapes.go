package main

import (
	"fmt"
	"io"
	"os"

	"github.com/skainet-dev/skainet-go/io/gguf"
	"github.com/skainet-dev/skainet-go/lang/nn/causal"
	"github.com/skainet-dev/skainet-go/tensor/quant"
)

// shape is the sizes of a model of the Llama architecture.
type shape struct {
	name   string
	config causal.Config
}

func sizes(layers, width, heads, groups, feedForward, vocabulary int64) causal.Config {
	return causal.Config{
		NumLayers: layers, HiddenSize: width, Heads: heads, KVHeads: groups, HeadDim: width / heads,
		IntermediateSize: feedForward, VocabSize: vocabulary, OutputKey: "output.weight",
	}
}

// shapes are those of well-known models, from small to large; the first is made up.
// The sizes are those of the published configurations.
var shapes = []shape{
	{"10M", sizes(6, 256, 4, 4, 768, 8192)},
	{"135M", sizes(30, 576, 9, 3, 1536, 49152)},    // SmolLM2 135M
	{"360M", sizes(32, 960, 15, 5, 2560, 49152)},   // SmolLM2 360M
	{"1B", sizes(22, 2048, 32, 4, 5632, 32000)},    // TinyLlama 1.1B
	{"3B", sizes(28, 3072, 24, 8, 8192, 128256)},   // Llama 3.2 3B
	{"7B", sizes(32, 4096, 32, 32, 11008, 32000)},  // Llama 2 7B
	{"13B", sizes(40, 5120, 40, 40, 13824, 32000)}, // Llama 2 13B
	{"70B", sizes(80, 8192, 64, 8, 28672, 32000)},  // Llama 2 70B
}

// parameters counts the elements of all tensors.
func (s shape) parameters() (total int64, err error) {
	for _, t := range s.config.Tensors() {
		n, err := t.Shape.Elements()
		if err != nil {
			return 0, err
		}
		total += n
	}
	return total, nil
}

// write makes a GGUF file whose tensors are zeros that take no place on the disk,
// matrices in blocks of Q4_K or, where a row is not a multiple of 256, of Q4_0.
func (s shape) write(path string) error {
	c := s.config
	pairs := []gguf.Pair{{Key: "general.architecture", Value: "llama"}}
	for _, p := range []struct {
		key   string
		value any
	}{
		{"block_count", uint32(c.NumLayers)}, {"embedding_length", uint32(c.HiddenSize)}, //nolint:gosec // sizes of the table
		{"feed_forward_length", uint32(c.IntermediateSize)}, {"attention.head_count", uint32(c.Heads)}, //nolint:gosec // as above
		{"attention.head_count_kv", uint32(c.KVHeads)}, {"rope.dimension_count", uint32(c.HeadDim)}, //nolint:gosec // as above
		{"attention.layer_norm_rms_epsilon", float32(1e-5)}, {"rope.freq_base", float32(10000)},
		{"context_length", uint32(4096)}, {"vocab_size", uint32(c.VocabSize)}, //nolint:gosec // as above
	} {
		pairs = append(pairs, gguf.Pair{Key: "llama." + p.key, Value: p.value})
	}
	var items []gguf.Item
	for _, spec := range c.Tensors() {
		n, err := spec.Shape.Elements()
		if err != nil {
			return err
		}
		spec.Bytes = n * 4
		if spec.Shape.Rank() > 1 {
			spec.Encoding = quant.Encoding("Q4_K")
			if spec.Shape[len(spec.Shape)-1].Size%256 != 0 {
				spec.Encoding = "Q4_0"
			}
			size, err := spec.Encoding.Size(n)
			if err != nil {
				return err
			}
			spec.Bytes = size
		}
		hole := hole{spec.Bytes}
		items = append(items, gguf.Item{Spec: spec, Open: func() (io.Reader, error) { return &hole, nil }})
	}
	f, err := os.Create(path) //nolint:gosec // in the benchmark's own folder
	if err != nil {
		return err
	}
	w := &sparse{file: f}
	if err = gguf.Encode(w, pairs, items, gguf.Options{}); err == nil {
		err = f.Truncate(w.size)
	}
	if closed := f.Close(); err == nil {
		err = closed
	}
	return err
}

// sparse writes a file with holes in place of the bytes of a hole.
type sparse struct {
	file *os.File
	size int64
}

func (s *sparse) Write(p []byte) (int, error) {
	n, err := s.file.WriteAt(p, s.size)
	s.size += int64(n)
	return n, err
}

// hole is a reader of that many zeros.
type hole struct{ left int64 }

// Remaining tells the writer of GGUF to call WriteTo.
func (h *hole) Remaining() int64 { return h.left }

func (h *hole) WriteTo(w io.Writer) (int64, error) {
	s, ok := w.(*sparse)
	if !ok {
		return 0, fmt.Errorf("a hole is written to a %T", w)
	}
	n := h.left
	s.size += n
	h.left = 0
	return n, nil
}

func (h *hole) Read(p []byte) (int, error) {
	if h.left == 0 {
		return 0, io.EOF
	}
	n := min(int64(len(p)), h.left)
	clear(p[:n])
	h.left -= n
	return int(n), nil
}
