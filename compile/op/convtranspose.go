package op

import (
	"slices"

	"github.com/skainet-dev/skainet-go/tensor/shape"
)

// transposedConvolution is a convolution with the flipped kernel (Dumoulin and Visin,
// "A guide to convolution arithmetic for deep learning", 2016, section 4). With a stride,
// the elements of the result whose index leaves the same rest see the same part of the
// kernel: each part gives features of their own, which are then put side by side (Shi et
// al., "Is the deconvolution layer the same as a convolutional layer?", 2016). With a
// dilation besides, zeros are put between the elements of x.
func transposedConvolution(c *Call, b *builder, in []expr) []expr {
	g, _ := c.convolution() // checked by the rule
	extra, _ := c.perDimension("output_padding", len(g.kernel), 0, 0)
	if slices.Max(g.strides) > 1 && slices.Max(g.dilation) == 1 {
		return []expr{g.interleaved(in[0], in[1], extra)}
	}
	x, k := in[0], flipped(in[1], g.groups, span(2, 2+len(g.kernel)))
	low, high := make([]int64, len(g.kernel)), make([]int64, len(g.kernel))
	for i := range g.kernel {
		d := 2 + i
		if s := g.strides[i]; s > 1 {
			spread := x.dims()
			wide := slices.Insert(x.dims(), d+1, one)
			n := x.dim(d).Minus(one).Times(shape.N(s)).Plus(one)
			spread[d] = spread[d].Times(shape.N(s))
			x = x.reshape(wide...).pad(d+1, []int64{0}, []int64{s - 1}, 0).reshape(spread...).part(d, shape.N(0), n, 1)
		}
		reach := g.dilation[i] * (g.kernel[i] - 1)
		low[i], high[i] = reach-g.low[i], reach-g.high[i]+extra[i]
	}
	return []expr{apply(x.add, "convolution", Attrs{"dilation": g.dilation, "groups": g.groups}, x.pad(2, low, high, 0), k)}
}

// transposed returns the size of dimension i of the result, with extra elements at its end.
func (g geometry) transposed(i int, extra int64) shape.Dim {
	return g.in[i].Minus(one).Times(shape.N(g.strides[i])).Plus(shape.N(g.extent(i) + extra)).Minus(shape.N(g.low[i] + g.high[i]))
}

// flipped turns a kernel [C, O/groups, K...] into [O, C/groups, K...], reversed in dims.
func flipped(k expr, groups int64, dims []int64) expr {
	window := k.dims()[2:]
	k = apply(k.add, "reverse", Attrs{"dims": dims}, k)
	k = k.reshape(append(shape.Shape{shape.N(groups), k.dim(0).FloorDiv(groups), k.dim(1)}, window...)...)
	k = k.transpose(append([]int64{0, 2, 1}, span(3, k.rank())...)...)
	return k.reshape(append(shape.Shape{k.dim(0).Times(k.dim(1)), k.dim(2)}, window...)...)
}

// interleaved computes the elements of a transposed convolution by their rest: the
// kernel's elements are i stride + rest.
func (g geometry) interleaved(x, k expr, extra []int64) expr {
	n := len(g.kernel)
	taps, reach := make([]int64, n), make([]int64, n)
	split, rests := k.dims()[:2], shape.Shape{}
	for i, s := range g.strides {
		taps[i] = (g.kernel[i] + s - 1) / s
		reach[i] = taps[i] - 1
		split, rests = append(split, shape.N(taps[i]), shape.N(s)), append(rests, shape.N(s))
	}
	none, missing := make([]int64, n), make([]int64, n)
	for i, s := range g.strides {
		missing[i] = taps[i]*s - g.kernel[i]
	}
	// [C, O/g, T0, s0, T1, s1...] becomes [C, O/g s0 s1..., T0, T1...].
	k = k.pad(2, none, missing, 0).reshape(split...)
	order := []int64{0, 1}
	for _, first := range []int64{3, 2} {
		for i := range int64(n) {
			order = append(order, first+2*i)
		}
	}
	k = k.transpose(order...)
	k = k.reshape(append(shape.Shape{k.dim(0), k.dim(1).Times(rests.Product())}, shape.Of(taps...)...)...)
	y := apply(x.add, "convolution", Attrs{"low": reach, "high": reach, "groups": g.groups}, x, flipped(k, g.groups, span(2, 2+n)))
	// [N, O s0 s1..., Q0, Q1...] becomes [N, O, Q0 s0, Q1 s1...].
	q, features := y.dims()[2:], y.dim(1).FloorDiv(rests.Product().Size)
	y = y.reshape(slices.Concat(shape.Shape{y.dim(0), features}, rests, q)...)
	order, whole := []int64{0, 1}, shape.Shape{y.dim(0), features}
	for i := range n {
		order = append(order, int64(2+n+i), int64(2+i))
		whole = append(whole, q[i].Times(rests[i]))
	}
	y = y.transpose(order...).reshape(whole...)
	for i := range n {
		// Output padding may extend beyond the last element: there is nothing to add there.
		size := g.transposed(i, extra[i])
		if beyond := shape.N(g.low[i]).Plus(size).Minus(whole[2+i]); beyond.Size > 0 {
			y = y.pad(2+i, []int64{0}, []int64{beyond.Size}, 0)
		}
		y = y.part(2+i, shape.N(g.low[i]), size, 1)
	}
	return y
}
