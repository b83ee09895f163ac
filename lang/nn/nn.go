// Package nn holds layers: functions from tensors to tensors that read their
// weights by key prefix, in f32 whatever the weights are stored in.
//
// A key is what stands before the weights' own names, which follow a slash: "fc1" reads
// fc1/weight. A key that ends with a dot, "fc1.", reads fc1.weight and fc1.bias, as the
// modules of PyTorch name them, of which LayerNorm calls its scale weight and its shift bias.
//
// # Errors
//
// A missing weight or a shape that does not fit ends the capture with the
// INDEX_* or OP_* error of the first operation that met it.
//
// # Determinism
//
// Layers add the same nodes for the same shapes. Sizes may be dynamic, but for those
// that weights have.
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

// Linear gives x W^T + b for x [..., in], with key/weight [out, in] and
// key/bias [out] (the bias is optional in the weights).
func Linear(f *lang.Func, key string, x lang.Tensor, bias bool) lang.Tensor {
	var y lang.Tensor
	within(f, key, func() {
		y = x.Dot(weight(f, key, "weight", "weight"), lang.Dims{}, lang.Dims{LHS: []int{-1}, RHS: []int{1}})
		if bias {
			y = y.Add(weight(f, key, "bias", "bias"))
		}
	})
	return y
}

// LayerNorm normalises x [..., D] with key/gamma and key/beta [D] and epsilon
// 1e-5, the value of the Transformer implementations this package serves.
func LayerNorm(f *lang.Func, key string, x lang.Tensor) lang.Tensor {
	var y lang.Tensor
	within(f, key, func() {
		y = x.LayerNorm(weight(f, key, "gamma", "weight"), weight(f, key, "beta", "bias"), 1e-5)
	})
	return y
}

// Conv1D correlates x [W, C] with key/weight [O, C, K] and adds key/bias [O]:
// [(W + 2 padding - K)/stride + 1, O]. Channels are last, which is how the layers
// around it have them; shifted copies of x make it one matrix product (im2col).
func Conv1D(f *lang.Func, key string, x lang.Tensor, stride, padding int64) lang.Tensor {
	var y lang.Tensor
	within(f, key, func() {
		kernel, bias := weight(f, key, "weight", "weight"), weight(f, key, "bias", "bias")
		features, channels, taps := kernel.Dim(0), kernel.Dim(1), kernel.Dim(2)
		if padding > 0 {
			x = x.Pad(0, padding, padding, 0)
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

// Embedding gives the rows of key [V, D] at indices [...]: [..., D]. The table
// is read in its stored type, so only the rows taken are converted.
func Embedding(f *lang.Func, key string, indices lang.Tensor) lang.Tensor {
	return f.Param(key).Take(indices).Convert(dtype.F32)
}
