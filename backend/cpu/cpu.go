// Package cpu executes graphs with plain kernels in Go: the reference that
// compiled programs are compared with.
//
// f16 and bf16 are computed in f32 and rounded to their type after each
// operation. Integer division by zero gives all bits set; conversions of floats
// to integers saturate, and NaN becomes 0. Values that depend only on
// parameters and constants are computed once per program.
//
// An entry point with dynamic dimensions is specialised for the sizes of a call
// (dag.Specialize); the programs of the last 8 sizes are kept. Values that depend on
// no size are computed once for all of them.
//
// # Errors
//
// Load returns the DAG_* error of an invalid graph, CPU_CONTRACT, CPU_GRAPH,
// CPU_UNSUPPORTED_DTYPE or CPU_PARAMETER. A call returns the BACKEND_*
// and CONTRACT_* errors of its arguments, the OP_* error of an operation that rejects
// the sizes of a call, CPU_GRAPH, CPU_CLOSED, CPU_CANCELLED (which wraps the
// context's error), OPERATOR_CPU for a fault in the function of a registered operation, or CPU_INTERNAL for a bug in this package, with the
// path of the node. After a failed call the state is unchanged.
//
// # Determinism
//
// Results are the same bits for any number of processors: every sum has
// a fixed order. That order, and the rounding of products of f32, depend on whether
// the processor has kernels in package gemm (amd64 with AVX2 and FMA; arm64), so
// that results differ in the last places between processors with and without.
//
// # Memory
//
// The memory of a dead value is reused for results of the same size,
// within a call and by later ones. Arguments are read in place, and
// must not change during a call; results belong to the caller.
package cpu

import (
	"context"
	"runtime/debug"

	"github.com/skainet-dev/skainet-go/backend"
	"github.com/skainet-dev/skainet-go/backend/cpu/packed"
	"github.com/skainet-dev/skainet-go/compile/contract"
	"github.com/skainet-dev/skainet-go/compile/dag"
	"github.com/skainet-dev/skainet-go/compile/dag/analysis"
	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/tensor"
)

// Codes of this package.
const (
	CodeContract  errs.Code = "CPU_CONTRACT"          // the contract is another graph's
	CodeGraph     errs.Code = "CPU_GRAPH"             // a value takes more than 64 GiB
	CodeDType     errs.Code = "CPU_UNSUPPORTED_DTYPE" // an i4 or u4 value
	CodeParameter errs.Code = "CPU_PARAMETER"         // missing, or of another type
	CodeClosed    errs.Code = "CPU_CLOSED"            // a call after Close
	CodeCancelled errs.Code = "CPU_CANCELLED"         // the context ended
	CodeInternal  errs.Code = "CPU_INTERNAL"          // a panic in a kernel
)

// Params returns the value of a parameter: dense in its logical type, or for one with
// an encoding the bytes of its blocks (tensor.BlocksOf). These bytes are read
// in place, so they must not change until the program is closed.
type Params func(scope, key string) (tensor.Value, error)

// Options change how a program runs, but not its results.
type Options struct {
	// Trace is called with the results of each node after it ran; for a node that
	// depends only on parameters and constants, only at its first use.
	Trace func(n *dag.Node, out []tensor.Value)
	// Stored is called for each f32 parameter that is only used as the weight
	// [out, in] of linear layers, before its values are read.
	Stored Stored
}

// Load prepares the entry points of g, described by c, and reads all
// parameters. The graph must not be changed while the program is in use.
func Load(g *dag.Graph, c *contract.Contract, params Params) (backend.Executable, error) {
	return LoadWith(g, c, params, Options{})
}

// LoadWith is like Load with options.
func LoadWith(g *dag.Graph, c *contract.Contract, params Params, o Options) (_ backend.Executable, err error) {
	x := &executable{
		graph: g, contract: c, options: o, params: map[paramID]array{},
		states: map[string]array{}, ours: map[string]bool{}, fixed: map[*dag.Value]array{}, stored: map[paramID]*packed.Matrix{},
	}
	x.family = &family{fixed: x.fixed}
	defer x.recovered(&err)
	if err := dag.Verify(g); err != nil {
		return nil, err
	}
	if err := x.checkValues(); err != nil {
		return nil, err
	}
	if err := x.checkContract(); err != nil {
		return nil, err
	}
	if err := x.readStored(all); err != nil {
		return nil, err
	}
	if err := x.readParams(params, all); err != nil {
		return nil, err
	}
	x.begin()
	x.plan = newPlan(g)
	return x, nil
}

// begin sets the states to their first values.
func (x *executable) begin() {
	for _, s := range x.graph.States {
		a := zeros(s.Type)
		a.data.fill(s.Init, s.Type.DType)
		x.states[s.Name] = roundToDType(a)
		x.ours[s.Name] = true
	}
}

// all says that every parameter is read.
func all(paramID) bool { return true }

type paramID struct{ scope, key string }

type executable struct {
	graph    *dag.Graph
	contract *contract.Contract
	options  Options
	plan     *plan
	params   map[paramID]array
	stored   map[paramID]*packed.Matrix
	states   map[string]array
	ours     map[string]bool // states whose memory is not shared
	fixed    map[*dag.Value]array
	family   *family             // nil for one that was made for the sizes of a call
	own      map[*dag.Value]bool // fixed values that the family does not share
	at       *dag.Node           // being executed
	closed   bool
	made     []specialized // of dynamic entry points, most recently used first

	// Of one that was made for the sizes of a call:
	general *executable
	origins map[*dag.Value]*dag.Value // in general's graph
}

