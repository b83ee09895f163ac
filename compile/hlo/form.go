package hlo

import (
	"maps"

	"github.com/skainet-dev/skainet-go/compile/dag"
	"github.com/skainet-dev/skainet-go/compile/op"
	"github.com/skainet-dev/skainet-go/compile/op/id"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
	"github.com/skainet-dev/skainet-go/tensor/shape"
)

// Lowering prints a node and binds its outputs.
type Lowering func(p *Printer, n *dag.Node)

// Form defines how texts are written for one consumer. Plain returns
// that of portable StableHLO; a package for one compiler starts from it
// and replaces functions by its own, most of which call the previous one.
// A Form is used for one call of EmitAs.
type Form struct {
	// Keeps reports whether a node that has a portable form (op.Op.Portable)
	// is kept.
	Keeps func(n *dag.Node) bool
	// Target is the kind of text of registered operations that have more than one.
	Target op.Target
	// Passes change the graph, in this order, before it is printed.
	Passes []func(g *dag.Graph) (*dag.Graph, error)
	// Starts are called with the final graph before anything is printed.
	Starts []func(p *Printer)
	// Globals print what precedes the functions of the module.
	Globals []func(p *Printer, m *Module) error
	// Header lists attributes of the module.
	Header []string
	// Attributes lists those of an argument or a result of an entry point.
	Attributes func(of Place) []string
	// Arguments makes parameters and state variables arguments of functions, and new
	// values of state variables results; else Load and Store access them.
	Arguments bool
	// Most, if not nil, are the largest sizes of names, in a form for buckets, of which Exact are
	// the only ones: see Bucketed.
	Most, Exact map[string]int64

	// Element maps element types of the graph to those of the text.
	Element func(d dtype.DType) dtype.DType
	// Literal spells one element.
	Literal func(d dtype.DType, v float64) string
	// Signature spells the type of an argument or result of an entry point, Entering
	// converts such an argument to its internal type, and Leaving converts a result back.
	Signature         func(p *Printer, t tensor.Type) string
	Entering, Leaving func(p *Printer, v Value) Value
	// Load reads a parameter or state variable, Store writes a state variable.
	Load  func(p *Printer, name string, t tensor.Type) Value
	Store func(p *Printer, v Value, name string)
	// InState returns which values a loop keeps in state variables, and in which ones.
	InState func(n *dag.Node) map[int]string
	// Keep stores what such a value starts from, unless it was just loaded.
	Keep func(p *Printer, v Value, name string, loaded bool)
	// Between is printed between a loop that keeps values in state variables and what
	// stores them before it, or loads them after it.
	Between func(p *Printer)
	// Round returns what is passed to the next iteration of a loop, given a result
	// of its body and the argument that it becomes.
	Round func(p *Printer, result, arg *dag.Value, v Value) Value
	// Given returns what a loop starts from (b is nil), or what block b of a loop or a
	// choice gives, at place i.
	Given func(p *Printer, n *dag.Node, b *dag.Block, i int, v Value) Value
	// Returning is called at the end of a function.
	Returning func(p *Printer, f *dag.Func)

	// Node may print a node instead of its lowering, and reports whether it did.
	Node func(p *Printer, n *dag.Node) bool
	// Lower maps operations to lowerings.
	Lower map[id.ID]Lowering
	// Op prints an operation whose operands and result have the same type.
	Op func(p *Printer, name string, vs ...Value) Value

	// Split prints that v is split as the node, a shard, says.
	Split func(p *Printer, n *dag.Node, v Value) Value

	// The operations of StableHLO that lowerings use.
	Barrier   func(p *Printer, v Value) Value
	Convert   func(p *Printer, x Value, d dtype.DType) Value // to another type
	Compare   func(p *Printer, direction string, a, b Value) Value
	Iota      func(p *Printer, t tensor.Type, dim int64, like Value) Value
	Broadcast func(p *Printer, x Value, t tensor.Type, dims []int64, like Value) Value
	Reshape   func(p *Printer, x Value, t tensor.Type) Value // to another shape
	Dimension func(p *Printer, v Value, dim int) Value
	Concat    func(p *Printer, t tensor.Type, dim int64, parts ...Value) Value
	Reverse   func(p *Printer, x Value, dims []int64) Value
	Dot       func(p *Printer, lhs, rhs Value, d DotDims, t tensor.Type) Value
	Reduce    func(p *Printer, x Value, name string, init float64, dims []int64) Value
	Argmax    func(p *Printer, x Value, dim int64, t tensor.Type) Value
	Sort      func(p *Printer, x, index Value, dim int64, descending bool) Value
	Scatter   func(p *Printer, n *dag.Node, x, at, updates Value) Value
	// Places gets indices of elements, and Reused a value that two operations
	// read; both return the value to use instead.
	Places, Reused func(p *Printer, v Value) Value
}

// DotDims holds the dimensions of a product.
type DotDims struct{ LHSBatching, RHSBatching, LHSContracting, RHSContracting []int64 }

// Place is an argument or a result of an entry point: its own, or in a form with Arguments a
// parameter or a state variable.
type Place struct {
	Kind        PlaceKind
	Entry, Name string
	Type        tensor.Type
}

