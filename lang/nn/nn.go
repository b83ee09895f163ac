// Package nn holds layers: functions from tensors to tensors that read their weights
// by key prefix and compute in f32 whatever the weights are stored in. Which layer or
// operation to take for what is the page "Which operation or layer to use" of the
// documentation.
//
// A key is the prefix of the weights' own names, which follow a slash: "fc1" reads
// fc1/weight. A key that ends with a dot, "fc1.", reads fc1.weight and fc1.bias, which
// are the names that PyTorch's modules have; LayerNorm then reads weight and bias in
// place of gamma and beta.
//
// # Errors
//
// A missing weight or a shape that does not fit ends the capture with the INDEX_* or
// OP_* error of the first operation that met it.
//
// # Determinism
//
// Layers add the same nodes for the same shapes. Sizes may be dynamic, except for
// those that weights have.
package nn

import (
	"strings"

	"github.com/skainet-dev/skainet-go/lang"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
	"github.com/skainet-dev/skainet-go/tensor/shape"
)

// Param reads a weight and converts it to f32.
func Param(f *lang.Func, key string) lang.Tensor { return f.Param(key).Convert(dtype.F32) }

// weight reads a weight of a layer by its names after a slash and after a dot.
func weight(f *lang.Func, key, slash, dot string) lang.Tensor {
	if strings.HasSuffix(key, ".") {
		return Param(f, key+dot)
	}
	return Param(f, key+"/"+slash)
}

// within names what a layer adds to the graph.
func within(f *lang.Func, key string, body func()) { f.Scope(strings.TrimSuffix(key, "."), body) }

// LinearOptions configures Linear. The zero value is a layer with a bias.
type LinearOptions struct {
	NoBias bool // y = x W^T; no bias is read
}

// Linear returns x W^T + b [..., out] for x [..., in], with the weight [out, in] and the
// bias [out] of the key.
func Linear(f *lang.Func, key string, x lang.Tensor, o LinearOptions) lang.Tensor {
	var y lang.Tensor
	within(f, key, func() {
		y = x.Dot(weight(f, key, "weight", "weight"), lang.Dims{}, lang.Dims{LHS: []int{-1}, RHS: []int{1}})
		if !o.NoBias {
			y = y.Add(weight(f, key, "bias", "bias"))
		}
	})
	return y
}

// LayerNormOptions configures LayerNorm.
type LayerNormOptions struct {
	Epsilon float64 // added to the variance; 0 means 1e-5, PyTorch's default
}

// LayerNorm normalizes x [..., D] over its last dimension (Ba et al. 2016), with the
// scale gamma [D] and the shift beta [D] of the key.
func LayerNorm(f *lang.Func, key string, x lang.Tensor, o LayerNormOptions) lang.Tensor {
	if o.Epsilon == 0 {
		o.Epsilon = 1e-5
	}
	var y lang.Tensor
	within(f, key, func() {
		y = x.LayerNorm(weight(f, key, "gamma", "weight"), weight(f, key, "beta", "bias"), o.Epsilon)
	})
	return y
}

// Conv1DOptions configures Conv1D. The zero value has stride 1 and no padding.
type Conv1DOptions struct {
	Stride  int64 // 0 means 1
	Padding int64 // zeros before and after
}

// Conv1D correlates x [W, C] with the weight [O, C, K] of the key and adds its bias [O]:
// [(W + 2 padding - K)/stride + 1, O]. Channels are last, where the layers around it have
// them; shifted copies of x make it one matrix product (im2col).
func Conv1D(f *lang.Func, key string, x lang.Tensor, o Conv1DOptions) lang.Tensor {
	stride := max(o.Stride, 1)
	var y lang.Tensor
	within(f, key, func() {
		kernel, bias := weight(f, key, "weight", "weight"), weight(f, key, "bias", "bias")
		features, channels, taps := kernel.Dim(0), kernel.Dim(1), kernel.Dim(2)
		if o.Padding > 0 {
			x = x.Pad(0, o.Padding, o.Padding, 0)
		}
		last := x.DimOf(0).Minus(shape.N(taps)).FloorDiv(stride).Times(shape.N(stride)) // where the last window begins
		shifted := make([]lang.Tensor, taps)
		for k := range taps {
			shifted[k] = x.SliceOf(0, shape.N(k), last.Plus(shape.N(k+1)), stride)
		}
		rows := kernel.Transpose(0, 2, 1).Reshape(features, taps*channels)
		y = f.Concat(1, shifted...).Dot(rows, lang.Dims{}, lang.Dims{LHS: []int{1}, RHS: []int{1}}).Add(bias)
	})
	return y
}

// Embedding returns the rows of the table key [V, D] at indices [...]: [..., D]. The
// table is read in its stored type, so that only the rows taken are converted.
func Embedding(f *lang.Func, key string, indices lang.Tensor) lang.Tensor {
	return f.Param(key).Take(indices).Convert(dtype.F32)
}
