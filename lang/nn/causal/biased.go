package causal

import (
	"math"

	"github.com/skainet-dev/skainet-go/lang"
	"github.com/skainet-dev/skainet-go/lang/nn"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
	"github.com/skainet-dev/skainet-go/tensor/shape"
)

// biasedAttention is the attention of queries [T, H, d] over a layer's cache where scores
// have a bias, or heads have a sink: [T, H, d]. A sink is one row more, of zeros, whose
// score is its bias.
func (w *model) biasedAttention(f *lang.Func, q, keys, values, start lang.Tensor, o lang.AttentionOptions, chunk int64) lang.Tensor {
	rows, heads, queries := q.DimOf(0), q.DimOf(1), q.Dim(1)
	all := keys.DimOf(0)
	at := positions(f, rows, start).Unsqueeze(1)
	distance := f.Iota(dtype.I32, 0, w.Context).Unsqueeze(0).Sub(at) // [T, R], 0 for the own row
	seen := distance.LessEqual(f.Splat(dtype.I32, 0))
	if o.Window != 0 {
		seen = seen.And(distance.Greater(f.Splat(dtype.I32, -float64(o.Window))))
	}
	o.Window = 0
	if chunk != 0 { // the row is not before the chunk's first
		first := at.Div(f.SplatOf(dtype.I32, float64(chunk), at.Dims()...)).MulScalar(float64(chunk))
		seen = seen.And(distance.Add(at).GreaterEqual(first.BroadcastOf(distance.Dims()...)))
	}
	bias := f.SplatOf(dtype.F32, 0, heads, rows, all)
	if w.Block.MaxBias != 0 {
		slopes := lang.Const(f, nn.Slopes(w.Block.MaxBias, queries), queries, 1, 1)
		bias = distance.Convert(dtype.F32).Unsqueeze(0).Mul(slopes)
	}
	hidden := f.SplatOf(dtype.F32, math.Inf(-1), heads, rows, all)
	o.Mask = seen.Unsqueeze(0).BroadcastOf(heads, rows, all).Select(bias, hidden)
	if w.Block.Sinks {
		sinks := f.Input("sinks", dtype.F32, queries).Reshape(queries, 1, 1).BroadcastOf(heads, rows, shape.N(1))
		o.Mask = f.Concat(2, o.Mask, sinks)
		keys, values = keys.Pad(0, 0, 1, 0), values.Pad(0, 0, 1, 0)
	}
	byHead := func(x lang.Tensor) lang.Tensor { return x.Convert(dtype.F32).Transpose(1, 0, 2).Unsqueeze(0) }
	return byHead(q).Attention(byHead(keys), byHead(values), o).Squeeze(0).Transpose(1, 0, 2)
}

// chunk returns the size of the chunks of attention, 0 where the caches hold only one.
func (w *model) chunk(a Attention) int64 {
	if a.Chunk >= w.Context {
		return 0
	}
	return a.Chunk
}

// warm multiplies queries [T, H, d] by what their positions, from start on, call for.
func (t Temperature) warm(q, start lang.Tensor) lang.Tensor {
	if t.Length == 0 {
		return q
	}
	x := positions(q.Func(), q.DimOf(0), start).Convert(dtype.F32).AddScalar(t.Offset).DivScalar(float64(t.Length)).Floor()
	x = x.Log1p().MulScalar(t.Scale).AddScalar(1)
	return q.Mul(x.Unsqueeze(1).Unsqueeze(1))
}
