package fromonnx

import (
	"errors"
	"maps"
	"slices"
	"strings"

	"github.com/skainet-dev/skainet-go/compile/dag"
	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/io/onnx"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/shape"
)

// Refused returns an error for each node that Import would refuse, in the file's order,
// where Import returns the first. What such a node makes is taken to be there where the
// file says its type; nodes that need anything else of it, such as its size as a number, are not
// examined, and unseen is how many. The nodes inside a branch, a loop or a function count with the node that has it.
func Refused(m *onnx.Model, o Options) (refused []error, unseen int) {
	t := (&fitter{model: m, options: o}).fit()
	if t.err == nil {
		if t.narrowed != "" && o.Note != nil {
			o.Note(t.narrowed)
		}
		return nil, 0
	}
	x := &examination{narrowings: t.narrowings, made: map[*dag.Value]bool{}, places: map[*onnx.Node]int{}, refused: map[int]error{}, unseen: map[int]bool{}, unknown: map[string]bool{}, supplied: map[string]bool{}, types: map[string]*onnx.ValueInfo{}}
	err := x.of(m, o)
	for _, at := range slices.Sorted(maps.Keys(x.refused)) {
		refused = append(refused, x.refused[at])
	}
	if err != nil {
		refused = append(refused, err)
	}
	return refused, len(x.unseen)
}

// examination is what is found in a model. Both entry points of one that is cut may need a
// node.
type examination struct {
	narrowings
	places   map[*onnx.Node]int // in the file
	refused  map[int]error      // by place
	unseen   map[int]bool
	unknown  map[string]bool            // values of which nothing is known
	supplied map[string]bool            // names of sizes that the file alone tells
	types    map[string]*onnx.ValueInfo // that the file says
	made     map[*dag.Value]bool        // values of these types
}

func (x *examination) of(m *onnx.Model, o Options) (err error) {
	defer recovered(&err)
	for k := range m.Graph.Nodes {
		x.places[&m.Graph.Nodes[k]] = k
	}
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
	i.choices = newChoices()
	name, all := "main", outputs
	if len(o.Cut) > 0 {
		name, all = EntryBefore, o.Cut
	}
	e, err := i.begin(name, i.order, all, len(o.Outputs)+len(o.Cut) > 0)
	if err != nil {
		return err
	}
	e.convertNodes(&m.Graph, all)
	if len(o.Cut) == 0 {
		x.results(i, e, all)
		return nil
	}
	values := make([]*dag.Value, len(all))
	for k, name := range all {
		if values[k] = e.find(name); values[k] == nil && !x.unknown[name] {
			return e.missing(name)
		}
	}
	x.results(i, e, all)
	last := i.after(values, outputs)
	last.convertNodes(&m.Graph, outputs)
	x.results(i, last, outputs)
	return nil
}

// results notes what is refused once all nodes are there: results that are no tensors, and what
// is computed of the number of elements that a mask chooses. What nothing is known of is left out.
func (x *examination) results(i *importer, e *env, names []string) {
	live := map[*dag.Value]bool{}
	f := &dag.Func{Body: e.b}
	for _, name := range names {
		v := e.find(name)
		at, made := x.places[e.makers[name]]
		switch {
		case v != nil:
			live[v] = true
			f.Body.Results, f.Results = append(f.Body.Results, v), append(f.Results, name)
		case made && !x.unknown[name] && x.refused[at] == nil:
			x.refused[at] = e.missing(name)
		}
	}
	f.Body.Sweep(live)
	i.eachUncounted(f, func(err *errs.Error, path string) {
		for p := path; p != ""; p = p[:max(0, strings.LastIndexByte(p, '/'))] {
			if at, ok := x.places[i.sources[p]]; ok {
				if x.refused[at] == nil {
					x.refused[at] = err
				}
				return
			}
		}
	})
}

// examine adds a node, or notes why it is refused.
func (e *env) examine(n *onnx.Node) {
	x := e.examined
	at := x.places[n]
	read := map[string]bool{}
	reads(n, read)
	for name := range read {
		if x.unknown[name] {
			x.unseen[at] = true
			e.supply(n)
			return
		}
	}
	err := e.node(n)
	if err == nil {
		return
	}
	if randomRules[operator(n)] != nil && e.noise == "" {
		e.noise = NoiseZero
		if e.node(n) == nil { // what follows has the sizes that it will have
			x.refused[at] = err
		}
		e.noise = ""
		if x.refused[at] != nil {
			return
		}
	}
	if e.consequent(err) {
		x.unseen[at] = true
	} else if x.refused[at] == nil {
		x.refused[at] = err
	}
	e.supply(n)
}

// consequent reports whether an error is about what a refused node would make, which may
// have another size than the file says, or elements that are known.
func (e *env) consequent(err error) bool {
	if b := e.blamed(err); b != nil && slices.ContainsFunc(b.names, func(n string) bool { return e.examined.supplied[n] }) {
		return true
	}
	for ; err != nil; err = errors.Unwrap(err) {
		if known, ok := err.(*errs.Error); ok && e.behind[known] { //nolint:errorlint // each error of the chain by itself
			return true
		}
	}
	return false
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
		e.examined.made[v] = true
		for k, size := range t.Shape { // a size that no argument tells is read here
			if n, _, _, ok := size.Tells(); ok {
				if _, seen := e.names[n]; !seen {
					e.names[n] = place{v, k}
					e.examined.supplied[n] = true
				}
			}
		}
		e.values[name] = v
	}
}
