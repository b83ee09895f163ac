package hlo

import (
	"bytes"
	"encoding/hex"
	"math"
	"strconv"
	"strings"

	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
)

// maxListed is the maximum number of elements of a constant that is spelled
// as a readable list; larger ones are hexadecimal bytes.
const maxListed = 64

// splat spells one element so that the parser reads exactly v.
func splat(d dtype.DType, v float64) string {
	switch {
	case d == dtype.Bool:
		return strconv.FormatBool(v != 0)
	case v >= 1<<63 && d == dtype.I64:
		return strconv.FormatInt(math.MaxInt64, 10) // the largest value is not a double
	case v >= 1<<64 && d == dtype.U64:
		return strconv.FormatUint(math.MaxUint64, 10)
	case d.IsUnsigned():
		return strconv.FormatUint(uint64(v), 10)
	case !d.IsFloat():
		return strconv.FormatInt(int64(v), 10)
	case math.IsNaN(v) || math.IsInf(v, 0):
		return hexFloat(d, v)
	}
	format := byte('e')
	if a := math.Abs(v); a == 0 || a >= 1e-4 && a < 1e7 {
		format = 'f'
	}
	s := strconv.FormatFloat(v, format, -1, 32)
	if back, err := strconv.ParseFloat(s, 64); err != nil || tensor.Round(d, back) != v {
		s = strconv.FormatFloat(v, format, -1, 64)
	}
	// A float literal needs a decimal point.
	if digits, exponent, ok := strings.Cut(s, "e"); !strings.Contains(s, ".") {
		s = digits + ".0"
		if ok {
			s += "e" + exponent
		}
	}
	return s
}

// hexFloat spells the bits, the only form for infinities and NaN.
func hexFloat(d dtype.DType, v float64) string {
	switch d {
	case dtype.F64:
		return "0x" + strings.ToUpper(pad(math.Float64bits(v), 16))
	case dtype.F16:
		return "0x" + strings.ToUpper(pad(uint64(tensor.F32ToF16(float32(v))), 4))
	case dtype.BF16:
		return "0x" + strings.ToUpper(pad(uint64(tensor.F32ToBF16(float32(v))), 4))
	}
	return "0x" + strings.ToUpper(pad(uint64(math.Float32bits(float32(v))), 8))
}

func pad(bits uint64, digits int) string {
	s := strconv.FormatUint(bits, 16)
	return strings.Repeat("0", digits-len(s)) + s
}

// dense spells the elements of v, without the dense<> around them; equal ones once.
func (p *Printer) dense(v tensor.Value) string {
	n, err := v.Type.Shape.Elements()
	if err != nil || v.Type.DType.Bits() < 8 {
		p.Fail(CodeDType, "a constant of %s cannot be written", v.Type)
		return ""
	}
	if n == 0 {
		return ""
	}
	width := len(v.Bytes) / int(n)
	if isUniform(v.Bytes, width) {
		return element(v.Type.DType, v.Bytes[:width])
	}
	if n > maxListed && v.Type.DType != dtype.Bool {
		return `"0x` + strings.ToUpper(hex.EncodeToString(v.Bytes)) + `"`
	}
	at := 0
	var list func(sizes []int64) string
	list = func(sizes []int64) string {
		if len(sizes) == 0 {
			at += width
			return element(v.Type.DType, v.Bytes[at-width:at])
		}
		parts := make([]string, sizes[0])
		for i := range parts {
			parts[i] = list(sizes[1:])
		}
		return "[" + strings.Join(parts, ", ") + "]"
	}
	return list(v.Type.Shape.Sizes())
}

// isUniform reports whether all elements have the bytes of the first.
func isUniform(b []byte, width int) bool {
	for i := width; i < len(b); i += width {
		if !bytes.Equal(b[:width], b[i:i+width]) {
			return false
		}
	}
	return true
}

// element spells an element; a NaN keeps its bits.
func element(d dtype.DType, b []byte) string {
	var bits uint64
	for i, c := range b {
		bits |= uint64(c) << (8 * i)
	}
	if d.IsFloat() {
		var v float64
		switch d {
		case dtype.F64:
			v = math.Float64frombits(bits)
		case dtype.F32:
			v = float64(math.Float32frombits(uint32(bits)))
		case dtype.F16:
			v = float64(tensor.F16ToF32(uint16(bits)))
		case dtype.BF16:
			v = float64(tensor.BF16ToF32(uint16(bits)))
		}
		if math.IsNaN(v) {
			return "0x" + strings.ToUpper(pad(bits, 2*len(b)))
		}
		return splat(d, v)
	}
	if d == dtype.Bool {
		return strconv.FormatBool(bits != 0)
	}
	if d.IsUnsigned() {
		return strconv.FormatUint(bits, 10)
	}
	shift := 64 - 8*len(b)
	return strconv.FormatInt(int64(bits<<shift)>>shift, 10)
}
