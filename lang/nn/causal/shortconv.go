package causal

import (
	"slices"

	"github.com/skainet-dev/skainet-go/lang"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
	"github.com/skainet-dev/skainet-go/tensor/shape"
)

// ShortConv configures the layers that have a gated convolution of a few positions in place
// of attention (Liquid AI 2025): shortconv.in_proj, of three parts, the kernel
// shortconv.conv of each channel, and shortconv.out_proj.
type ShortConv struct {
	Width  int64   // positions that a kernel reads
	Layers []int64 // those that have one; none for most models
}

// Convolves reports whether layer i has a convolution in place of attention.
func (c Config) Convolves(i int64) bool { return slices.Contains(c.ShortConv.Layers, i) }

// before is the number of earlier positions that a kernel reads.
func (s ShortConv) before() int64 { return max(s.Width-1, 0) }

// convolve is the middle of such a layer for the parts [T, 3D] of its first projection: the
// input of the last, and the layer's record with their rows.
func (w *model) convolve(f *lang.Func, rows shape.Dim) {
	width, before := w.HiddenSize, w.ShortConv.before()
	parts := f.InputOf("parts", dtype.F32, rows, shape.N(3*width))
	kernel := f.Input("kernel", dtype.F32, width, w.ShortConv.Width)
	record := f.Input("inputs", dtype.F16, w.Context+before, width)
	start := f.Input("start", dtype.I32)
	part := func(i int64) lang.Tensor { return parts.Slice(1, i*width, (i+1)*width) }
	tap := func(i int64) lang.Tensor { return kernel.Slice(1, i, i+1).Reshape(1, width) }

	x := part(0).Mul(part(2))
	past := record.DynamicSlice([]int64{before, width}, start, f.Splat(dtype.I32, 0)).Convert(dtype.F32)
	record = record.UpdateRows(x.Convert(dtype.F16), start.AddScalar(float64(before)))
	all, y := f.Concat(0, past, x), x.Mul(tap(before))
	for i := range before {
		y = y.Add(all.SliceOf(0, shape.N(i), rows.Plus(shape.N(i)), 1).Mul(tap(i)))
	}
	f.Output("y", y.Mul(part(1)))
	f.Output("new_inputs", record)
}

// shortConv is what such a layer adds to the residual stream, of which it reads h.
func (b block) shortConv(h lang.Tensor, c cache, start lang.Tensor) lang.Tensor {
	record := b.w.of(c, "inputs", b.i)
	out := b.f.Call(b.v.convolve, b.linear("shortconv.in_proj", h), b.param("shortconv.conv"), *record, start)
	*record = out[1]
	return b.linear("shortconv.out_proj", out[0])
}
