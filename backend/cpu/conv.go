package cpu

import (
	"github.com/skainet-dev/skainet-go/compile/dag"
	"github.com/skainet-dev/skainet-go/compile/op/id"
	"github.com/skainet-dev/skainet-go/tensor"
)

var convolutionKernels = map[id.ID]kernel{id.Conv1d: one(conv1d), id.Convolution: one(convolution)}

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
		return roundToDType(array{out, w.convolve(x, in[1].data.(vec[float32]))})
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
	return roundToDType(y)
}

func (x vec[T]) im2col(g convGeometry) storage {
	depth := g.channels * g.kernel
	y := made[T](g.batch * g.out * depth)
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

// convolution has f32 in strips of windows; f64 as plain rows of windows.
func convolution(n *dag.Node, in []array, out tensor.Type) array {
	x, k, y := sizesOf(in[0].typ), sizesOf(in[1].typ), sizesOf(out)
	w := windows{batch: x[0], channels: x[1], features: k[0], groups: int(n.Attrs.Int("groups"))}
	at := func(name string, i, none int) int {
		if v := n.Attrs.Ints(name); len(v) > 0 {
			return int(v[i])
		}
		return none
	}
	for i := range len(x) - 2 {
		w.axes = append(w.axes, axis{
			in: x[2+i], taps: k[2+i], out: y[2+i],
			stride: at("strides", i, 1), low: at("low", i, 0), dilation: at("dilation", i, 1),
		})
	}
	switch x := in[0].data.(type) {
	case vec[float32]:
		if !plainProducts {
			return roundToDType(array{out, w.convolve(x, in[1].data.(vec[float32]))})
		}
		return roundToDType(array{out, plainConvolution(w, x, in[1].data.(vec[float32]))})
	case vec[float64]:
		return array{out, plainConvolution(w, x, in[1].data.(vec[float64]))}
	}
	panic("a convolution of " + in[0].typ.String()) // the table has floats only
}

// plainConvolution gathers the windows of each image and group into rows and
// multiplies the group's kernel by them.
func plainConvolution[T float32 | float64](w windows, x, kernel vec[T]) vec[T] {
	inside := w.total(func(a axis) int { return a.in })
	taps, out := w.total(func(a axis) int { return a.taps }), w.total(func(a axis) int { return a.out })
	channels, features := w.channels/w.groups, w.features/w.groups
	depth := channels * taps
	y := made[T](w.batch * w.features * out)
	for i := range w.batch * w.groups {
		plane, group := x[i*channels*inside:][:channels*inside], i%w.groups
		rows := made[T](out * depth)
		chunksOf(out, max(1, grain/max(1, depth)), func(lo, hi int) {
			for row := lo; row < hi; row++ {
				for tap := range taps {
					at, ok := w.place(row, tap)
					if !ok {
						continue
					}
					for c := range channels {
						rows[row*depth+c*taps+tap] = plane[c*inside+at]
					}
				}
			}
		})
		part := kernel[group*features*depth:][:features*depth].gemm(rows, 1, features, out, depth)
		copy(y[i*features*out:], part.(vec[T]))
	}
	return y
}

// place returns where in a channel a tap of a window is, unless it is in the padding.
func (w windows) place(window, tap int) (at int, inside bool) {
	scale := 1
	for i := len(w.axes) - 1; i >= 0; i-- {
		a := w.axes[i]
		p := window%a.out*a.stride - a.low + tap%a.taps*a.dilation
		if p < 0 || p >= a.in {
			return 0, false
		}
		at += p * scale
		scale *= a.in
		window, tap = window/a.out, tap/a.taps
	}
	return at, true
}
