// Package dag is the graph of a captured model: functions over blocks of nodes,
// typed values as ports of nodes, state variables, and the verifier.
//
// A graph is pure. A function reads the state variables as they were at its
// call (node "state") and its Writes take effect when it returns, so the
// order of nodes never affects a result; a value must only be defined before it
// is used.
//
// A size that is known only at a call has a name, bound by an argument of
// the function; Specialize returns the graph for the sizes of one call.
//
// # Errors
//
// Add returns the OP_* errors of shape inference; Verify returns DAG_* errors.
// Both name the node's path.
//
// # Determinism
//
// Nodes keep the order in which they were added; nothing depends on map order.
package dag

import (
	"fmt"

	"github.com/skainet-dev/skainet-go/compile/op"
	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/tensor"
)

// Graph is a module: its functions share parameters and state.
type Graph struct {
	Name   string
	States []*State
	Funcs  []*Func // callees come before their callers
	Mesh   *Mesh   // nil for one device
}

// State is a variable that lives as long as a loaded program.
type State struct {
	Name string
	Type tensor.Type
	Init float64 // initial value of every element
}

// Func is an entry point, or a private function that others call.
type Func struct {
	Name    string
	Entry   bool
	Args    []string // names of the block's arguments
	Results []string // names of the block's results
	Body    *Block
	Writes  []Write // in the order of Graph.States
}

// Write sets the value of a state variable for the next call.
type Write struct {
	State string
	Value *Value
}

// Block is a list of nodes with arguments and results. Nodes of a nested block
// may use values of the blocks around it.
type Block struct {
	Args    []*Value
	Nodes   []*Node
	Results []*Value
}

// Node applies an operation of the table in compile/op.
type Node struct {
	Op *op.Op
	Origin
	Inputs  []*Value
	Attrs   op.Attrs
	Blocks  []*Block
	Outputs []*Value
}

// Origin says where a node comes from. Passes copy the origin of a node
// to its replacements.
type Origin struct {
	Path string // where the model made it, such as "decoder/layer_0/dot_general"
	// From lists the composite operations that the node is a part of, outermost first:
	// those of op.Op.Decompose, and of Portable in a text. Nodes may share it.
	From []op.ID
}

// Inner returns the origin of a part of a node with origin o.
func (o Origin) Inner(name string) Origin { return Origin{o.Path + "/" + name, o.From} }

// Value is an output port of a node, or an argument of a block.
type Value struct {
	Type tensor.Type
	Node *Node // nil for a block's argument
	Port int   // index among the node's outputs, or the block's arguments
}

// Func returns the function with a name.
func (g *Graph) Func(name string) (*Func, error) {
	for _, f := range g.Funcs {
		if f.Name == name {
			return f, nil
		}
	}
	return nil, errs.New(CodeNoFunction, "the module has no function %q", name).On(g.Name)
}

// State returns the state variable with a name.
func (g *Graph) State(name string) (*State, error) {
	for _, s := range g.States {
		if s.Name == name {
			return s, nil
		}
	}
	return nil, errs.New(CodeNoState, "the module has no state variable %q", name).On(g.Name)
}

// AddArg appends an argument.
func (b *Block) AddArg(t tensor.Type) *Value {
	v := &Value{Type: t, Port: len(b.Args)}
	b.Args = append(b.Args, v)
	return v
}

// Add appends a node, with types from shape inference. path names it in errors.
//
// A composite operation is replaced by its decomposition, whose paths
// begin with its own: the returned node is then not part of the
// block, but its outputs are outputs of nodes that are.
func (b *Block) Add(name, path string, attrs op.Attrs, inputs ...*Value) (*Node, error) {
	return b.AddAt(Origin{Path: path}, name, attrs, inputs...)
}

// AddAt is like Add for a node with a given origin.
func (b *Block) AddAt(o Origin, name string, attrs op.Attrs, inputs ...*Value) (*Node, error) {
	types := make([]tensor.Type, len(inputs))
	for i, v := range inputs {
		types[i] = v.Type
	}
	out, filled, err := op.Infer(name, types, attrs)
	if err != nil {
		return nil, at(err, o.Path)
	}
	row, err := op.Lookup(name)
	if err != nil {
		return nil, at(err, o.Path)
	}
	n := &Node{Op: row, Origin: o, Inputs: inputs, Attrs: filled}
	if row.IsComposite() {
		return n, b.expand(n)
	}
	return b.append(n, out), nil
}

// AddWhile appends a loop over the initial values.
func (b *Block) AddWhile(path string, cond, body *Block, initial ...*Value) (*Node, error) {
	n, err := b.Add("while", path, nil, initial...)
	if err != nil {
		return nil, err
	}
	n.Blocks = []*Block{cond, body}
	return n, nil
}

// AddCond appends a conditional with the results of one of two blocks.
func (b *Block) AddCond(path string, then, otherwise *Block, predicate *Value) (*Node, error) {
	n, err := b.Add("cond", path, nil, predicate)
	if err != nil {
		return nil, err
	}
	n.Blocks = []*Block{then, otherwise}
	for i, r := range then.Results {
		n.Outputs = append(n.Outputs, &Value{Type: r.Type, Node: n, Port: i})
	}
	return n, nil
}

// AddCall appends a call of f.
func (b *Block) AddCall(path string, f *Func, args ...*Value) (*Node, error) {
	n, err := b.Add("call", path, op.Attrs{"function": f.Name}, args...)
	if err != nil {
		return nil, err
	}
	for i, r := range f.Body.Results {
		n.Outputs = append(n.Outputs, &Value{Type: r.Type, Node: n, Port: i})
	}
	return n, nil
}

func (b *Block) append(n *Node, types []tensor.Type) *Node {
	for i, t := range types {
		n.Outputs = append(n.Outputs, &Value{Type: t, Node: n, Port: i})
	}
	b.Nodes = append(b.Nodes, n)
	return n
}

func at(err error, path string) error {
	var e *errs.Error
	if asError(err, &e) && e.Node == "" {
		e.Node = path
	}
	return err
}

// String returns "path: op" for messages.
func (n *Node) String() string { return fmt.Sprintf("%s: %s", n.Path, n.Op.Name) }
