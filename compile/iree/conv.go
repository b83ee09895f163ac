package iree

import (
	"slices"

	"github.com/skainet-dev/skainet-go/compile/dag"
	"github.com/skainet-dev/skainet-go/compile/hlo"
	"github.com/skainet-dev/skainet-go/compile/op"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
	"github.com/skainet-dev/skainet-go/tensor/shape"
)

var convolutionRows = []Rewrite{{
	ID:      "convolution-product",
	Symptom: "stablehlo.convolution asks Vulkan devices for more workgroup memory than they have (72 KiB for 384 channels), is slower on CPUs, and does not support dynamic sizes.",
	Instead: "a matrix product over the shifted copies of the operand (im2col)",
	Targets: "all", First: "3.13.0", Last: "3.13.0", Text: AnyText, Shown: NoProgram,
	install: func(t *target) {
		for _, o := range t.convolutions() {
			t.Lower[o] = func(p *hlo.Printer, n *dag.Node) { correlate(p, n, hlo.GeometryOf(n)) }
		}
	},
}, {
	ID:      "depthwise-sum",
	Symptom: "A product for each channel has a depth of the kernel's elements alone, and its operand is that many copies: a depthwise convolution takes up to a hundred times its memory's time.",
	Instead: "the sum of the shifted operands, each times its element of the kernel",
	Targets: "all", First: "3.13.0", Last: "3.13.0", Text: AnyText, Shown: Costs,
	install: func(t *target) {
		for _, o := range t.convolutions() {
			t.lower(o, depthwise)
		}
	},
}, {
	ID:      "convolution-of-nothing",
	Symptom: "The compiler crashes on the product of dynamic sizes that a convolution with a kernel without elements becomes.",
	Instead: "zeros",
	Targets: "all", First: "3.13.0", Last: "3.13.0", Text: AnyText, Shown: NoProgram,
	install: func(t *target) {
		for _, o := range t.convolutions() {
			t.lower(o, func(p *hlo.Printer, n *dag.Node) bool {
				if n.Inputs[1].Type.Shape.Product() != shape.N(0) {
					return false
				}
				p.Bind(n, p.Fill(n.Outputs[0].Type, 0, hlo.Value{}))
				return true
			})
		}
	},
}}

// convolutions lists the operations of that family that occur in texts.
func (t *target) convolutions() []op.ID {
	var list []op.ID
	for o := range t.Lower {
		if op.Of(o).Family == op.Convolution {
			list = append(list, o)
		}
	}
	return list
}

// reach is the index after the last of n elements starting at first.
func reach(first int64, n shape.Dim, stride int64) shape.Dim {
	return n.Minus(shape.N(1)).Times(shape.N(stride)).Plus(shape.N(first + 1))
}

// padded adds the zeros of a convolution around x.
func padded(p *hlo.Printer, x hlo.Value, g hlo.Geometry) hlo.Value {
	if slices.Max(g.Low) <= 0 && slices.Max(g.High) <= 0 {
		return x
	}
	low, high := append([]int64{0, 0}, g.Low...), append([]int64{0, 0}, g.High...)
	sizes := slices.Clone(x.Type.Shape)
	for i := range sizes {
		sizes[i] = sizes[i].Plus(shape.N(low[i] + high[i]))
	}
	return p.Pad(x, p.Splat(hlo.Scalar(x.Type), 0), low, high, sizes)
}

// shifted returns the elements of x, padded, that element k of the kernel meets.
func shifted(p *hlo.Printer, x hlo.Value, k int64, kernel []int64, out shape.Shape, g hlo.Geometry) hlo.Value {
	s := x.Type.Shape
	start, limit, steps, tap := shape.Of(0, 0), slices.Clone(s[:2]), []int64{1, 1}, shape.Of(kernel...).Product().Size
	for i := range out { // the last dimension's taps are contiguous
		tap /= kernel[i]
		first := k / tap % kernel[i] * g.Dilation[i]
		start, limit = append(start, shape.N(first)), append(limit, reach(first, out[i], g.Strides[i]))
		steps = append(steps, g.Strides[i])
	}
	t := tensor.Type{DType: x.Type.DType, Shape: slices.Concat(s[:2], out)}
	return p.Slice(x, t, start, limit, steps)
}

