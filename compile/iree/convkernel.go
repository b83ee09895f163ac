package iree

import (
	"slices"

	"github.com/skainet-dev/skainet-go/compile/dag"
	"github.com/skainet-dev/skainet-go/compile/hlo"
	"github.com/skainet-dev/skainet-go/compile/iree/kernels"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
	"github.com/skainet-dev/skainet-go/tensor/shape"
)

// leastPositions is the number of positions below which most of a kernel's vector would
// be empty.
const leastPositions = 8

// plane is a convolution whose spatial dimensions are two: of one the first is 1.
type plane struct {
	kernels.Conv
	batch                      shape.Dim
	channels, features, groups int64
	in, low, high, out         [2]int64
}

// planeOf returns the convolution of floats, of one or two static spatial dimensions; the
// batch may be dynamic.
func planeOf(n *dag.Node) (plane, bool) {
	g := hlo.GeometryOf(n)
	x, k, y := n.Inputs[0].Type, n.Inputs[1].Type, n.Outputs[0].Type
	rank := x.Shape.Rank() - 2
	if rank < 1 || rank > 2 || !x.Shape[0].IsKnown() || !x.Shape[1:].IsStatic() || !k.Shape.IsStatic() || !x.DType.IsFloat() || x.DType.Bits() > 32 || y.Shape.Product() == shape.N(0) || k.Shape.Product() == shape.N(0) {
		return plane{}, false
	}
	one := [2]int64{1, 1}
	c := plane{
		Conv:  kernels.Conv{Kernel: one, Strides: one, Dilation: one},
		batch: x.Shape[0], channels: x.Shape[1].Size, features: y.Shape[1].Size, groups: g.Groups, in: one, out: one,
	}
	for i := range rank {
		to := 2 - rank + i
		c.Kernel[to], c.Strides[to], c.Dilation[to] = k.Shape[2+i].Size, g.Strides[i], g.Dilation[i]
		c.in[to], c.low[to], c.high[to], c.out[to] = x.Shape[2+i].Size, g.Low[i], g.High[i], y.Shape[2+i].Size
	}
	return c, true
}

// nearness reports whether so many rows of so many elements are read where they lie.
type nearness func(rows, elements int64) bool

// nearness is that of the processors that texts are for.
func (t *target) nearness() nearness { return kernels.Form{Wide: t.o.Wide}.Near }

// planeConvolution is a convolution by a kernel: of one channel a group, or of enough
// positions.
func planeConvolution(near nearness) func(n *dag.Node) (call, bool) {
	return func(n *dag.Node) (call, bool) { return planeConvolutionOf(n, near) }
}

func planeConvolutionOf(n *dag.Node, near nearness) (call, bool) {
	c, ok := planeOf(n)
	if !ok {
		if n.Inputs[0].Type.Shape.IsStatic() {
			return call{}, false
		}
		return lineConvolution(n)
	}
	if !c.batch.IsStatic() {
		if l, ok := lineConvolution(n); ok {
			return l, true
		}
	}
	if c.channels == c.groups && c.groups > 1 {
		k := kernels.Depthwise{Conv: c.Conv}
		if c.Strides == [2]int64{1, 1} && c.same() && kernels.InLine(c.out[0], c.out[1]) {
			k.Same, k.Low = true, c.low
		}
		return fusedCall(c.features, func(e kernels.Epilogue) (kernel, printer) {
			k.Epilogue = e
			return k, func(p *hlo.Printer, in ...hlo.Value) hlo.Value { return c.depthwise(p, k, in) }
		}), k.Supported()
	}
	if c.positions() < leastPositions {
		return c.fewPositions()
	}
	if kept, ok := keptLine(n); ok {
		return kept, true
	}
	if !c.Listed() && framed(n) {
		return call{}, false
	}
	k := c.Conv
	for i := range 2 {
		if k.Kernel[i] == 1 { // only the elements that it meets are taken
			k.Strides[i], k.Dilation[i] = 1, 1
		}
	}
	if c.same() {
		k.Same, k.Low = true, c.low
	}
	k.Direct = k.Taps() == 1 && near(c.channels/c.groups, c.positions())
	return fusedCall(c.features, func(e kernels.Epilogue) (kernel, printer) {
		k.Epilogue = e
		return k, func(p *hlo.Printer, in ...hlo.Value) hlo.Value { return c.print(p, k, in) }
	}), k.Supported()
}

