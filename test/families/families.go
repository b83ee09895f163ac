// Package families makes small GGUF files of the families of language models: true keys and
// tensor names, and numbers that depend only on a tensor's name. record.py runs llama.cpp
// on them, and testdata/logits.json holds what it gave.
package families

import (
	"bytes"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"

	"github.com/skainet-dev/skainet-go/io/gguf"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/quant"
)

// Family is a small model.
type Family struct {
	Name, Architecture string
	layers             int
	pairs              []gguf.Pair // without "ARCHITECTURE.": next to those that all have, or in place of them
	tensors            []string    // "NAME SIZES"; those of blocks begin with a dot
	// Encoding is how matrices of linear layers are stored; "" is f32.
	Encoding quant.Encoding
	// Enlarges is true of a model that makes more of a small difference than others: a change
	// of the embeddings by 2e-4 of them changes its logits by 0.05 to 0.5.
	Enlarges bool

	ternary   bool // matrices hold -1, 0 and 1, times one number
	tokenizer []gguf.Pair
}

// sizes are the letters that tensors' sizes are written with.
var sizes = map[string]int64{
	"V": 48, "D": 64, "F": 96, "2F": 192, "Q": 64, "K": 32, "QKV": 128, "MQA": 96, "H": 4, "G": 2, "d": 16, "W": 128, "WK": 64,
	"P": 256, "E": 4, "X": 32, "S": 32, "r": 8, "B": 256, "T": 2, "1": 1, "3": 3, "8": 8, "24": 24, "32": 32, "40": 40,
	"2D": 128, "160": 160, "256": 256, "328": 328, "1280": 1280, "6400": 6400, "16": 16, "4": 4,
}

// Layers is the number of blocks of most files.
const Layers = 2

// Context is the number of positions that the caches have on both sides.
const Context = 256

// noVocabulary is the pairs of a file without a tokenizer.
var noVocabulary = []gguf.Pair{
	{Key: "tokenizer.ggml.token_type_count", Value: uint32(2)}, {Key: "tokenizer.ggml.model", Value: "no_vocab"},
}

// With returns the family with other pairs: of the tokenizer, in place of none, and others
// whose keys do not begin with the architecture.
func (f Family) With(pairs ...gguf.Pair) Family {
	f.tokenizer = pairs
	return f
}

// metadata returns the pairs of the file.
func (f Family) metadata() []gguf.Pair {
	list := []gguf.Pair{
		{Key: "block_count", Value: uint32(Layers)}, {Key: "context_length", Value: uint32(512)}, {Key: "embedding_length", Value: uint32(64)},
		{Key: "feed_forward_length", Value: uint32(96)}, {Key: "attention.head_count", Value: uint32(4)},
		{Key: "attention.head_count_kv", Value: uint32(2)}, {Key: "vocab_size", Value: uint32(48)},
	}
	for _, p := range f.pairs {
		i := 0
		for i < len(list) && list[i].Key != p.Key {
			i++
		}
		if i < len(list) {
			list[i] = p
		} else {
			list = append(list, p)
		}
	}
	all := []gguf.Pair{{Key: "general.architecture", Value: f.Architecture}}
	if all = append(all, f.tokenizer...); f.tokenizer == nil {
		all = append(all, noVocabulary...)
	}
	for _, p := range list {
		all = append(all, gguf.Pair{Key: f.Architecture + "." + p.Key, Value: p.Value})
	}
	return all
}

// Encode returns the file.
func (f Family) Encode() ([]byte, error) {
	var items []gguf.Item
	for _, line := range f.tensors {
		name, dims, _ := strings.Cut(line, " ")
		if !strings.HasPrefix(name, ".") {
			items = append(items, f.item(name, dims))
			continue
		}
		for i := range f.layers {
			items = append(items, f.item("blk."+strconv.Itoa(i)+name, dims))
		}
	}
	var b bytes.Buffer
	if err := gguf.Encode(&b, f.metadata(), items, gguf.Options{}); err != nil {
		return nil, fmt.Errorf("%s: %w", f.Name, err)
	}
	return b.Bytes(), nil
}

func (f Family) item(name, dims string) gguf.Item {
	var shape []int64
	n := int64(1)
	for _, letter := range strings.Fields(dims) {
		shape = append(shape, sizes[letter])
		n *= sizes[letter]
	}
	list := values(name, n, shape)
	matrix := len(shape) > 1 && !strings.Contains(name, "norm") && !strings.Contains(name, "embd") && !strings.Contains(name, "gate_inp") &&
		!strings.HasSuffix(name, ".bias")
	if f.ternary && matrix {
		for i, v := range list {
			list[i] = 0
			if math.Abs(float64(v)) > 0.5/math.Sqrt(float64(shape[len(shape)-1])) { // most of them
				list[i] = float32(math.Copysign(1.0/16, float64(v)))
			}
		}
	}
	v, err := tensor.Of(list, shape...)
	if err != nil {
		panic(err) // a size that is no letter of the table
	}
	s := tensor.Spec{Name: name, DType: v.Type.DType, Shape: v.Type.Shape}
	if !f.Encoding.IsDense() && matrix {
		size, err := f.Encoding.Size(n)
		if err != nil {
			panic(err) // rows that are not whole blocks
		}
		s.Encoding, v.Bytes = f.Encoding, make([]byte, size)
		if err := quant.Pack(f.Encoding, v.Bytes, list); err != nil {
			panic(err) // an encoding that has no packer
		}
	}
	if s.Encoding == quant.I2S { // its number is not one of ggml's
		s.Encoding = quant.Opaque("ggml-36")
	}
	s.Bytes = int64(len(v.Bytes))
	return gguf.Item{Spec: s, Open: func() (io.Reader, error) { return bytes.NewReader(v.Bytes), nil }}
}

// values returns numbers that suit a tensor: norms and factors are about 1, biases small,
// and matrices keep the size of what they multiply.
func values(name string, n int64, shape []int64) []float32 {
	list := hashed(name, n)
	scale, shift := 1.0, 0.0
	switch {
	case strings.Contains(name, "norm") && !strings.HasSuffix(name, ".bias"), strings.HasSuffix(name, ".scale"):
		scale, shift = 0.25, 1
	case strings.HasSuffix(name, ".ssm_a"): // memories fade
		scale, shift = 0.5, -0.75
	case strings.HasPrefix(name, "rope_"):
		scale, shift = 1, 3
	case strings.HasSuffix(name, ".bias"):
		scale = 0.25
	case !strings.Contains(name, "embd"):
		scale = 1.75 / math.Sqrt(float64(shape[len(shape)-1]))
	}
	for i, v := range list {
		list[i] = float32(float64(v)*scale + shift)
	}
	return list
}

// hashed returns -1 to 1 by a hash of name and place (the last steps are those of
// MurmurHash3).
func hashed(name string, n int64) []float32 {
	h := uint32(2166136261)
	for i := range len(name) {
		h = (h ^ uint32(name[i])) * 16777619
	}
	list := make([]float32, n)
	for i := range list {
		x := uint32(i)*2654435761 + h
		x ^= x >> 16
		x *= 0x85ebca6b
		x ^= x >> 13
		x *= 0xc2b2ae35
		x ^= x >> 16
		list[i] = float32(float64(x)/(1<<31) - 1)
	}
	return list
}
