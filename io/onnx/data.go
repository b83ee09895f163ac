package onnx

import (
	"google.golang.org/protobuf/encoding/protowire"

	"github.com/skainet-dev/skainet-go/errs"
)

// Numbers of the fields of a TensorProto that hold elements.
const (
	fieldFloat  = 4
	fieldInt32  = 5
	fieldString = 6
	fieldInt64  = 7
	fieldRaw    = 9
	fieldDouble = 10
	fieldUint64 = 11
)

var dataFields = map[protowire.Number]string{
	fieldFloat: "float_data", fieldInt32: "int32_data", fieldString: "string_data", fieldInt64: "int64_data",
	fieldRaw: "raw_data", fieldDouble: "double_data", fieldUint64: "uint64_data",
}

// Numbers of this package's own fields.
const (
	numberAt = own + iota
	numberLength
	numberField
	numberElements
	numberDataAt
	numberDataLength
)

// data is where the elements of a tensor lie.
type data struct {
	field    protowire.Number // 0 while there are none
	elements int64            // of the field, or its bytes for raw data
	runs     int              // of elements that lie as in memory
	loose    bool             // there are elements that do not
	from, to int              // of the run
}

// add adds a field of elements.
func (d *data) add(b []byte, n protowire.Number, f *field, wire protowire.Type, from, to int) error {
	if from == to && wire == protowire.BytesType && n != fieldString && d.field != 0 { // no elements
		return nil
	}
	if d.field != 0 && d.field != n && d.elements > 0 {
		return fail(CodeTensor, int64(from), "a tensor has elements in %s and in %s", dataFields[d.field], f.name)
	}
	if d.field != n {
		*d = data{field: n}
	}
	switch {
	case n == fieldRaw:
		d.elements, d.from, d.to = int64(to-from), from, to
		d.runs++
	case n == fieldString:
		d.elements++
		d.loose = true
	case wire == protowire.BytesType:
		count, err := packed(b, f, from, to)
		if err != nil {
			return err
		}
		d.elements += count
		d.from, d.to = from, to
		d.runs++
		d.loose = d.loose || f.wire == protowire.VarintType
	default:
		d.elements++
		d.loose = true
	}
	return nil
}

// tensor writes where a tensor and its elements lie.
func (w *walk) tensor(l *layout, d data, first, end int) error {
	if l.name != "TensorProto" {
		return nil
	}
	w.number(numberLength, end-first)
	if d.field == 0 {
		return nil
	}
	w.number(numberField, int(d.field))
	w.number(numberElements, int(d.elements))
	if d.runs == 1 && !d.loose {
		w.number(numberDataAt, d.from)
		w.number(numberDataLength, d.to-d.from)
	}
	return nil
}

// again is what to do about a damaged file.
const again = "the file is damaged, or its writer is at fault: copy it again, or export the model again"

func fail(code errs.Code, at int64, what string, args ...any) *errs.Error {
	return errs.New(code, what, args...).At(at).Hint(again)
}
