package optest

import (
	"hash/fnv"
	"math/rand/v2"

	"github.com/skainet-dev/skainet-go/lang"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
	"github.com/skainet-dev/skainet-go/tensor/shape"
)

// Sizes of the block.
const (
	vocabulary = 32
	width      = 24
	heads      = 2
	hidden     = 40
)

// blocks are complete models: a language model of one layer for any number of
// sequences of any length, and its step over a cache of earlier tokens.
var blocks = []entry{
	{name: "block", sizes: ofBatches, build: func(f *lang.Func) {
		tokens := f.InputOf("tokens", dtype.I32, batch, seq)
		x := table(f).Take(tokens)
		q, k, v := projected(f, x, seq)
		positions := f.IotaOf(dtype.I32, 0, seq)
		y := turned(q, positions).Attention(turned(k, positions), v, lang.AttentionOptions{Causal: true})
		f.Output("logits", logits(f, x, y))
	}},
	{name: "step", sizes: []sizes{{"batch": 1, "past": 1}, {"batch": 2, "past": 6}, {"batch": 3, "past": 15}}, build: func(f *lang.Func) {
		past := shape.Named("past")
		tokens := f.InputOf("tokens", dtype.I32, batch, shape.N(1))
		keys := f.InputOf("keys", dtype.F32, batch, shape.N(heads), past, shape.N(width/heads))
		values := f.InputOf("values", dtype.F32, batch, shape.N(heads), past, shape.N(width/heads))
		x := table(f).Take(tokens)
		q, k, v := projected(f, x, shape.N(1))
		position := keys.Size(2).Reshape(1)
		k, v = f.Concat(2, keys, turned(k, position)), f.Concat(2, values, v)
		f.Output("keys", k)
		f.Output("values", v)
		f.Output("logits", logits(f, x, turned(q, position).Attention(k, v, lang.AttentionOptions{})))
	}},
}

// weight is a constant whose numbers depend on its name.
func weight(f *lang.Func, name string, sizes ...int64) lang.Tensor {
	h := fnv.New64a()
	h.Write([]byte(name))
	r := rand.New(rand.NewPCG(h.Sum64(), 0))
	n := int64(1)
	for _, s := range sizes {
		n *= s
	}
	data := make([]float32, n)
	for i := range data {
		data[i] = float32(r.NormFloat64()) / 4
	}
	return lang.Weight(f, name, data, sizes...)
}

func table(f *lang.Func) lang.Tensor { return weight(f, "embedding", vocabulary, width) }

// linear multiplies x [B, T, I] with a weight [O, I].
func linear(f *lang.Func, x lang.Tensor, name string, out int64) lang.Tensor {
	return x.Dot(weight(f, name, out, x.Dim(-1)), lang.Dims{}, lang.Dims{LHS: []int{2}, RHS: []int{1}})
}

func norm(f *lang.Func, x lang.Tensor, name string) lang.Tensor {
	return x.RMSNorm(weight(f, name, x.Dim(-1)), 1e-6, 1)
}

// projected returns query, key and value [B, H, T, D].
func projected(f *lang.Func, x lang.Tensor, length shape.Dim) (q, k, v lang.Tensor) {
	y := norm(f, x, "attention_norm")
	split := func(name string) lang.Tensor {
		return linear(f, y, name, width).ReshapeOf(batch, length, shape.N(heads), shape.N(width/heads)).Transpose(0, 2, 1, 3)
	}
	return split("query"), split("key"), split("value")
}

func turned(x, positions lang.Tensor) lang.Tensor { return x.Rotary(positions, lang.RotaryOptions{}) }

// logits adds the attention y [B, H, T, D] and the MLP to x.
func logits(f *lang.Func, x, y lang.Tensor) lang.Tensor {
	y = y.Transpose(0, 2, 1, 3).ReshapeOf(x.Dims()...)
	x = x.Add(linear(f, y, "output", width))
	z := norm(f, x, "mlp_norm")
	z = linear(f, z, "gate", hidden).SiLU().Mul(linear(f, z, "up", hidden))
	x = x.Add(linear(f, z, "down", width))
	return norm(f, x, "last_norm").Dot(table(f), lang.Dims{}, lang.Dims{LHS: []int{2}, RHS: []int{1}})
}
