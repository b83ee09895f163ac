package fromonnx

import (
	"errors"
	"slices"
	"strings"

	"github.com/skainet-dev/skainet-go/compile/contract"
	"github.com/skainet-dev/skainet-go/compile/dag"
	"github.com/skainet-dev/skainet-go/compile/op"
	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/io/onnx"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/shape"
)

// env is a graph of the file that is converted: its values by name, and the block that
// its nodes go to.
type env struct {
	*session
	b       *dag.Block
	opset   int64 // of the nodes' own domain
	values  map[string]*dag.Value
	lists   map[string]*list        // sequences and absent values
	tensors map[string]*onnx.Tensor // initializers that no node has used
	makers  map[string]*onnx.Node   // nodes of the graph by the values that they make
	readers map[string][]*onnx.Node // nodes of the graph by the values that they take
	at      string                  // path of the nodes being converted
	scope   string                  // path of the graph
	outer   *env                    // of the graph around it

	returned map[string]bool // names of the values that the graph returns
	live     map[string]bool // names of the values that the nodes being added need

	// Of a function: how deep it is called, its inputs that the call leaves out, and its
	// attributes.
	calls      int
	absent     map[string]bool
	attributes map[string]onnx.Attribute
}

// enter returns the environment of a model's graph.
func (s *session) enter(g *onnx.Graph) *env {
	e := &env{session: s, b: &dag.Block{}, opset: s.model.Opsets[""], values: map[string]*dag.Value{}, lists: map[string]*list{}}
	s.root = e
	s.params, s.names = map[string]*dag.Value{}, map[string]place{}
	e.initialize(g)
	return e
}

// inner returns the environment of a graph inside e's, whose nodes go to b.
func (e *env) inner(b *dag.Block, _ *env) *env {
	return &env{session: e.session, b: b, opset: e.opset, values: map[string]*dag.Value{}, lists: map[string]*list{}, scope: e.at, at: e.at, outer: e}
}

// initialize notes the initializers of a graph.
func (e *env) initialize(g *onnx.Graph) {
	e.tensors = make(map[string]*onnx.Tensor, len(g.Initializers))
	for i := range g.Initializers {
		e.tensors[g.Initializers[i].Name] = &g.Initializers[i]
	}
}

// find returns the tensor with a name in this graph or one around it, or nil.
func (e *env) find(name string) *dag.Value {
	for at := e; at != nil; at = at.outer {
		if v := at.values[name]; v != nil {
			return v
		}
		if at.lists[name] != nil {
			return nil
		}
		if t := at.tensors[name]; t != nil {
			v := at.tensor(t)
			at.values[name] = v
			return v
		}
	}
	return nil
}

// nodes adds the nodes of a graph that its outputs need, and returns the outputs.
func (e *env) nodes(g *onnx.Graph) []*dag.Value {
	return e.wanted(g, outputsOf(g))
}

// outputsOf returns the names of a graph's outputs.
func outputsOf(g *onnx.Graph) []string {
	var names []string
	for _, o := range g.Outputs {
		names = append(names, o.Name)
	}
	return names
}

// wanted adds the nodes of a graph that values need, and returns the values.
func (e *env) wanted(g *onnx.Graph, names []string) []*dag.Value {
	e.convertNodes(g, names)
	var out []*dag.Value
	for _, name := range names {
		v := e.find(name)
		if v == nil {
			panic(refusal{e.missing(name)})
		}
		out = append(out, v)
	}
	return out
}

// convertNodes adds the nodes of a graph that values need.
func (e *env) convertNodes(g *onnx.Graph, names []string) {
	e.makers = make(map[string]*onnx.Node, len(g.Nodes))
	for i := range g.Nodes {
		for _, o := range g.Nodes[i].Outputs {
			if o == "" {
				continue
			}
			if other := e.makers[o]; other != nil {
				panic(refusal{unmapped("two nodes, %s and %s, make the value %q", nameOf(other), nameOf(&g.Nodes[i]), o)})
			}
			e.makers[o] = &g.Nodes[i]
		}
	}
	e.read(g)
	e.live = map[string]bool{}
	for _, i := range e.needed(g, names, e.live) {
		if e.examined != nil && e == e.root {
			e.examine(&g.Nodes[i])
			continue
		}
		if err := e.node(&g.Nodes[i]); err != nil {
			panic(refusal{err})
		}
	}
}

