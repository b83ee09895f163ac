package hlo

import (
	"fmt"
	"slices"

	"github.com/skainet-dev/skainet-go/compile/dag"
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
		batch, channels, taps := x.typ.Shape[0].Size, x.typ.Shape[1].Size, kernel.typ.Shape[2].Size
		features, width := t.Shape[1].Size, t.Shape[2].Size
		sized := func(sizes ...int64) tensor.Type { return tensor.TypeOf(x.typ.DType, sizes...) }

		padded := x
		if padding > 0 {
			zero := p.splat(scalar(x.typ), 0)
			padded = p.to(sized(batch, channels, x.typ.Shape[2].Size+2*padding), "stablehlo.pad",
				fmt.Sprintf(", low = [0, 0, %d], high = [0, 0, %d], interior = [0, 0, 0]", padding, padding), x, zero)
		}
		shifted := make([]ssa, taps)
		for k := range taps {
			window := fmt.Sprintf(" [0:%d, 0:%d, %d:%d:%d]", batch, channels, k, k+(width-1)*stride+1, stride)
			s := p.to(sized(batch, channels, width), "stablehlo.slice", window, padded)
			shifted[k] = p.to(sized(batch, channels, 1, width), "stablehlo.reshape", "", s)
		}
		columns := shifted[0]
		if taps > 1 {
			columns = p.to(sized(batch, channels, taps, width), "stablehlo.concatenate", ", dim = 2", shifted...)
		}
		columns = p.to(sized(batch, channels*taps, width), "stablehlo.reshape", "", columns)
		rows := p.to(sized(features, channels*taps), "stablehlo.reshape", "", kernel)
		sum := f32(sized(features, batch, width))
		y := p.to(sum, "stablehlo.dot_general", ", contracting_dims = [1] x [1]", rows, columns)
		y = p.to(tensor.TypeOf(sum.DType, batch, features, width), "stablehlo.transpose", ", dims = [1, 0, 2]", y)
		p.bind(n, p.convert(y, t.DType))
	},
}

// convolution is conv1d's lowering for any number of spatial dimensions: the
// shifted copies of x are one operand of a product for each group.
func convolution(p *printer, n *dag.Node) {
	x, kernel, t := p.in(n, 0), p.in(n, 1), n.Outputs[0].Type
	xs, ks, out := x.typ.Shape.Sizes(), kernel.typ.Shape.Sizes(), t.Shape.Sizes()[2:]
	rank, groups := len(out), n.Attrs.Int("groups")
	list := func(name string, none int64) []int64 {
		if v := n.Attrs.Ints(name); len(v) > 0 {
			return v
		}
		return slices.Repeat([]int64{none}, rank)
	}
	low, high, strides, dilation := list("low", 0), list("high", 0), list("strides", 1), list("dilation", 1)
	sized := func(sizes ...int64) tensor.Type { return tensor.TypeOf(x.typ.DType, sizes...) }

	padded := x
	if slices.Max(low) > 0 || slices.Max(high) > 0 {
		sizes := slices.Clone(xs)
		for i := range out {
			sizes[2+i] += low[i] + high[i]
		}
		none := []int64{0, 0}
		padded = p.to(sized(sizes...), "stablehlo.pad", fmt.Sprintf(", low = %s, high = %s, interior = %s",
			ints(append(none[:2:2], low...)), ints(append(none[:2:2], high...)), ints(make([]int64, 2+rank))), x, p.splat(scalar(x.typ), 0))
	}
	batch, channels, features, taps, positions := xs[0], xs[1], ks[0], int64(1), int64(1)
	for i := range out {
		taps, positions = taps*ks[2+i], positions*out[i]
	}
	shifted := make([]ssa, taps)
	for k := range shifted {
		window, tap := "", int64(k)
		for i := rank - 1; i >= 0; i-- { // the last dimension's taps are next to each other
			first := tap % ks[2+i] * dilation[i]
			window = fmt.Sprintf(", %d:%d:%d", first, first+(out[i]-1)*strides[i]+1, strides[i]) + window
			tap /= ks[2+i]
		}
		s := p.to(sized(append([]int64{batch, channels}, out...)...), "stablehlo.slice", fmt.Sprintf(" [0:%d, 0:%d%s]", batch, channels, window), padded)
		shifted[k] = p.to(sized(batch, channels, 1, positions), "stablehlo.reshape", "", s)
	}
	columns := shifted[0]
	if taps > 1 {
		columns = p.to(sized(batch, channels, taps, positions), "stablehlo.concatenate", ", dim = 2", shifted...)
	}
	depth := channels / groups * taps
	var y ssa
	if groups == 1 {
		columns = p.to(sized(batch, depth, positions), "stablehlo.reshape", "", columns)
		rows := p.to(sized(features, depth), "stablehlo.reshape", "", kernel)
		y = p.to(f32(sized(features, batch, positions)), "stablehlo.dot_general", ", contracting_dims = [1] x [1]", rows, columns)
	} else {
		columns = p.to(sized(batch, groups, depth, positions), "stablehlo.reshape", "", columns)
		rows := p.to(sized(groups, features/groups, depth), "stablehlo.reshape", "", kernel)
		y = p.to(f32(sized(groups, features/groups, batch, positions)), "stablehlo.dot_general", ", batching_dims = [0] x [1], contracting_dims = [2] x [2]", rows, columns)
		y = p.to(f32(sized(features, batch, positions)), "stablehlo.reshape", "", y)
	}
	y = p.to(f32(sized(batch, features, positions)), "stablehlo.transpose", ", dims = [1, 0, 2]", y)
	y = p.to(f32(sized(t.Shape.Sizes()...)), "stablehlo.reshape", "", y)
	p.bind(n, p.convert(y, t.DType))
}
