// Package onnx reads ONNX models, by the generated code of package schema.
//
// # Errors
//
// ONNX_WIRE for bytes that are not a message, ONNX_TENSOR for a tensor whose data do
// not fit its type, or whose element type tensor/dtype does not have.
//
// # Determinism
//
// Everything depends only on the bytes.
//
// # Untrusted input
//
// Memory is bounded by a multiple of the message's length; graphs nest at most
// 32 deep.
package onnx

import "github.com/skainet-dev/skainet-go/errs"

// Codes of this package.
const (
	CodeWire   errs.Code = "ONNX_WIRE"   // smallest input: the byte 0
	CodeTensor errs.Code = "ONNX_TENSOR" // smallest input: a tensor of strings
)

const deepest = 32
