package graphjson

import (
	"errors"

	"github.com/go-json-experiment/json"

	"github.com/skainet-dev/skainet-go/compile/dag"
	"github.com/skainet-dev/skainet-go/compile/op"
	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/internal/regular"
	"github.com/skainet-dev/skainet-go/tensor"
)

// ReadFile reads the document in a file.
func ReadFile(path string) (*dag.Graph, error) {
	data, err := regular.Read(path, MaxBytes)
	if err != nil {
		return nil, err
	}
	g, err := Parse(data)
	return g, errs.WithFile(err, path)
}

// Parse returns the graph of a document. Every node has passed shape
// inference and the graph the verifier.
func Parse(data []byte) (*dag.Graph, error) { return parse(data, (*dag.Block).AddAt) }

// adder appends a node with the types of shape inference, as dag.Block.AddAt.
type adder func(b *dag.Block, at dag.Origin, name string, attrs op.Attrs, inputs ...*dag.Value) (*dag.Node, error)

func parse(data []byte, add adder) (*dag.Graph, error) {
	if err := scan(data); err != nil {
		return nil, err
	}
	var d document
	if err := json.Unmarshal(data, &d, json.RejectUnknownMembers(true)); err != nil {
		return nil, semantic(err)
	}
	if err := need(0, "the document", has("schema", d.Schema)); err != nil {
		return nil, err
	}
	if *d.Schema != Schema {
		return nil, errs.New(CodeSchema, "schema version %d; this program supports %d", *d.Schema, Schema).
			Hint("export the graph again with this version")
	}
	if err := need(0, "the document", has("name", d.Name), list("states", d.States), list("functions", d.Functions)); err != nil {
		return nil, err
	}
	if d.Mesh != nil && d.Mesh.Axes == nil {
		return nil, errs.New(CodeField, "the mesh lacks the field %q", "axes").At(0)
	}
	r := &reader{g: &dag.Graph{Name: *d.Name, Mesh: d.Mesh}, operators: d.Operators, add: add, places: map[string]int64{}}
	for _, s := range d.States {
		if err := r.state(s); err != nil {
			return nil, err
		}
	}
	for _, f := range d.Functions {
		if err := r.function(f); err != nil {
			return nil, err
		}
	}
	return r.g, r.locate(dag.Verify(r.g))
}

type reader struct {
	g         *dag.Graph
	operators map[string]string
	add       adder
	places    map[string]int64 // offsets of nodes by path, of functions and states by name
	defined   map[int64]*dag.Value
	used      map[int64]bool // every id defined in the function
}

// locate adds the location in the document to an error of the verifier.
func (r *reader) locate(err error) error {
	var e *errs.Error
	if errors.As(err, &e) && !e.HasOffset {
		if at, ok := r.places[e.Node]; ok {
			e.At(at)
		}
	}
	if err != nil {
		r.g = nil
	}
	return err
}

func (r *reader) place(name string, at int64) {
	if _, ok := r.places[name]; !ok {
		r.places[name] = at
	}
}

func (r *reader) state(s state) error {
	if err := need(s.at, "a state", has("name", s.Name), has("dtype", s.DType), has("shape", s.Shape), field{"init", s.Init.raw != nil}); err != nil {
		return err
	}
	init, ok := decodeFloat(s.Init.raw)
	if !ok {
		return errs.New(CodeAttribute, "init: %s is not a float", clip(s.Init.raw)).At(s.Init.at).On(*s.Name)
	}
	r.place(*s.Name, s.at)
	r.g.States = append(r.g.States, &dag.State{Name: *s.Name, Type: tensor.Type{DType: *s.DType, Shape: *s.Shape}, Init: init})
	return nil
}

func (r *reader) function(f function) error {
	if err := need(f.at, "a function", has("name", f.Name), has("entry", f.Entry), list("args", f.Args), list("nodes", f.Nodes),
		list("results", f.Results), list("writes", f.Writes)); err != nil {
		return err
	}
	r.defined, r.used = map[int64]*dag.Value{}, map[int64]bool{}
	r.place(*f.Name, f.at)
	df := &dag.Func{Name: *f.Name, Entry: *f.Entry, Body: &dag.Block{}}
	for _, a := range f.Args {
		if err := need(a.at, "an argument", has("name", a.Name)); err != nil {
			return err
		}
		df.Args = append(df.Args, *a.Name)
		if err := r.argument(df.Body, a, *f.Name); err != nil {
			return err
		}
	}
	if err := r.nodes(df.Body, f.Nodes); err != nil {
		return err
	}
	for _, s := range f.Results {
		if err := need(s.at, "a result", has("name", s.Name), has("value", s.Value)); err != nil {
			return err
		}
		v, err := r.use(*s.Value, s.at, *f.Name)
		if err != nil {
			return err
		}
		df.Results, df.Body.Results = append(df.Results, *s.Name), append(df.Body.Results, v)
	}
	for _, w := range f.Writes {
		if err := need(w.at, "a write", has("state", w.State), has("value", w.Value)); err != nil {
			return err
		}
		v, err := r.use(*w.Value, w.at, *f.Name)
		if err != nil {
			return err
		}
		df.Writes = append(df.Writes, dag.Write{State: *w.State, Value: v})
	}
	r.g.Funcs = append(r.g.Funcs, df)
	return nil
}

func (r *reader) argument(b *dag.Block, p port, path string) error {
	if err := need(p.at, "an argument", has("id", p.ID), has("dtype", p.DType), has("shape", p.Shape)); err != nil {
		return err
	}
	if len(*p.Shape) > MaxRank {
		return errs.New(CodeLimit, "rank %d; the limit is %d", len(*p.Shape), MaxRank).At(p.at).On(path)
	}
	return r.define(p, b.AddArg(tensor.Type{DType: *p.DType, Shape: *p.Shape}), path)
}

func (r *reader) define(p port, v *dag.Value, path string) error {
	id := *p.ID
	if id < 0 || id > MaxID || r.used[id] {
		return errs.New(CodeID, "value %d is defined twice, or outside 0 to %d", id, MaxID).At(p.at).On(path).
			Hint("an id must be unique in its function")
	}
	r.used[id], r.defined[id] = true, v
	return nil
}

func (r *reader) use(id, at int64, path string) (*dag.Value, error) {
	if v, ok := r.defined[id]; ok {
		return v, nil
	}
	return nil, errs.New(CodeID, "value %d is not defined before its use, or only in a block that does not enclose it", id).At(at).On(path)
}

// A field of an object, and whether it is there.
type field struct {
	name  string
	there bool
}

func has[T any](name string, v *T) field { return field{name, v != nil} }

func list[T any](name string, v []T) field { return field{name, v != nil} }

func need(at int64, what string, fields ...field) error {
	for _, f := range fields {
		if !f.there {
			return errs.New(CodeField, "%s lacks the field %q", what, f.name).At(at)
		}
	}
	return nil
}
