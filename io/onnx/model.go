package onnx

import (
	"iter"
	"maps"
	"slices"
	"strconv"

	"github.com/skainet-dev/skainet-go/io/onnx/schema"
	"github.com/skainet-dev/skainet-go/tensor/shape"
)

// Model is a ModelProto.
type Model struct {
	IRVersion       int64
	Producer        string // the program that wrote the file
	ProducerVersion string
	Domain          string
	Version         int64             // of the model
	Doc             string            // what the file says of itself
	Metadata        map[string]string // nil where the file has none
	Opsets          map[string]int64  // version by domain
	Graph           Graph
	Functions       []Function
}

// Inputs returns the inputs that a caller gives: those that no initializer has a value for.
func (m *Model) Inputs() []ValueInfo {
	stored := map[string]bool{}
	for i := range m.Graph.Initializers {
		stored[m.Graph.Initializers[i].Name] = true
	}
	for i := range m.Graph.Sparse {
		stored[m.Graph.Sparse[i].Name] = true
	}
	var list []ValueInfo
	for _, v := range m.Graph.Inputs {
		if !stored[v.Name] {
			list = append(list, v)
		}
	}
	return list
}

// Nodes returns the nodes of the graph and of those in it, each before the nodes of its
// own graphs, and then those of the functions.
func (m *Model) Nodes() iter.Seq[*Node] {
	return func(yield func(*Node) bool) {
		if !visit(m.Graph.Nodes, yield) {
			return
		}
		for i := range m.Functions {
			if !visit(m.Functions[i].Nodes, yield) {
				return
			}
		}
	}
}

func visit(nodes []Node, yield func(*Node) bool) bool {
	for i := range nodes {
		if !yield(&nodes[i]) {
			return false
		}
		for _, name := range slices.Sorted(maps.Keys(nodes[i].Attributes)) {
			a := nodes[i].Attributes[name]
			if a.Graph != nil && !visit(a.Graph.Nodes, yield) {
				return false
			}
			for j := range a.Graphs {
				if !visit(a.Graphs[j].Nodes, yield) {
					return false
				}
			}
		}
	}
	return true
}

// Graph is a GraphProto.
type Graph struct {
	Name         string
	Nodes        []Node
	Initializers []Tensor
	Sparse       []SparseTensor // sparse initializers
	Inputs       []ValueInfo
	Outputs      []ValueInfo
	Values       []ValueInfo // types of values in between, of whichever the file says them
	// Quantization gives for a value's name the names of its scale and its zero point, by
	// their kind (SCALE_TENSOR, ZERO_POINT_TENSOR).
	Quantization map[string]map[string]string
}

// Function is a FunctionProto: a node of its domain, name and overload stands for its
// nodes, in which attributes are references to those of the node.
type Function struct {
	Domain, Name, Overload string
	Inputs, Outputs        []string
	Attributes             []string             // names of those that a node must give
	Defaults               map[string]Attribute // of those that it may leave out
	Nodes                  []Node
	Values                 []ValueInfo
	Opsets                 map[string]int64 // version by domain, in place of the model's
	At                     int64            // offset in the file
}

// Kind is what a value is.
type Kind uint8

// The kinds of values. KindNone is a value of which the file says no type, or one that
// this package does not know.
const (
	KindNone Kind = iota
	KindTensor
	KindSparse
	KindSequence
	KindMap
	KindOptional
)

var kinds = [...]string{"of no type", "tensor", "sparse tensor", "sequence", "map", "optional"}

// String returns the kind as a word.
func (k Kind) String() string { return kinds[k] }

// ValueInfo is a ValueInfoProto: a name and a type.
type ValueInfo struct {
	Name string
	Kind Kind
	Type int64 // of TensorProto.DataType, of a tensor that is dense or sparse
	// Ranked reports whether the file gives the number of dimensions, which Shape then has.
	Ranked bool
	Shape  []Dim
	At     int64 // offset in the file
}

// String returns the type, such as f32[batch?x80], or the kind where there is none: a name
// of a size ends in a question mark, as that of a size which is known when a program runs.
func (v ValueInfo) String() string {
	if v.Kind != KindTensor && v.Kind != KindSparse {
		return v.Kind.String()
	}
	text := TypeName(v.Type)
	if d := DType(v.Type); d.Valid() {
		text = d.String()
	}
	if v.Kind == KindSparse {
		text = "sparse " + text
	}
	if !v.Ranked {
		return text
	}
	s := make(shape.Shape, len(v.Shape))
	for i, d := range v.Shape {
		s[i] = shape.Dim{Size: shape.Dynamic, Name: d.Param}
		if d.Known {
			s[i] = shape.Dim{Size: d.Size}
		}
	}
	return text + "[" + s.String() + "]"
}

// Dim is a dimension of a value: a size, a name of a size, or, with neither, one that the
// file leaves open.
type Dim struct {
	Known bool
	Size  int64 // where it is known
	Param string
}

// String returns the size, the name, or "?".
func (d Dim) String() string {
	switch {
	case d.Known:
		return strconv.FormatInt(d.Size, 10)
	case d.Param != "":
		return d.Param
	}
	return "?"
}

// Node is a NodeProto.
type Node struct {
	Name                 string
	Inputs, Outputs      []string
	Op, Domain, Overload string
	Attributes           map[string]Attribute
	At                   int64 // offset in the file
}

// Place returns the node's name, or where it has none its operator and the first value
// that it makes.
func (n *Node) Place() string {
	if n.Name != "" {
		return n.Name
	}
	for _, o := range n.Outputs {
		if o != "" {
			return n.Op + " of " + o
		}
	}
	return n.Op
}

// Attribute is an AttributeProto; the field of its type is set.
type Attribute struct {
	Ref     string // of a function's node: the attribute of the function that it stands for
	Type    schema.AttributeProto_AttributeType
	Float   float32
	Int     int64
	String  string
	Tensor  *Tensor
	Sparse  *SparseTensor
	Graph   *Graph
	Value   *ValueInfo // of a type; it has no name
	Floats  []float32
	Ints    []int64
	Strings []string
	Tensors []Tensor
	Graphs  []Graph
}

// SparseTensor is a SparseTensorProto: elements that are not zero and their places, which
// are linear ([N]) or have an index for each dimension ([N, rank]).
type SparseTensor struct {
	Name            string
	Values, Indices Tensor
	Dims            []int64
}
