// Package fromonnx converts ONNX models to graphs of this project, as far as the table
// of operations allows. It serves the ONNX backend node tests: sizes that a model reads
// from tensors are taken from the test's inputs, and the graph is valid for these
// inputs.
//
// # Errors
//
// ONNX_UNMAPPED, with the reason, for what has no counterpart, and our own code
// (OP_*) if an operation does not accept the operands.
//
// # Determinism
//
// The graph depends only on the model and the inputs.
package fromonnx

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/skainet-dev/skainet-go/compile/dag"
	"github.com/skainet-dev/skainet-go/compile/op"
	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/io/onnx"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
)

// CodeUnmapped is the code of a model that has no counterpart here.
const CodeUnmapped errs.Code = "ONNX_UNMAPPED" // smallest input: a model without nodes, of one output

// rule converts an ONNX node to its outputs.
type rule func(n *node) []*dag.Value

// rules maps ONNX operators to rules, filled from the families' files.
var rules = func() map[string]rule {
	all := map[string]rule{}
	for _, family := range []map[string]rule{
		elementwiseRules, comparisonRules, reduceRules, shapeRules, sliceRules, indexRules, gatherRules, normRules, convRules, windowRules, productRules,
		lossRules, attentionRules, recurrentRules, resizeRules, gridRules, integerRules, quantizedRules, signalRules, trainingRules,
	} {
		for name, r := range family {
			all[name] = r
		}
	}
	return all
}()

// Evaluator computes the results of a graph's entry point main.
type Evaluator func(ctx context.Context, g *dag.Graph, args []tensor.Value) ([]tensor.Value, error)

// Graph returns the graph of a model for inputs, in the order of the model's inputs
// without initializers; a missing optional input has no type. Sizes that follow from
// nodes are computed by evaluate.
func Graph(m *onnx.Model, inputs []tensor.Value, evaluate Evaluator) (g *dag.Graph, err error) {
	defer func() {
		switch r := recover().(type) {
		case nil:
		case refusal:
			g, err = nil, r.error
		default: // a list or a shape that ONNX would not allow
			g, err = nil, unmapped("a model that rules cannot follow: %v", r)
		}
	}()
	e := &env{
		b: &dag.Block{}, evaluate: evaluate, opset: m.Opsets[""], values: map[string]*dag.Value{}, lists: map[string]*list{}, known: map[*dag.Value]tensor.Value{},
		codes: map[*dag.Value]dtype.DType{},
	}
	f := &dag.Func{Name: "main", Entry: true, Body: e.b}
	e.initialize(&m.Graph)
	next := 0
	for _, in := range m.Graph.Inputs {
		name := in.Name
		if e.values[name] != nil || next >= len(inputs) {
			continue
		}
		v := e.coded(e.b.AddArg(inputs[next].Type), onnx.DType(in.Type))
		e.known[v], e.values[name] = inputs[next], v
		f.Args = append(f.Args, fmt.Sprintf("x%d", next))
		next++
	}
	f.Body.Results = e.nodes(&m.Graph)
	for i := range m.Graph.Outputs {
		f.Results = append(f.Results, fmt.Sprintf("y%d", i))
	}
	return &dag.Graph{Name: "node", Funcs: []*dag.Func{f}}, nil
}

// initialize adds the constants of a graph.
func (e *env) initialize(g *onnx.Graph) {
	for i := range g.Initializers {
		v, err := g.Initializers[i].Value()
		if err != nil {
			panic(refusal{unmapped("element types that no program computes in")})
		}
		e.values[g.Initializers[i].Name] = e.constant(v)
	}
}

// nodes adds the nodes of a graph and returns its outputs.
func (e *env) nodes(g *onnx.Graph) []*dag.Value {
	e.convertNodes(g)
	var out []*dag.Value
	for _, o := range g.Outputs {
		v := e.values[o.Name]
		if v == nil {
			panic(refusal{unmapped("an output that no rule makes")})
		}
		out = append(out, v)
	}
	return out
}

func (e *env) convertNodes(g *onnx.Graph) {
	for i := range g.Nodes {
		if err := e.node(&g.Nodes[i]); err != nil {
			panic(refusal{err})
		}
	}
}

func unmapped(reason string, args ...any) error {
	return errs.New(CodeUnmapped, reason, args...)
}

// refusal carries an error out of a rule.
type refusal struct{ error }

type env struct {
	b      *dag.Block
	opset  int64
	values map[string]*dag.Value
	lists  map[string]*list
	known  map[*dag.Value]tensor.Value
	codes  map[*dag.Value]dtype.DType // of elements that programs do not compute in
	at     string                     // path of the nodes being converted
	outer  *env                       // of the enclosing block

	evaluate Evaluator
}

func (e *env) node(n *onnx.Node) error {
	name := n.Op
	if n.Domain != "" && n.Domain != "ai.onnx" {
		name = n.Domain + "." + n.Op
	}
	r, ok := rules[name]
	if !ok {
		if reason := without[name]; reason != "" {
			return unmapped("%s", reason)
		}
		return unmapped("no rule for %s", name)
	}
	e.at = n.Op
	out := (&node{env: e, Node: n}).guarded(name, r)
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

// add appends a node and returns its first output.
func (e *env) add(name string, attrs op.Attrs, in ...*dag.Value) *dag.Value {
	if _, err := op.Lookup(name); err != nil {
		panic(refusal{unmapped("the table has no operation %s", name)})
	}
	n, err := e.b.Add(name, e.at+"/"+name, attrs, in...)
	if err != nil {
		panic(refusal{err})
	}
	return n.Outputs[0]
}

func (e *env) constant(v tensor.Value) *dag.Value {
	codes := Carrier(v)
	c := e.add("constant", op.Attrs{"value": codes})
	e.known[c] = codes
	return e.coded(c, v.Type.DType)
}

// value returns the elements of v, computed if they are not known yet.
func (e *env) value(v *dag.Value) tensor.Value {
	if k, ok := e.known[v]; ok {
		return k
	}
	f := &dag.Func{Name: "main", Entry: true, Results: []string{"y"}}
	f.Body = &dag.Block{Results: []*dag.Value{v}}
	for at := e; at != nil; at = at.outer {
		f.Body.Args, f.Body.Nodes = at.b.Args, slices.Concat(at.b.Nodes, f.Body.Nodes)
	}
	var args []tensor.Value
	for i, a := range f.Body.Args {
		f.Args = append(f.Args, fmt.Sprintf("x%d", i))
		args = append(args, e.known[a])
	}
	out, err := e.evaluate(context.Background(), &dag.Graph{Name: "part", Funcs: []*dag.Func{f}}, args)
	if err != nil {
		panic(refusal{err})
	}
	e.known[v] = out[0]
	return out[0]
}

// Reason returns the reason in an error of Graph, for a table; "" for nil.
func Reason(err error) string {
	var e *errs.Error
	switch {
	case err == nil:
		return ""
	case errors.As(err, &e) && e.Code == CodeUnmapped:
		return e.What
	case errors.As(err, &e):
		return "refused: " + string(e.Code)
	}
	return err.Error()
}
