package causal

import (
	"fmt"

	"github.com/skainet-dev/skainet-go/lang"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
)

// record is a tensor that a layer keeps: a row for each position, so that whoever goes back
// to an earlier one only begins there.
type record struct {
	what   string
	layer  int64
	sizes  []int64
	memory bool // it has no rows of positions, and is in f32
}

func (r record) dtype() dtype.DType {
	if r.memory {
		return dtype.F32
	}
	return dtype.F16
}

func (r record) String() string { return fmt.Sprintf("%s_%d", r.what, r.layer) }

// list lists keys_0, keys_1, ... values_0, ..., and the inputs of convolutions, which have
// rows of zeros before the first position.
func (w *model) list() []record {
	var list []record
	each := func(what string, convolves bool, sizes func(h heads) []int64) {
		for i := range w.NumLayers {
			if h := w.headsOf(w.FirstLayer + i); w.Convolves(w.FirstLayer+i) == convolves && (convolves || w.attends(w.FirstLayer+i) && !h.shared) {
				list = append(list, record{what: what, layer: i, sizes: sizes(h)})
			}
		}
	}
	rows := func(h heads) []int64 { return []int64{w.Context, h.keys, h.size} }
	each("keys", false, rows)
	if w.Latent.Rank == 0 {
		each("values", false, rows)
	}
	each("inputs", true, func(heads) []int64 { return []int64{w.Context + w.ShortConv.before(), w.HiddenSize} })
	for _, m := range []record{
		{what: "conv", sizes: []int64{w.Recurrent.Width - 1, w.Recurrent.channels()}}, {what: "memory", sizes: w.Recurrent.memory()},
	} {
		for i := range w.NumLayers {
			if w.recurs(w.FirstLayer + i) {
				m.layer, m.memory = i, true
				list = append(list, m)
			}
		}
	}
	return list
}

// cache is what all layers keep, in the order of the records.
type cache []lang.Tensor

// eachCache makes a cache of what build gives for each record.
func (w *model) eachCache(build func(r record) lang.Tensor) cache {
	var c cache
	for _, r := range w.records {
		c = append(c, build(r))
	}
	return c
}

// of returns a layer's tensor of the cache, to read and to replace.
func (w *model) of(c cache, what string, layer int64) *lang.Tensor {
	for i, r := range w.records {
		if r.what == what && r.layer == layer {
			return &c[i]
		}
	}
	panic("causal: layer keeps no " + what)
}
