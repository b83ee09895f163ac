package causal

import (
	"math"
	"slices"
	"strconv"

	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
)

// Codes of this package. The smallest input that causes each:
const (
	CodeFormat       errs.Code = "CAUSAL_FORMAT"       // weights in another format than GGUF
	CodeArchitecture errs.Code = "CAUSAL_ARCHITECTURE" // a GGUF file of another architecture
	CodeKey          errs.Code = "CAUSAL_KEY"          // a key is missing or has an impossible value
	CodeTensor       errs.Code = "CAUSAL_TENSOR"       // a tensor has another shape than the keys say, or is one too many
	CodeEncoding     errs.Code = "CAUSAL_ENCODING"     // a tensor is stored in blocks of a type that is not known
	CodeContext      errs.Code = "CAUSAL_CONTEXT"      // a context below 1, or beyond what the model was trained for
	CodeLayers       errs.Code = "CAUSAL_LAYERS"       // a cut of no layers, or of more than the model has
)

// Bounds of what a header may say, far above any model: a number beyond one is a
// damaged file, and no loop runs up to it.
const (
	maxLayers = 1 << 10
	maxSize   = 1 << 24
)

// Header reads a model's settings from the metadata of a GGUF file. The first
// mistake stays: see Check.
type Header struct {
	index *tensor.Index
	arch  string
	spare []string // tensors that a model may leave out
	read  map[string]bool
	err   error
}

// NewHeader reads keys of the form "ARCH.NAME" of a file of that architecture.
func NewHeader(x *tensor.Index, arch string) *Header {
	h := &Header{index: x, arch: arch, read: map[string]bool{}}
	got, ok := x.Metadata["general.architecture"]
	switch {
	case x.Format != "gguf":
		h.err = errs.New(CodeFormat, "the weights are of format %q; this model reads gguf", x.Format).On("general.architecture")
	case !ok:
		h.err = errs.New(CodeArchitecture, "the file does not say of which architecture it is").On("general.architecture")
	case got != arch:
		h.err = errs.New(CodeArchitecture, "the file is of architecture %q, this model is %q", got, arch).On("general.architecture").
			Hint("use the model of that architecture, or another file")
	}
	return h
}

// Fail records a mistake of a key; the first of all stays.
func (h *Header) Fail(key, what string, args ...any) {
	if h.err == nil {
		h.err = errs.New(CodeKey, what, args...).On(h.arch + "." + key).Hint("list the keys with: skainet inspect FILE")
	}
}

// Has reports whether the file has a key.
func (h *Header) Has(key string) bool {
	_, number := h.integer(key)
	_, text := h.text(key)
	return number || text
}

// integer returns an integer or bool of the metadata, and text any other value.
func (h *Header) integer(key string) (int64, bool) {
	h.read[key] = true
	n, ok := h.index.Scalars[h.arch+"."+key]
	return n, ok
}

func (h *Header) text(key string) (string, bool) {
	h.read[key] = true
	s, ok := h.index.Metadata[h.arch+"."+key]
	return s, ok
}

// WasRead reports whether a key has been looked at.
func (h *Header) WasRead(key string) bool { return h.read[key] }

// Err returns the first mistake so far.
func (h *Header) Err() error { return h.err }

// Flag returns a bool, or otherwise where the file has no such key.
func (h *Header) Flag(key string, otherwise bool) bool {
	n, ok := h.integer(key)
	if !ok {
		if h.Has(key) {
			h.Fail(key, "the value is %q, not a bool", h.Text(key))
		}
		return otherwise
	}
	return n != 0
}

// Zero reports whether a key is the integer 0.
func (h *Header) Zero(key string) bool {
	n, ok := h.integer(key)
	return ok && n == 0
}

// Size returns a number of 1 or more that the file must have.
func (h *Header) Size(key string) int64 {
	n, ok := h.integer(key)
	if !ok {
		if text, other := h.text(key); other {
			h.Fail(key, "the value is %q, not an integer", text)
		}
		h.Fail(key, "the file has no such key")
		return 1
	}
	if n < 1 || n > maxSize {
		h.Fail(key, "the value %d is not between 1 and %d", n, maxSize)
		return 1
	}
	return n
}

