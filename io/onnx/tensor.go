package onnx

import (
	"bytes"

	"google.golang.org/protobuf/encoding/protowire"

	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/io/onnx/schema"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
)

// Tensor is a TensorProto. Its elements lie in the file that it was read from.
type Tensor struct {
	Name string
	// Key is the name that no other tensor of the model has, by which a weights index
	// knows it: that of the value that it is, with its place before it where another
	// tensor has that name.
	Key  string
	Dims []int64
	// Number is the element type as TensorProto.DataType has it.
	Number   int64
	External *External // where the elements lie in another file
	At       int64     // offset in the file

	length   int64            // of the message
	field    protowire.Number // that has the elements; 0 for none
	elements int64            // of the field
	window   bool             // the elements lie as in memory, as follows
	from, to int64
	in       *contents
}

// ParseTensor reads a TensorProto.
func ParseTensor(b []byte) (tensor.Value, error) {
	var p schema.TensorProto
	if err := skim(b, &p); err != nil {
		return tensor.Value{}, err
	}
	r := &reader{in: &contents{b: b}, faults: new(errs.Faults)}
	t := r.tensor(&p)
	if err := t.check(); err != nil {
		return tensor.Value{}, err
	}
	return t.Value()
}

func (r *reader) tensor(p *schema.TensorProto) Tensor {
	t := Tensor{
		Name: p.GetName(), Dims: p.GetDims(), Number: int64(p.GetDataType()), At: p.GetAt(), in: r.in,
		length: p.GetLength(), field: protowire.Number(p.GetDataField()), elements: p.GetElements(),
		window: p.DataAt != nil, from: p.GetDataAt(), to: p.GetDataAt() + p.GetDataLength(),
	}
	if p.GetDataLocation() == schema.TensorProto_EXTERNAL {
		var err error
		if t.External, err = externalOf(p.GetExternalData()); err != nil {
			r.add(t.fault(err))
			t.External = new(External)
		}
	}
	return t
}

// Type returns the element type and the shape. It is an error for elements of a type that
// tensor/dtype lacks.
func (t *Tensor) Type() (tensor.Type, error) {
	d := DType(t.Number)
	if !d.Valid() {
		return tensor.Type{}, t.wrong("elements of type %s, which no program computes with", TypeName(t.Number))
	}
	typ := tensor.TypeOf(d, t.Dims...)
	if _, err := typ.Bytes(); err != nil {
		return typ, t.fault(errs.Wrap(CodeTensor, err, "the shape"))
	}
	return typ, nil
}

// count returns the number of elements that the shape has, whose bits are fewer than 2^63.
func (t *Tensor) count() (int64, error) {
	if len(t.Dims) > MaxRank {
		return 0, t.fault(errs.New(CodeLimit, "%d dimensions, the limit is %d", len(t.Dims), MaxRank))
	}
	n, empty := int64(1), false
	for _, d := range t.Dims {
		switch {
		case d < 0:
			return 0, t.wrong("a dimension of %d", d)
		case d == 0:
			empty = true
		case n > maxElement/d:
			return 0, t.wrong("the dimensions %d have too many elements", t.Dims)
		default:
			n *= d
		}
	}
	if empty {
		return 0, nil
	}
	return n, nil
}

// check compares the elements that are there with the type and the shape.
func (t *Tensor) check() error {
	row, ok := types[t.Number]
	if !ok {
		return t.wrong("elements of %s, which is not in ONNX's table", TypeName(t.Number)).
			Hint("the model needs a newer version of this program, or is damaged")
	}
	n, err := t.count()
	switch {
	case err != nil:
		return err
	case t.External != nil:
		if t.elements > 0 {
			return t.wrong("the tensor has elements in the file and in %s", t.External.Location)
		}
		if t.Number == typeString {
			return t.wrong("strings in another file")
		}
		return nil
	case t.field != 0 && t.elements > 0 && t.field != row.field && (t.field != fieldRaw || t.Number == typeString):
		return t.wrong("elements of type %s in %s", row.name, dataFields[t.field])
	}
	if want := row.stored(t.field, n); t.elements != want {
		unit := "elements"
		if t.field == fieldRaw {
			unit = "bytes"
		}
		return t.wrong("%d %s of data for %s %d, which takes %d", t.elements, unit, row.name, t.Dims, want)
	}
	return nil
}

// size returns the number of bytes of the elements, as in memory.
func (t *Tensor) size() int64 {
	n, err := t.count()
	if err != nil {
		return 0
	}
	return bytesOf(types[t.Number].bits, n)
}

