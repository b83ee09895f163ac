package causal

import (
	"fmt"
	"math"
	"slices"

	"github.com/skainet-dev/skainet-go/lang"
)

// LayerSizes are the sizes of one layer, of a model whose layers differ.
type LayerSizes struct {
	Heads            int64 // of queries; 0 means no attention
	KVHeads          int64 // of keys and values; 0 means that attention is its last projection alone
	IntermediateSize int64 // 0 means no feed-forward layer, and nothing at all
}

// layerSizes returns those of a layer of the file.
func (c Config) layerSizes(i int64) LayerSizes {
	if len(c.Layers) == 0 {
		return LayerSizes{c.Heads, c.KVHeads, c.IntermediateSize}
	}
	return c.Layers[i]
}

// heads is what the functions of attention depend on.
type heads struct {
	global        bool
	queries, keys int64 // numbers of heads
	size, turned  int64 // elements of a head, and the first of them that are turned
	shared        bool  // keys and values are another layer's
}

func (c Config) attention(global bool) Attention {
	if global {
		return c.Global
	}
	return c.Local
}

// kind returns the heads of layers of these sizes.
func (c Config) kind(global bool, s LayerSizes) heads {
	a := c.attention(global)
	h := heads{global: global, queries: s.Heads, keys: s.KVHeads, size: c.HeadDim, turned: c.rotated()}
	if a.HeadDim != 0 {
		h.size, h.turned = a.HeadDim, a.HeadDim
	}
	if a.RotaryDims != 0 {
		h.turned = a.RotaryDims
	}
	return h
}

// headsOf returns those of a layer of the file.
func (c Config) headsOf(i int64) heads {
	h := c.kind(c.IsGlobal(i), c.layerSizes(i))
	h.shared = c.isShared(i)
	return h
}

// hasLocal reports whether there are layers with a window.
func (c Config) hasLocal() bool { return c.GlobalEvery > 1 || slices.Contains(c.GlobalList, false) }

// kinds lists the heads that the model's layers have.
func (w *model) kinds() []heads {
	var list []heads
	if len(w.Layers) == 0 && w.SharedFrom == 0 {
		if w.hasLocal() {
			list = append(list, w.kind(false, w.layerSizes(0)))
		}
		return append(list, w.kind(true, w.layerSizes(0)))
	}
	for i := range w.NumLayers {
		if h := w.headsOf(w.FirstLayer + i); h.keys > 0 && h.queries > 0 && !slices.Contains(list, h) {
			list = append(list, h)
		}
	}
	return list
}

// turnKind is what the function before attention depends on of h.
func (w *model) turnKind(h heads) heads {
	if w.Block.QKNorm != QKNormPlain && w.Global.Temperature == w.Local.Temperature {
		h.global = true
	}
	return h
}

// intermediateSizes lists those of the layers that have a feed-forward layer other than
// experts.
func (w *model) intermediateSizes() []int64 {
	var list []int64
	for i := range w.NumLayers {
		n := w.layerSizes(w.FirstLayer + i).IntermediateSize
		if (!w.HasExperts(w.FirstLayer+i) || w.Experts.Beside) && n > 0 && !slices.Contains(list, n) {
			list = append(list, n)
		}
	}
	return list
}

// numbered names functions of one kind: the first plainly.
func numbered(what string, i int) string {
	if i == 0 {
		return what
	}
	return fmt.Sprintf("%s_%d", what, i+1)
}

// attentions makes the functions of attention of all kinds.
func (w *model) attentions(v *variant, function func(what string, build func(f *lang.Func)) lang.Callee) {
	v.turns, v.attentions = map[heads]lang.Callee{}, map[heads]lang.Callee{}
	count := map[string]int{}
	for _, h := range w.kinds() {
		what := map[bool]string{false: "local", true: "global"}[h.global]
		if h.shared {
			v.attentions[h] = function(numbered("shared_"+what, count["shared_"+what]), func(f *lang.Func) { w.attendShared(f, v.rows, h) })
			count["shared_"+what]++
			continue
		}
		if t := w.turnKind(h); v.turns[t] == (lang.Callee{}) {
			v.turns[t] = function(numbered("turn", len(v.turns)), func(f *lang.Func) { w.turn(f, v.rows, t) })
		}
		v.attentions[h] = function(numbered(what, count[what]), func(f *lang.Func) { w.attend(f, *v, h) })
		count[what]++
	}
}

