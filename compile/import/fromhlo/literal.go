package fromhlo

import (
	"bytes"
	"encoding/binary"
	"encoding/hex"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/skainet-dev/skainet-go/compile/dag"
	"github.com/skainet-dev/skainet-go/compile/hlo/verify"
	"github.com/skainet-dev/skainet-go/compile/op"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
)

const verifyInt = verify.AttrInt

// constantOf returns a constant of the text, or the parameter of this key that it becomes.
func (im *importer) constantOf(a verify.Attr, stated verify.TreeType, key string) *dag.Value {
	t := im.typeOf(stated)
	var v tensor.Value
	switch {
	case a.Kind == verify.AttrResource:
		v, key = im.resource(a.Text, t), a.Text
	case a.Kind != verify.AttrDense:
		im.refuse(CodeConstant, "write dense<..>", "a constant without dense<..>")
	case len(a.Items) == 0:
		v = tensor.Value{Type: t, Bytes: []byte{}}
	default:
		if word, ok := im.splatOf(a.Items[0], t.DType); ok {
			return im.uniform(t, word)
		}
		v = im.elements(a.Items[0], t)
	}
	if im.o.Inline >= 0 && int64(len(v.Bytes)) > im.o.Inline && t.DType != dtype.Bool {
		return im.parameter(key, v) // whatever the values are: others give the same graph
	}
	if x, ok := same(v); ok {
		return im.uniform(t, x)
	}
	out := im.add("constant", op.Attrs{"value": v})
	im.known(out, wholes(v))
	return out
}

// parameter returns the parameter that a large constant becomes; that of one key is one.
func (im *importer) parameter(key string, v tensor.Value) *dag.Value {
	if !im.keys[key] {
		im.keys[key] = true
		im.constants = append(im.constants, Constant{key, v})
	} else {
		for i := 2; ; i++ { // names are unique in a region alone
			c := im.constant(key)
			if c != nil && c.Value.Type.Equal(v.Type) && bytes.Equal(c.Value.Bytes, v.Bytes) {
				break
			}
			if c == nil {
				im.keys[key] = true
				im.constants = append(im.constants, Constant{key, v})
				break
			}
			key = strings.TrimSuffix(key, "."+strconv.Itoa(i-1)) + "." + strconv.Itoa(i)
		}
	}
	return im.add("parameter", op.Attrs{"type": v.Type, "scope": "model", "key": key})
}

func (im *importer) constant(key string) *Constant {
	for i := range im.constants {
		if im.constants[i].Key == key {
			return &im.constants[i]
		}
	}
	return nil
}

// uniform returns a tensor of one element, given by its bytes.
func (im *importer) uniform(t tensor.Type, word []byte) *dag.Value {
	x := []float64{0}
	if err := tensor.Float64s(t.DType, x, word); err != nil {
		im.refuse(CodeConstant, hintForm, "%v", err)
	}
	back, exact := tensor.Value{Type: tensor.TypeOf(t.DType), Bytes: word}, true
	if t.DType.IsInt() && t.DType.Bits() == 64 { // a float64 may not hold it
		exact = math.Abs(x[0]) <= 1<<53
	}
	var out *dag.Value
	if exact {
		out = im.fill(t.DType, x[0], t.Shape...)
	} else {
		out = im.spread(im.add("constant", op.Attrs{"value": back}), t.Shape)
	}
	if n, err := t.Shape.Elements(); err == nil && n <= maxNumbers && exact && !t.DType.IsFloat() {
		list := slices.Repeat([]number{numberOf(int64(x[0]))}, int(n))
		im.known(out, list)
	}
	return out
}

// same returns the only element of a tensor of more than one that are all the same.
func same(v tensor.Value) ([]byte, bool) {
	size := v.Type.DType.Bits() / 8
	if len(v.Bytes) < size {
		return nil, false
	}
	word := v.Bytes[:size]
	return word, bytes.Equal(v.Bytes[size:], v.Bytes[:len(v.Bytes)-size])
}

// splatOf returns the element of dense<x>, which stands for all.
func (im *importer) splatOf(a verify.Attr, d dtype.DType) ([]byte, bool) {
	if a.Kind == verify.AttrList {
		return nil, false
	}
	if a.Kind == verify.AttrString {
		if word := im.digits(a.Text); len(word) == d.Bits()/8 {
			if d == dtype.Bool {
				word = []byte{word[0] & 1}
			}
			return word, true
		}
		return nil, false
	}
	return im.element(nil, a, d), true
}

