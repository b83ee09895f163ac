package onnx

import (
	"encoding/binary"
	"math"

	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/io/onnx/schema"
	"github.com/skainet-dev/skainet-go/tensor"
)

// Tensor is a TensorProto.
type Tensor struct {
	Name string
	// Key is the name that no other tensor of the model has, by which a weights index
	// knows it: that of the value that it is, with its place before it where another
	// tensor has that name.
	Key  string
	Dims []int64
	// Number is the element type as TensorProto.DataType has it.
	Number int64
	raw    []byte
	// numbers are the elements of the typed fields, as bits of their field.
	numbers []uint64
}

// ParseTensor reads a TensorProto.
func ParseTensor(b []byte) (tensor.Value, error) {
	var p schema.TensorProto
	if err := unmarshal(b, &p); err != nil {
		return tensor.Value{}, err
	}
	t := tensorOf(&p)
	return t.Value()
}

func tensorOf(p *schema.TensorProto) Tensor {
	t := Tensor{Name: p.GetName(), Dims: p.GetDims(), Number: int64(p.GetDataType()), raw: p.GetRawData()}
	for _, v := range p.GetFloatData() {
		t.numbers = append(t.numbers, uint64(math.Float32bits(v)))
	}
	for _, v := range p.GetInt32Data() {
		t.numbers = append(t.numbers, uint64(v)) // its low bits are taken
	}
	for _, v := range p.GetInt64Data() {
		t.numbers = append(t.numbers, uint64(v))
	}
	for _, v := range p.GetDoubleData() {
		t.numbers = append(t.numbers, math.Float64bits(v))
	}
	t.numbers = append(t.numbers, p.GetUint64Data()...)
	return t
}

// Type returns the element type and the shape. It is an error for elements of a type that
// tensor/dtype lacks, and for a shape of 2^63 elements or more.
func (t *Tensor) Type() (tensor.Type, error) {
	d := DType(t.Number)
	if !d.Valid() {
		return tensor.Type{}, errs.New(CodeTensor, "elements of type %s", TypeName(t.Number)).On(t.Name)
	}
	typ := tensor.TypeOf(d, t.Dims...)
	if _, err := typ.Bytes(); err != nil {
		return typ, errs.Wrap(CodeTensor, err, "the shape").On(t.Name)
	}
	return typ, nil
}

// Value returns the elements.
func (t *Tensor) Value() (tensor.Value, error) {
	typ, err := t.Type()
	v := tensor.Value{Type: typ, Bytes: []byte{}}
	if err != nil {
		return v, err
	}
	if t.raw != nil {
		v.Bytes = t.raw
	} else {
		for _, x := range t.numbers {
			v.Bytes = binary.LittleEndian.AppendUint64(v.Bytes, x)[:len(v.Bytes)+(typ.DType.Bits()+7)/8] // two elements of 4 bits lie in one number
		}
	}
	if n, _ := typ.Bytes(); int64(len(v.Bytes)) != n {
		return v, errs.New(CodeTensor, "%d bytes of data for %s, which takes %d", len(v.Bytes), typ, n).On(t.Name)
	}
	return v, nil
}
