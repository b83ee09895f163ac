// Package bert is BERT (Devlin et al. 2019) as an embedder of sentences, after Reimers
// and Gurevych 2019 (Sentence-BERT), from a safetensors file in Hugging Face's layout:
// its sizes from the shapes of the weights, and its graph.
//
// There is one entry point, whose sizes batch and seq are dynamic:
//
//	embed(ids i32 [batch, seq], mask i32 [batch, seq]) -> embedding f32 [batch, HiddenSize]
//
// mask is 1 for a token and 0 for padding, which is at the end of a row; each row has a
// token. The embedding is the mean over the tokens, normalised to length 1. seq
// is at most Config.MaxPositions; ids are below Config.VocabSize: a program cannot check
// this, so the caller must, as Embedder does.
//
// The number of attention heads cannot be inferred from the shapes, so the constructor
// takes it: Heads(12).
//
// # Errors
//
// BERT_WEIGHTS where a weight file is not a BERT's, INDEX_MISSING_TENSOR; BERT_TEXT for
// a text that cannot be embedded; BERT_PROGRAM where a program or a tokenizer belongs to
// another model; BERT_POSITIONS for a length of texts that the model does not have;
// BERT_SETTINGS for a file that is no sentence_bert_config.json.
//
// # Determinism
//
// The graph depends only on the weights index and the heads.
package bert

import (
	"fmt"

	"github.com/skainet-dev/skainet-go/compile/dag"
	"github.com/skainet-dev/skainet-go/compile/dag/shard"
	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/lang"
	"github.com/skainet-dev/skainet-go/lang/nn"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
	"github.com/skainet-dev/skainet-go/tensor/shape"
)

// Codes of this package.
const (
	CodeWeights errs.Code = "BERT_WEIGHTS" // weights that do not fit this model
	CodeText    errs.Code = "BERT_TEXT"    // no sentence, or too many
	CodeProgram errs.Code = "BERT_PROGRAM" // a program or a tokenizer of another model

	CodePositions errs.Code = "BERT_POSITIONS" // texts of more tokens than the model sees, or of fewer than 3
	CodeSettings  errs.Code = "BERT_SETTINGS"  // a sentence_bert_config.json that is not one
)

const positionKey = "embeddings.position_embeddings.weight"

// epsilon is that of the layer norms in all models of the family.
const epsilon = 1e-12

// Config holds the sizes; all except Heads are from the weights.
type Config struct {
	NumLayers, HiddenSize, IntermediateSize, Heads int64
	MaxPositions                                   int64 // maximum number of tokens of a text
	VocabSize                                      int64
}

// ConfigFrom reads the sizes from the index of a safetensors file.
func ConfigFrom(x *tensor.Index, heads int64) (Config, error) {
	c := Config{Heads: heads}
	for _, size := range []struct {
		to  *int64
		key string
		dim int
	}{
		{&c.VocabSize, "embeddings.word_embeddings.weight", 0},
		{&c.HiddenSize, "embeddings.word_embeddings.weight", 1},
		{&c.MaxPositions, positionKey, 0},
		{&c.IntermediateSize, "encoder.layer.0.intermediate.dense.weight", 0},
	} {
		s, err := x.Lookup(size.key)
		if err != nil {
			return c, errs.Wrap(CodeWeights, err, "not BERT weights in Hugging Face layout")
		}
		if s.Shape.Rank() != 2 || s.Shape[size.dim].Size < 1 {
			return c, errs.New(CodeWeights, "%s has shape %s, want a matrix", size.key, s.Shape).On(size.key)
		}
		*size.to = s.Shape[size.dim].Size
	}
	for {
		if _, err := x.Lookup(layer(c.NumLayers) + ".attention.self.query.weight"); err != nil {
			break
		}
		c.NumLayers++
	}
	if heads < 1 || c.HiddenSize%heads != 0 {
		return c, errs.New(CodeWeights, "%d heads do not divide a hidden size of %d", heads, c.HiddenSize).
			Hint("use num_attention_heads of the model's config.json")
	}
	return c, nil
}