// needed returns the places of the nodes that values need, in the file's order. A value
// that exists already needs nothing. live gets the names of all values that are needed.
func (e *env) needed(g *onnx.Graph, names []string, live map[string]bool) []int {
	for _, name := range names {
		live[name] = true
	}
	var list []int
	for i := len(g.Nodes) - 1; i >= 0; i-- {
		n := &g.Nodes[i]
		if !slices.ContainsFunc(n.Outputs, func(o string) bool { return o != "" && live[o] && e.values[o] == nil }) {
			continue
		}
		list = append(list, i)
		reads(n, live)
	}
	slices.Reverse(list)
	return list
}

// reads adds the names that a node reads, and those that the graphs inside it name.
func reads(n *onnx.Node, live map[string]bool) {
	for _, in := range n.Inputs {
		live[in] = true
	}
	for _, a := range n.Attributes {
		if a.Graph == nil {
			continue
		}
		for i := range a.Graph.Nodes {
			reads(&a.Graph.Nodes[i], live)
		}
		for _, o := range a.Graph.Outputs {
			live[o.Name] = true
		}
	}
}

// operator returns the name of a node's operator in the table of rules.
func operator(n *onnx.Node) string {
	if n.Domain != "" && n.Domain != "ai.onnx" {
		return n.Domain + "." + n.Op
	}
	return n.Op
}

// node adds a node. What a rule refuses names it.
func (e *env) node(n *onnx.Node) (err error) {
	defer func() {
		switch r := recover().(type) {
		case nil:
		case refusal:
			err = r.error
		case unsized:
			d := dims(r.v)[r.dim]
			err = e.fixing(unmapped("%s of a tensor [%s], whose size %s must be a number there", n.Op, dims(r.v), d), d)
		default:
			err = fault(r)
		}
		err = e.placed(err, n)
	}()
	if e.count++; e.count > mostNodes {
		return unmapped("more than 2^20 nodes")
	}
	if e == e.root {
		e.added = 0
	}
	name := operator(n)
	e.at = e.path(n)
	e.sources[e.at] = n
	n = e.resolved(n)
	r, ok := e.rule(name)
	f := e.called(n)
	inlined := !ok && f != nil
	if inlined {
		r, ok = func(n *node) []*dag.Value { return n.inlined(f) }, true
	}
	if !ok {
		return e.without(n, name)
	}
	before := len(e.b.Nodes)
	at := &node{env: e, Node: n}
	if !inlined {
		at.conforms(name)
		at.usual(name)
		at.rowsIn(name)
	}
	out := at.guarded(name, worded(name, r))
	if !inlined {
		out = at.byRow(name, out, e.b.Nodes[before:])
	}
	return e.define(n, out)
}

// define names the results of a node.
func (e *env) define(n *onnx.Node, out []*dag.Value) error {
	for i, name := range n.Outputs {
		if name == "" {
			continue
		}
		if i < len(out) && out[i] == nil && e.lists[name] != nil {
			continue
		}
		if i >= len(out) || out[i] == nil {
			return unmapped("output %d of %s", i, n.Op)
		}
		e.values[name] = out[i]
	}
	return nil
}

// without is the error for an operator that has no rule.
func (e *env) without(n *onnx.Node, name string) error {
	switch reason := without[name]; reason {
	case "":
	case labelled:
		return e.numbered(unmapped("%s", reason))
	default:
		return unmapped("%s", reason)
	}
	version := e.opset
	if n.Domain != "" && n.Domain != "ai.onnx" {
		version = e.model.Opsets[n.Domain]
	}
	return unmapped("no rule for %s", name).Hint("the file's version of the operator's domain is %d: export the model with operators that have rules, which the documentation lists (A model from a file, Operators of ONNX)", version)
}

