package hlo

import (
	"fmt"
	"slices"

	"github.com/skainet-dev/skainet-go/compile/dag"
	"github.com/skainet-dev/skainet-go/lang/shape"
	"github.com/skainet-dev/skainet-go/lang/tensor"
)

var convolutionLowerings = map[string]lowering{
	"convolution": convolution,
	// As one matrix product over the shifted copies of x (im2col). For
	// stablehlo.convolution the pinned compiler asks Vulkan devices for more
	// workgroup memory than they have (72 KiB for 384 channels), and makes slower
	// code for CPUs.
	"conv1d": func(p *printer, n *dag.Node) {
		x, kernel, t := p.in(n, 0), p.in(n, 1), n.Outputs[0].Type
		stride, padding := n.Attrs.Int("stride"), n.Attrs.Int("padding")
		batch, channels, taps := x.typ.Shape[0], x.typ.Shape[1], kernel.typ.Shape[2].Size
		features, width := t.Shape[1], t.Shape[2]
		sized := func(sizes ...shape.Dim) tensor.Type { return tensor.Type{DType: x.typ.DType, Shape: sizes} }

		padded := x
		if padding > 0 {
			zero := p.splat(scalar(x.typ), 0)
			padded = p.to(sized(batch, channels, x.typ.Shape[2].Plus(shape.N(2*padding))), "stablehlo.pad",
				fmt.Sprintf(", low = [0, 0, %d], high = [0, 0, %d], interior = [0, 0, 0]", padding, padding), x, zero)
		}
		shifted := make([]ssa, taps)
		for k := range taps {
			start := shape.Of(0, 0, k)
			limit := shape.Shape{batch, channels, reach(k, width, stride)}
			s := p.slice(padded, sized(batch, channels, width), start, limit, []int64{1, 1, stride})
			shifted[k] = p.reshape(s, sized(batch, channels, shape.N(1), width))
		}
		columns := shifted[0]
		if taps > 1 {
			columns = p.to(sized(batch, channels, shape.N(taps), width), "stablehlo.concatenate", ", dim = 2", shifted...)
		}
		depth := channels.Times(shape.N(taps))
		columns = p.reshape(columns, sized(batch, depth, width))
		rows := p.reshape(kernel, sized(features, depth))
		sum := f32(sized(features, batch, width))
		y := p.dot(rows, columns, nil, nil, []int64{1}, []int64{1}, sum)
		y = p.transpose(y, []int64{1, 0, 2})
		p.bind(n, p.convert(y, t.DType))
	},
}

// reach is the index behind the last of n elements from first on.
func reach(first int64, n shape.Dim, stride int64) shape.Dim {
	return n.Minus(shape.N(1)).Times(shape.N(stride)).Plus(shape.N(first + 1))
}

// convolution is conv1d's lowering for any number of spatial dimensions: the
// shifted copies of x are one operand of a product for each group.
func convolution(p *printer, n *dag.Node) {
	x, kernel, t := p.in(n, 0), p.in(n, 1), n.Outputs[0].Type
	xs, ks, out := x.typ.Shape, kernel.typ.Shape.Sizes(), t.Shape[2:]
	rank, groups := len(out), n.Attrs.Int("groups")
	list := func(name string, none int64) []int64 {
		if v := n.Attrs.Ints(name); len(v) > 0 {
			return v
		}
		return slices.Repeat([]int64{none}, rank)
	}
	low, high, strides, dilation := list("low", 0), list("high", 0), list("strides", 1), list("dilation", 1)
	sized := func(sizes ...shape.Dim) tensor.Type { return tensor.Type{DType: x.typ.DType, Shape: sizes} }

	padded := x
	if slices.Max(low) > 0 || slices.Max(high) > 0 {
		sizes := slices.Clone(xs)
		for i := range out {
			sizes[2+i] = sizes[2+i].Plus(shape.N(low[i] + high[i]))
		}
		none := []int64{0, 0}
		padded = p.to(sized(sizes...), "stablehlo.pad", fmt.Sprintf(", low = %s, high = %s, interior = %s",
			ints(append(none[:2:2], low...)), ints(append(none[:2:2], high...)), ints(make([]int64, 2+rank))), x, p.splat(scalar(x.typ), 0))
	}
	batch, channels, features, taps := xs[0], xs[1].Size, shape.N(ks[0]), int64(1)
	for i := range out {
		taps *= ks[2+i]
	}
	positions := out.Product()
	shifted := make([]ssa, taps)
	for k := range shifted {
		start, limit, steps := shape.Of(0, 0), shape.Shape{batch, shape.N(channels)}, []int64{1, 1}
		tap := taps
		for i := range out { // the last dimension's taps are next to each other
			tap /= ks[2+i]
			first := int64(k) / tap % ks[2+i] * dilation[i]
			start, limit = append(start, shape.N(first)), append(limit, reach(first, out[i], strides[i]))
			steps = append(steps, strides[i])
		}
		s := p.slice(padded, sized(append(shape.Shape{batch, shape.N(channels)}, out...)...), start, limit, steps)
		shifted[k] = p.reshape(s, sized(batch, shape.N(channels), shape.N(1), positions))
	}
	columns := shifted[0]
	if taps > 1 {
		columns = p.to(sized(batch, shape.N(channels), shape.N(taps), positions), "stablehlo.concatenate", ", dim = 2", shifted...)
	}
	depth, split := shape.N(channels/groups*taps), shape.N(ks[0]/groups)
	var y ssa
	if groups == 1 {
		columns = p.reshape(columns, sized(batch, depth, positions))
		rows := p.reshape(kernel, sized(features, depth))
		y = p.dot(rows, columns, nil, nil, []int64{1}, []int64{1}, f32(sized(features, batch, positions)))
	} else {
		g := shape.N(groups)
		columns = p.reshape(columns, sized(batch, g, depth, positions))
		rows := p.reshape(kernel, sized(g, split, depth))
		y = p.dot(rows, columns, []int64{0}, []int64{1}, []int64{2}, []int64{2}, f32(sized(g, split, batch, positions)))
		y = p.reshape(y, f32(sized(features, batch, positions)))
	}
	y = p.transpose(y, []int64{1, 0, 2})
	y = p.reshape(y, f32(sized(t.Shape...)))
	p.bind(n, p.convert(y, t.DType))
}