// SizeOr is Size of a key that may be missing.
func (h *Header) SizeOr(key string, otherwise int64) int64 {
	if !h.Has(key) {
		return otherwise
	}
	return h.Size(key)
}

// first returns the first of two keys that the file has; the first of all where it has
// neither.
func (h *Header) first(key, other string) string {
	if !h.Has(key) && h.Has(other) {
		return other
	}
	return key
}

// Number returns a float above 0 that the file must have; programs compute in f32, so
// that one which rounds to 0 or infinity there is refused.
func (h *Header) Number(key string) float64 {
	text, ok := h.text(key)
	if n, whole := h.integer(key); whole {
		text, ok = strconv.FormatInt(n, 10), true
	}
	if !ok {
		h.Fail(key, "the file has no such key")
		return 1
	}
	v, err := strconv.ParseFloat(text, 64)
	if f := float32(v); err != nil || !(f > 0) || f > math.MaxFloat32 {
		h.Fail(key, "the value is %q, not a number above 0 in the range of f32", text)
		return 1
	}
	return v
}

// NumberOr is Number of a key that may be missing.
func (h *Header) NumberOr(key string, otherwise float64) float64 {
	if !h.Has(key) {
		return otherwise
	}
	return h.Number(key)
}

// Numbers returns a number for each layer of c, which must all be in the range of f32: those
// of a list, under the architecture or not, or one for all.
func (h *Header) Numbers(c *Config, key string) []float64 {
	h.read[key] = true
	list, listed := h.index.Lists[h.arch+"."+key]
	if !listed {
		list, listed = h.index.Lists[key]
	}
	if !listed {
		return slices.Repeat([]float64{h.Number(key)}, int(c.NumLayers))
	}
	if int64(len(list)) != c.NumLayers {
		h.Fail(key, "%d numbers for %d layers", len(list), c.NumLayers)
		return make([]float64, c.NumLayers)
	}
	for _, v := range list {
		if math.Abs(v) > math.MaxFloat32 {
			h.Fail(key, "the number %g is beyond f32", v)
		}
	}
	return list
}

// Text returns a string; "" where the file has no such key.
func (h *Header) Text(key string) string {
	s, _ := h.text(key)
	return s
}

// Refuse records a mistake if the file has a key with another value than these, all
// of which this code can do without looking at it.
func (h *Header) Refuse(key string, but ...string) {
	got := h.Text(key)
	if n, number := h.integer(key); number {
		got = strconv.FormatInt(n, 10)
	}
	for _, ok := range append(but, "") {
		if got == ok {
			return
		}
	}
	h.Fail(key, "the value %q is not supported", got)
}

// Sizes reads what all architectures have: sizes, heads, the vocabulary and the
// context, which is the smaller of DefaultContext and what the model was trained
// for where context is 0.
func (h *Header) Sizes(context int64) Config {
	c := Config{
		NumLayers: h.Size("block_count"), HiddenSize: h.Size("embedding_length"), IntermediateSize: h.most("feed_forward_length"),
		Heads: h.most("attention.head_count"), MaxPositions: h.Size("context_length"),
		Epsilon:     h.Number(h.first("attention.layer_norm_rms_epsilon", "attention.layer_norm_epsilon")),
		GlobalEvery: 1, EmbeddingScale: 1, OutputKey: "token_embd.weight",
	}
	if c.NumLayers > maxLayers {
		h.Fail("block_count", "the value %d is above %d", c.NumLayers, maxLayers)
		c.NumLayers = 1 // what follows goes through them
	}
	if c.Heads == 0 { // no layer has attention
		c.Heads, c.KVHeads, c.HeadDim = 1, 1, 2
		c.Layers = slices.Repeat([]LayerSizes{{IntermediateSize: c.IntermediateSize}}, int(c.NumLayers))
		h.context(&c, context)
		return c
	}
	if !h.Has("attention.key_length") && c.HiddenSize%c.Heads != 0 {
		h.Fail("attention.head_count", "%d heads do not divide a hidden size of %d", c.Heads, c.HiddenSize)
	}
	c.HeadDim = h.SizeOr("attention.key_length", max(c.HiddenSize/c.Heads, 1))
	keys := c.Heads
	if h.Has("attention.head_count_kv") {
		keys = h.most("attention.head_count_kv")
	}
	c.KVHeads = max(keys, 1)
	h.layers(&c, keys)
	switch {
	case len(c.Layers) == 0 && c.Heads%c.KVHeads != 0:
		h.Fail("attention.head_count_kv", "%d heads of keys do not divide %d of queries", c.KVHeads, c.Heads)
	case c.HeadDim%2 != 0:
		h.Fail("attention.key_length", "the head size %d is odd, and rotary embeddings rotate pairs", c.HeadDim)
	case h.SizeOr("attention.value_length", c.HeadDim) != c.HeadDim && !h.Has("attention.kv_lora_rank"):
		h.Fail("attention.value_length", "values of %d elements for keys of %d", h.Size("attention.value_length"), c.HeadDim)
	}
	if n := h.SizeOr("rope.dimension_count", c.HeadDim); n > c.HeadDim || n%2 != 0 {
		h.Fail("rope.dimension_count", "%d of %d elements of a head are rotated: a number of pairs is needed", n, c.HeadDim)
	} else if n != c.HeadDim {
		c.Block.RotaryDims = n
	}
	c.AttentionScale = 1 / math.Sqrt(float64(c.HeadDim))
	h.context(&c, context)
	return c
}