// most is Size of a key that may be a list with a number for each layer: the greatest. It may
// be 0 of a model whose layers have memories.
func (h *Header) most(key string) int64 {
	list, listed := h.index.Lists[h.arch+"."+key]
	if !listed {
		if h.Zero(key) && h.Has(recurrentKey) {
			return 0
		}
		return h.Size(key)
	}
	h.read[key] = true
	n := slices.Max(list)
	if n < 1 || n > maxSize || n != math.Trunc(n) {
		h.Fail(key, "the greatest value %g is not an integer between 1 and %d", n, maxSize)
		return 1
	}
	return int64(n)
}

// layers fills in the sizes of each layer where a key is a list of numbers that differ, or
// no layer has heads of keys.
func (h *Header) layers(c *Config, keys int64) {
	if h.err != nil {
		return
	}
	all := make([]LayerSizes, c.NumLayers)
	differ := keys != c.KVHeads
	for _, column := range []struct {
		key   string
		usual int64
		of    func(s *LayerSizes) *int64
	}{
		{"attention.head_count", c.Heads, func(s *LayerSizes) *int64 { return &s.Heads }},
		{"attention.head_count_kv", keys, func(s *LayerSizes) *int64 { return &s.KVHeads }},
		{"feed_forward_length", c.IntermediateSize, func(s *LayerSizes) *int64 { return &s.IntermediateSize }},
	} {
		list, listed := h.index.Lists[h.arch+"."+column.key]
		if listed && int64(len(list)) < c.NumLayers {
			h.Fail(column.key, "%d numbers for %d layers", len(list), c.NumLayers)
			return
		}
		for i := range all {
			n := column.usual
			if listed {
				n = int64(list[i])
			}
			if n < 0 || n > maxSize {
				h.Fail(column.key, "the value %d of layer %d is not between 0 and %d", n, i, maxSize)
				return
			}
			*column.of(&all[i]) = n
			differ = differ || n != column.usual
		}
	}
	for i, s := range all {
		switch {
		case s.KVHeads > 0 && s.Heads%s.KVHeads != 0:
			h.Fail("attention.head_count_kv", "%d heads of keys do not divide %d of queries in layer %d", s.KVHeads, s.Heads, i)
		case s.Heads > 0 && s.IntermediateSize == 0 && !h.Has(recurrentKey):
			h.Fail("feed_forward_length", "layer %d has attention and no feed-forward layer", i)
		}
	}
	if differ {
		c.Layers = all
	}
}

// Kinds reads which layers are global: every Nth, of the number that the key says or this
// one, or those of a list in which it is 0. There is no default where N is 0.
func (h *Header) Kinds(c *Config, key string, every int64) {
	list, listed := h.index.Lists[h.arch+"."+key]
	switch {
	case !listed && every == 0:
		c.GlobalEvery = h.Size(key)
	case !listed:
		c.GlobalEvery = h.SizeOr(key, every)
	case int64(len(list)) < c.NumLayers:
		h.Fail(key, "%d flags for %d layers", len(list), c.NumLayers)
	default:
		h.read[key] = true
		for _, local := range list {
			c.GlobalList = append(c.GlobalList, local == 0)
		}
	}
}

// Share reads how many of the last layers read keys and values of others: of this number of
// layers on, which the key must agree with, or else of those that the key says. Tensors of
// theirs that files have are not used.
func (h *Header) Share(c *Config, key string, from int64) {
	n := c.NumLayers - from
	if from == 0 {
		n = 0
	}
	if h.Has(key) && !h.Zero(key) {
		said := h.Size(key)
		if from != 0 && said != max(n, 0) {
			h.Fail(key, "%d of %d layers: the model's own code has those from layer %d on", said, c.NumLayers, from)
		}
		n = said
	}
	if n <= 0 {
		return
	}
	c.SharedFrom = c.NumLayers - n
	kinds := map[bool]bool{}
	for i := range max(c.SharedFrom, 0) {
		kinds[c.IsGlobal(i)] = true
	}
	if c.SharedFrom < 2 || !kinds[true] || !kinds[false] || !c.IsGlobal(c.SharedFrom-1) || c.IsGlobal(c.SharedFrom-2) {
		h.Fail(key, "%d of %d layers read keys and values of others, and the two before them are not one with a window and one without", n, c.NumLayers)
		c.SharedFrom = 0
		return
	}
	for i := c.SharedFrom; i < c.NumLayers; i++ {
		for _, name := range []string{"attn_k.weight", "attn_v.weight", "attn_k_norm.weight"} {
			h.spare = append(h.spare, fmt.Sprintf("blk.%d.%s", i, name))
		}
	}
}
