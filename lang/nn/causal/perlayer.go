package causal

import (
	"math"

	"github.com/skainet-dev/skainet-go/lang"
	"github.com/skainet-dev/skainet-go/lang/nn"
	"github.com/skainet-dev/skainet-go/tensor/shape"
)

// PerLayer configures a vector that each layer has for each token, of a table of its own and
// of the token's embedding (Gemma Team 2025). The zero value is none.
type PerLayer struct {
	Size   int64 // elements of such a vector
	Layers int64 // of the file
}

func (l *list) perLayerTables() {
	p := l.c.PerLayer
	l.add("per_layer_token_embd.weight", l.c.VocabSize, p.Layers*p.Size)
	l.add("per_layer_model_proj.weight", p.Layers*p.Size, l.c.HiddenSize)
	l.add("per_layer_proj_norm.weight", p.Size)
}

func (l *list) perLayer() {
	p := l.c.PerLayer
	l.linear("inp_gate", p.Size, l.c.HiddenSize)
	l.linear("proj", l.c.HiddenSize, p.Size)
	l.add("post_norm.weight", l.c.HiddenSize)
}

// perLayerInputs returns the vectors [T, L, P] of tokens [T] whose embeddings are x [T, D].
func (w *model) perLayerInputs(f *lang.Func, tokens, x lang.Tensor) lang.Tensor {
	p := w.PerLayer
	vectors := func(x lang.Tensor) lang.Tensor { return x.ReshapeOf(x.DimOf(0), shape.N(p.Layers), shape.N(p.Size)) }
	own := vectors(nn.Embedding(f, "per_layer_token_embd.weight", tokens)).MulScalar(math.Sqrt(float64(p.Size)))
	made := nn.Linear(f, "per_layer_model_proj.", x, noBias).MulScalar(1 / math.Sqrt(float64(w.HiddenSize)))
	made = vectors(made).RMSNorm(nn.Param(f, "per_layer_proj_norm.weight"), w.Epsilon, 0)
	return own.Add(made).MulScalar(1 / math.Sqrt2)
}

// perLayer is what the block's vectors make of x [T, D]: a gate of theirs, projected.
func (b block) perLayer(x lang.Tensor) lang.Tensor {
	own := b.in.inputs.Slice(1, b.number, b.number+1).Squeeze(1)
	y := b.linear("proj", b.w.Activation(b.linear("inp_gate", x)).Mul(own))
	return y.RMSNorm(b.param("post_norm"), b.w.Epsilon, 0)
}
