package lang

import (
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
	"github.com/skainet-dev/skainet-go/tensor/quant"
)

// Models take their weights by Param and multiply by them as by any tensor; the
// pass passes.Packed makes these operations of it where the weight file has blocks.

// ParamBlocks returns a tensor of the weights as the blocks of the file: i8 [...,
// K/elements, bytes of a block] for f32 [..., K].
func (f *Func) ParamBlocks(key string) (Tensor, quant.Encoding) {
	f.whole("a parameter")
	spec, err := f.m.Index().Lookup(key)
	if err != nil {
		panic(err)
	}
	t, err := tensor.BlocksOf(spec.Encoding, spec.Shape)
	if err != nil {
		panic(err)
	}
	return f.parameter(spec.Name, t, attrs{"encoding": string(spec.Encoding)}), spec.Encoding
}

// DequantizeBlocks returns the elements f32 [..., K] of blocks t.
func (t Tensor) DequantizeBlocks(e quant.Encoding) Tensor {
	return t.f.add("dequantize_blocks", attrs{"encoding": string(e)}, t)
}

// DequantTake returns the rows at indices (any shape I) of the matrix whose rows are
// the blocks t [V, K/elements, bytes]: f32 [I..., K].
func (t Tensor) DequantTake(e quant.Encoding, indices Tensor) Tensor {
	return t.f.add("dequant_take", attrs{"encoding": string(e)}, t, indices)
}

// DequantMatMul returns t [..., K] of f32 times the transpose of the matrix whose rows
// are the blocks w [N, K/elements, bytes]: f32 [..., N].
func (t Tensor) DequantMatMul(e quant.Encoding, w Tensor) Tensor {
	return t.f.add("dequant_matmul", attrs{"encoding": string(e)}, t, w)
}

// Bitcast returns the same bits as an element type of the same width; t itself if
// it has that type.
func (t Tensor) Bitcast(d dtype.DType) Tensor {
	if t.DType() == d {
		return t
	}
	return t.f.add("bitcast", attrs{"dtype": d}, t)
}
