package onnx

import (
	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/io/onnx/schema"
)

// ParseModel reads a ModelProto. The elements of its tensors stay in b.
func ParseModel(b []byte) (*Model, error) {
	return parse(b, &contents{b: b}, new(errs.Faults))
}

// parse reads a ModelProto whose tensors' elements are in, which may be known later.
func parse(b []byte, in *contents, faults *errs.Faults) (*Model, error) {
	var p schema.ModelProto
	if err := skim(b, &p); err != nil {
		_ = faults.Add(err)
		return nil, err
	}
	r := &reader{in: in, faults: faults}
	m := r.model(&p)
	newKeys().model(m)
	r.check(m)
	return m, r.err
}

// reader makes a model of messages.
type reader struct {
	in     *contents
	faults *errs.Faults
	err    error // after which no fault is listed any more
}

func (r *reader) add(err error) {
	if r.err == nil {
		r.err = r.faults.Add(err)
	}
}

func (r *reader) model(p *schema.ModelProto) *Model {
	m := &Model{
		IRVersion: p.GetIrVersion(), Producer: p.GetProducerName(), ProducerVersion: p.GetProducerVersion(), Domain: p.GetDomain(),
		Version: p.GetModelVersion(), Doc: p.GetDocString(), Metadata: pairsOf(p.GetMetadataProps()), Opsets: opsetsOf(p.GetOpsetImport()),
	}
	if p.Graph == nil {
		r.add(fail(CodeNoGraph, 0, "the model has no graph").Hint("check that the file is an ONNX model"))
	}
	m.Graph = r.graph(p.GetGraph())
	for _, f := range p.GetFunctions() {
		m.Functions = append(m.Functions, Function{
			Domain: f.GetDomain(), Name: f.GetName(), Overload: f.GetOverload(), Inputs: f.GetInput(), Outputs: f.GetOutput(),
			Attributes: f.GetAttribute(), Values: valuesOf(f.GetValueInfo()), Opsets: opsetsOf(f.GetOpsetImport()),
			Nodes: r.nodes(f.GetNode()), Defaults: r.attributes(f.GetAttributeProto(), f.GetName(), f.GetAt()), At: f.GetAt(),
		})
	}
	return m
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

func (r *reader) graph(p *schema.GraphProto) Graph {
	g := Graph{
		Name: p.GetName(), Nodes: r.nodes(p.GetNode()), Initializers: r.tensors(p.GetInitializer()),
		Inputs: valuesOf(p.GetInput()), Outputs: valuesOf(p.GetOutput()), Values: valuesOf(p.GetValueInfo()),
	}
	for _, s := range p.GetSparseInitializer() {
		g.Sparse = append(g.Sparse, r.sparse(s))
	}
	for _, a := range p.GetQuantizationAnnotation() {
		if g.Quantization == nil {
			g.Quantization = map[string]map[string]string{}
		}
		g.Quantization[a.GetTensorName()] = pairsOf(a.GetQuantParameterTensorNames())
	}
	return g
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

func (r *reader) nodes(list []*schema.NodeProto) (nodes []Node) {
	if len(list) > 0 {
		nodes = make([]Node, 0, len(list))
	}
	for _, p := range list {
		n := Node{
			Name: p.GetName(), Inputs: p.GetInput(), Outputs: p.GetOutput(), Op: p.GetOpType(), Domain: p.GetDomain(), Overload: p.GetOverload(), At: p.GetAt(),
		}
		if n.Op == "" {
			r.add(fail(CodeNode, n.At, "the node has no operator").On(n.Place()))
		}
		n.Attributes = r.attributes(p.GetAttribute(), n.Place(), n.At)
		nodes = append(nodes, n)
	}
	return nodes
}

// attributes returns nil where there are none, as for most nodes.
func (r *reader) attributes(list []*schema.AttributeProto, place string, at int64) map[string]Attribute {
	if len(list) == 0 {
		return nil
	}
	all := make(map[string]Attribute, len(list))
	for _, p := range list {
		name := p.GetName()
		if _, twice := all[name]; twice {
			r.add(fail(CodeDuplicate, at, "two attributes have the name %q", name).On(place))
		}
		all[name] = r.attribute(p)
	}
	return all
}

func (r *reader) attribute(p *schema.AttributeProto) Attribute {
	a := Attribute{
		Ref: p.GetRefAttrName(), Type: p.GetType(), Float: p.GetF(), Int: p.GetI(), String: string(p.GetS()),
		Floats: p.GetFloats(), Ints: p.GetInts(), Tensors: r.tensors(p.GetTensors()),
	}
	for _, s := range p.GetStrings() {
		a.Strings = append(a.Strings, string(s))
	}
	if p.T != nil {
		t := r.tensor(p.T)
		a.Tensor = &t
	}
	if p.SparseTensor != nil {
		s := r.sparse(p.SparseTensor)
		a.Sparse = &s
	}
	if p.Tp != nil {
		v := typeOf(p.Tp)
		a.Value = &v
	}
	if p.G != nil {
		g := r.graph(p.G)
		a.Graph = &g
	}
	for _, p := range p.GetGraphs() {
		a.Graphs = append(a.Graphs, r.graph(p))
	}
	return a
}

func (r *reader) tensors(list []*schema.TensorProto) (out []Tensor) {
	for _, t := range list {
		out = append(out, r.tensor(t))
	}
	return out
}

func (r *reader) sparse(p *schema.SparseTensorProto) SparseTensor {
	s := SparseTensor{Dims: p.GetDims()}
	if p.Values != nil {
		s.Name, s.Values = p.Values.GetName(), r.tensor(p.Values)
	}
	if p.Indices != nil {
		s.Indices = r.tensor(p.Indices)
	}
	return s
}