// DataParallel says how a model is split over devices that each embed some of the texts: along
// the axis data, which divides the size batch. Weights are whole on each device.
func DataParallel() shard.Layout {
	texts := dag.Sharding{"data", ""}
	return shard.Layout{
		Arguments: []shard.Rule{{Names: "embed.*", Axes: texts}},
		Results:   []shard.Rule{{Names: "embed.embedding", Axes: texts}},
	}
}

func layer(i int64) string { return fmt.Sprintf("encoder.layer.%d", i) }

// Heads returns the constructor of a model with the given number of heads.
func Heads(heads int64) lang.Constructor {
	return func(m *lang.Module) { m.Entry("embed", sizes(m, heads).embed) }
}

// Cut returns the constructor of the first layers of a model alone, for comparisons of
// devices that the whole model would take too long on.
func Cut(heads, layers int64) lang.Constructor {
	return func(m *lang.Module) {
		c := sizes(m, heads)
		if layers < 1 || layers > c.NumLayers {
			panic(errs.New(CodeWeights, "a cut of %d layers, and the model has %d", layers, c.NumLayers).
				Hint("choose 1 to %d layers", c.NumLayers))
		}
		c.NumLayers = layers
		m.Entry("embed", c.embed)
	}
}

// sizes reads the sizes from the module's index; lang.Capture returns what it panics with.
func sizes(m *lang.Module, heads int64) Config {
	c, err := ConfigFrom(m.Index(), heads)
	if err != nil {
		panic(err)
	}
	return c
}

// norm is a layer norm with the epsilon of the family.
func norm(f *lang.Func, key string, x lang.Tensor) lang.Tensor {
	return nn.LayerNorm(f, key, x, nn.LayerNormOptions{Epsilon: epsilon})
}

func linear(f *lang.Func, key string, x lang.Tensor) lang.Tensor {
	return nn.Linear(f, key, x, nn.LinearOptions{})
}

func (c Config) embed(f *lang.Func) {
	batch, seq := shape.Named("batch"), shape.Named("seq")
	ids := f.InputOf("ids", dtype.I32, batch, seq)
	mask := f.InputOf("mask", dtype.I32, batch, seq).Convert(dtype.F32)

	x := nn.Embedding(f, "embeddings.word_embeddings.weight", ids)
	places := nn.Embedding(f, positionKey, f.IotaOf(dtype.I32, 0, seq))
	first := f.Param("embeddings.token_type_embeddings.weight").Slice(0, 0, 1).Convert(dtype.F32)
	x = norm(f, "embeddings.LayerNorm.", x.Add(places.Add(first)))

	// Padding has no weight: e^-1e9 is 0 in f32.
	hidden := mask.AddScalar(-1).MulScalar(1e9).ReshapeOf(batch, shape.N(1), shape.N(1), seq)
	for i := range c.NumLayers {
		key := layer(i)
		heads := func(name string) lang.Tensor {
			y := linear(f, key+".attention.self."+name+".", x)
			return y.ReshapeOf(batch, seq, shape.N(c.Heads), shape.N(c.HiddenSize/c.Heads)).Transpose(0, 2, 1, 3)
		}
		a := heads("query").Attention(heads("key"), heads("value"), lang.AttentionOptions{Mask: hidden})
		a = a.Transpose(0, 2, 1, 3).ReshapeOf(batch, seq, shape.N(c.HiddenSize))
		x = norm(f, key+".attention.output.LayerNorm.", x.Add(linear(f, key+".attention.output.dense.", a)))
		h := linear(f, key+".intermediate.dense.", x).GELU()
		x = norm(f, key+".output.LayerNorm.", x.Add(linear(f, key+".output.dense.", h)))
	}

	tokens := mask.ReshapeOf(batch, seq, shape.N(1))
	mean := x.Mul(tokens).Sum(false, 1).Div(tokens.Sum(false, 1))
	f.Output("embedding", mean.L2Normalize(1, epsilon))
}
