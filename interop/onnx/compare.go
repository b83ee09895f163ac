package main

import (
	"encoding/binary"
	"fmt"
	"math"

	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
)

// The tolerances of ONNX's own runner, for which its expected outputs are made.
const (
	relative = 1e-3
	absolute = 1e-7
)

// compare checks results against expected ones: types, integers and bools
// must be equal, floats within the tolerances or both NaN.
func compare(got, want []tensor.Value) error { return compareWithin(absolute, got, want) }

// compareWithin is compare with an absolute tolerance.
func compareWithin(absolute float64, got, want []tensor.Value) error {
	if len(got) != len(want) {
		return fmt.Errorf("%d outputs, want %d", len(got), len(want))
	}
	for i := range want {
		if !got[i].Type.Equal(want[i].Type) {
			return fmt.Errorf("output %d is %s, want %s", i, got[i].Type, want[i].Type)
		}
		size := want[i].Type.DType.Bits() / 8
		for at := 0; at+size <= len(want[i].Bytes); at += size {
			g, w := got[i].Bytes[at:at+size], want[i].Bytes[at:at+size]
			if string(g) == string(w) {
				continue
			}
			x, y := float(want[i].Type.DType, g), float(want[i].Type.DType, w)
			if !want[i].Type.DType.IsFloat() || !close(absolute, x, y) {
				return fmt.Errorf("output %d: element %d is %v, want %v (bytes %x and %x)", i, at/size, x, y, g, w)
			}
		}
	}
	return nil
}

func close(absolute, x, y float64) bool {
	switch {
	case x == y || math.IsNaN(x) && math.IsNaN(y):
		return true
	case math.IsInf(x, 0) || math.IsInf(y, 0): // a difference to infinity is within any part of it
		return false
	}
	return math.Abs(x-y) <= absolute+relative*math.Abs(y)
}

// float returns an element for comparison and messages.
func float(d dtype.DType, b []byte) float64 {
	switch d {
	case dtype.F64:
		return math.Float64frombits(binary.LittleEndian.Uint64(b))
	case dtype.F32:
		return float64(math.Float32frombits(binary.LittleEndian.Uint32(b)))
	case dtype.F16:
		return float64(tensor.F16ToF32(binary.LittleEndian.Uint16(b)))
	case dtype.BF16:
		return float64(tensor.BF16ToF32(binary.LittleEndian.Uint16(b)))
	}
	var word [8]byte
	copy(word[:], b)
	return float64(binary.LittleEndian.Uint64(word[:]))
}
