package hlo

import (
	"fmt"

	"github.com/skainet-dev/skainet-go/compile/dag"
	"github.com/skainet-dev/skainet-go/lang/tensor"
)

var convolutionLowerings = map[string]lowering{
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
