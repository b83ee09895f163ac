package gguf

import (
	"fmt"
	"math"
	"strconv"

	"github.com/skainet-dev/skainet-go/errs"
)

// source gives views of the bytes of a file.
type source interface {
	view(off, n int64, f func(b []byte) error) error
	path() string // "" for none
}

// Value is the value of a key. A string or an array is read from the file on
// demand, and is an error once the file is closed.
type Value struct {
	key  string
	typ  Type
	bits uint64 // of a number
	elem Type   // of an array
	n    uint64 // elements of an array

	field    int64 // where the type is written
	at, size int64 // of the string's or the array's content
	big      bool
	src      source
}

// Key returns the key.
func (v Value) Key() string { return v.key }

// Type returns the type as stored.
func (v Value) Type() Type { return v.typ }

func (v Value) wrong(want string) error {
	return fail(CodeWrongType, v.field, "the value is %s, not %s", v.kind(), want).In(v.src.path()).On(v.key)
}

// kind is the name of the type: "u32", "array of string".
func (v Value) kind() string {
	if v.typ == ArrayType {
		return "array of " + v.elem.String()
	}
	return v.typ.String()
}

func (v Value) nested() bool { return v.typ == ArrayType && v.elem == ArrayType }

// Text returns a string.
func (v Value) Text() (string, error) {
	if v.typ != String {
		return "", v.wrong("a string")
	}
	var s string
	err := v.src.view(v.at, v.size, func(b []byte) error { s = string(b); return nil })
	return s, err
}

// Int returns an integer of any width; a u64 of 2^63 or more is an error.
func (v Value) Int() (int64, error) {
	if !v.typ.isInt() {
		return 0, v.wrong("an integer")
	}
	n, ok := integer(v.typ, v.bits)
	if !ok {
		return 0, v.wrong(fmt.Sprintf("below 2^63: %d", v.bits))
	}
	return n, nil
}

// integer extends the bits of an integer type; false where they do not fit.
func integer(t Type, bits uint64) (int64, bool) {
	switch t {
	case I8:
		return int64(int8(bits)), true
	case I16:
		return int64(int16(bits)), true
	case I32:
		return int64(int32(bits)), true
	case U64:
		return int64(bits), bits <= math.MaxInt64
	}
	return int64(bits), true
}

// Float returns a float of either width.
func (v Value) Float() (float64, error) {
	switch v.typ {
	case F32:
		return float64(math.Float32frombits(uint32(v.bits))), nil
	case F64:
		return math.Float64frombits(v.bits), nil
	}
	return 0, v.wrong("a float")
}

// Bool returns a bool.
func (v Value) Bool() (bool, error) {
	if v.typ != Bool {
		return false, v.wrong("a bool")
	}
	return v.bits != 0, nil
}

// Array returns an array.
func (v Value) Array() (Array, error) {
	if v.typ != ArrayType {
		return Array{}, v.wrong("an array")
	}
	return Array{key: v.key, elem: v.elem, n: v.n, field: v.field, at: v.at, size: v.size, big: v.big, src: v.src}, nil
}

// maxShown is the longest string that Summary and an index hold.
const maxShown = 64 << 10

// Summary returns a number in its shortest text, true or false, a string of at
// most 64 KiB as it is and a longer one as "string of N bytes", and an array as
// its type and length, "f32[100]".
func (v Value) Summary() (string, error) {
	switch v.typ {
	case String:
		if v.size > maxShown {
			return fmt.Sprintf("string of %d bytes", v.size), nil
		}
		return v.Text()
	case ArrayType:
		return fmt.Sprintf("%s[%d]", v.elem, v.n), nil
	case F32:
		return strconv.FormatFloat(float64(math.Float32frombits(uint32(v.bits))), 'g', -1, 32), nil
	case F64:
		return strconv.FormatFloat(math.Float64frombits(v.bits), 'g', -1, 64), nil
	case Bool:
		return strconv.FormatBool(v.bits != 0), nil
	case U64:
		return strconv.FormatUint(v.bits, 10), nil
	}
	n, _ := integer(v.typ, v.bits)
	return strconv.FormatInt(n, 10), nil
}

// Get finds the value of a key.
func (f *File) Get(key string) (Value, bool) { return f.first().get(key) }

// Require finds the value of a key; a missing key is an error.
func (f *File) Require(key string) (Value, error) {
	v, ok := f.Get(key)
	if !ok {
		return Value{}, errs.New(CodeMissingKey, "the file has no such key").In(f.Path()).On(key).
			Hint("list the keys with: skainet inspect FILE")
	}
	return v, nil
}

// Values lists the pairs in the order of the file; for a split model those of
// the first part.
func (f *File) Values() []Value { return append([]Value(nil), f.first().values...) }
