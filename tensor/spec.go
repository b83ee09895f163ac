// Package tensor describes tensors (Spec), opens their bytes (Buffer), and holds small
// dense values on the host (Value).
//
// # Errors
//
// TENSOR_BAD_SIZE where bytes and shape disagree, TENSOR_CLOSED for use after
// close, TENSOR_BAD_TYPE where a Go type and an element type disagree.
//
// # Determinism
//
// Bytes are little endian and row major on every host.
package tensor

import (
	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
	"github.com/skainet-dev/skainet-go/tensor/quant"
	"github.com/skainet-dev/skainet-go/tensor/shape"
)

// Codes of this package.
const (
	CodeBadSize errs.Code = "TENSOR_BAD_SIZE"
	CodeBadType errs.Code = "TENSOR_BAD_TYPE"
	CodeClosed  errs.Code = "TENSOR_CLOSED"
)

// Type is the element type and the shape of a value.
type Type struct {
	DType dtype.DType `json:"dtype"`
	Shape shape.Shape `json:"shape"`
}

// TypeOf returns a static type.
func TypeOf(d dtype.DType, sizes ...int64) Type { return Type{DType: d, Shape: shape.Of(sizes...)} }

// Equal reports whether both parts are equal.
func (t Type) Equal(o Type) bool { return t.DType == o.DType && t.Shape.Equal(o.Shape) }

// String returns "f32[2x3]" or "f32[scalar]".
func (t Type) String() string { return t.DType.String() + "[" + t.Shape.String() + "]" }

// Bytes returns the dense size of a static type.
func (t Type) Bytes() (int64, error) {
	n, err := t.Shape.Elements()
	if err != nil {
		return 0, err
	}
	if bits := int64(t.DType.Bits()); n > (1<<63-8)/max(bits, 1) {
		return 0, errs.New(shape.CodeOverflow, "a tensor of type %s has more than 2^63 bits", t)
	}
	return t.DType.Bytes(n), nil
}

// Spec describes one tensor of a weights index: its name, its logical type, and how its
// bytes are stored.
type Spec struct {
	Name     string         `json:"name"`
	DType    dtype.DType    `json:"dtype"`
	Shape    shape.Shape    `json:"shape"`
	Encoding quant.Encoding `json:"encoding"`
	Bytes    int64          `json:"bytes"` // stored length
}

// Type returns the logical type.
func (s Spec) Type() Type { return Type{DType: s.DType, Shape: s.Shape} }
