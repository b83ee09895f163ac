package graphjson

import (
	"bytes"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/skainet-dev/skainet-go/compile/dag"
	"github.com/skainet-dev/skainet-go/compile/op"
	"github.com/skainet-dev/skainet-go/errs"
)

// Marshal returns the document of a valid graph: a node on each line, and one
// trailing newline.
func Marshal(g *dag.Graph) ([]byte, error) {
	if err := dag.Verify(g); err != nil {
		return nil, err
	}
	w := &writer{}
	w.text(`{"schema":`).value(Schema).text(`,"name":`).value(g.Name)
	if list := operators(g); len(list) > 0 {
		w.text(`,"operators":`).value(list)
	}
	w.text(`,"states":[`)
	for i, s := range g.States {
		w.line(i, 1).value(state{Name: &s.Name, DType: &s.Type.DType, Shape: &s.Type.Shape, Init: place{raw: encodeFloat(s.Init)}})
	}
	w.text(`],"functions":[`)
	for i, f := range g.Funcs {
		w.line(i, 1)
		w.function(f)
	}
	w.text("\n]")
	if g.Mesh != nil {
		w.text(",\"mesh\":").value(g.Mesh)
	}
	w.text("}\n")
	return w.b.Bytes(), w.err
}

// operators returns the packages of the registered operations that a graph names.
func operators(g *dag.Graph) map[string]string {
	list := map[string]string{}
	for _, f := range g.Funcs {
		f.Body.Walk(func(n *dag.Node) {
			for _, i := range append([]op.ID{n.Op.ID}, n.From...) {
				if o := op.Of(i); o != nil && o.Custom != nil {
					list[o.Name] = o.Custom.Package
				}
			}
		})
	}
	return list
}

// writer lays out the document. Nested blocks are on the line of
// their node.
type writer struct {
	b    bytes.Buffer
	err  error
	ids  map[*dag.Value]int64
	path string // for errors
}

func (w *writer) text(s string) *writer { w.b.WriteString(s); return w }

// line begins element i of a list on a new line.
func (w *writer) line(i, indent int) *writer {
	if i > 0 {
		w.b.WriteByte(',')
	}
	w.b.WriteByte('\n')
	w.b.Write(bytes.Repeat([]byte{' '}, indent))
	return w
}

func (w *writer) value(v any) *writer {
	raw, err := json.Marshal(v, json.Deterministic(true), json.FormatNilSliceAsNull(false))
	w.fail(err)
	w.b.Write(raw)
	return w
}

func (w *writer) fail(err error) {
	if err != nil && w.err == nil {
		w.err = errs.Wrap(CodeText, err, "cannot be written as JSON").On(w.path).Hint("give it a name in UTF-8")
	}
}

func (w *writer) function(f *dag.Func) {
	w.ids, w.path = map[*dag.Value]int64{}, f.Name
	w.text(`{"name":`).value(f.Name).text(`,"entry":`).value(f.Entry).text(`,"args":[`)
	for i, v := range f.Body.Args {
		p := w.define(v)
		p.Name = &f.Args[i]
		w.line(i, 2).value(p)
	}
	w.text(`],"nodes":[`)
	for i, n := range f.Body.Nodes {
		d := w.node(n)
		w.line(i, 2).value(d)
	}
	w.text(`],"results":[`)
	for i, v := range f.Body.Results {
		id := w.ids[v]
		w.line(i, 2).value(result{Name: &f.Results[i], Value: &id})
	}
	w.text(`],"writes":[`)
	for i := range f.Writes {
		id := w.ids[f.Writes[i].Value]
		w.line(i, 2).value(write{State: &f.Writes[i].State, Value: &id})
	}
	w.text(`]}`)
}

// define assigns v the next id of the function.
func (w *writer) define(v *dag.Value) port {
	id := int64(len(w.ids))
	w.ids[v] = id
	return newPort(id, v.Type)
}

func (w *writer) uses(vs []*dag.Value) []int64 {
	ids := make([]int64, len(vs))
	for i, v := range vs {
		ids[i] = w.ids[v]
	}
	return ids
}

// node assigns ids in the order of the text: the values of the blocks, then
// the outputs.
func (w *writer) node(n *dag.Node) node {
	w.path = n.Path
	d := node{Op: &n.Op.Name, Path: &n.Path, Inputs: w.uses(n.Inputs)}
	for _, composite := range n.From {
		d.From = append(d.From, composite.String())
	}
	for _, name := range n.Attrs.Names() {
		raw, err := encode(n.Attrs[name])
		w.fail(err)
		if d.Attributes == nil {
			d.Attributes = map[string]place{}
		}
		if err == nil {
			d.Attributes[name] = place{raw: raw}
		} else {
			d.Attributes[name] = place{raw: jsontext.Value("null")}
		}
	}
	for _, b := range n.Blocks {
		d.Blocks = append(d.Blocks, w.block(b))
	}
	d.Outputs = []port{}
	for _, v := range n.Outputs {
		d.Outputs = append(d.Outputs, w.define(v))
	}
	return d
}

func (w *writer) block(b *dag.Block) block {
	d := block{Args: []port{}, Nodes: []node{}}
	for _, v := range b.Args {
		d.Args = append(d.Args, w.define(v))
	}
	for _, n := range b.Nodes {
		d.Nodes = append(d.Nodes, w.node(n))
	}
	d.Results = w.uses(b.Results)
	return d
}
