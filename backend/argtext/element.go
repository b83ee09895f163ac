package argtext

import (
	"encoding/binary"
	"math"
	"math/big"
	"regexp"
	"strconv"

	"github.com/skainet-dev/skainet-go/backend"
	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
)

// The syntax of numbers, the same as that of the static runner (toolchains/iree/runner):
// a subset of strconv's, so that a text is the same number in both.
var (
	wholeForm = regexp.MustCompile(`^([+-]?)([0-9]+|0[xX]([0-9a-fA-F]+))$`)
	floatForm = regexp.MustCompile(`^(?:[+-]?(?:` +
		`(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?|` +
		`0[xX](?:[0-9a-fA-F]+\.?[0-9a-fA-F]*|\.[0-9a-fA-F]+)[pP][+-]?[0-9]+|` +
		`(?i:inf|infinity))|(?i:nan))$`)
)

// space is the white space allowed around an element.
const space = " \t\r\n"

// forms describes how elements of a type are written.
func forms(d dtype.DType) string {
	switch {
	case d == dtype.Bool:
		return "write true, false, 1 or 0"
	case d.IsFloat():
		return "write a number in its range, such as -1.5, 1e-3, 0x1.8p-3, inf or nan"
	}
	return "write an integer in its range, such as 12 or 0x1f"
}

// appendElement parses one element and appends its little-endian bytes.
func appendElement(b []byte, d dtype.DType, word string) ([]byte, error) {
	switch {
	case d == dtype.Bool:
		switch word {
		case "true", "1":
			return append(b, 1), nil
		case "false", "0":
			return append(b, 0), nil
		}
		return b, strconv.ErrSyntax
	case d.IsFloat():
		if !floatForm.MatchString(word) {
			return b, strconv.ErrSyntax
		}
		return appendFloat(b, d, word)
	case d.IsInt() && d.Bits() >= 8:
		return appendWhole(b, d, word)
	}
	return b, errs.New(backend.CodeBadArgument, "elements of type %s cannot be written as text", d)
}

func appendWhole(b []byte, d dtype.DType, word string) ([]byte, error) {
	m := wholeForm.FindStringSubmatch(word)
	if m == nil || m[1] != "" && d.IsUnsigned() {
		return b, strconv.ErrSyntax
	}
	digits, base := m[2], 10
	if m[3] != "" {
		digits, base = m[3], 16
	}
	var bits uint64
	var err error
	if d.IsSigned() {
		var v int64
		v, err = strconv.ParseInt(m[1]+digits, base, d.Bits())
		bits = uint64(v)
	} else {
		bits, err = strconv.ParseUint(digits, base, d.Bits())
	}
	for range d.Bits() / 8 {
		b = append(b, byte(bits))
		bits >>= 8
	}
	return b, err
}

func appendFloat(b []byte, d dtype.DType, word string) ([]byte, error) {
	if d == dtype.F64 {
		f, err := strconv.ParseFloat(word, 64)
		return binary.LittleEndian.AppendUint64(b, math.Float64bits(f)), err
	}
	single, err := strconv.ParseFloat(word, 32)
	f := float32(single)
	if d == dtype.F32 || err != nil {
		return binary.LittleEndian.AppendUint32(b, math.Float32bits(f)), err
	}
	f = odd(f, word)
	h, infinite := tensor.F32ToBF16(f), uint16(0x7f80)
	if d == dtype.F16 {
		h, infinite = tensor.F32ToF16(f), 0x7c00
	}
	if h&0x7fff == infinite && !math.IsInf(single, 0) { // infinite only if written as such
		err = strconv.ErrRange
	}
	return binary.LittleEndian.AppendUint16(b, h), err
}

// odd returns, for the number of a text and its nearest f32, the value that rounds to
// fewer bits like the number itself: if it is between two f32, the one whose last bit is
// set, so that a second rounding meets no tie that the number is not on (S. Boldo and
// G. Melquiond, Emulation of FMA and correctly rounded sums: proved algorithms using
// rounding to odd, 2008).
func odd(f float32, word string) float32 {
	bits := math.Float32bits(f)
	if f == 0 || bits&1 != 0 || math.IsInf(float64(f), 0) || f != f {
		return f
	}
	// The exponent is one of an f32, except for the digits that are written.
	number, ok := new(big.Rat).SetString(word)
	if !ok {
		return f
	}
	switch number.Abs(number).Cmp(new(big.Rat).SetFloat64(math.Abs(float64(f)))) {
	case 1:
		bits++
	case -1:
		bits--
	}
	return math.Float32frombits(bits)
}
