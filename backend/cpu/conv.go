package cpu

import (
	"github.com/skainet-dev/skainet-go/compile/dag"
	"github.com/skainet-dev/skainet-go/lang/tensor"
)

var convolutionKernels = map[string]kernel{"conv1d": one(conv1d)}

type convGeometry struct {
	batch, channels, width, kernel, out, stride, padding int
}

// conv1d gathers the window of each output position into a row (im2col) and
// multiplies the kernel [O, C K] by the rows [W', C K] for each batch.
func conv1d(n *dag.Node, in []array, out tensor.Type) array {
	x, k := sizesOf(in[0].typ), sizesOf(in[1].typ)
	g := convGeometry{
		batch: x[0], channels: x[1], width: x[2], kernel: k[2], out: int(out.Shape[2].Size),
		stride: int(n.Attrs.Int("stride")), padding: int(n.Attrs.Int("padding")),
	}
	if x, ok := in[0].data.(vec[float32]); ok && !plainProducts {
		w := windows{
			batch: g.batch, channels: g.channels, features: k[0], groups: 1,
			axes: []axis{{in: g.width, taps: g.kernel, out: g.out, stride: g.stride, low: g.padding, dilation: 1}},
		}
		return settle(array{out, w.convolve(x, in[1].data.(vec[float32]))})
	}
	cols := in[0].data.im2col(g)
	y := zeros(out)
	rows, depth := k[0], g.channels*g.kernel
	for b := range g.batch {
		part := cols.view(b*g.out*depth, (b+1)*g.out*depth)
		size := rows * g.out
		y.data.move(
			move{sizes: []int{size}, dst: []int{1}, src: []int{1}, dstAt: b * size},
			in[1].data.gemm(part, 1, rows, g.out, depth),
		)
	}
	return settle(y)
}

func (x vec[T]) im2col(g convGeometry) storage {
	depth := g.channels * g.kernel
	y := make(vec[T], g.batch*g.out*depth)
	chunksOf(g.batch*g.out, max(1, grain/max(1, depth)), func(lo, hi int) {
		for row := lo; row < hi; row++ {
			b, at := row/g.out, row%g.out*g.stride-g.padding
			for c := range g.channels {
				from, to := x[(b*g.channels+c)*g.width:][:g.width], y[row*depth+c*g.kernel:][:g.kernel]
				for i := range to {
					if p := at + i; p >= 0 && p < g.width {
						to[i] = from[p]
					}
				}
			}
		}
	})
	return y
}