// printer prints the call of a kernel: for an operand, a weight and, with a bias, that, one
// for each feature, all in f32.
type printer func(p *hlo.Printer, in ...hlo.Value) hlo.Value

// fusedCall returns the call of the kernel with an epilogue that form returns, for a
// convolution to so many features.
func fusedCall(features int64, form func(e kernels.Epilogue) (kernel, printer)) call {
	operands := func(p *hlo.Printer, n *dag.Node) []hlo.Value {
		return []hlo.Value{p.Convert(p.In(n, 0), dtype.F32), p.Convert(p.In(n, 1), dtype.F32)}
	}
	bind := func(p *hlo.Printer, n *dag.Node, y hlo.Value) {
		t := n.Outputs[0].Type
		p.Bind(n, p.Convert(asLies(p, y, tensor.Type{DType: dtype.F32, Shape: t.Shape}), t.DType))
	}
	k, printed := form(kernels.Epilogue{})
	return call{kernel: k, print: func(p *hlo.Printer, n *dag.Node) { bind(p, n, printed(p, operands(p, n)...)) }, with: func(e epilogue) call {
		k, printed := form(e.Epilogue)
		return call{kernel: k, print: func(p *hlo.Printer, last *dag.Node) {
			in := operands(p, e.nodes[0])
			if e.Bias {
				in = append(in, p.Reshape(p.Value(e.bias), tensor.TypeOf(dtype.F32, features)))
			}
			bind(p, last, printed(p, in...))
		}}
	}}
}

// depthwise prints the call for the operands x [B, C, S...], w [F, 1, K...] and a bias.
func (c plane) depthwise(p *hlo.Printer, k kernels.Depthwise, in []hlo.Value) hlo.Value {
	x := c.whole(p, in[0], c.channels, c.in[0], c.in[1])
	w := p.Reshape(in[1], tensor.TypeOf(dtype.F32, c.features, k.Taps()))
	each := c.features / c.channels
	sizes := []hlo.Value{multiplied(p, sizeOf(p, x, 0), x.Type.Shape[0], each)}
	for _, n := range []int64{c.features, each, c.in[0], c.in[1], c.out[0], c.out[1], c.low[0], c.low[1]} {
		sizes = append(sizes, indexNumber(p, n))
	}
	y := tensor.Type{DType: dtype.F32, Shape: shape.Shape{c.batch.Times(shape.N(c.features)), shape.N(c.out[0]), shape.N(c.out[1])}}
	return dispatch(p, k, y, nil, sizes, append([]hlo.Value{w, x}, in[2:]...)...)
}

// whole reshapes x to [B count, sizes...].
func (c plane) whole(p *hlo.Printer, x hlo.Value, count int64, sizes ...int64) hlo.Value {
	return asLies(p, x, tensor.Type{DType: dtype.F32, Shape: append(shape.Shape{c.batch.Times(shape.N(count))}, shape.Of(sizes...)...)})
}

// ofBatch is the type f32 [B, sizes...].
func (c plane) ofBatch(sizes ...int64) tensor.Type {
	return tensor.Type{DType: dtype.F32, Shape: append(shape.Shape{c.batch}, shape.Of(sizes...)...)}
}

// same reports whether the kernel takes zeros around the operand by itself: a phase of it has
// then the sizes of the result.
func (c plane) same() bool {
	for i := range 2 {
		if c.Kernel[i] == 1 && (c.Strides[i] != 1 || c.low[i] != 0 || c.high[i] != 0) || c.out[i] != (c.in[i]+c.Strides[i]-1)/c.Strides[i] {
			return false
		}
	}
	return c.Taps() > 1 && c.Listed() && c.out[1] <= maxSameWidth
}

// maxSameWidth: positions are divided in f32.
const maxSameWidth = 1 << 20

// width is the distance of rows of positions.
func (c plane) width() int64 { return c.phases()[1] }

// phases returns the sizes of a phase of the padded operand.
func (c plane) phases() [2]int64 {
	var sizes [2]int64
	for i := range sizes {
		sizes[i] = (c.low[i] + c.in[i] + c.high[i] + c.Strides[i] - 1) / c.Strides[i]
		if c.Kernel[i] == 1 || c.same() {
			sizes[i] = c.out[i]
		}
	}
	return sizes
}

