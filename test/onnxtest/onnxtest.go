// Package onnxtest writes ONNX messages for tests.
//
// # Errors
//
// None.
//
// # Determinism
//
// The bytes depend only on the arguments.
package onnxtest

import "google.golang.org/protobuf/encoding/protowire"

// Field writes a field of a message: an int64 as varint, a uint32 as fixed32, a
// string or bytes.
func Field(number protowire.Number, value any) []byte {
	switch v := value.(type) {
	case int64:
		return protowire.AppendVarint(protowire.AppendTag(nil, number, protowire.VarintType), uint64(v))
	case uint32:
		return protowire.AppendFixed32(protowire.AppendTag(nil, number, protowire.Fixed32Type), v)
	case string:
		return protowire.AppendString(protowire.AppendTag(nil, number, protowire.BytesType), v)
	}
	return protowire.AppendBytes(protowire.AppendTag(nil, number, protowire.BytesType), value.([]byte))
}

// Message joins fields.
func Message(fields ...[]byte) []byte {
	all := []byte{}
	for _, f := range fields {
		all = append(all, f...)
	}
	return all
}

// Tensor writes a TensorProto with raw data.
func Tensor(name string, dataType int64, raw []byte, dims ...int64) []byte {
	m := []byte{}
	for _, d := range dims {
		m = append(m, Field(1, d)...)
	}
	return Message(m, Field(2, dataType), Field(8, name), Field(9, raw))
}

// Value writes a ValueInfoProto of a tensor.
func Value(name string, dataType int64) []byte {
	return Message(Field(1, name), Field(2, Field(1, Field(1, dataType))))
}

// Node writes a NodeProto with inputs, one output and attributes.
func Node(op, output string, inputs []string, attributes ...[]byte) []byte {
	m := []byte{}
	for _, in := range inputs {
		m = append(m, Field(1, in)...)
	}
	m = Message(m, Field(2, output), Field(4, op))
	for _, a := range attributes {
		m = append(m, Field(5, a)...)
	}
	return m
}

// Model writes a ModelProto of opset 18 whose graph has these fields.
func Model(graph ...[]byte) []byte {
	return Message(Field(8, Field(2, int64(18))), Field(7, Message(graph...)))
}
