package fromonnx

import (
	"errors"
	"slices"
	"strconv"

	"github.com/skainet-dev/skainet-go/compile/dag"
	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/io/onnx"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
	"github.com/skainet-dev/skainet-go/tensor/shape"
)

// halves makes the two entry points of a model that is cut.
func (i *importer) halves(outputs []string) error {
	if err := i.entry(EntryBefore, i.order, i.Cut, true); err != nil {
		var e *errs.Error
		if errors.As(err, &e) {
			e.What = "in the part before the cut: " + e.What
		}
		return err
	}
	e := i.after(i.graph.Funcs[0].Body.Results, outputs)
	values := e.wanted(&i.model.Graph, outputs)
	return i.finish(e.function, values, outputs, nil)
}

// after returns the environment of the entry point behind the cut with its arguments:
// what the first one gives, and the model's inputs that these outputs need. A value that
// is nil is not known: nothing that needs it is converted.
func (i *importer) after(before []*dag.Value, outputs []string) *env {
	codes := make([]dtype.DType, len(before))
	for k, v := range before {
		codes[k] = i.codes[v]
	}
	e := i.enter(&i.model.Graph)
	e.scope = EntryAfter
	f := &dag.Func{Name: EntryAfter, Entry: true, Body: e.b}
	i.function, i.taken = f, identifiers{}
	needed := map[string]bool{}
	for _, name := range i.Cut {
		e.values[name] = &dag.Value{} // is there, whatever it is
	}
	e.needed(&i.model.Graph, outputs, needed)
	dims := identifiers{}
	named := map[string]bool{} // names of dimensions that arguments have
	var inputs []string
	for _, in := range i.order {
		if c, fixed := i.Constants[in]; fixed {
			e.at = e.scope + "/" + in
			e.values[in] = e.constant(c)
			continue
		}
		if needed[in] {
			inputs = append(inputs, in)
			for _, d := range i.types[in].Shape {
				if n, _, _, ok := d.Tells(); ok {
					named[n], dims[n] = true, true
				}
			}
		}
	}
	for _, v := range before {
		if v == nil {
			continue
		}
		for _, d := range v.Type.Shape {
			if n, _, _, ok := d.Tells(); ok {
				named[n], dims[n] = true, true
			}
		}
	}
	own := map[shape.Dim]shape.Dim{} // arithmetic whose names no argument has
	for k, name := range i.Cut {
		v := before[k]
		if v == nil {
			continue
		}
		if length(v) {
			count := e.argument(name, tensor.Type{DType: dtype.U8, Shape: shape.Shape{shape.Named(dims.of(name))}}, dtype.U8)
			e.at = e.scope + "/" + name
			e.values[name] = e.reshapeTo(e.sizeValue(v.Type.DType, count, 0), v.Type.Shape...)
			continue
		}
		t := tensor.Type{DType: v.Type.DType, Shape: shape.Shape{}}
		for at, d := range v.Type.Shape {
			if slices.ContainsFunc(d.Names(), func(n string) bool { return !named[n] }) {
				if _, seen := own[d]; !seen {
					own[d] = shape.Named(dims.of(name + "_" + strconv.Itoa(at)))
				}
				d = own[d]
			}
			t.Shape = append(t.Shape, d)
		}
		e.argument(name, t, codes[k])
	}
	for _, in := range inputs {
		if !slices.Contains(i.Cut, in) {
			e.argument(in, i.types[in], onnx.DType(i.infos[in].Type))
		}
	}
	return e
}

// length reports whether a tensor at the cut is a number of elements.
func length(v *dag.Value) bool {
	return v.Type.DType.IsInt() && v.Type.Shape.Product() == shape.N(1)
}
