// Package nn holds layers: functions from tensors to tensors that read their
// weights by key prefix, in f32 whatever the weights are stored in.
//
// # Errors
//
// A missing weight or a shape that does not fit ends the capture with the
// INDEX_* or OP_* error of the first operation that met it.
//
// # Determinism
//
// Layers add the same nodes for the same shapes.
package nn

import (
	"github.com/skainet-dev/skainet-go/lang"
	"github.com/skainet-dev/skainet-go/lang/dtype"
)

// Param reads a weight and converts it to f32.
func Param(f *lang.Func, key string) lang.Tensor { return f.Param(key).Convert(dtype.F32) }

// Linear gives x W^T + b for x [..., in], with key/weight [out, in] and
// key/bias [out] (the bias is optional in the weights).
func Linear(f *lang.Func, key string, x lang.Tensor, bias bool) lang.Tensor {
	var y lang.Tensor
	f.Scope(key, func() {
		y = x.Dot(Param(f, key+"/weight"), lang.Dims{}, lang.Dims{LHS: []int{-1}, RHS: []int{1}})
		if bias {
			y = y.Add(Param(f, key+"/bias"))
		}
	})
	return y
}

// LayerNorm normalises x [..., D] with key/gamma and key/beta [D] and epsilon
// 1e-5, the value of the Transformer implementations this package serves.
func LayerNorm(f *lang.Func, key string, x lang.Tensor) lang.Tensor {
	var y lang.Tensor
	f.Scope(key, func() {
		y = x.LayerNorm(Param(f, key+"/gamma"), Param(f, key+"/beta"), 1e-5)
	})
	return y
}

// Conv1D correlates x [N, C, W] with key/weight [O, C, K] and adds key/bias [O].
func Conv1D(f *lang.Func, key string, x lang.Tensor, stride, padding int64) lang.Tensor {
	var y lang.Tensor
	f.Scope(key, func() {
		b := Param(f, key+"/bias")
		y = x.Conv1D(Param(f, key+"/weight"), stride, padding).Add(b.Reshape(b.Dim(0), 1))
	})
	return y
}

// Embedding gives the rows of key [V, D] at indices [...]: [..., D]. The table
// is read in its stored type, so only the rows taken are converted.
func Embedding(f *lang.Func, key string, indices lang.Tensor) lang.Tensor {
	return f.Param(key).Take(indices).Convert(dtype.F32)
}
