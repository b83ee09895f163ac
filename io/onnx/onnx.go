// Package onnx reads the fields of ONNX models that the node tests use, by the generated
// code of package schema. Fields that are not in schema/onnx.proto are skipped.
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
// Memory is bounded by a multiple of the message's length; messages nest at most
// 32 deep.
package onnx

import (
	"google.golang.org/protobuf/proto"

	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/io/onnx/schema"
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

// unmarshal reads a message. It drops protobuf's error text, which intentionally varies
// between builds.
func unmarshal(b []byte, m proto.Message) error {
	if err := (proto.UnmarshalOptions{DiscardUnknown: true}).Unmarshal(b, m); err != nil {
		return errs.New(CodeWire, "the bytes are not a protobuf message %s", m.ProtoReflect().Descriptor().Name())
	}
	return nil
}

// ParseModel reads a ModelProto.
func ParseModel(b []byte) (*Model, error) {
	var p schema.ModelProto
	if err := unmarshal(b, &p); err != nil {
		return nil, err
	}
	m := &Model{Opsets: map[string]int64{}}
	for _, o := range p.GetOpsetImport() {
		m.Opsets[o.GetDomain()] = o.GetVersion()
	}
	var err error
	m.Graph, err = graphOf(p.GetGraph(), 0)
	return m, err
}

func graphOf(p *schema.GraphProto, depth int) (g Graph, err error) {
	if depth > deepest {
		return g, errs.New(CodeWire, "graphs nest more than %d deep", deepest)
	}
	for _, n := range p.GetNode() {
		node, err := nodeOf(n, depth)
		if err != nil {
			return g, err
		}
		g.Nodes = append(g.Nodes, node)
	}
	for _, t := range p.GetInitializer() {
		g.Initializers = append(g.Initializers, tensorOf(t))
	}
	g.Inputs, g.Outputs = valuesOf(p.GetInput()), valuesOf(p.GetOutput())
	return g, nil
}

func valuesOf(list []*schema.ValueInfoProto) (out []ValueInfo) {
	for _, v := range list {
		out = append(out, ValueInfo{Name: v.GetName(), Type: int64(v.GetType().GetTensorType().GetElemType())})
	}
	return out
}

func nodeOf(p *schema.NodeProto, depth int) (Node, error) {
	n := Node{Inputs: p.GetInput(), Outputs: p.GetOutput(), Op: p.GetOpType(), Domain: p.GetDomain(), Attributes: map[string]Attribute{}}
	for _, a := range p.GetAttribute() {
		attribute, err := attributeOf(a, depth)
		if err != nil {
			return n, err
		}
		n.Attributes[a.GetName()] = attribute
	}
	return n, nil
}

func attributeOf(p *schema.AttributeProto, depth int) (Attribute, error) {
	a := Attribute{Float: p.GetF(), Int: p.GetI(), String: string(p.GetS()), Floats: p.GetFloats(), Ints: p.GetInts()}
	for _, s := range p.GetStrings() {
		a.Strings = append(a.Strings, string(s))
	}
	if p.T != nil {
		t := tensorOf(p.T)
		a.Tensor = &t
	}
	if p.G != nil {
		g, err := graphOf(p.G, depth+1)
		if err != nil {
			return a, err
		}
		a.Graph = &g
	}
	return a, nil
}