// Value returns the elements, a copy where the file is mapped.
func (t *Tensor) Value() (tensor.Value, error) {
	typ, err := t.Type()
	v := tensor.Value{Type: typ, Bytes: []byte{}}
	if err != nil {
		return v, err
	}
	if err := t.view(func(b []byte) error {
		v.Bytes = b
		if t.window && t.in.m != nil {
			v.Bytes = bytes.Clone(b)
		}
		return nil
	}); err != nil {
		return v, err
	}
	if v.Bytes == nil {
		v.Bytes = []byte{}
	}
	return v, nil
}

// view calls f with the elements as in memory, which it must not keep where they are a
// window of a mapped file.
func (t *Tensor) view(f func(b []byte) error) error {
	switch {
	case t.External != nil && t.in.m == nil:
		return t.fault(errs.New(CodeExternal, "the elements lie in the file %s", t.External.Location).
			Hint("open the model by its path"))
	case t.window:
		return t.in.view(t.from, t.to-t.from, f)
	case t.size() == 0:
		return f(nil)
	}
	var b []byte
	if err := t.in.view(t.At, t.length, func(message []byte) (err error) { b, err = t.decode(message); return err }); err != nil {
		return err
	}
	return f(b)
}

// decode gathers elements that do not lie as in memory. There are as many as check found,
// each of a byte or more.
func (t *Tensor) decode(message []byte) ([]byte, error) {
	row := types[t.Number]
	width := (row.bits + 7) / 8 // of a stored element
	if row.bits == 128 || row.dtype == dtype.C64 {
		width /= 2
	}
	out := make([]byte, 0, t.elements*int64(width))
	add := func(x uint64) {
		for i := range width {
			out = append(out, byte(x>>(8*i)))
		}
	}
	for at := 0; at < len(message); {
		number, wire, n := protowire.ConsumeTag(message[at:])
		size := protowire.ConsumeFieldValue(number, wire, message[at+max(n, 0):])
		if n < 0 || size < 0 { // the file was changed meanwhile
			return nil, t.changed()
		}
		if value := message[at+n : at+n+size]; number == t.field {
			if wire == protowire.BytesType {
				value, _ = protowire.ConsumeBytes(value)
			}
			if !numbers(value, t.field, add) {
				return nil, t.changed()
			}
		}
		at += n + size
	}
	if row.bits == 6 {
		out = pack6(out)
	}
	if int64(len(out)) != t.size() {
		return nil, t.changed()
	}
	return out, nil
}

// numbers calls add with the elements that follow each other in b, and reports whether b
// is nothing else.
func numbers(b []byte, field protowire.Number, add func(x uint64)) bool {
	for len(b) > 0 {
		var x uint64
		var n int
		switch field {
		case fieldFloat:
			var v uint32
			v, n = protowire.ConsumeFixed32(b)
			x = uint64(v)
		case fieldDouble:
			x, n = protowire.ConsumeFixed64(b)
		default:
			x, n = protowire.ConsumeVarint(b)
		}
		if n < 0 {
			return false
		}
		add(x)
		b = b[n:]
	}
	return true
}

// pack6 packs codes of 6 bits, a byte each, without gaps, the first in the lowest bits.
func pack6(codes []byte) []byte {
	out := make([]byte, bytesOf(6, int64(len(codes))))
	for i, c := range codes {
		bit := 6 * i
		v := uint16(c&0x3f) << (bit % 8)
		out[bit/8] |= byte(v)
		if v > 0xff {
			out[bit/8+1] |= byte(v >> 8)
		}
	}
	return out
}

// wrong is a fault of the tensor.
func (t *Tensor) wrong(what string, args ...any) *errs.Error {
	return errs.New(CodeTensor, what, args...).At(t.At).On(t.name()).Hint(again)
}

// changed is the error of elements that are not those which check found.
func (t *Tensor) changed() error {
	return errs.New(tensor.CodeBadSize, "the elements are not those that the file had when it was opened").At(t.At).On(t.name()).
		Hint("the file was cut short or written meanwhile; fetch it again")
}

// fault adds the tensor's place to an error.
func (t *Tensor) fault(err error) error {
	if e, ok := err.(*errs.Error); ok && e.Node == "" { //nolint:errorlint // the outermost one says where
		e.On(t.name())
		if !e.HasOffset {
			e.At(t.At)
		}
	}
	return err
}

func (t *Tensor) name() string {
	switch {
	case t.Key != "":
		return t.Key
	case t.Name != "":
		return t.Name
	}
	return "tensor"
}
