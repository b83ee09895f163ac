// Package encoder is the encoder-only transformer of embedding models, after BERT (Devlin
// et al. 2019), whose weights have the names that GGUF files give them. A model's package
// provides the sizes, as a Config, and no more.
//
// There is one entry point, whose sizes batch and seq are dynamic:
//
//	embed(ids i32 [batch, seq], mask i32 [batch, seq]) -> embedding f32 [batch, HiddenSize]
//
// mask is 1 for a token and 0 for padding, which is at the end of a row; each row has a
// token. The embedding has length 1. A program cannot check that seq is at most
// Config.MaxPositions and ids are below Config.VocabSize: whoever calls it must.
//
// # Errors
//
// INDEX_MISSING_TENSOR for a tensor that is not there.
//
// # Determinism
//
// The graph depends only on the config and the weights index.
package encoder

import (
	"fmt"
	"slices"

	"github.com/skainet-dev/skainet-go/lang"
	"github.com/skainet-dev/skainet-go/lang/nn"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
	"github.com/skainet-dev/skainet-go/tensor/shape"
)

// Pooling is how the vectors of a text's tokens make its own.
type Pooling int

// The kinds of pooling.
const (
	Mean  Pooling = iota // of all tokens
	First                // that of the first token
)

// Config configures an encoder.
type Config struct {
	NumLayers, HiddenSize, IntermediateSize, Heads int64
	VocabSize                                      int64
	MaxPositions                                   int64 // of a text
	TokenTypes                                     int64 // rows of token_types.weight, the first of which is used; 0 means no such tensor

	Epsilon    float64                       // of the layer norms
	RopeBase   float64                       // of rotary positions; 0 means those of position_embd.weight
	RopeScale  float64                       // divides rotary positions
	Activation func(lang.Tensor) lang.Tensor // of the feed-forward layer
	Gated      bool                          // the feed-forward layer has a gate
	FusedGate  bool                          // the gate is the first half of ffn_up
	MaxBias    float64                       // greatest slope of biases by distance (ALiBi), in a power of 2; 0 means none
	FusedQKV   bool                          // queries, keys and values are one matrix attn_qkv
	Biases     []string                      // the linear layers of a block that have one
	Experts    Experts                       // of some layers, in place of the feed-forward layer
	Pooling    Pooling
	// Pre is how blocks are built whose norms are before attention and the feed-forward
	// layer; the zero value is for those of BERT, whose norms are behind them.
	Pre Pre
}

// Model builds the entry point of c.
func Model(m *lang.Module, c Config) { m.Entry("embed", c.embed) }

// tiny is added to the square of a length that vectors are divided by.
const tiny = 1e-12

func (c Config) embed(f *lang.Func) {
	batch, seq := shape.Named("batch"), shape.Named("seq")
	ids := f.InputOf("ids", dtype.I32, batch, seq)
	mask := f.InputOf("mask", dtype.I32, batch, seq).Convert(dtype.F32)
	positions := f.IotaOf(dtype.I32, 0, seq)

	if c.Pre.KVHeads > 0 {
		f.Output("embedding", c.project(f, c.pool(c.preNorm(f, ids, mask, positions), mask)).L2Normalize(1, tiny))
		return
	}
	x := nn.Embedding(f, "token_embd.weight", ids)
	if c.TokenTypes > 0 {
		x = x.Add(f.Param("token_types.weight").Slice(0, 0, 1).Convert(dtype.F32))
	}
	if c.learned() {
		x = x.Add(nn.Embedding(f, "position_embd.weight", positions))
	}
	x = c.norm(f, "token_embd_norm.", x)
	hidden := padding(mask)
	if c.MaxBias != 0 {
		hidden = hidden.Add(c.distances(f, seq))
	}
	for i := range c.NumLayers {
		x = c.layer(f, i, x, hidden, positions)
	}
	f.Output("embedding", c.pool(x, mask).L2Normalize(1, tiny))
}

// learned reports whether positions are those of position_embd.weight.
func (c Config) learned() bool { return c.RopeBase == 0 && c.MaxBias == 0 }

// distances are the biases [1, H, T, T] of scores that fall with the distance.
func (c Config) distances(f *lang.Func, seq shape.Dim) lang.Tensor {
	distance := f.IotaOf(dtype.I32, 1, seq, seq).Sub(f.IotaOf(dtype.I32, 0, seq, seq)).Abs().Negate().Convert(dtype.F32)
	slopes := lang.Const(f, nn.Slopes(c.MaxBias, c.Heads), 1, c.Heads, 1, 1)
	return distance.ReshapeOf(shape.N(1), shape.N(1), seq, seq).Mul(slopes)
}

// padding is a mask [B, 1, 1, T] of scores: e^-1e9 is 0 in f32.
func padding(mask lang.Tensor) lang.Tensor {
	return mask.AddScalar(-1).MulScalar(1e9).ReshapeOf(mask.DimOf(0), shape.N(1), shape.N(1), mask.DimOf(1))
}

func (c Config) pool(x, mask lang.Tensor) lang.Tensor {
	if c.Pooling == First {
		return x.Slice(1, 0, 1).Squeeze(1)
	}
	tokens := mask.Unsqueeze(2)
	return x.Mul(tokens).Sum(false, 1).Div(tokens.Sum(false, 1))
}

