package plan

import (
	"fmt"

	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/io/gguf"
	"github.com/skainet-dev/skainet-go/tensor"
)

// Cache describes the keys and values that a decoder keeps.
type Cache struct {
	Architecture string `json:"architecture"`
	Layers       int64  `json:"layers"`
	Context      int64  `json:"context"` // positions
	Sequences    int64  `json:"sequences"`
	// PerPosition is the elements of one position in all layers.
	PerPosition int64 `json:"per_position"`
	// Bytes is the cache with f16 elements, every position of every layer.
	Bytes int64 `json:"bytes"`
	// WithWindow is the same where layers with a sliding window keep only that; 0
	// if there is none, or if it is unknown which layers have one.
	WithWindow int64 `json:"with_window,omitempty"`
	Window     int64 `json:"window,omitempty"`
}

// elementBytes is the size of an element of the cache, an f16.
const elementBytes = 2

// maxLayers bounds the walk over layers; no model is near it.
const maxLayers = 1 << 16

// patterns are the architectures whose files do not say which layers have no
// window: layer i of those with i % n == n-1 is global. Source: the
// constants of llama.cpp and of the models' own configurations.
var patterns = map[string]int64{"gemma2": 2, "gemma3": 6}

// settings are the numbers of a file's header.
type settings struct {
	path  string
	pairs *gguf.File
	x     *tensor.Index
}

// cache returns nil where the header does not describe a decoder.
func (c *counter) cache(s settings, o Options) (*Cache, error) {
	arch := s.x.Metadata["general.architecture"]
	if arch == "" || s.pairs == nil {
		return nil, nil
	}
	key := func(name string) string { return arch + "." + name }
	layers, known := s.x.Scalars[key("block_count")]
	heads, ok := s.x.Scalars[key("attention.head_count")]
	if !known || !ok {
		return nil, nil
	}
	fail := func(name string, n int64) error {
		return errs.New(CodeValue, "invalid value %d", n).In(s.path).On(key(name)).Hint("the header is damaged, or of another kind of model")
	}
	if layers < 1 || layers > maxLayers {
		return nil, fail("block_count", layers)
	}
	if heads < 1 {
		return nil, fail("attention.head_count", heads)
	}
	width := s.x.Scalars[key("embedding_length")] / heads // of a head, where the file does not say
	sizes := map[string]int64{"attention.key_length": width, "attention.value_length": width, "context_length": 0, "attention.sliding_window": 0}
	for name := range sizes {
		if n, ok := s.x.Scalars[key(name)]; ok {
			sizes[name] = n
		}
		if n := sizes[name]; n < 0 {
			return nil, fail(name, n)
		}
	}
	kv, err := s.headsKV(key("attention.head_count_kv"), layers, heads)
	if err != nil {
		return nil, err
	}
	r := &Cache{Architecture: arch, Layers: layers, Context: o.Context, Sequences: max(o.Sequences, 1)}
	if r.Context == 0 {
		r.Context = sizes["context_length"]
	}
	pattern := patterns[arch]
	if n, ok := s.x.Scalars[key("attention.sliding_window_pattern")]; ok {
		pattern = n
	}
	r.Window = sizes["attention.sliding_window"]
	head := c.add(sizes["attention.key_length"], sizes["attention.value_length"])
	var windowed int64
	for i, n := range kv {
		elements := c.mul(n, head)
		r.PerPosition = c.add(r.PerPosition, elements)
		positions := r.Context
		if pattern > 0 && int64(i)%pattern != pattern-1 {
			positions = min(positions, r.Window)
		}
		windowed = c.add(windowed, c.mul(elements, positions, elementBytes, r.Sequences))
	}
	r.Bytes = c.mul(r.PerPosition, r.Context, elementBytes, r.Sequences)
	if r.Window > 0 && pattern > 0 {
		r.WithWindow = windowed
	}
	return r, nil
}

// headsKV returns the number of KV heads of each layer: one number for all, an
// array with one per layer, or the number of query heads.
func (s settings) headsKV(key string, layers, heads int64) ([]int64, error) {
	kv := make([]int64, layers)
	for i := range kv {
		kv[i] = heads
	}
	bad := func(why string, args ...any) error {
		return errs.New(CodeValue, "%s", fmt.Sprintf(why, args...)).In(s.path).On(key).
			Hint("the header is damaged, or of another kind of model")
	}
	v, ok := s.pairs.Get(key)
	if !ok {
		return kv, nil
	}
	if a, err := v.Array(); err == nil {
		if a.Len() != layers {
			return nil, bad("%d numbers for %d layers", a.Len(), layers)
		}
		if kv, err = gguf.Collect(a.Ints()); err != nil {
			return nil, err
		}
	} else {
		n, err := v.Int()
		if err != nil {
			return nil, err
		}
		for i := range kv {
			kv[i] = n
		}
	}
	for _, n := range kv {
		if n < 0 {
			return nil, bad("%d heads", n)
		}
	}
	return kv, nil
}
