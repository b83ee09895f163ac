package cpu

import (
	"math"

	"github.com/skainet-dev/skainet-go/compile/dag"
	"github.com/skainet-dev/skainet-go/compile/op/id"
	"github.com/skainet-dev/skainet-go/tensor"
)

var normKernels = map[id.ID]kernel{
	id.Softmax: one(func(n *dag.Node, in []array, out tensor.Type) array {
		sizes := sizesOf(out)
		dim := int(n.Attrs.Int("dim"))
		return roundToDType(array{out, in[0].data.softmaxRows(sizes[dim], strides(sizes)[dim])})
	}),
	id.LayerNorm: one(func(n *dag.Node, in []array, out tensor.Type) array {
		width := int(out.Shape[out.Shape.Rank()-1].Size)
		return roundToDType(array{out, in[0].data.layerNorm(in[1].data, in[2].data, width, n.Attrs.Float("epsilon"))})
	}),
}

// softmaxRows normalises x [outer, n, inner] along n. Sums are in float64.
func (x vec[T]) softmaxRows(n, inner int) storage {
	if f, ok := fast(x); ok && inner == 1 && len(x) > 0 {
		return softmaxF32(f, n)
	}
	y := fresh[T](len(x))
	if len(x) == 0 {
		return y
	}
	chunksOf(len(x)/n, grain/n, func(lo, hi int) {
		for row := lo; row < hi; row++ {
			first := row/inner*n*inner + row%inner
			last := first + n*inner
			top := x[first]
			for i := first; i < last; i += inner {
				top = max(top, x[i])
			}
			var sum float64
			for i := first; i < last; i += inner {
				e := math.Exp(float64(x[i]) - float64(top))
				y[i] = T(e)
				sum += e
			}
			for i := first; i < last; i += inner {
				y[i] = T(float64(y[i]) / sum)
			}
		}
	})
	return y
}

// layerNorm normalises x [rows, n] along n. Sums are in float64.
func (x vec[T]) layerNorm(gamma, beta storage, n int, epsilon float64) storage {
	if f, ok := fast(x); ok && len(x) > 0 {
		return layerNormF32(f, gamma.(vec[float32]), beta.(vec[float32]), n, epsilon)
	}
	g, b := gamma.(vec[T]), beta.(vec[T])
	y := fresh[T](len(x))
	chunksOf(len(x)/n, grain/n, func(lo, hi int) {
		for r := lo; r < hi; r++ {
			row := x[r*n : (r+1)*n]
			var mean, variance float64
			for _, v := range row {
				mean += float64(v)
			}
			mean /= float64(n)
			for _, v := range row {
				d := float64(v) - mean
				variance += d * d
			}
			scale := 1 / math.Sqrt(variance/float64(n)+epsilon)
			for i, v := range row {
				y[r*n+i] = T((float64(v)-mean)*scale*float64(g[i]) + float64(b[i]))
			}
		}
	})
	return y
}
