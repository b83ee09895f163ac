package onnx

import (
	"encoding/binary"
	"math"

	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/io/onnx/schema"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
)

// Tensor is a TensorProto.
type Tensor struct {
	Name string
	dims []int64
	typ  int64
	raw  []byte
	// numbers are the elements of the typed fields, as bits of their field.
	numbers []uint64
}

// types gives the element type of TensorProto.DataType.
var types = map[int64]dtype.DType{
	1: dtype.F32, 2: dtype.U8, 3: dtype.I8, 4: dtype.U16, 5: dtype.I16, 6: dtype.I32, 7: dtype.I64,
	9: dtype.Bool, 10: dtype.F16, 11: dtype.F64, 12: dtype.U32, 13: dtype.U64, 16: dtype.BF16,
	17: dtype.F8E4M3FN, 18: dtype.F8E4M3FNUZ, 19: dtype.F8E5M2, 20: dtype.F8E5M2FNUZ,
	21: dtype.U4, 22: dtype.I4, 23: dtype.F4E2M1FN, 24: dtype.F8E8M0FNU,
}

// DType returns the element type with a number of TensorProto.DataType, or Invalid.
func DType(number int64) dtype.DType { return types[number] }

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
	t := Tensor{Name: p.GetName(), dims: p.GetDims(), typ: int64(p.GetDataType()), raw: p.GetRawData()}
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

// Value returns the elements.
func (t *Tensor) Value() (tensor.Value, error) {
	d, ok := types[t.typ]
	if !ok {
		return tensor.Value{}, errs.New(CodeTensor, "element type %d", t.typ).On(t.Name)
	}
	v := tensor.Value{Type: tensor.TypeOf(d, t.dims...), Bytes: []byte{}}
	n, err := v.Type.Bytes()
	if err != nil {
		return v, errs.Wrap(CodeTensor, err, "the shape").On(t.Name)
	}
	if t.raw != nil {
		v.Bytes = t.raw
	} else {
		for _, x := range t.numbers {
			v.Bytes = binary.LittleEndian.AppendUint64(v.Bytes, x)[:len(v.Bytes)+(d.Bits()+7)/8] // two elements of 4 bits lie in one number
		}
	}
	if int64(len(v.Bytes)) != n {
		return v, errs.New(CodeTensor, "%d bytes of data for %s, which takes %d", len(v.Bytes), v.Type, n).On(t.Name)
	}
	return v, nil
}