// PlaceKind is the kind of a Place.
type PlaceKind uint8

// The kinds.
const (
	OwnArgument PlaceKind = iota
	OwnResult
	ParameterPlace
	StatePlace // an argument, and the result that is its new value
)

// Plain returns the form of plain StableHLO.
func Plain() *Form {
	return &Form{
		Keeps:      func(*dag.Node) bool { return false },
		Target:     op.AnyTarget,
		Arguments:  true,
		Attributes: func(Place) []string { return nil },
		Element:    func(d dtype.DType) dtype.DType { return d },
		Literal:    splat,
		Signature:  (*Printer).Type,
		Entering:   asItIs,
		Leaving:    asItIs,
		Load:       (*Printer).argument,
		Store:      func(*Printer, Value, string) {},
		InState:    func(*dag.Node) map[int]string { return nil },
		Keep:       stored,
		Between:    func(*Printer) {},
		Round:      func(_ *Printer, _, _ *dag.Value, v Value) Value { return v },
		Given:      func(_ *Printer, _ *dag.Node, _ *dag.Block, _ int, v Value) Value { return v },
		Returning:  func(*Printer, *dag.Func) {},
		Node:       func(*Printer, *dag.Node) bool { return false },
		Split:      func(_ *Printer, _ *dag.Node, v Value) Value { return v },
		Lower:      withRegistered(maps.Clone(lowerings)),
		Op:         plainOp,
		Barrier:    func(p *Printer, v Value) Value { return p.Same("stablehlo.optimization_barrier", v) },
		Convert: func(p *Printer, x Value, d dtype.DType) Value {
			return p.To(tensor.Type{DType: d, Shape: x.Type.Shape}, "stablehlo.convert", "", x)
		},
		Compare:   plainCompare,
		Iota:      plainIota,
		Broadcast: plainBroadcast,
		Reshape:   plainReshape,
		Dimension: plainDimension,
		Concat:    plainConcat,
		Reverse:   plainReverse,
		Dot:       plainDot,
		Reduce:    plainReduce,
		Argmax:    plainArgmax,
		Sort:      plainSort,
		Scatter:   plainScatter,
		Places:    asItIs,
		Reused:    asItIs,
	}
}

func stored(p *Printer, v Value, name string, loaded bool) {
	if !loaded {
		p.form.Store(p, v, name)
	}
}

func asItIs(_ *Printer, v Value) Value { return v }

// Same prints an operation whose operands and result have the same type.
func (p *Printer) Same(name string, vs ...Value) Value { return p.form.Op(p, name, vs...) }

// Barrier prevents the fusion of v with its uses.
func (p *Printer) Barrier(v Value) Value { return p.form.Barrier(p, v) }

// Convert converts x to another element type.
func (p *Printer) Convert(x Value, d dtype.DType) Value {
	if x.Type.DType == d {
		return x
	}
	return p.form.Convert(p, x, d)
}

// Compare compares elements.
func (p *Printer) Compare(direction string, a, b Value) Value {
	return p.form.Compare(p, direction, a, b)
}

// Iota returns a tensor of type t that counts along dim. Dimensions without a name
// are those of the value like.
func (p *Printer) Iota(t tensor.Type, dim int64, like Value) Value {
	return p.form.Iota(p, t, dim, like)
}

// Broadcast broadcasts x to t: dimension i of x is dimension dims[i] of t.
func (p *Printer) Broadcast(x Value, t tensor.Type, dims []int64, like Value) Value {
	return p.form.Broadcast(p, x, t, dims, like)
}

// Reshape returns x with another shape.
func (p *Printer) Reshape(x Value, t tensor.Type) Value {
	if x.Type.Shape.Same(t.Shape) {
		return x
	}
	return p.same(p.form.Reshape(p, x, t), x)
}

// Dimension returns the size of a dimension of v as tensor<i32>.
func (p *Printer) Dimension(v Value, dim int) Value { return p.form.Dimension(p, v, dim) }

// Concat joins tensors along a dimension.
func (p *Printer) Concat(t tensor.Type, dim int64, parts ...Value) Value {
	return p.form.Concat(p, t, dim, parts...)
}

// Dot returns a product with sums in the element type of t.
func (p *Printer) Dot(lhs, rhs Value, d DotDims, t tensor.Type) Value {
	return p.form.Dot(p, lhs, rhs, d, t)
}

// Reduce reduces dimensions with a StableHLO operation, starting from init.
func (p *Printer) Reduce(x Value, name string, init float64, dims []int64) Value {
	return p.form.Reduce(p, x, name, init, dims)
}

// Places returns indices in the form that gathers and scatters read.
func (p *Printer) Places(v Value) Value { return p.form.Places(p, v) }

// Literal spells one element.
func (p *Printer) Literal(d dtype.DType, v float64) string { return p.form.Literal(d, v) }

// Load reads a parameter or a state variable.
func (p *Printer) Load(name string, t tensor.Type) Value { return p.form.Load(p, name, t) }

// sized returns a type with x's elements.
func sized(x Value, s shape.Shape) tensor.Type { return tensor.Type{DType: x.Type.DType, Shape: s} }
