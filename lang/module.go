// Package lang is the language in which models are written: a constructor calls methods
// on tensors, and Capture turns what it did into a graph. Models need this package, the
// layers of lang/nn, and tensor/dtype and tensor/shape for element types and sizes.
//
// # The three times
//
// Building is when Capture runs the constructor. A method of Tensor or Func computes
// nothing: it checks element types and shapes and adds nodes to the graph. Shapes may
// have sizes that only a call knows (see Func.InputOf); what operations need of them must
// hold for all sizes of 1 or more. Go code in a constructor, its loops and conditions, is
// executed now, once; what a program is to repeat or to choose at run time is Func.While
// and Func.Cond.
//
// Compile time is when the text of the graph (compile/hlo) goes through a compiler
// (compile/iree/compiler), on any machine, without weight values. backend/cpu needs no
// compiler: it runs the graph itself.
//
// Run time is when a program is called with data (package backend). Nothing in this
// package touches data, except the constants of Const and Weight.
//
// # Errors
//
// Building finds mistakes of the model. Inside a constructor they are panics, so that
// model code stays free of error handling; they do not leave Capture, which returns the
// first one with its place in the model, and the line of the model's Go file with what it
// called there ("mlp.go:16: Tensor.Softmax"): OP_* of shape inference, INDEX_* of the weights
// index, LANG_* of this package (LANG_PANIC for a fault of the constructor's Go code),
// OPERATOR_* of operations that are registered wrongly (lang/operator), and DAG_* of the
// verifier, which checks the finished graph.
//
// Compile time finds what a backend cannot express: HLO_* of the text's writer, and
// IREE_COMPILE_* with what the compiler said.
//
// Run time finds what is wrong with a call: BACKEND_BAD_ARGUMENT for arguments that do not
// fit the entry point, SHAPE_SIZES for sizes that contradict each other, and the codes of
// each backend. A program cannot refuse values: an index out of range has the result that
// the operation documents.
//
// # Determinism
//
// The graph depends only on the constructor and the weights index.
package lang

import (
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"

	"github.com/skainet-dev/skainet-go/compile/dag"
	"github.com/skainet-dev/skainet-go/compile/dag/passes"
	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
	"github.com/skainet-dev/skainet-go/tensor/shape"
)

// Codes of this package.
const (
	CodeMisuse    errs.Code = "LANG_MISUSE"     // a constructor that breaks a rule of this package
	CodePanic     errs.Code = "LANG_PANIC"      // a fault of the constructor's Go code; smallest input: panic("x")
	CodeNoWeights errs.Code = "LANG_NO_WEIGHTS" // a parameter of a model that was given no index; smallest input: f.Param("w")
)

// Constructor builds a model.
type Constructor func(m *Module)

// Module is a model being captured.
type Module struct {
	graph  *dag.Graph
	index  *tensor.Index
	scopes map[string]string // of tensors that were moved, by key
	read   map[string]string // the scope from which a key was read
	own    map[string]bool   // scopes that were read, but that of the weights
	lines  lines
}

// Capture runs a constructor and returns the verified graph, after the default
// passes. index describes the weights; nil means that there are none.
func Capture(name string, index *tensor.Index, build Constructor) (*dag.Graph, error) {
	return CaptureWith(name, index, build, passes.Default...)
}

// CaptureWith is Capture with other passes, or none: the graph as it was written.
func CaptureWith(name string, index *tensor.Index, build Constructor, ps ...passes.Pass) (g *dag.Graph, err error) {
	m := &Module{graph: &dag.Graph{Name: name}, index: index}
	defer func() {
		if r := recover(); r != nil {
			g, err = nil, located(recovered(r), callers(0))
		}
	}()
	if err := registrations(); err != nil {
		return nil, err
	}
	build(m)
	if !slices.ContainsFunc(m.graph.Funcs, func(f *dag.Func) bool { return f.Entry }) {
		return nil, errs.New(CodeMisuse, "the model has no entry point").On(name).Hint("call m.Entry(name, build)")
	}
	if err := dag.Verify(m.graph); err != nil {
		return nil, m.lines.locate(err)
	}
	if err := passes.Run(m.graph, ps...); err != nil {
		return nil, m.lines.locate(err)
	}
	return m.graph, nil
}

func recovered(r any) error {
	if err, ok := r.(error); ok {
		var coded *errs.Error
		if errors.As(err, &coded) {
			return err
		}
	}
	failed := errs.New(CodePanic, "the model's constructor panicked: %v", r)
	if fault, ok := r.(runtime.Error); ok && strings.Contains(fault.Error(), "nil pointer") {
		return failed.Hint("this is a fault in the model's code, not in its weights: it may use a Tensor that nothing made, its zero value")
	}
	return failed.Hint("this is a fault in the model's code, not in its weights")
}

// Index returns the weights index, from which a constructor takes its settings.
func (m *Module) Index() *tensor.Index {
	if m.index == nil {
		panic(errs.New(CodeNoWeights, "the model needs a weights index and none was given").On(m.graph.Name).
			Hint("give Capture the index of the weight file (in Go Index of weights.File), or name the file: export --index, or weights = in the BUILD file"))
	}
	return m.index
}

// State is a variable that a program keeps between calls.
type State struct{ s *dag.State }

// State declares a variable whose elements all start as init.
func (m *Module) State(name string, d dtype.DType, init float64, sizes ...int64) State {
	s := &dag.State{Name: name, Type: tensor.TypeOf(d, sizes...), Init: init}
	m.graph.States = append(m.graph.States, s)
	return State{s}
}

// Entry adds an entry point. build declares inputs and outputs on f.
func (m *Module) Entry(name string, build func(f *Func)) { m.function(name, true, build) }

