package gguf

import (
	"encoding/binary"
	"math"

	"github.com/skainet-dev/skainet-go/errs"
)

// Pair is a key and its value to write: a Go number, a bool, a string, a
// slice of one of these, a Nested, or a Value of an open file, of either byte
// order. int and uint are not supported, since their width is not fixed.
type Pair struct {
	Key   string
	Value any
}

// Nested is an array of arrays: slices or array Values.
type Nested []any

// Pairs lists the metadata for a copy of the model: without the alignment and
// the split's keys, which the writer sets. The file must stay open.
func (f *File) Pairs() []Pair {
	var pairs []Pair
	for _, v := range f.first().values {
		if !reserved(v.key) {
			pairs = append(pairs, Pair{v.key, v})
		}
	}
	return pairs
}

// reserved are the keys that the writer sets.
func reserved(key string) bool {
	switch key {
	case keyAlignment, keySplitNo, keySplitCount, keySplitTensors:
		return true
	}
	return false
}

// CheckPair returns the error that Write would return for one pair: a bad key, or
// a value of another type than the key requires. Arrays of arrays are not one.
func CheckPair(p Pair) error {
	_, err := plan([]Pair{p}, nil, Options{BeyondGGML: true})
	return err
}

// encoder appends to b.
type encoder struct {
	b     []byte
	order binary.AppendByteOrder
	big   bool
}

// number appends an unsigned integer of n bytes.
func (e *encoder) number(n int64, v uint64) {
	switch n {
	case 1:
		e.b = append(e.b, byte(v))
	case 2:
		e.b = e.order.AppendUint16(e.b, uint16(v))
	case 4:
		e.b = e.order.AppendUint32(e.b, uint32(v))
	default:
		e.b = e.order.AppendUint64(e.b, v)
	}
}

func (e *encoder) text(s string) {
	e.number(8, uint64(len(s)))
	e.b = append(e.b, s...)
}

func (e *encoder) pair(p Pair) error {
	e.text(p.Key)
	at := len(e.b)
	e.number(4, 0)
	t, err := e.value(p.Value)
	if err != nil {
		return on(err, p.Key)
	}
	typed := encoder{order: e.order}
	typed.number(4, uint64(t))
	copy(e.b[at:], typed.b)
	return nil
}

// value appends a value and returns its type.
func (e *encoder) value(v any) (Type, error) {
	if t, bits, ok := scalar(v); ok {
		e.number(t.size(), bits)
		return t, nil
	}
	switch v := v.(type) {
	case string:
		e.text(v)
		return String, nil
	case Value:
		return e.copyOf(v)
	}
	return ArrayType, e.array(v, 1)
}

// scalar returns the type and the bits of a number or a bool.
func scalar(v any) (Type, uint64, bool) {
	switch v := v.(type) {
	case uint8:
		return U8, uint64(v), true
	case int8:
		return I8, uint64(v), true
	case uint16:
		return U16, uint64(v), true
	case int16:
		return I16, uint64(v), true
	case uint32:
		return U32, uint64(v), true
	case int32:
		return I32, uint64(v), true
	case uint64:
		return U64, v, true
	case int64:
		return I64, uint64(v), true
	case float32:
		return F32, uint64(math.Float32bits(v)), true
	case float64:
		return F64, math.Float64bits(v), true
	case bool:
		if v {
			return Bool, 1, true
		}
		return Bool, 0, true
	}
	return 0, 0, false
}

// array appends the element type, the length and the elements of a slice.
func (e *encoder) array(v any, level int) error {
	switch v := v.(type) {
	case []uint8:
		slice(e, v)
	case []int8:
		slice(e, v)
	case []uint16:
		slice(e, v)
	case []int16:
		slice(e, v)
	case []uint32:
		slice(e, v)
	case []int32:
		slice(e, v)
	case []uint64:
		slice(e, v)
	case []int64:
		slice(e, v)
	case []float32:
		slice(e, v)
	case []float64:
		slice(e, v)
	case []bool:
		slice(e, v)
	case []string:
		e.head(String, len(v))
		for _, s := range v {
			e.text(s)
		}
	case Value:
		if v.typ != ArrayType {
			return errs.New(CodeWrongType, "the value is %s, not an array", v.kind())
		}
		_, err := e.copyOf(v)
		return err
	case Nested:
		if level == maxNesting {
			return errs.New(CodeLimit, "arrays are nested more than %d levels deep", maxNesting)
		}
		e.head(ArrayType, len(v))
		for _, in := range v {
			if err := e.array(in, level+1); err != nil {
				return err
			}
		}
	default:
		return errs.New(CodeType, "a value of Go type %T cannot be written", v).
			Hint("use a number with a width, a bool, a string or a slice of these")
	}
	return nil
}

func (e *encoder) head(elem Type, n int) {
	e.number(4, uint64(elem))
	e.number(8, uint64(n))
}

func slice[T any](e *encoder, s []T) {
	var none T
	t, _, _ := scalar(none)
	e.head(t, len(s))
	for _, v := range s {
		_, bits, _ := scalar(v)
		e.number(t.size(), bits)
	}
}

// copyOf appends a value of an open file and returns its type.
func (e *encoder) copyOf(v Value) (Type, error) {
	if v.src == nil {
		return 0, errs.New(CodeType, "a Value of no file cannot be written")
	}
	switch v.typ {
	case String:
		s, err := v.Text()
		e.text(s)
		return String, err
	case ArrayType:
		err := v.src.view(v.at-12, v.size+12, func(b []byte) error {
			if v.big == e.big {
				e.b = append(e.b, b...)
				return nil
			}
			return e.swapped(&cursor{b: b, base: v.at - 12, big: v.big}, ArrayType, 0)
		})
		return ArrayType, err
	}
	e.number(v.typ.size(), v.bits)
	return v.typ, nil
}

// swapped appends the value of type t at the cursor in the other byte order. The
// reader has checked it, but the file may have changed since.
func (e *encoder) swapped(c *cursor, t Type, level int) error {
	switch t {
	case String:
		s, err := c.str("a string of the array", MaxString)
		e.text(string(s))
		return err
	case ArrayType:
		elem, err := c.u32("the element type of an array")
		if err != nil {
			return err
		}
		n, err := c.u64("the length of an array")
		if err != nil {
			return err
		}
		if !Type(elem).valid() || level == maxNesting {
			return fail(CodeType, c.base+c.at-12, "element type %d", elem)
		}
		e.number(4, uint64(elem))
		e.number(8, n)
		for range n {
			if err := e.swapped(c, Type(elem), level+1); err != nil {
				return err
			}
		}
		return nil
	}
	if err := c.need(t.size(), "an element"); err != nil {
		return err
	}
	e.number(t.size(), c.bits(c.at, t.size()))
	c.at += t.size()
	return nil
}