// depthwise is a convolution of static sizes with one channel in each group.
func depthwise(p *hlo.Printer, n *dag.Node) bool {
	g, t := hlo.GeometryOf(n), n.Outputs[0].Type
	xs, ks := n.Inputs[0].Type.Shape, n.Inputs[1].Type.Shape
	if xs[1] != shape.N(g.Groups) || g.Groups == 1 || !xs.IsStatic() {
		return false
	}
	wide := hlo.Wide(n.Inputs[0].Type).DType
	x := padded(p, p.Convert(p.In(n, 0), wide), g)
	of := func(s ...shape.Dim) tensor.Type { return tensor.Type{DType: wide, Shape: s} }
	taps, each := ks[1:].Product(), shape.N(ks[0].Size/g.Groups)
	kernel := p.Reshape(p.Convert(p.In(n, 1), wide), of(xs[1], each, taps))
	whole := of(slices.Concat(shape.Shape{xs[0], xs[1], each}, t.Shape[2:])...)
	dims := []int64{0, 1}
	for i := range t.Shape[2:] {
		dims = append(dims, int64(3+i))
	}
	var sum hlo.Value
	for k := range taps.Size {
		w := p.Slice(kernel, of(xs[1], each, shape.N(1)), shape.Of(0, 0, k), shape.Shape{xs[1], each, shape.N(k + 1)}, []int64{1, 1, 1})
		w = p.Broadcast(p.Reshape(w, of(xs[1], each)), whole, []int64{1, 2}, hlo.Value{})
		y := p.Broadcast(shifted(p, x, k, ks[2:].Sizes(), t.Shape[2:], g), whole, dims, hlo.Value{})
		if y = p.Mul(y, w); k > 0 {
			y = p.Add(sum, y)
		}
		sum = y
	}
	p.Bind(n, p.Convert(p.Reshape(sum, of(t.Shape...)), t.DType))
	return true
}

// correlate turns the shifted copies of x into one operand of a product for each group.
func correlate(p *hlo.Printer, n *dag.Node, g hlo.Geometry) {
	x, kernel, t := p.In(n, 0), p.In(n, 1), n.Outputs[0].Type
	xs, ks, out := x.Type.Shape, kernel.Type.Shape.Sizes(), t.Shape[2:]
	sized := func(sizes ...shape.Dim) tensor.Type { return tensor.Type{DType: x.Type.DType, Shape: sizes} }
	around := padded(p, x, g)
	batch, channels, features, taps := xs[0], xs[1].Size, shape.N(ks[0]), int64(1)
	for i := range out {
		taps *= ks[2+i]
	}
	positions := out.Product()
	depth, split := shape.N(channels/g.Groups*taps), shape.N(ks[0]/g.Groups)
	if framed(n) {
		blocks := (taps + g.Strides[0] - 1) / g.Strides[0]
		y := p.Dot(p.Reshape(kernel, sized(features, depth)), frames(p, around, blocks, taps, out[0], g.Strides[0]),
			hlo.DotDims{LHSContracting: []int64{1}, RHSContracting: []int64{2}}, hlo.Wide(sized(features, batch, positions)))
		y = p.Reshape(p.Transpose(y, []int64{1, 0, 2}), hlo.Wide(sized(t.Shape...)))
		p.Bind(n, p.Convert(y, t.DType))
		return
	}
	var columns hlo.Value
	if xs.IsStatic() || taps == 1 && xs[1:].IsStatic() {
		copies := make([]hlo.Value, taps)
		for k := range copies {
			copies[k] = p.Reshape(shifted(p, around, int64(k), ks[2:], out, g), sized(batch, shape.N(channels), shape.N(1), positions))
		}
		columns = joined(p, copies, sized(batch, shape.N(channels), shape.N(taps), positions))
	} else {
		columns = windows(p, around, ks[2:], out, g)
	}
	var y hlo.Value
	if g.Groups == 1 {
		columns = p.Reshape(columns, sized(batch, depth, positions))
		rows := p.Reshape(kernel, sized(features, depth))
		y = p.Dot(rows, columns, hlo.DotDims{LHSContracting: []int64{1}, RHSContracting: []int64{1}}, hlo.Wide(sized(features, batch, positions)))
	} else {
		count := shape.N(g.Groups)
		columns = p.Reshape(columns, sized(batch, count, depth, positions))
		rows := p.Reshape(kernel, sized(count, split, depth))
		y = p.Dot(rows, columns, hlo.DotDims{LHSBatching: []int64{0}, RHSBatching: []int64{1}, LHSContracting: []int64{2}, RHSContracting: []int64{2}}, hlo.Wide(sized(count, split, batch, positions)))
		y = p.Reshape(y, hlo.Wide(sized(features, batch, positions)))
	}
	y = p.Transpose(y, []int64{1, 0, 2})
	y = p.Reshape(y, hlo.Wide(sized(t.Shape...)))
	p.Bind(n, p.Convert(y, t.DType))
}