// Callee is a private function.
type Callee struct{ f *dag.Func }

// Func adds a private function, which later functions may Call.
func (m *Module) Func(name string, build func(f *Func)) Callee {
	return Callee{m.function(name, false, build)}
}

func (m *Module) function(name string, entry bool, build func(f *Func)) *dag.Func {
	df := &dag.Func{Name: name, Entry: entry, Body: &dag.Block{}}
	m.lines.add(name)
	f := &Func{m: m, f: df, block: df.Body, path: name}
	build(f)
	m.graph.Funcs = append(m.graph.Funcs, df)
	return df
}

// Func is a function being captured.
type Func struct {
	m     *Module
	f     *dag.Func
	block *dag.Block
	path  string
	inner *decomposition // in a decomposition, in place of m, f and block
}

// Input declares an argument. Arguments are in the order of these calls. A
// size of shape.Dynamic gets the name NAME_DIMENSION; InputOf chooses another.
func (f *Func) Input(name string, d dtype.DType, sizes ...int64) Tensor {
	for i, n := range sizes {
		if n < shape.Dynamic {
			panic(f.misuse("input %q: dimension %d is %d long", name, i, n))
		}
	}
	return f.InputOf(name, d, shape.Of(sizes...)...)
}

// Output declares a result.
func (f *Func) Output(name string, t Tensor) {
	f.whole("an output")
	if f.block != f.f.Body {
		panic(f.misuse("output %q is declared inside a loop", name))
	}
	if err := dag.CheckName("output", name, slices.Contains(f.f.Results, name)); err != nil {
		panic(err.On(f.path))
	}
	f.split(name, t)
	f.f.Results = append(f.f.Results, name)
	f.f.Body.Results = append(f.f.Body.Results, t.v)
}

// Scope runs build with name added to the path of the nodes it makes.
func (f *Func) Scope(name string, build func()) {
	outer := f.path
	f.path += "/" + name
	build()
	f.path = outer
}

// Read returns the value of s as it was when the entry point was called.
func (f *Func) Read(s State) Tensor {
	f.whole("a state variable")
	return f.add("state", attrs{"type": s.s.Type, "name": s.s.Name})
}

// Write sets s to t when the entry point returns.
func (f *Func) Write(s State, t Tensor) {
	f.whole("a state variable")
	f.f.Writes = append(f.f.Writes, dag.Write{State: s.s.Name, Value: t.v})
}

// Call calls a private function of the module.
func (f *Func) Call(c Callee, args ...Tensor) []Tensor {
	f.whole("a call")
	n, err := f.block.AddCall(f.path+"/"+c.f.Name, c.f, values(args)...)
	if err != nil {
		panic(err)
	}
	return f.outputs(n)
}

// While carries tensors through body for as long as cond holds, and returns the
// last carried ones.
func (f *Func) While(initial []Tensor, cond func(carried []Tensor) Tensor, body func(carried []Tensor) []Tensor) []Tensor {
	f.whole("a loop")
	path := f.path + "/while"
	c := f.nested(path+"/cond", initial, func(carried []Tensor) []Tensor { return []Tensor{cond(carried)} })
	b := f.nested(path+"/body", initial, body)
	n, err := f.block.AddWhile(path, c, b, values(initial)...)
	if err != nil {
		panic(err)
	}
	return f.outputs(n)
}

// Cond returns the results of then where predicate, a bool scalar, holds, else those
// of otherwise, which have the same types. Only one of them is computed.
func (f *Func) Cond(predicate Tensor, then, otherwise func() []Tensor) []Tensor {
	f.whole("a choice")
	if predicate.f != f {
		panic(f.misuse("cond takes a tensor of another function"))
	}
	path := f.path + "/cond"
	a := f.nested(path+"/then", nil, func([]Tensor) []Tensor { return then() })
	b := f.nested(path+"/else", nil, func([]Tensor) []Tensor { return otherwise() })
	n, err := f.block.AddCond(path, a, b, predicate.v)
	if err != nil {
		panic(err)
	}
	return f.outputs(n)
}

func (f *Func) nested(path string, initial []Tensor, build func([]Tensor) []Tensor) *dag.Block {
	outer, outerPath := f.block, f.path
	f.block, f.path = &dag.Block{}, path
	defer func() { f.block, f.path = outer, outerPath }()
	carried := make([]Tensor, len(initial))
	for i, t := range initial {
		carried[i] = Tensor{f, f.block.AddArg(t.v.Type)}
	}
	f.block.Results = values(build(carried))
	return f.block
}

type attrs = map[string]any

func (f *Func) node(name string, a attrs, in ...Tensor) *dag.Node {
	for _, t := range in {
		if t.f != f {
			panic(f.misuse("%s takes a tensor of another function", name))
		}
	}
	if f.inner != nil {
		return f.inner.apply(name, a, in)
	}
	path := f.path + "/" + name
	n, err := f.block.Add(name, path, a, values(in)...)
	if err != nil {
		panic(err)
	}
	f.m.lines.add(path)
	return n
}

func (f *Func) add(name string, a attrs, in ...Tensor) Tensor {
	return Tensor{f, f.node(name, a, in...).Outputs[0]}
}

func (f *Func) outputs(n *dag.Node) []Tensor {
	out := make([]Tensor, len(n.Outputs))
	for i, v := range n.Outputs {
		out[i] = Tensor{f, v}
	}
	return out
}

func (f *Func) misuse(what string, args ...any) *errs.Error {
	return errs.New(CodeMisuse, "%s", fmt.Sprintf(what, args...)).On(f.path)
}

func values(ts []Tensor) []*dag.Value {
	vs := make([]*dag.Value, len(ts))
	for i, t := range ts {
		vs[i] = t.v
	}
	return vs
}
