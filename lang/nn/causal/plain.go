package causal

import (
	"math"

	"github.com/skainet-dev/skainet-go/lang"
	"github.com/skainet-dev/skainet-go/lang/dtype"
	"github.com/skainet-dev/skainet-go/lang/op"
)

// cachedAttention: q [T, H, D] over the rows of keys and values [R, G, D] up to
// start + t, of which a window may hide the older ones.
func cachedAttention(q, keys, values, start lang.Tensor, scale float64, window int64, softCap float64) lang.Tensor {
	f := q.Func()
	rows, all := q.DimOf(0), keys.DimOf(0)
	at := f.IotaOf(dtype.I32, 0, rows, all).Add(start)
	row := f.IotaOf(dtype.I32, 1, rows, all)
	seen := row.Compare(op.LE, at)
	if window > 0 {
		seen = seen.And(row.Compare(op.GT, at.AddScalar(-float64(window))))
	}
	mask := seen.Select(f.Splat(dtype.F32, 0), f.Splat(dtype.F32, math.Inf(-1)))
	first := func(x lang.Tensor) lang.Tensor { return x.Transpose(1, 0, 2).Unsqueeze(0) }
	y := first(q).Attention(first(keys.Convert(dtype.F32)), first(values.Convert(dtype.F32)), lang.AttentionOptions{Mask: mask, Scale: scale, SoftCap: softCap})
	return y.Squeeze(0).Transpose(1, 0, 2)
}
