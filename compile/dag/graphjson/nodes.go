package graphjson

import (
	"errors"

	"github.com/skainet-dev/skainet-go/compile/dag"
	"github.com/skainet-dev/skainet-go/compile/op"
	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/tensor"
)

// nodes appends nodes to b.
func (r *reader) nodes(b *dag.Block, list []node) error {
	for i := range list {
		if err := r.node(b, &list[i]); err != nil {
			return err
		}
	}
	return nil
}

func (r *reader) node(b *dag.Block, d *node) error {
	if err := need(d.at, "a node", has("op", d.Op), has("path", d.Path), list("inputs", d.Inputs), list("outputs", d.Outputs)); err != nil {
		return err
	}
	r.place(*d.Path, d.at)
	o, err := r.lookup(*d.Op)
	if err != nil {
		return placed(err, d)
	}
	attrs, err := attributes(o, d)
	if err != nil {
		return err
	}
	at := dag.Origin{Path: *d.Path}
	for _, name := range d.From {
		composite, err := r.lookup(name)
		if err != nil {
			return placed(err, d)
		}
		at.From = append(at.From, composite.ID)
	}
	inputs := make([]*dag.Value, len(d.Inputs))
	for i, id := range d.Inputs {
		if inputs[i], err = r.use(id, d.at, *d.Path); err != nil {
			return err
		}
	}
	n, err := r.inferred(b, at, d, attrs, inputs)
	if err != nil {
		return placed(err, d)
	}
	if len(d.Blocks) != o.Blocks {
		return errs.New(CodeField, "%d blocks; %s has %d", len(d.Blocks), o.Name, o.Blocks).At(d.at).On(*d.Path)
	}
	for i := range d.Blocks {
		inner, err := r.block(&d.Blocks[i], *d.Path)
		if err != nil {
			return err
		}
		n.Blocks = append(n.Blocks, inner)
	}
	return r.outputs(n, d)
}

// lookup returns the operation with a name; an error says what to import for it.
func (r *reader) lookup(name string) (*op.Op, error) {
	o, err := op.Lookup(name)
	var e *errs.Error
	if from := r.operators[name]; from != "" && errors.As(err, &e) {
		_ = e.Hint("import %s, which registers it, in the program that reads this graph", from)
	}
	return o, err
}

// inferred adds the node; a panic of a shape rule is a bug in the table and
// must not end the program.
func (r *reader) inferred(b *dag.Block, at dag.Origin, d *node, attrs op.Attrs, inputs []*dag.Value) (n *dag.Node, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = errs.New(CodeRule, "the shape rule of %s failed: %v", *d.Op, p).Hint("this is a bug in the table of operations; report it with the document")
		}
	}()
	return r.add(b, at, *d.Op, attrs, inputs...)
}

func placed(err error, d *node) error {
	var e *errs.Error
	if errors.As(err, &e) {
		if e.At(d.at); e.Node == "" {
			e.On(*d.Path)
		}
	}
	return err
}

func attributes(o *op.Op, d *node) (op.Attrs, error) {
	attrs, known := op.Attrs{}, 0
	for _, a := range o.Attributes {
		p, ok := d.Attributes[a.Name]
		if !ok {
			continue
		}
		v, err := decode(a.Kind, p, a.Name, *d.Path)
		if err != nil {
			return nil, err
		}
		attrs[a.Name], known = v, known+1
	}
	if known == len(d.Attributes) {
		return attrs, nil
	}
	for _, a := range o.Attributes {
		delete(d.Attributes, a.Name)
	}
	first, at := "", int64(-1)
	for name, p := range d.Attributes {
		if at < 0 || p.at < at {
			first, at = name, p.at
		}
	}
	return nil, errs.New(CodeAttribute, "%s has no attribute %q", o.Name, first).At(at).On(*d.Path)
}

func (r *reader) block(d *block, path string) (*dag.Block, error) {
	if err := need(d.at, "a block", list("args", d.Args), list("nodes", d.Nodes), list("results", d.Results)); err != nil {
		return nil, err
	}
	b := &dag.Block{}
	for _, a := range d.Args {
		if a.Name != nil {
			return nil, errs.New(CodeField, "an argument of a block must not have a name").At(a.at).On(path)
		}
		if err := r.argument(b, a, path); err != nil {
			return nil, err
		}
	}
	if err := r.nodes(b, d.Nodes); err != nil {
		return nil, err
	}
	for _, id := range d.Results {
		v, err := r.use(id, d.at, path)
		if err != nil {
			return nil, err
		}
		b.Results = append(b.Results, v)
	}
	// Values are not visible outside their block.
	for _, a := range d.Args {
		delete(r.defined, *a.ID)
	}
	for _, n := range d.Nodes {
		for _, p := range n.Outputs {
			delete(r.defined, *p.ID)
		}
	}
	return b, nil
}

// outputs compares the stated types with the inferred ones. Operations
// whose types depend on the graph, such as calls, use the stated ones, which the
// verifier compares with the callee.
func (r *reader) outputs(n *dag.Node, d *node) error {
	stated := len(n.Outputs) == 0 && n.Op.Family == op.Control
	if !stated && len(d.Outputs) != len(n.Outputs) {
		return errs.New(CodeType, "%d outputs; %s has %d here", len(d.Outputs), *d.Op, len(n.Outputs)).At(d.at).On(*d.Path)
	}
	for i, p := range d.Outputs {
		if p.Name != nil {
			return errs.New(CodeField, "an output of a node must not have a name").At(p.at).On(*d.Path)
		}
		fields := []field{has("id", p.ID)}
		if stated || p.DType != nil || p.Shape != nil {
			fields = append(fields, has("dtype", p.DType), has("shape", p.Shape))
		}
		if err := need(p.at, "an output", fields...); err != nil {
			return err
		}
		if stated {
			n.Outputs = append(n.Outputs, &dag.Value{Type: tensor.Type{DType: *p.DType, Shape: *p.Shape}, Node: n, Port: i})
		}
		v := n.Outputs[i]
		if p.DType != nil && !v.Type.Equal(tensor.Type{DType: *p.DType, Shape: *p.Shape}) {
			return errs.New(CodeType, "output %d is stated as %s, but inferred as %s", i, tensor.Type{DType: *p.DType, Shape: *p.Shape}, v.Type).At(p.at).On(*d.Path)
		}
		if err := r.define(p, v, *d.Path); err != nil {
			return err
		}
	}
	return nil
}
