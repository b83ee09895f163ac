package hlo

import (
	"fmt"
	"slices"

	"github.com/skainet-dev/skainet-go/compile/dag"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
	"github.com/skainet-dev/skainet-go/tensor/shape"
)

var convolutionLowerings = map[string]lowering{
	// As one matrix product over the shifted copies of x (im2col). For
	// stablehlo.convolution the pinned compiler asks Vulkan devices for more
	// workgroup memory than they have (72 KiB for 384 channels), and makes slower
	// code for CPUs.
	"conv1d": func(p *printer, n *dag.Node) {
		padding := []int64{n.Attrs.Int("padding")}
		p.correlate(n, geometry{low: padding, high: padding, strides: []int64{n.Attrs.Int("stride")}, dilation: []int64{1}, groups: 1})
	},
	"convolution": func(p *printer, n *dag.Node) {
		list := func(name string, none int64) []int64 {
			if v := n.Attrs.Ints(name); len(v) > 0 {
				return v
			}
			return slices.Repeat([]int64{none}, n.Inputs[0].Type.Shape.Rank()-2)
		}
		p.correlate(n, geometry{list("low", 0), list("high", 0), list("strides", 1), list("dilation", 1), n.Attrs.Int("groups")})
	},
}

// geometry is how a kernel goes over the spatial dimensions.
type geometry struct {
	low, high, strides, dilation []int64
	groups                       int64
}

// reach is the index behind the last of n elements from first on.
func reach(first int64, n shape.Dim, stride int64) shape.Dim {
	return n.Minus(shape.N(1)).Times(shape.N(stride)).Plus(shape.N(first + 1))
}

// correlate makes the shifted copies of x one operand of a product for each group.
func (p *printer) correlate(n *dag.Node, g geometry) {
	x, kernel, t := p.in(n, 0), p.in(n, 1), n.Outputs[0].Type
	xs, ks, out := x.typ.Shape, kernel.typ.Shape.Sizes(), t.Shape[2:]
	sized := func(sizes ...shape.Dim) tensor.Type { return tensor.Type{DType: x.typ.DType, Shape: sizes} }
	if kernel.typ.Shape.Product() == shape.N(0) { // on which the compiler crashes (IREE 3.13.0)
		p.bind(n, p.fill(t, 0, ssa{}))
		return
	}

	padded := x
	if slices.Max(g.low) > 0 || slices.Max(g.high) > 0 {
		sizes := slices.Clone(xs)
		for i := range out {
			sizes[2+i] = sizes[2+i].Plus(shape.N(g.low[i] + g.high[i]))
		}
		none := []int64{0, 0}
		padded = p.to(sized(sizes...), "stablehlo.pad", fmt.Sprintf(", low = %s, high = %s, interior = %s",
			ints(append(none[:2:2], g.low...)), ints(append(none[:2:2], g.high...)), ints(make([]int64, 2+len(out)))), x, p.splat(scalar(x.typ), 0))
	}
	batch, channels, features, taps := xs[0], xs[1].Size, shape.N(ks[0]), int64(1)
	for i := range out {
		taps *= ks[2+i]
	}
	positions := out.Product()
	depth, split := shape.N(channels/g.groups*taps), shape.N(ks[0]/g.groups)
	var columns ssa
	if x.typ.Shape.IsStatic() {
		shifted := make([]ssa, taps)
		for k := range shifted {
			start, limit, steps := shape.Of(0, 0), shape.Shape{batch, shape.N(channels)}, []int64{1, 1}
			tap := taps
			for i := range out { // the last dimension's taps are next to each other
				tap /= ks[2+i]
				first := int64(k) / tap % ks[2+i] * g.dilation[i]
				start, limit = append(start, shape.N(first)), append(limit, reach(first, out[i], g.strides[i]))
				steps = append(steps, g.strides[i])
			}
			s := p.slice(padded, sized(append(shape.Shape{batch, shape.N(channels)}, out...)...), start, limit, steps)
			shifted[k] = p.reshape(s, sized(batch, shape.N(channels), shape.N(1), positions))
		}
		columns = p.joined(shifted, sized(batch, shape.N(channels), shape.N(taps), positions))
	} else {
		columns = p.windows(padded, ks[2:], out, g)
	}
	var y ssa
	if g.groups == 1 {
		columns = p.reshape(columns, sized(batch, depth, positions))
		rows := p.reshape(kernel, sized(features, depth))
		y = p.dot(rows, columns, nil, nil, []int64{1}, []int64{1}, f32(sized(features, batch, positions)))
	} else {
		count := shape.N(g.groups)
		columns = p.reshape(columns, sized(batch, count, depth, positions))
		rows := p.reshape(kernel, sized(count, split, depth))
		y = p.dot(rows, columns, []int64{0}, []int64{1}, []int64{2}, []int64{2}, f32(sized(count, split, batch, positions)))
		y = p.reshape(y, f32(sized(features, batch, positions)))
	}
	y = p.transpose(y, []int64{1, 0, 2})
	y = p.reshape(y, f32(sized(t.Shape...)))
	p.bind(n, p.convert(y, t.DType))
}

// joined puts the taps, each with a dimension of size 1, into one tensor.
func (p *printer) joined(taps []ssa, t tensor.Type) ssa {
	if len(taps) == 1 {
		return taps[0]
	}
	return p.to(t, "stablehlo.concatenate", ", dim = 2", taps...)
}

// windows gives the columns [N, C taps, positions] of a product for x [N, C, S...]
// of dynamic sizes: a slice for each tap would pass more sizes to a kernel than
// it may have (IREE 3.13.0, 64 numbers). Each spatial dimension is taken at tap
// times dilation plus position times stride.
func (p *printer) windows(x ssa, taps []int64, out shape.Shape, g geometry) ssa {
	for i := len(out) - 1; i >= 0; i-- {
		it := tensor.Type{DType: dtype.I32, Shape: shape.Shape{shape.N(taps[i]), out[i]}}
		tap, position := p.count(it, 0, ssa{}), p.count(it, 1, ssa{})
		at := p.same("stablehlo.add", p.mul(tap, p.number(tap, float64(g.dilation[i]))), p.mul(position, p.number(position, float64(g.strides[i]))))
		x = p.index(x, p.barrier(at), 2+i)
	}
	permutation := []int64{0, 1}
	for half := range int64(2) { // taps before positions
		for i := range out {
			permutation = append(permutation, 2+2*int64(i)+half)
		}
	}
	x = p.transpose(x, permutation)
	s, n := x.typ.Shape, 2+len(out)
	return p.reshape(x, tensor.Type{DType: x.typ.DType, Shape: shape.Shape{s[0], s[1:n].Product(), s[n:].Product()}})
}
