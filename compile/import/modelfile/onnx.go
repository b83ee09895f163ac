package modelfile

import (
	"maps"
	"slices"
	"strconv"

	"github.com/skainet-dev/skainet-go/compile/contract"
	"github.com/skainet-dev/skainet-go/compile/dag"
	"github.com/skainet-dev/skainet-go/compile/import/fromonnx"
	"github.com/skainet-dev/skainet-go/io/onnx"
	"github.com/skainet-dev/skainet-go/io/weights"
	"github.com/skainet-dev/skainet-go/tensor/shape"
)

// onnxFile is an ONNX model with its weights.
type onnxFile struct{ *weights.File }

func openONNX(path string) (source, error) {
	f, err := weights.Open(path)
	if err != nil {
		return nil, err
	}
	return onnxFile{f}, nil
}

func (f onnxFile) weights() *weights.File { return f.File }

func (f onnxFile) inputs() []contract.Named {
	g := &f.ONNX().Model().Graph
	stored := map[string]bool{}
	for i := range g.Initializers {
		stored[g.Initializers[i].Name] = true
	}
	for i := range g.Sparse {
		stored[g.Sparse[i].Name] = true
	}
	var list []contract.Named
	for _, in := range g.Inputs {
		if stored[in.Name] {
			continue
		}
		n := contract.Named{Name: in.Name, DType: onnx.DType(in.Type), Shape: shape.Shape{}}
		for _, d := range in.Shape {
			if d.Known {
				n.Shape = append(n.Shape, shape.N(d.Size))
			} else {
				n.Shape = append(n.Shape, shape.Named(d.Param))
			}
		}
		list = append(list, n)
	}
	return list
}

func (f onnxFile) facts() []Fact {
	m := f.ONNX().Model()
	var list []Fact
	add := func(name, value string) {
		if value != "" {
			list = append(list, Fact{name, value})
		}
	}
	add("producer", m.Producer)
	add("producer version", m.ProducerVersion)
	add("domain", m.Domain)
	add("name", m.Graph.Name)
	add("version of the file format", strconv.FormatInt(m.IRVersion, 10))
	for _, domain := range slices.Sorted(maps.Keys(m.Opsets)) {
		name := domain
		if name == "" {
			name = "ai.onnx"
		}
		add("operators of "+name, strconv.FormatInt(m.Opsets[domain], 10))
	}
	for _, key := range slices.Sorted(maps.Keys(m.Metadata)) {
		add(key, m.Metadata[key])
	}
	return list
}

func (f onnxFile) graph(o Options) (*dag.Graph, error) {
	return fromonnx.Import(f.ONNX().Model(), onnxOptions(o))
}

func (f onnxFile) refused(o Options) ([]error, int) {
	return fromonnx.Refused(f.ONNX().Model(), onnxOptions(o))
}

func onnxOptions(o Options) fromonnx.Options {
	return fromonnx.Options{
		Name: o.Name, Evaluate: fromonnx.Evaluator(o.Evaluate), MaxMemory: o.MaxMemory, Shapes: o.Shapes, Constants: o.Constants,
		Outputs: o.Outputs, States: o.States, Cut: o.Cut, Inline: o.Inline, Noise: o.Noise, Dequantize: o.Dequantize, Note: o.Note,
	}
}
