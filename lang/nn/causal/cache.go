package causal

import (
	"fmt"

	"github.com/skainet-dev/skainet-go/lang"
)

// record is a tensor that a layer keeps: a row for each position, so that whoever goes back
// to an earlier one only begins there.
type record struct {
	what  string
	layer int64
	sizes []int64
}

func (r record) String() string { return fmt.Sprintf("%s_%d", r.what, r.layer) }

// list lists keys_0, keys_1, ... values_0, ..., and the inputs of convolutions, which have
// rows of zeros before the first position.
func (w *model) list() []record {
	var list []record
	each := func(what string, convolves bool, sizes ...int64) {
		for i := range w.NumLayers {
			if w.Convolves(w.FirstLayer+i) == convolves {
				list = append(list, record{what, i, sizes})
			}
		}
	}
	each("keys", false, w.Context, w.KVHeads, w.HeadDim)
	if w.Latent.Rank == 0 {
		each("values", false, w.Context, w.KVHeads, w.HeadDim)
	}
	each("inputs", true, w.Context+w.ShortConv.before(), w.HiddenSize)
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