// positions returns the number of positions up to the last that counts.
func (c plane) positions() int64 { return (c.out[0]-1)*c.width() + c.out[1] }

// print prints the call for the operands x [B, C, S...], w [F, C/groups, K...] and a bias.
func (c plane) print(p *hlo.Printer, k kernels.Conv, in []hlo.Value) hlo.Value {
	f32 := func(sizes ...int64) tensor.Type { return tensor.TypeOf(dtype.F32, sizes...) }
	x := c.phased(p, k, in[0])
	s := c.phases()
	phase, taps, depth, features := s[0]*s[1], k.Strides[0]*k.Strides[1], c.channels/c.groups, c.features/c.groups
	x = c.whole(p, x, c.groups, depth, taps*phase)
	operands := []hlo.Value{p.Reshape(in[1], f32(c.groups, features, depth*k.Taps())), x}
	if k.Bias {
		operands = append(operands, p.Reshape(in[2], f32(c.groups, features)))
	}
	row := c.out[0] * s[1]
	sizes := []hlo.Value{sizeOf(p, x, 0)}
	for _, n := range []int64{features, c.positions(), depth * k.Taps(), c.groups, taps * phase, row, s[1], phase} {
		sizes = append(sizes, indexNumber(p, n))
	}
	t := tensor.Type{DType: dtype.F32, Shape: shape.Shape{x.Type.Shape[0], shape.N(features), shape.N(row)}}
	y := dispatch(p, k, t, nil, sizes, operands...)
	if s[1] == c.out[1] {
		return y
	}
	y = asLies(p, y, c.ofBatch(c.features, c.out[0], s[1]))
	t = c.ofBatch(c.features, c.out[0], c.out[1])
	return p.Slice(y, t, shape.Of(0, 0, 0, 0), t.Shape, []int64{1, 1, 1, 1})
}

// phased pads x, and sorts its elements by phase.
func (c plane) phased(p *hlo.Printer, k kernels.Conv, x hlo.Value) hlo.Value {
	s := c.phases()
	shaped := func() { x = asLies(p, x, c.ofBatch(c.channels, c.in[0], c.in[1])) }
	if k.Same { // only what makes its sizes multiples of the strides is added
		c.low, c.high = [2]int64{}, [2]int64{}
	}
	low, high, whole := []int64{0, 0, c.low[0], c.low[1]}, []int64{0, 0, 0, 0}, [2]int64{}
	pads := false
	for i := range 2 {
		whole[i] = s[i] * k.Strides[i]
		high[2+i] = whole[i] - c.low[i] - c.in[i]
		if c.Kernel[i] == 1 { // all that a stride passes over is left out
			whole[i] = c.low[i] + c.in[i] + c.high[i]
			high[2+i] = c.high[i]
		}
		pads = pads || low[2+i] != 0 || high[2+i] != 0
	}
	if pads {
		shaped()
		x = p.Pad(x, p.Splat(hlo.Scalar(x.Type), 0), low, high, c.ofBatch(c.channels, whole[0], whole[1]).Shape)
	}
	if strides := []int64{1, 1, c.Strides[0] / k.Strides[0], c.Strides[1] / k.Strides[1]}; strides[2] > 1 || strides[3] > 1 || whole[0] != s[0]*k.Strides[0] || whole[1] != s[1]*k.Strides[1] {
		if !pads {
			shaped()
		}
		t := c.ofBatch(c.channels, whole[0], whole[1])
		limit := slices.Clone(t.Shape)
		for i := range 2 {
			if c.Kernel[i] == 1 {
				limit[2+i], t.Shape[2+i] = shape.N((c.out[i]-1)*c.Strides[i]+1), shape.N(c.out[i])
			}
		}
		x = p.Slice(x, t, shape.Of(0, 0, 0, 0), limit, strides)
	}
	if k.Strides == [2]int64{1, 1} {
		return x
	}
	x = asLies(p, x, c.ofBatch(c.channels, s[0], k.Strides[0], s[1], k.Strides[1]))
	return p.Transpose(x, []int64{0, 1, 3, 5, 2, 4})
}