func (x *executable) checkValues() (err error) {
	check := func(path string, vs []*dag.Value) {
		for _, v := range vs {
			t := v.Type
			if !t.Shape.IsStatic() {
				t.Shape = nil // sizes are known at a call, which checks again
			}
			if e := supported(t); e != nil && err == nil {
				err = errs.Wrap(errs.CodeOf(e), e, "cannot run here").On(path)
			}
		}
	}
	for _, f := range x.graph.Funcs {
		check(f.Name, f.Body.Args)
		f.Body.Walk(func(n *dag.Node) { check(n.Path, n.Outputs) })
	}
	for _, s := range x.graph.States {
		check(s.Name, []*dag.Value{{Type: s.Type}})
	}
	return err
}

func (x *executable) checkContract() error {
	if x.contract == nil {
		return errs.New(CodeContract, "no contract").On(x.graph.Name)
	}
	for _, e := range x.contract.Entries {
		f, err := x.graph.Func(e.Name)
		if err != nil || !f.Entry || !fits(f.Body.Args, e.Args) || !fits(f.Body.Results, e.Results) {
			return errs.Wrap(CodeContract, err, "the graph has no such entry point with these arguments and results").On(e.Name).
				Hint("export the contract again")
		}
	}
	return nil
}

func fits(vs []*dag.Value, named []contract.Named) bool {
	if len(vs) != len(named) {
		return false
	}
	for i, v := range vs {
		if !v.Type.Equal(named[i].Type()) {
			return false
		}
	}
	return true
}

// readParams reads the parameters that want names.
func (x *executable) readParams(params Params, want func(paramID) bool) error {
	list, err := x.graph.Params()
	if err != nil {
		return err
	}
	for _, p := range list {
		if id := (paramID{p.Scope, p.Key}); x.stored[id] != nil || !want(id) {
			continue
		}
		v, err := params(p.Scope, p.Key)
		if err != nil {
			return errs.Wrap(CodeParameter, err, "cannot read parameter %q", p.Key).On(p.Scope)
		}
		if !v.Type.Equal(p.Type) {
			return errs.New(CodeParameter, "parameter %q is %s, but the graph needs %s", p.Key, v.Type, p.Type).On(p.Scope)
		}
		if err := v.Check(); err != nil {
			return errs.Wrap(CodeParameter, err, "parameter %q", p.Key).On(p.Scope)
		}
		if !p.Encoding.IsDense() {
			x.params[paramID{p.Scope, p.Key}] = borrow(v)
			continue
		}
		x.params[paramID{p.Scope, p.Key}] = fromValue(v)
	}
	return nil
}

// Contract implements backend.Executable.
func (x *executable) Contract() *contract.Contract { return x.contract }

// Call implements backend.Executable.
func (x *executable) Call(ctx context.Context, entry string, args ...tensor.Value) (_ []tensor.Value, err error) {
	defer x.recovered(&err)
	if x.closed {
		return nil, errs.New(CodeClosed, "the program is closed").On(entry)
	}
	e, err := x.contract.Entry(entry)
	if err != nil {
		return nil, err
	}
	if err := backend.Check(e, args); err != nil {
		return nil, err
	}
	fn, err := x.graph.Func(entry)
	if err != nil {
		return nil, err
	}
	if !fn.IsStatic() {
		s, err := x.specialized(fn, args)
		if err != nil {
			return nil, err
		}
		return s.execute(ctx, s.graph.Funcs[len(s.graph.Funcs)-1], args)
	}
	return x.execute(ctx, fn, args)
}

// execute runs an entry point with static sizes.
func (x *executable) execute(ctx context.Context, fn *dag.Func, args []tensor.Value) (_ []tensor.Value, err error) {
	defer x.recovered(&err)
	f := x.frame(ctx)
	f.writes, f.log = writable(fn), &overwritten{}
	done := false
	defer func() {
		if !done {
			f.log.restore()
		}
	}()
	borrowed := make([]array, len(args))
	for i, v := range fn.Body.Args {
		borrowed[i] = borrow(args[i])
		f.env[v] = borrowed[i]
	}
	if err := f.run(fn.Body); err != nil {
		return nil, err
	}
	results, err := f.values(fn.Body.Results)
	if err != nil {
		return nil, err
	}
	writes := make([]array, len(fn.Writes))
	for i, w := range fn.Writes {
		if writes[i], err = f.value(w.Value); err != nil {
			return nil, err
		}
		writes[i] = copyIfAliased(writes[i], borrowed)
	}
	out := make([]tensor.Value, len(results))
	for i, v := range fn.Body.Results {
		if f.soleOwner(v, writes) {
			out[i] = results[i].handOver()
		} else {
			out[i] = results[i].value()
		}
	}
	owners := f.sole(analysis.Written(fn), writes)
	for i, w := range fn.Writes { // nothing can fail from here on
		x.states[w.State] = writes[i]
		x.ours[w.State] = owners[i] != shared
	}
	for i, w := range fn.Writes { // another state's old memory may still be shared
		for name, s := range x.states {
			if owners[i] == shared && name != w.State && overlap(s.data, writes[i].data) {
				x.ours[name] = false
			}
		}
	}
	done = true
	return out, nil
}

// Close implements backend.Executable.
func (x *executable) Close() error {
	x.closed = true
	x.params, x.stored, x.states, x.fixed, x.family, x.made = nil, nil, nil, nil, nil, nil
	return nil
}

// recovered turns a panic into an error at the package boundary.
func (x *executable) recovered(err *error) {
	r := recover()
	if r == nil {
		return
	}
	e := errs.New(CodeInternal, "%v\n%s", r, debug.Stack()).Hint("this is a bug in the CPU backend; report it with the graph")
	if x.at != nil {
		e.Node = x.at.String()
	}
	*err = e
}