func (im *importer) digits(text string) []byte {
	out, err := hex.DecodeString(strings.TrimPrefix(text, "0x"))
	if err != nil {
		im.refuse(CodeConstant, "export the text again", "a constant whose digits are not hexadecimal")
	}
	return out
}

// elements returns the elements of a literal that lists them.
func (im *importer) elements(a verify.Attr, t tensor.Type) tensor.Value {
	want, err := t.Bytes()
	if err != nil {
		im.refuse(CodeConstant, hintForm, "%v", err)
	}
	var data []byte
	if a.Kind == verify.AttrString {
		data = im.digits(a.Text)
		if t.DType == dtype.Bool && int64(len(data)) != want && int64(len(data)) == (want+7)/8 {
			data = unpacked(data, want)
		}
	} else {
		data = im.nested(nil, a, t.DType)
	}
	if int64(len(data)) != want {
		im.refuse(CodeConstant, "export the text again", "a constant of %d bytes for %s", len(data), t)
	}
	return tensor.Value{Type: t, Bytes: data}
}

// unpacked makes bytes of bits.
func unpacked(bits []byte, n int64) []byte {
	out := make([]byte, n)
	for i := range out {
		out[i] = bits[i/8] >> (i % 8) & 1
	}
	return out
}

func (im *importer) nested(data []byte, a verify.Attr, d dtype.DType) []byte {
	if a.Kind != verify.AttrList {
		return im.element(data, a, d)
	}
	for _, item := range a.Items {
		data = im.nested(data, item, d)
	}
	return data
}

// element appends one element, which the verifier has checked.
func (im *importer) element(data []byte, a verify.Attr, d dtype.DType) []byte {
	var bits uint64
	switch {
	case a.Kind == verify.AttrHex:
		n, err := strconv.ParseUint(strings.TrimPrefix(strings.TrimPrefix(a.Text, "-"), "0x"), 16, 64)
		if err != nil {
			im.refuse(CodeConstant, hintForm, "the literal %s", a.Text)
		}
		if bits = n; strings.HasPrefix(a.Text, "-") {
			bits = -n
		}
	case d.IsFloat():
		x, err := strconv.ParseFloat(a.Text, 64)
		if err != nil && math.IsInf(x, 0) {
			err = nil // beyond the range, which rounds to an infinity
		}
		if err != nil {
			im.refuse(CodeConstant, hintForm, "the literal %s", a.Text)
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

// resource returns the elements of dense_resource<name>: four bytes of alignment come first.
func (im *importer) resource(name string, t tensor.Type) tensor.Value {
	digits, ok := im.tree.Resources[name]
	if !ok {
		im.refuse(CodeConstant, "print the text with all its constants: as_text() of JAX's exported module, or --mlir-print-elementsattrs-with-hex-if-larger without --mlir-elide-elementsattrs-if-larger",
			"the values of dense_resource<%s> are not in the text", name)
	}
	data := im.digits(digits)
	want, err := t.Bytes()
	if err != nil || int64(len(data)) != want+4 {
		im.refuse(CodeConstant, "export the text again", "the resource %s has %d bytes for %s", name, max(len(data)-4, 0), t)
	}
	return tensor.Value{Type: t, Bytes: data[4:]}
}

// wholes returns the elements of a small integer or bool tensor as sizes.
func wholes(v tensor.Value) []number {
	n, err := v.Type.Shape.Elements()
	if err != nil || n > maxNumbers || v.Type.DType.IsFloat() {
		return nil
	}
	size := v.Type.DType.Bits() / 8
	out := make([]number, n)
	for i := range out {
		var word [8]byte
		copy(word[:], v.Bytes[i*size:(i+1)*size])
		x := int64(binary.LittleEndian.Uint64(word[:]))
		if v.Type.DType.IsSigned() {
			x = x << (64 - 8*size) >> (64 - 8*size)
		}
		out[i] = numberOf(x)
	}
	return out
}

func floatOf(text string) float64 {
	x, _ := strconv.ParseFloat(text, 64) // the lexer has checked its form
	return x
}
