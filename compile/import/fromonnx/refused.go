package fromonnx

import (
	"github.com/skainet-dev/skainet-go/io/onnx"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/shape"
)

// Refused returns an error for each node that Import would refuse, in the file's order,
// where Import returns the first. What such a node makes is taken to be there where the
// file says its type; nodes that need anything else of it are not examined, and unseen is
// how many. The nodes inside a branch, a loop or a function count with the node that has it.
//
// A model that is cut is imported, and its first error returned.
func Refused(m *onnx.Model, o Options) (refused []error, unseen int) {
	if len(o.Cut) > 0 {
		if _, err := Import(m, o); err != nil {
			return []error{err}, 0
		}
		return nil, 0
	}
	t := (&fitter{model: m, options: o}).fit()
	if t.err == nil {
		if t.narrowed != "" && o.Note != nil {
			o.Note(t.narrowed)
		}
		return nil, 0
	}
	x := &examination{narrowings: t.narrowings, unknown: map[string]bool{}, types: map[string]*onnx.ValueInfo{}}
	if err := x.of(m, o); err != nil {
		x.refused = append(x.refused, err)
	}
	return x.refused, x.unseen
}

// examination is what is found in a model.
type examination struct {
	narrowings
	refused []error
	unseen  int
	unknown map[string]bool            // values of which nothing is known
	types   map[string]*onnx.ValueInfo // that the file says
}

func (x *examination) of(m *onnx.Model, o Options) (err error) {
	defer recovered(&err)
	for _, list := range [][]onnx.ValueInfo{m.Graph.Values, m.Graph.Outputs} {
		for k := range list {
			x.types[list[k].Name] = &list[k]
		}
	}
	i, outputs, err := newImporter(m, o, x.narrowings)
	if err != nil {
		return err
	}
	i.examined = x
	e, err := i.begin("main", i.order, outputs, len(o.Outputs) > 0)
	if err == nil {
		e.convertNodes(&m.Graph, outputs)
	}
	return err
}

// examine adds a node, or notes why it is refused.
func (e *env) examine(n *onnx.Node) {
	x := e.examined
	read := map[string]bool{}
	reads(n, read)
	for name := range read {
		if x.unknown[name] {
			x.unseen++
			e.supply(n)
			return
		}
	}
	if err := e.node(n); err != nil {
		x.refused = append(x.refused, err)
		e.supply(n)
	}
}

// supply puts values of the types that the file says in place of what a node would make.
func (e *env) supply(n *onnx.Node) {
	for _, name := range n.Outputs {
		if name == "" || e.values[name] != nil || e.lists[name] != nil {
			continue
		}
		info := e.examined.types[name]
		if info == nil || info.Kind != onnx.KindTensor || !info.Ranked || !onnx.DType(info.Type).Valid() {
			e.examined.unknown[name] = true
			continue
		}
		d := onnx.DType(info.Type)
		t := tensor.Type{DType: d, Shape: shape.Shape{}}
		if c, ok := carrier(d); ok {
			t.DType = c
		}
		for k, s := range info.Shape {
			switch {
			case s.Known:
				t.Shape = append(t.Shape, shape.N(s.Size))
			case named(s):
				t.Shape = append(t.Shape, e.bindings.of(s.Param))
			default:
				t.Shape = append(t.Shape, e.bindings.open(name, k))
			}
		}
		v := e.coded(e.b.AddArg(t), d)
		for k, size := range t.Shape { // a size that no argument tells is read here
			if n, _, _, ok := size.Tells(); ok {
				if _, seen := e.names[n]; !seen {
					e.names[n] = place{v, k}
				}
			}
		}
		e.values[name] = v
	}
}
