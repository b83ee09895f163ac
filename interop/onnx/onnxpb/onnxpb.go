// Package onnxpb reads the fields of ONNX models that the node tests use. The
// numbers are those of onnx.proto3 as it is published with ONNX 1.18.
//
// # Errors
//
// ONNX_WIRE for bytes that are not a message, ONNX_TENSOR for a tensor whose data do
// not fit its type, or whose element type tensor/dtype does not compute in.
//
// # Determinism
//
// Everything depends only on the bytes.
//
// # Untrusted input
//
// Memory is bounded by a multiple of the message's length; messages lie in each
// other at most 32 deep.
package onnxpb

import (
	"errors"
	"io"

	"google.golang.org/protobuf/encoding/protowire"

	"github.com/skainet-dev/skainet-go/errs"
)

// Codes of this package.
const (
	CodeWire   errs.Code = "ONNX_WIRE"   // smallest input: the byte 0
	CodeTensor errs.Code = "ONNX_TENSOR" // smallest input: a tensor of strings
)

const deepest = 32

// Model is a ModelProto.
type Model struct {
	Graph  Graph
	Opsets map[string]int64 // version by domain
}

// Graph is a GraphProto.
type Graph struct {
	Nodes        []Node
	Initializers []Tensor
	Inputs       []ValueInfo
	Outputs      []ValueInfo
}

// ValueInfo is a ValueInfoProto: a name, and the element type where it is a
// tensor's.
type ValueInfo struct {
	Name string
	Type int64 // of TensorProto.DataType
}

// Node is a NodeProto.
type Node struct {
	Inputs, Outputs []string
	Op, Domain      string
	Attributes      map[string]Attribute
}

// Attribute is an AttributeProto; the field of its kind is set.
type Attribute struct {
	Float   float32
	Int     int64
	String  string
	Tensor  *Tensor
	Graph   *Graph
	Floats  []float32
	Ints    []int64
	Strings []string
}

// field is one field of a message.
type field struct {
	number protowire.Number
	typ    protowire.Type
	varint uint64 // also of fixed32 and fixed64
	bytes  []byte
}

// fields calls each with every field of a message.
func fields(b []byte, each func(f field) error) error {
	for len(b) > 0 {
		number, typ, n := protowire.ConsumeTag(b)
		if n < 0 {
			return errs.New(CodeWire, "no field begins here: %s", reason(n))
		}
		b = b[n:]
		f := field{number: number, typ: typ}
		switch typ {
		case protowire.VarintType:
			f.varint, n = protowire.ConsumeVarint(b)
		case protowire.Fixed32Type:
			var v uint32
			v, n = protowire.ConsumeFixed32(b)
			f.varint = uint64(v)
		case protowire.Fixed64Type:
			f.varint, n = protowire.ConsumeFixed64(b)
		case protowire.BytesType:
			f.bytes, n = protowire.ConsumeBytes(b)
		default:
			n = protowire.ConsumeFieldValue(number, typ, b)
		}
		if n < 0 {
			return errs.New(CodeWire, "field %d cannot be read: %s", number, reason(n))
		}
		b = b[n:]
		if err := each(f); err != nil {
			return err
		}
	}
	return nil
}

// reason says what protowire's negative lengths mean; its own words are not the
// same in every build.
func reason(n int) string {
	if errors.Is(protowire.ParseError(n), io.ErrUnexpectedEOF) {
		return "the message ends"
	}
	return "malformed"
}

// ParseModel reads a ModelProto.
func ParseModel(b []byte) (*Model, error) {
	m := &Model{Opsets: map[string]int64{}}
	err := fields(b, func(f field) (err error) {
		switch f.number {
		case 7:
			m.Graph, err = parseGraph(f.bytes, 0)
		case 8:
			domain, version := "", int64(0)
			err = fields(f.bytes, func(f field) error {
				switch f.number {
				case 1:
					domain = string(f.bytes)
				case 2:
					version = int64(f.varint)
				}
				return nil
			})
			m.Opsets[domain] = version
		}
		return err
	})
	return m, err
}

func parseGraph(b []byte, depth int) (g Graph, err error) {
	if depth > deepest {
		return g, errs.New(CodeWire, "graphs are nested more than %d deep", deepest)
	}
	err = fields(b, func(f field) error {
		switch f.number {
		case 1:
			n, err := parseNode(f.bytes, depth)
			g.Nodes = append(g.Nodes, n)
			return err
		case 5:
			t, err := parseTensor(f.bytes)
			g.Initializers = append(g.Initializers, t)
			return err
		case 11, 12:
			v, err := parseValueInfo(f.bytes)
			if f.number == 11 {
				g.Inputs = append(g.Inputs, v)
			} else {
				g.Outputs = append(g.Outputs, v)
			}
			return err
		}
		return nil
	})
	return g, err
}

// parseValueInfo goes down to the element type: type, tensor_type, elem_type.
func parseValueInfo(b []byte) (v ValueInfo, err error) {
	err = fields(b, func(f field) error {
		switch f.number {
		case 1:
			v.Name = string(f.bytes)
		case 2:
			return fields(f.bytes, func(f field) error {
				if f.number != 1 {
					return nil
				}
				return fields(f.bytes, func(f field) error {
					if f.number == 1 {
						v.Type = int64(f.varint)
					}
					return nil
				})
			})
		}
		return nil
	})
	return v, err
}

func parseNode(b []byte, depth int) (n Node, err error) {
	n.Attributes = map[string]Attribute{}
	err = fields(b, func(f field) error {
		switch f.number {
		case 1:
			n.Inputs = append(n.Inputs, string(f.bytes))
		case 2:
			n.Outputs = append(n.Outputs, string(f.bytes))
		case 4:
			n.Op = string(f.bytes)
		case 7:
			n.Domain = string(f.bytes)
		case 5:
			name, a, err := parseAttribute(f.bytes, depth)
			n.Attributes[name] = a
			return err
		}
		return nil
	})
	return n, err
}

func parseAttribute(b []byte, depth int) (name string, a Attribute, err error) {
	err = fields(b, func(f field) error {
		switch f.number {
		case 1:
			name = string(f.bytes)
		case 2:
			a.Float = float32frombits(f.varint)
		case 3:
			a.Int = int64(f.varint)
		case 4:
			a.String = string(f.bytes)
		case 5:
			t, err := parseTensor(f.bytes)
			a.Tensor = &t
			return err
		case 6:
			g, err := parseGraph(f.bytes, depth+1)
			a.Graph = &g
			return err
		case 7:
			return f.each(protowire.Fixed32Type, func(v uint64) { a.Floats = append(a.Floats, float32frombits(v)) })
		case 8:
			return f.each(protowire.VarintType, func(v uint64) { a.Ints = append(a.Ints, int64(v)) })
		case 9:
			a.Strings = append(a.Strings, string(f.bytes))
		}
		return nil
	})
	return name, a, err
}

// each reads a repeated number, packed or not.
func (f field) each(typ protowire.Type, take func(v uint64)) error {
	if f.typ != protowire.BytesType {
		take(f.varint)
		return nil
	}
	for b := f.bytes; len(b) > 0; {
		var v uint64
		var n int
		switch typ {
		case protowire.VarintType:
			v, n = protowire.ConsumeVarint(b)
		case protowire.Fixed32Type:
			var w uint32
			w, n = protowire.ConsumeFixed32(b)
			v = uint64(w)
		default:
			v, n = protowire.ConsumeFixed64(b)
		}
		if n < 0 {
			return errs.New(CodeWire, "field %d holds a broken list: %s", f.number, reason(n))
		}
		take(v)
		b = b[n:]
	}
	return nil
}