// leastTaps is the number of a kernel's taps for each block of a stride from which the blocks
// are copied in place of the taps, as of the frames of a spectrum.
const leastTaps = 8

// framed reports whether a convolution is the product with such frames.
func framed(n *dag.Node) bool {
	g, x, taps := hlo.GeometryOf(n), n.Inputs[0].Type.Shape, n.Inputs[1].Type.Shape[2]
	return x.IsStatic() && x.Rank() == 3 && g.Groups == 1 && g.Dilation[0] == 1 && leastTaps*((taps.Size+g.Strides[0]-1)/g.Strides[0]) <= taps.Size
}

// frames returns the columns [N, positions, C taps] of a product for x [N, C, L], padded: a
// frame is so many neighbouring blocks of as many elements as the stride, of which the last
// may be cut.
func frames(p *hlo.Printer, x hlo.Value, blocks, taps int64, positions shape.Dim, stride int64) hlo.Value {
	of := func(sizes ...int64) tensor.Type { return tensor.TypeOf(x.Type.DType, sizes...) }
	s, count := x.Type.Shape.Sizes(), positions.Size-1+blocks
	switch whole := count * stride; {
	case s[2] < whole: // nothing meets the zeros
		x = p.Pad(x, p.Splat(hlo.Scalar(x.Type), 0), []int64{0, 0, 0}, []int64{0, 0, whole - s[2]}, shape.Of(s[0], s[1], whole))
	case s[2] > whole:
		x = p.Slice(x, of(s[0], s[1], whole), shape.Of(0, 0, 0), shape.Of(s[0], s[1], whole), []int64{1, 1, 1})
	}
	x = p.Reshape(x, of(s[0], s[1], count, stride))
	parts := make([]hlo.Value, blocks)
	for i := range blocks {
		width := min(stride, taps-i*stride)
		parts[i] = p.Slice(x, of(s[0], s[1], positions.Size, width), shape.Of(0, 0, i, 0), shape.Of(s[0], s[1], i+positions.Size, width), []int64{1, 1, 1, 1})
	}
	x = parts[0]
	if blocks > 1 {
		x = p.To(of(s[0], s[1], positions.Size, taps), "stablehlo.concatenate", ", dim = 3", parts...)
	}
	return p.Reshape(p.Transpose(x, []int64{0, 2, 1, 3}), of(s[0], positions.Size, s[1]*taps))
}

// joined concatenates the taps, each with a dimension of size 1, into one tensor.
func joined(p *hlo.Printer, taps []hlo.Value, t tensor.Type) hlo.Value {
	if len(taps) == 1 {
		return taps[0]
	}
	return p.To(t, "stablehlo.concatenate", ", dim = 2", taps...)
}

// windows returns the columns [N, C taps, positions] of a product for x [N, C, S...]
// of dynamic sizes: a slice for each tap would pass more sizes to a kernel than
// the 64 numbers that it accepts. Each spatial dimension is gathered at tap
// times dilation plus position times stride.
func windows(p *hlo.Printer, x hlo.Value, taps []int64, out shape.Shape, g hlo.Geometry) hlo.Value {
	for i := len(out) - 1; i >= 0; i-- {
		it := tensor.Type{DType: dtype.I32, Shape: shape.Shape{shape.N(taps[i]), out[i]}}
		tap, position := p.Iota(it, 0, hlo.Value{}), p.Iota(it, 1, hlo.Value{})
		at := p.Same("stablehlo.add", p.Mul(tap, p.Number(tap, float64(g.Dilation[i]))), p.Mul(position, p.Number(position, float64(g.Strides[i]))))
		x = indexSelect(p, x, p.Barrier(at), 2+i)
	}
	permutation := []int64{0, 1}
	for half := range int64(2) { // taps before positions
		for i := range out {
			permutation = append(permutation, 2+2*int64(i)+half)
		}
	}
	x = p.Transpose(x, permutation)
	s, n := x.Type.Shape, 2+len(out)
	return p.Reshape(x, tensor.Type{DType: x.Type.DType, Shape: shape.Shape{s[0], s[1:n].Product(), s[n:].Product()}})
}