func (c Config) layer(f *lang.Func, number int64, x, hidden, positions lang.Tensor) lang.Tensor {
	key, batch, seq, width := fmt.Sprintf("blk.%d.", number), x.DimOf(0), x.DimOf(1), c.HiddenSize
	linear := func(name string, x lang.Tensor) lang.Tensor {
		return nn.Linear(f, key+name+".", x, nn.LinearOptions{NoBias: !slices.Contains(c.Biases, name)})
	}
	var parts []lang.Tensor
	if c.FusedQKV {
		y := linear("attn_qkv", x)
		parts = []lang.Tensor{y.Slice(2, 0, width), y.Slice(2, width, 2*width), y.Slice(2, 2*width, 3*width)}
	} else {
		parts = []lang.Tensor{linear("attn_q", x), linear("attn_k", x), linear("attn_v", x)}
	}
	for i, p := range parts {
		p = p.ReshapeOf(batch, seq, shape.N(c.Heads), shape.N(width/c.Heads)).Transpose(0, 2, 1, 3)
		if c.RopeBase != 0 && i < 2 {
			p = p.Rotary(positions, lang.RotaryOptions{Base: c.RopeBase, Scale: c.RopeScale})
		}
		parts[i] = p
	}
	a := parts[0].Attention(parts[1], parts[2], lang.AttentionOptions{Mask: hidden})
	a = a.Transpose(0, 2, 1, 3).ReshapeOf(batch, seq, shape.N(width))
	x = c.norm(f, key+"attn_output_norm.", x.Add(linear("attn_output", a)))
	if c.Experts.has(number) {
		return c.norm(f, key+"layer_output_norm.", x.Add(c.mixture(f, key, x)))
	}
	h := linear("ffn_up", x)
	switch n := c.IntermediateSize; {
	case c.FusedGate:
		h = nn.GLU(h.Slice(2, 0, n), h.Slice(2, n, 2*n), c.Activation)
	case c.Gated:
		h = nn.GLU(linear("ffn_gate", x), h, c.Activation)
	default:
		h = c.Activation(h)
	}
	return c.norm(f, key+"layer_output_norm.", x.Add(linear("ffn_down", h)))
}

func (c Config) norm(f *lang.Func, key string, x lang.Tensor) lang.Tensor {
	return nn.LayerNorm(f, key, x, nn.LayerNormOptions{Epsilon: c.Epsilon})
}

// Tensors lists the weights of a model: names and shapes.
func (c Config) Tensors() []tensor.Spec {
	var list []tensor.Spec
	add := func(name string, sizes ...int64) {
		t := tensor.TypeOf(dtype.F32, sizes...)
		list = append(list, tensor.Spec{Name: name, DType: t.DType, Shape: t.Shape})
	}
	norm := func(name string) {
		add(name+".weight", c.HiddenSize)
		add(name+".bias", c.HiddenSize)
	}
	add("token_embd.weight", c.VocabSize, c.HiddenSize)
	if c.Pre.KVHeads > 0 {
		c.preTensors(add)
		return list
	}
	if c.TokenTypes > 0 {
		add("token_types.weight", c.TokenTypes, c.HiddenSize)
	}
	if c.learned() {
		add("position_embd.weight", c.MaxPositions, c.HiddenSize)
	}
	norm("token_embd_norm")
	for i := range c.NumLayers {
		linear := func(name string, out, in int64) {
			add(fmt.Sprintf("blk.%d.%s.weight", i, name), out, in)
			if slices.Contains(c.Biases, name) {
				add(fmt.Sprintf("blk.%d.%s.bias", i, name), out)
			}
		}
		if c.FusedQKV {
			linear("attn_qkv", 3*c.HiddenSize, c.HiddenSize)
		} else {
			linear("attn_q", c.HiddenSize, c.HiddenSize)
			linear("attn_k", c.HiddenSize, c.HiddenSize)
			linear("attn_v", c.HiddenSize, c.HiddenSize)
		}
		linear("attn_output", c.HiddenSize, c.HiddenSize)
		norm(fmt.Sprintf("blk.%d.attn_output_norm", i))
		c.feedForwardTensors(i, add, linear)
		norm(fmt.Sprintf("blk.%d.layer_output_norm", i))
	}
	return list
}

func (c Config) feedForwardTensors(i int64, add func(name string, sizes ...int64), linear func(name string, out, in int64)) {
	if c.Experts.has(i) {
		linear("ffn_gate_inp", c.Experts.Count, c.HiddenSize)
		add(fmt.Sprintf("blk.%d.ffn_up_exps.weight", i), c.Experts.Count, c.IntermediateSize, c.HiddenSize)
		add(fmt.Sprintf("blk.%d.ffn_down_exps.weight", i), c.Experts.Count, c.HiddenSize, c.IntermediateSize)
		return
	}
	if up := c.IntermediateSize; c.FusedGate {
		linear("ffn_up", 2*up, c.HiddenSize)
	} else {
		linear("ffn_up", up, c.HiddenSize)
	}
	if c.Gated {
		linear("ffn_gate", c.IntermediateSize, c.HiddenSize)
	}
	linear("ffn_down", c.HiddenSize, c.IntermediateSize)
}