// placed adds the node to an error that names none, and what to do about a named size.
func (e *env) placed(err error, n *onnx.Node) error {
	var known *errs.Error
	if !errors.As(err, &known) {
		return err
	}
	if !e.marked[known] {
		e.marked[known] = true
		known.On(nameOf(n))
		if !known.HasOffset && n.At > 0 {
			known.At(n.At)
		}
		e.undecidedBy(known, n)
		e.advised(known, n)
	}
	e.remedy(known, n)
	return err
}

// advised says which option fixes a size in an error of shape inference over named sizes.
func (e *env) advised(err *errs.Error, n *onnx.Node) {
	if err.Code != op.CodeShape && err.Code != op.CodeAttribute && (err.Code != CodeNode || e.sizeless[err]) {
		return
	}
	var all []shape.Dim // that have names
	for _, name := range n.Inputs {
		if v := e.find(name); v != nil {
			all = append(all, slices.DeleteFunc(slices.Clone(dims(v)), shape.Dim.IsStatic)...)
		}
	}
	if len(all) == 0 {
		return
	}
	at := max(0, slices.IndexFunc(all, func(d shape.Dim) bool { return strings.Contains(err.Do, d.String()) }))
	do := err.Do
	switch more := e.fixing(err, all[at]).Do; {
	case do == "" || more == do:
	case err.Code == CodeNode:
		err.Do = e.sizesHint(all) + "; or " + do
	default:
		err.Do = do + "; " + more
	}
}

// path returns the path of a node of the file.
func (e *env) path(n *onnx.Node) string {
	name := strings.Trim(n.Name, "/")
	if name == "" {
		name = n.Op
		if len(n.Outputs) > 0 && n.Outputs[0] != "" {
			name += "/" + strings.Trim(n.Outputs[0], "/")
		}
	}
	return e.scope + "/" + name
}

// add appends a node and returns its first output.
func (e *env) add(name string, attrs op.Attrs, in ...*dag.Value) *dag.Value {
	return e.outputs(name, attrs, in...)[0]
}

// outputs adds a node and returns all of its results.
func (e *env) outputs(name string, attrs op.Attrs, in ...*dag.Value) []*dag.Value {
	if _, err := op.Lookup(name); err != nil {
		panic(refusal{unmapped("the table has no operation %s", name)})
	}
	if e.added++; e.added > mostAdded {
		panic(refusal{errs.New(CodeExpansion, "one node of the file becomes more than 2^17 operations").
			Hint("its turns, taps or parts are too many to be written out: make them fewer, or end the program before it")})
	}
	n, err := e.b.Add(name, e.at+"/"+name, attrs, in...)
	if err != nil {
		panic(refusal{err})
	}
	return n.Outputs
}

// constant adds a value to the graph.
func (e *env) constant(v tensor.Value) *dag.Value {
	codes := Carrier(v)
	c := e.add("constant", op.Attrs{"value": codes})
	e.known[c] = codes
	return e.coded(c, v.Type.DType)
}

// tensor returns a stored tensor: a constant, or a parameter if it is large. A function
// reads a parameter once.
func (e *env) tensor(t *onnx.Tensor) *dag.Value {
	typ, err := t.Type()
	if err != nil {
		panic(refusal{unmapped("element types that no program computes in").On(t.Name)})
	}
	size, err := typ.Bytes()
	if err != nil {
		panic(refusal{err})
	}
	kind := typ.DType
	if typ.DType, _ = carrier(kind); size > e.inline && op.Any.Has(typ.DType) {
		if p := e.params[t.Key]; p != nil {
			return p
		}
		at := e.root
		n, err := at.b.Add("parameter", at.scope+"/"+t.Key, op.Attrs{"type": typ, "scope": contract.DefaultScope, "key": t.Key})
		if err != nil {
			panic(refusal{err})
		}
		v := n.Outputs[0]
		e.params[t.Key], e.stored[v] = v, t
		return e.coded(v, kind)
	}
	x, err := t.Value()
	if err != nil {
		panic(refusal{err})
	}
	return e.constant(x)
}

// nameOf names a node of the file.
func nameOf(n *onnx.Node) string {
	if n.Name == "" {
		return n.Place()
	}
	return n.Name + " (" + operator(n) + ")"
}
