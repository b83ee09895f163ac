package onnx

import (
	"google.golang.org/protobuf/proto"

	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/io/onnx/schema"
)

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
	return modelOf(&p)
}

func modelOf(p *schema.ModelProto) (*Model, error) {
	m := &Model{
		IRVersion: p.GetIrVersion(), Producer: p.GetProducerName(), ProducerVersion: p.GetProducerVersion(), Domain: p.GetDomain(),
		Version: p.GetModelVersion(), Doc: p.GetDocString(), Metadata: pairsOf(p.GetMetadataProps()), Opsets: opsetsOf(p.GetOpsetImport()),
	}
	var err error
	if m.Graph, err = graphOf(p.GetGraph(), 0); err != nil {
		return nil, err
	}
	for _, f := range p.GetFunctions() {
		function, err := functionOf(f)
		if err != nil {
			return nil, err
		}
		m.Functions = append(m.Functions, function)
	}
	newKeys().model(m)
	return m, nil
}

func opsetsOf(list []*schema.OperatorSetIdProto) map[string]int64 {
	versions := map[string]int64{}
	for _, o := range list {
		domain := o.GetDomain()
		if domain == "ai.onnx" { // another name of it
			domain = ""
		}
		versions[domain] = o.GetVersion()
	}
	return versions
}

func pairsOf(list []*schema.StringStringEntryProto) map[string]string {
	if len(list) == 0 {
		return nil
	}
	pairs := map[string]string{}
	for _, p := range list {
		pairs[p.GetKey()] = p.GetValue()
	}
	return pairs
}

func functionOf(p *schema.FunctionProto) (f Function, err error) {
	f = Function{
		Domain: p.GetDomain(), Name: p.GetName(), Overload: p.GetOverload(), Inputs: p.GetInput(), Outputs: p.GetOutput(),
		Attributes: p.GetAttribute(), Values: valuesOf(p.GetValueInfo()), Opsets: opsetsOf(p.GetOpsetImport()),
	}
	if f.Nodes, err = nodesOf(p.GetNode(), 0); err != nil {
		return f, err
	}
	f.Defaults, err = attributesOf(p.GetAttributeProto(), 0)
	return f, err
}

func graphOf(p *schema.GraphProto, depth int) (g Graph, err error) {
	if depth > deepest {
		return g, errs.New(CodeWire, "graphs nest more than %d deep", deepest)
	}
	g.Name = p.GetName()
	if g.Nodes, err = nodesOf(p.GetNode(), depth); err != nil {
		return g, err
	}
	g.Initializers = tensorsOf(p.GetInitializer())
	for _, s := range p.GetSparseInitializer() {
		g.Sparse = append(g.Sparse, sparseOf(s))
	}
	g.Inputs, g.Outputs, g.Values = valuesOf(p.GetInput()), valuesOf(p.GetOutput()), valuesOf(p.GetValueInfo())
	for _, a := range p.GetQuantizationAnnotation() {
		if g.Quantization == nil {
			g.Quantization = map[string]map[string]string{}
		}
		g.Quantization[a.GetTensorName()] = pairsOf(a.GetQuantParameterTensorNames())
	}
	return g, nil
}

func valuesOf(list []*schema.ValueInfoProto) (out []ValueInfo) {
	for _, v := range list {
		info := typeOf(v.GetType())
		info.Name, info.At = v.GetName(), v.GetAt()
		out = append(out, info)
	}
	return out
}

func typeOf(p *schema.TypeProto) (v ValueInfo) {
	var dims *schema.TensorShapeProto
	switch t := p.GetValue().(type) {
	case *schema.TypeProto_TensorType:
		v.Kind, v.Type, dims = KindTensor, int64(t.TensorType.GetElemType()), t.TensorType.GetShape()
	case *schema.TypeProto_SparseTensorType:
		v.Kind, v.Type, dims = KindSparse, int64(t.SparseTensorType.GetElemType()), t.SparseTensorType.GetShape()
	case *schema.TypeProto_SequenceType:
		v.Kind = KindSequence
	case *schema.TypeProto_MapType:
		v.Kind = KindMap
	case *schema.TypeProto_OptionalType:
		v.Kind = KindOptional
	}
	v.Ranked = dims != nil
	for _, d := range dims.GetDim() {
		dim := Dim{Param: d.GetDimParam()}
		if size, ok := d.GetValue().(*schema.TensorShapeProto_Dimension_DimValue); ok && size.DimValue >= 0 { // some writers have -1 for one that is open
			dim = Dim{Known: true, Size: size.DimValue}
		}
		v.Shape = append(v.Shape, dim)
	}
	return v
}

func nodesOf(list []*schema.NodeProto, depth int) (nodes []Node, err error) {
	if len(list) > 0 {
		nodes = make([]Node, 0, len(list))
	}
	for _, p := range list {
		n := Node{
			Name: p.GetName(), Inputs: p.GetInput(), Outputs: p.GetOutput(), Op: p.GetOpType(), Domain: p.GetDomain(), Overload: p.GetOverload(), At: p.GetAt(),
		}
		if n.Attributes, err = attributesOf(p.GetAttribute(), depth); err != nil {
			return nil, err
		}
		nodes = append(nodes, n)
	}
	return nodes, nil
}

func attributesOf(list []*schema.AttributeProto, depth int) (map[string]Attribute, error) {
	if len(list) == 0 {
		return nil, nil //nolint:nilnil // most nodes have none, and a nil map reads as an empty one
	}
	all := make(map[string]Attribute, len(list))
	for _, p := range list {
		a, err := attributeOf(p, depth)
		if err != nil {
			return nil, err
		}
		all[p.GetName()] = a
	}
	return all, nil
}

func attributeOf(p *schema.AttributeProto, depth int) (Attribute, error) {
	a := Attribute{
		Ref: p.GetRefAttrName(), Type: p.GetType(), Float: p.GetF(), Int: p.GetI(), String: string(p.GetS()),
		Floats: p.GetFloats(), Ints: p.GetInts(), Tensors: tensorsOf(p.GetTensors()),
	}
	for _, s := range p.GetStrings() {
		a.Strings = append(a.Strings, string(s))
	}
	if p.T != nil {
		t := tensorOf(p.T)
		a.Tensor = &t
	}
	if p.SparseTensor != nil {
		s := sparseOf(p.SparseTensor)
		a.Sparse = &s
	}
	if p.Tp != nil {
		v := typeOf(p.Tp)
		a.Value = &v
	}
	if p.G != nil {
		g, err := graphOf(p.G, depth+1)
		if err != nil {
			return a, err
		}
		a.Graph = &g
	}
	for _, p := range p.GetGraphs() {
		g, err := graphOf(p, depth+1)
		if err != nil {
			return a, err
		}
		a.Graphs = append(a.Graphs, g)
	}
	return a, nil
}

func tensorsOf(list []*schema.TensorProto) (out []Tensor) {
	for _, t := range list {
		out = append(out, tensorOf(t))
	}
	return out
}

func sparseOf(p *schema.SparseTensorProto) SparseTensor {
	s := SparseTensor{Dims: p.GetDims()}
	if p.Values != nil {
		s.Name, s.Values = p.Values.GetName(), tensorOf(p.Values)
	}
	if p.Indices != nil {
		s.Indices = tensorOf(p.Indices)
	}
	return s
}
