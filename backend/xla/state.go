package xla

import (
	"encoding/binary"
	"math"

	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
)

// stateType returns the type of a state variable.
func stateType(s state) tensor.Type { return tensor.Type{DType: s.DType, Shape: s.Shape} }

// filled returns a value of a type with one number in all elements.
func filled(t tensor.Type, v float64) (tensor.Value, error) {
	out, err := tensor.Zero(t)
	if err != nil || v == 0 && !math.Signbit(v) || len(out.Bytes) == 0 {
		return out, err
	}
	element, err := elementOf(t.DType, v)
	if err != nil {
		return out, err
	}
	for at := 0; at < len(out.Bytes); at += len(element) {
		copy(out.Bytes[at:], element)
	}
	return out, nil
}

// elementOf returns the bytes of one element.
func elementOf(d dtype.DType, v float64) ([]byte, error) {
	out := make([]byte, 8)
	switch {
	case d == dtype.F64:
		binary.LittleEndian.PutUint64(out, math.Float64bits(v))
	case d.IsFloat():
		if _, err := tensor.PutFloat32s(d, out[:d.Bytes(1)], []float32{float32(v)}); err != nil {
			return nil, err
		}
	default:
		binary.LittleEndian.PutUint64(out, uint64(int64(v)))
	}
	return out[:d.Bytes(1)], nil
}
