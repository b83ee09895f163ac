package iree

import (
	"github.com/skainet-dev/skainet-go/compile/hlo"
	"github.com/skainet-dev/skainet-go/compile/iree/kernels"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
	"github.com/skainet-dev/skainet-go/tensor/shape"
)

// fewPositions is a convolution along a line with fewer positions than a tile of a product
// has columns.
func (c plane) fewPositions() (call, bool) {
	k := kernels.FewPositions{
		Channels: c.channels, Length: c.in[1],
		Positions: c.out[1], Taps: c.Kernel[1], Stride: c.Strides[1], Dilation: c.Dilation[1], Low: c.low[1],
	}
	line := c.Kernel[0] == 1 && c.in[0] == 1 && c.out[0] == 1 && c.low[0] == 0
	return fusedCall(c.features, func(e kernels.Epilogue) (kernel, printer) {
		k.Epilogue = e
		return k, func(p *hlo.Printer, in ...hlo.Value) hlo.Value {
			w := p.Reshape(in[1], tensor.TypeOf(dtype.F32, c.features, c.channels*c.Kernel[1]))
			x := p.Reshape(in[0], tensor.TypeOf(dtype.F32, c.channels*c.in[1]))
			return dispatch(p, k, tensor.TypeOf(dtype.F32, c.features, c.out[1]), nil, []hlo.Value{indexNumber(p, c.features)}, append([]hlo.Value{w, x}, in[2:]...)...)
		}
	}), line && c.batch == shape.N(1) && c.groups == 1 && k.Supported()
}