// context fills in the positions of the caches.
func (h *Header) context(c *Config, context int64) {
	c.Context = context
	if context == 0 {
		c.Context = min(DefaultContext, c.MaxPositions)
	}
	if h.err == nil && (c.Context < 1 || c.Context > c.MaxPositions) {
		h.err = errs.New(CodeContext, "a context of %d positions; the model was trained for %d", c.Context, c.MaxPositions).
			On(h.arch+".context_length").Hint("choose 1 to %d positions", c.MaxPositions)
	}
}

// Check compares the tensors with the config, whose VocabSize it fills in, and returns
// the first mistake of header or tensors.
func (h *Header) Check(c *Config) error {
	var err error
	if c.VocabSize, err = h.Vocabulary(c.HiddenSize); err != nil {
		return err
	}
	if h.HasTensor("output.weight") {
		c.OutputKey = "output.weight"
	}
	return h.CheckTensors(c.Tensors())
}

// Vocabulary returns the number of tokens, which is that of the rows of the embedding
// table, or the first mistake so far.
func (h *Header) Vocabulary(hiddenSize int64) (int64, error) {
	if h.err != nil {
		return 0, h.err
	}
	embedding, err := h.index.Lookup("token_embd.weight")
	if err != nil {
		return 0, err
	}
	if embedding.Shape.Rank() != 2 || !embedding.Shape.IsStatic() || embedding.Shape[0].Size < 1 {
		return 0, errs.New(CodeTensor, "the tensor has shape %s, want [V, %d]", embedding.Shape, hiddenSize).On("token_embd.weight")
	}
	return embedding.Shape[0].Size, nil
}

// CheckTensors compares the tensors with those that a model reads, and returns the first
// mistake of header or tensors.
func (h *Header) CheckTensors(want []tensor.Spec) error {
	if h.err != nil {
		return h.err
	}
	used := map[string]bool{}
	for _, w := range want {
		used[w.Name] = true
		s, err := h.index.Lookup(w.Name)
		if err != nil {
			return err
		}
		if !s.Shape.Equal(w.Shape) {
			return errs.New(CodeTensor, "the tensor has shape %s, the settings of the file say %s", s.Shape, w.Shape).On(w.Name)
		}
		_, block := s.Encoding.Block()
		if !s.Encoding.IsDense() && !block || s.DType != dtype.F32 && s.DType != dtype.F16 && s.DType != dtype.BF16 {
			return errs.New(CodeEncoding, "the tensor is stored as %s (%s), which is not known here", s.Encoding, s.DType).On(w.Name).
				Hint("convert the file: skainet convert")
		}
	}
	for _, s := range h.index.Tensors {
		if !used[s.Name] && !slices.Contains(h.spare, s.Name) {
			return errs.New(CodeTensor, "the file has a tensor that this model does not use").On(s.Name).
				Hint("it is a variant of the architecture whose results would be wrong here")
		}
	}
	return nil
}
