package gguf

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
	"github.com/skainet-dev/skainet-go/tensor/quant"
)

// Type is the type of a metadata value; the numbers are the format's.
type Type uint32

// The types of values.
const (
	U8 Type = iota
	I8
	U16
	I16
	U32
	I32
	F32
	Bool
	String
	ArrayType
	U64
	I64
	F64
)

var types = [...]struct {
	name string
	size int64 // of a value; 0 for those with a length of their own
}{
	{"u8", 1}, {"i8", 1}, {"u16", 2}, {"i16", 2}, {"u32", 4}, {"i32", 4}, {"f32", 4},
	{"bool", 1}, {"string", 0}, {"array", 0}, {"u64", 8}, {"i64", 8}, {"f64", 8},
}

func (t Type) valid() bool { return int64(t) < int64(len(types)) }

func (t Type) size() int64 { return types[t].size }

// String returns u8, f32, string, array or the like.
func (t Type) String() string {
	if t.valid() {
		return types[t].name
	}
	return fmt.Sprintf("type %d", uint32(t))
}

func (t Type) isInt() bool {
	switch t {
	case U8, I8, U16, I16, U32, I32, U64, I64:
		return true
	}
	return false
}

// dense are the tensor types of single elements, by their number in ggml's
// enumeration; the block types are in tensor/quant.
var dense = map[uint32]dtype.DType{
	0: dtype.F32, 1: dtype.F16, 24: dtype.I8, 25: dtype.I16, 26: dtype.I32, 27: dtype.I64, 28: dtype.F64, 30: dtype.BF16,
}

// removed are type numbers that ggml once had and now refuses.
var removed = map[uint32]string{
	4: "Q4_2", 5: "Q4_3", 31: "Q4_0_4_4", 32: "Q4_0_4_8", 33: "Q4_0_8_8",
	36: "IQ4_NL_4_4", 37: "IQ4_NL_4_8", 38: "IQ4_NL_8_8",
}

const (
	unknownPrefix = "ggml-"
	bigPrefix     = "big-endian-"
)

// layout is how a tensor of some type lies in a file.
type layout struct {
	dtype    dtype.DType
	encoding quant.Encoding
	elements int64 // of a block
	bytes    int64 // of a block; 0 where the type is not known
	tail     int64 // bytes after the last block
	swap     int   // bytes of an element whose order is to be reversed, else 0
}

// numberI2S is bitnet.cpp's number of I2_S.
const numberI2S = 36

// layoutI2S is the layout of such a tensor.
func layoutI2S() layout {
	b, _ := quant.I2S.Block()
	tail, _ := b.Size(0)
	return layout{dtype: dtype.F32, encoding: quant.I2S, elements: b.Elements, bytes: b.Bytes, tail: tail}
}

// orderless are the block encodings made of single bytes.
func orderless(e quant.Encoding) bool { return e == "MXFP4" || e == "NVFP4" }

// layoutOf returns the layout of a type number in a file of this byte order.
func layoutOf(number uint32, big bool) layout {
	if d, ok := dense[number]; ok {
		n := d.Bytes(1)
		l := layout{dtype: d, encoding: quant.Dense, elements: 1, bytes: n}
		switch {
		case !big || n == 1:
		case d == dtype.BF16:
			l.encoding = quant.Opaque(bigPrefix + "BF16")
		default:
			l.swap = int(n)
		}
		return l
	}
	if b, ok := quant.ByGGML(number); ok {
		e := b.Encoding
		if big && !orderless(e) {
			e = quant.Opaque(bigPrefix + string(e))
		}
		return layout{dtype: dtype.F32, encoding: e, elements: b.Elements, bytes: b.Bytes}
	}
	return layout{dtype: dtype.F32, encoding: quant.Opaque(unknownPrefix + strconv.FormatUint(uint64(number), 10)), elements: 1}
}

// numberOf is the inverse of layoutOf, for the writer.
func numberOf(s tensor.Spec, big bool) (uint32, error) {
	if s.Encoding.IsDense() {
		for number, d := range dense {
			if d == s.DType {
				if big && d == dtype.BF16 {
					return 0, noOrder(s.Name, "BF16")
				}
				return number, nil
			}
		}
		return 0, errs.New(CodeNoType, "GGUF has no tensor type for %s", s.DType).On(s.Name).
			Hint("convert it to f32, f16, bf16, f64, i8, i16, i32 or i64")
	}
	if b, ok := s.Encoding.Block(); ok && b.GGML != quant.NoGGML {
		if big && !orderless(s.Encoding) {
			return 0, noOrder(s.Name, string(s.Encoding))
		}
		return b.GGML, nil
	}
	name, _ := strings.CutPrefix(string(s.Encoding), string(quant.Opaque(unknownPrefix)))
	if n, err := strconv.ParseUint(name, 10, 32); err == nil && quant.Opaque(unknownPrefix+name) == s.Encoding {
		return uint32(n), nil
	}
	if name, ok := strings.CutPrefix(string(s.Encoding), string(quant.Opaque(bigPrefix))); ok && big {
		if name == "BF16" {
			return 30, nil
		}
		if b, ok := quant.Encoding(name).Block(); ok && b.GGML != quant.NoGGML {
			return b.GGML, nil
		}
	}
	return 0, errs.New(CodeNoType, "GGUF has no tensor type for encoding %s", s.Encoding).On(s.Name).
		Hint("convert it to a block type of ggml or to f32")
}

func noOrder(name, encoding string) error {
	return errs.New(CodeBigEndian, "the byte order inside %s is not specified for big-endian files", encoding).On(name).
		Hint("write a little-endian file, or convert the tensor to f32 or f16")
}
