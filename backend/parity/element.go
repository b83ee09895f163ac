package parity

import (
	"encoding/binary"
	"math"
	"strconv"

	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
)

// element is one element of any type. Integers stay integers: 2^53+1 is not
// 2^53.
type element struct {
	float    bool
	narrow   bool // a float of at most 32 bits
	unsigned bool
	f        float64
	bits     uint64 // of an integer, sign extended when signed
}

func (e element) String() string {
	switch {
	case e.narrow:
		return strconv.FormatFloat(e.f, 'g', -1, 32)
	case e.float:
		return strconv.FormatFloat(e.f, 'g', -1, 64)
	case e.unsigned:
		return strconv.FormatUint(e.bits, 10)
	}
	return strconv.FormatInt(int64(e.bits), 10)
}

// minus returns |e - o| of two integers of one type.
func (e element) minus(o element) float64 {
	a, b := e.bits, o.bits
	if e.unsigned && a < b || !e.unsigned && int64(a) < int64(b) {
		a, b = b, a
	}
	return float64(a - b) // wraps to the right distance for both
}

// elementsOf returns a reader of the i-th element of stored bytes.
func elementsOf(d dtype.DType) (func(b []byte, i int64) element, error) {
	le := binary.LittleEndian
	float := func(f float32) element { return element{float: true, narrow: true, f: float64(f)} }
	switch d {
	case dtype.F64:
		return func(b []byte, i int64) element {
			return element{float: true, f: math.Float64frombits(le.Uint64(b[8*i:]))}
		}, nil
	case dtype.F32:
		return func(b []byte, i int64) element { return float(math.Float32frombits(le.Uint32(b[4*i:]))) }, nil
	case dtype.F16:
		return func(b []byte, i int64) element { return float(tensor.F16ToF32(le.Uint16(b[2*i:]))) }, nil
	case dtype.BF16:
		return func(b []byte, i int64) element { return float(tensor.BF16ToF32(le.Uint16(b[2*i:]))) }, nil
	}
	width := int64(d.Bits() / 8)
	if !d.Valid() || width == 0 {
		return nil, errs.New(CodeInput, "tensors of element type %s are not compared", d)
	}
	unsigned := !d.IsSigned()
	return func(b []byte, i int64) element {
		var bits uint64
		for k := width - 1; k >= 0; k-- {
			bits = bits<<8 | uint64(b[width*i+k])
		}
		if !unsigned {
			shift := 64 - 8*width
			bits = uint64(int64(bits<<shift) >> shift)
		}
		return element{unsigned: unsigned, bits: bits}
	}, nil
}

// Elements returns each element of v as text, in row-major order: integers in
// full, floats with the fewest digits that read back to the same value of their
// type.
func Elements(v tensor.Value) ([]string, error) {
	if err := v.Check(); err != nil {
		return nil, err
	}
	at, err := elementsOf(v.Type.DType)
	if err != nil {
		return nil, err
	}
	n, err := v.Type.Shape.Elements()
	if err != nil {
		return nil, err
	}
	words := make([]string, n)
	for i := range words {
		words[i] = at(v.Bytes, int64(i)).String()
	}
	return words, nil
}
