package constants

import (
	"encoding/binary"
	"encoding/hex"
	"math"
	"strconv"
	"strings"

	"github.com/skainet-dev/skainet-go/compile/hlo/verify"
	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
)

// reader reads one constant.
type reader struct {
	tree *verify.Tree
	pos  int
	err  error // the first one
}

func (r *reader) fail(hint, what string, args ...any) {
	if r.err == nil {
		r.err = errs.New(CodeConstant, what, args...).On(r.tree.Place(r.pos)).Hint("%s", hint)
	}
}

const exportAgain = "export the text again"

// Splat returns the element of dense<x>, which stands for all; ok is false for another literal.
func Splat(tree *verify.Tree, a verify.Attr, d dtype.DType) (word []byte, ok bool, err error) {
	if a.Kind != verify.AttrDense || len(a.Items) != 1 || a.Items[0].Kind == verify.AttrList {
		return nil, false, nil
	}
	r, v := &reader{tree: tree, pos: a.Pos}, a.Items[0]
	if v.Kind != verify.AttrString {
		return r.element(nil, v, d), true, r.err
	}
	if word = r.digits(v.Text); len(word) != d.Bits()/8 {
		return nil, false, r.err
	}
	if d == dtype.Bool {
		word[0] &= 1
	}
	return word, true, r.err
}

// Value returns the elements of a literal that lists them, dense<..> or dense_resource<..>.
func Value(tree *verify.Tree, a verify.Attr, t tensor.Type) (tensor.Value, error) {
	r := &reader{tree: tree, pos: a.Pos}
	want, err := t.Bytes()
	if err != nil {
		return tensor.Value{}, err
	}
	data := []byte{}
	switch {
	case a.Kind == verify.AttrResource:
		data = r.resource(a.Text)
	case len(a.Items) == 0:
	case a.Items[0].Kind == verify.AttrString:
		data = r.digits(a.Items[0].Text)
		if t.DType == dtype.Bool && int64(len(data)) != want && int64(len(data)) == (want+7)/8 {
			data = unpacked(data, want)
		}
	default:
		data = r.nested(data, a.Items[0], t.DType)
	}
	if int64(len(data)) != want {
		r.fail(exportAgain, "a constant of %d bytes for %s", len(data), t)
	}
	if t.DType == dtype.Bool {
		for i := range data {
			data[i] &= 1
		}
	}
	return tensor.Value{Type: t, Bytes: data}, r.err
}

func (r *reader) digits(text string) []byte {
	out, err := hex.DecodeString(strings.TrimPrefix(text, "0x"))
	if err != nil {
		r.fail(exportAgain, "a constant whose digits are not hexadecimal")
		return nil
	}
	return out
}

// unpacked makes bytes of bits.
func unpacked(bits []byte, n int64) []byte {
	out := make([]byte, n)
	for i := range out {
		out[i] = bits[i/8] >> (i % 8) & 1
	}
	return out
}

// resource returns the bytes of a resource: four that say its alignment come first.
func (r *reader) resource(name string) []byte {
	digits, ok := r.tree.Resources[name]
	if !ok {
		r.fail("print the text with all its constants: as_text() in JAX, without large_elements_limit in MLIR",
			"the values of dense_resource<%s> are not in the text", name)
		return nil
	}
	data := r.digits(digits)
	if len(data) < 4 {
		r.fail(exportAgain, "the resource %s has %d bytes, fewer than its alignment takes", name, len(data))
		return nil
	}
	return data[4:]
}

func (r *reader) nested(data []byte, a verify.Attr, d dtype.DType) []byte {
	if a.Kind != verify.AttrList {
		return r.element(data, a, d)
	}
	for _, item := range a.Items {
		data = r.nested(data, item, d)
	}
	return data
}

// element appends one element, which the verifier has checked.
func (r *reader) element(data []byte, a verify.Attr, d dtype.DType) []byte {
	var bits uint64
	switch {
	case a.Kind == verify.AttrHex:
		n, err := strconv.ParseUint(strings.TrimPrefix(strings.TrimPrefix(a.Text, "-"), "0x"), 16, 64)
		if err != nil {
			r.fail(exportAgain, "the literal %s", a.Text)
		}
		if bits = n; strings.HasPrefix(a.Text, "-") {
			bits = -n
		}
	case d.IsFloat():
		x, err := Float(a.Text)
		if err != nil {
			r.fail(exportAgain, "the literal %s", a.Text)
		}
		bits = floatBits(d, x, a.Text)
	case d == dtype.Bool:
		bits = uint64(a.N) & 1
	default:
		bits = uint64(a.N)
	}
	var word [8]byte
	binary.LittleEndian.PutUint64(word[:], bits)
	return append(data, word[:d.Bits()/8]...)
}

// Float returns the number that a text spells; one beyond the range is an infinity.
func Float(text string) (float64, error) {
	x, err := strconv.ParseFloat(text, 64)
	if err != nil && math.IsInf(x, 0) {
		err = nil
	}
	return x, err
}

// floatBits returns the bits of a number, rounded once.
func floatBits(d dtype.DType, x float64, text string) uint64 {
	switch d {
	case dtype.F64:
		return math.Float64bits(x)
	case dtype.F32:
		if y, err := strconv.ParseFloat(text, 32); err == nil {
			x = y
		}
		return uint64(math.Float32bits(float32(x)))
	case dtype.F16:
		return uint64(tensor.F32ToF16(tensor.F64ToF32Odd(x)))
	}
	return uint64(tensor.F32ToBF16(tensor.F64ToF32Odd(x)))
}
