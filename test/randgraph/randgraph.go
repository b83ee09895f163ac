// Package randgraph makes random models that are valid and well conditioned, and
// compares what backends compute of them: property tests of everything between
// the capture DSL and a compiled program.
//
// A graph grows by one operation at a time, chosen from the table of compile/op and
// applied by the DSL. Each step is evaluated at once in several worlds: one with
// the kernels of backend/cpu as they are, others in which every result that
// backends round differently is moved by units in its last place (Monte Carlo
// arithmetic, Parker 1997). A step after which worlds differ by more than
// rounding explains, as at the edge of a floor or a comparison, is discarded. What remains
// is continuous, and the distance between worlds is the tolerance of each
// element; what is exact in all worlds must be equal bit for bit.
//
// # Errors
//
// RANDGRAPH_STUCK if no step could be taken, RANDGRAPH_MISMATCH if a backend differs,
// with the seed and the first operation at which they diverge, RANDGRAPH_ABSENT if a
// registered operation occurs in no graph, RANDGRAPH_PEER if the program of another
// implementation fails, RANDGRAPH_WRITE if a failing graph cannot be written. A registered
// operation whose rule, decomposition or CPU function fails has its own code, OPERATOR_*.
//
// # Determinism
//
// A graph depends only on its seed and options, and on the rounding of
// backend/cpu, which decides which steps are kept.
package randgraph

import (
	"cmp"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/skainet-dev/skainet-go/compile/dag"
	"github.com/skainet-dev/skainet-go/compile/op"
	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/lang"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/shape"
)

// Codes of this package.
const (
	CodeStuck    errs.Code = "RANDGRAPH_STUCK"    // smallest input: recipes that never apply
	CodeMismatch errs.Code = "RANDGRAPH_MISMATCH" // smallest input: a backend that adds 1
	CodeAbsent   errs.Code = "RANDGRAPH_ABSENT"   // smallest input: an operation whose CPU function returns NaN
	CodePeer     errs.Code = "RANDGRAPH_PEER"     // smallest input: the peer "false"
	CodeWrite    errs.Code = "RANDGRAPH_WRITE"    // smallest input: a folder that is a file
)

// Options configures which graphs are made.
type Options struct {
	// MaxOps bounds the operations of a graph; each has at least one.
	MaxOps int
	// Only, where it is not empty, names the operations to choose from.
	Only []string
	// Own makes half of the choices operations that packages have registered.
	Own bool
	// Dynamic makes some sizes dynamic, in every graph.
	Dynamic bool
	// Special makes some inputs of floats hold NaN, infinities and large numbers.
	Special bool
}

// step is one operation of a graph, or a leaf of given values.
type step struct {
	op     string // name in the table; "" is an input
	in     []int  // values that it takes
	leaf   *tensor.Value
	build  func(b *building, in []lang.Tensor) []lang.Tensor
	callee func(f *lang.Func) // a private function that build calls
	out    []int              // values that it makes
}

// building is where a step is built.
type building struct {
	f      *lang.Func
	callee lang.Callee
}

// value is a tensor of the graph: worlds[0] is what backend/cpu computes.
type value struct {
	step   int
	typ    tensor.Type
	shape  shape.Shape // in the graph, where sizes may be dynamic
	worlds []tensor.Value
	apart  bool // only the step that it was made for takes it
}

// Case is a graph with its arguments and the values of all its tensors.
type Case struct {
	Seed    uint64
	steps   []step
	values  []value
	results []int // values that the entry point returns
	other   *call // with other dynamic sizes, where there are any
}

// call is a call of the graph, with the results of all worlds.
type call struct {
	args    []tensor.Value
	results [][]tensor.Value
}

// Make makes the graph of a seed.
func Make(seed uint64, o Options) (*Case, error) {
	r := rand.New(rand.NewPCG(seed, 0x7261_6e64))
	g := &gen{r: r, oracle: &oracle{r: newRand(seed)}, c: &Case{Seed: seed}, dynamic: o.Dynamic, special: o.Special}
	names := o.Only
	if len(names) == 0 {
		names = recipeNames()
	}
	if o.Own {
		own := op.Registered()
		if len(own) == 0 {
			return nil, errs.New(CodeStuck, "no package of this program registers an operation").Hint("import one that does: see lang/operator")
		}
		for all := len(names); len(names) < 2*all; {
			for _, row := range own {
				names = append(names, row.Name)
			}
		}
	}
	for _, name := range names {
		if recipeOf(name) == nil {
			return nil, errs.New(CodeStuck, "random graphs have no operation %q", name).Hint("they have %s", strings.Join(recipeNames(), ", "))
		}
	}
	// Few operations make faults easy to locate; many find more of them.
	want := 1 + r.IntN(1+r.IntN(max(o.MaxOps, 1)))
	g.widens = slices.Contains(names, "convert")
	for tries := 0; ; tries++ {
		if g.room = want - g.c.Ops(); g.room == 0 {
			break
		}
		if tries == 60*want {
			if g.c.Ops() > 0 {
				break
			}
			return nil, errs.New(CodeStuck, "no operation of %v could be applied", names).Hint("choose other operations")
		}
		g.try(names[r.IntN(len(names))])
		if g.fault != nil {
			return nil, g.fault
		}
	}
	used := map[int]bool{}
	for _, s := range g.c.steps {
		for _, i := range s.in {
			used[i] = true
		}
	}
	for i, v := range g.c.values {
		if g.c.steps[v.step].leaf == nil && (!used[i] || r.IntN(4) == 0) {
			g.c.results = append(g.c.results, i)
		}
	}
	graph, err := g.dropped()
	if err == nil && o.Dynamic {
		g.resize(graph)
		err = g.fault
	}
	return g.c, err
}

// dropped drops results that are arguments, perhaps once a pass has simplified
// them, and returns the whole graph: they show nothing of what was computed.
func (g *gen) dropped() (*dag.Graph, error) {
	graph, err := lang.Capture("random", nil, func(m *lang.Module) { g.c.add(m, "main") })
	if err != nil {
		return nil, errs.Wrap(CodeMismatch, err, "seed %d: steps that are valid alone are invalid together", g.c.Seed)
	}
	var kept []int
	for i, v := range graph.Funcs[len(graph.Funcs)-1].Body.Results {
		if v.Node != nil {
			kept = append(kept, g.c.results[i])
		}
	}
	if len(kept) == len(g.c.results) {
		return graph, nil
	}
	if len(kept) == 0 { // one alone is not updated beside it
		kept = g.c.results[:1]
	}
	g.c.results = kept
	return lang.Capture("random", nil, func(m *lang.Module) { g.c.add(m, "main") })
}

// newRand drives what the oracle moves.
func newRand(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 1)) }

// gen is a graph being made.
type gen struct {
	r      *rand.Rand
	oracle *oracle
	c      *Case

	dynamic bool
	special bool
	widens  bool // leaves may be conversions: see widened
	room    int  // operations that may still be added

	fault error // of a registered operation, which no other step makes good
}

// try applies an operation, and undoes it if the results are not
// fit to compare.
func (g *gen) try(name string) (ok bool) {
	steps, values := len(g.c.steps), len(g.c.values)
	defer func() {
		if r := recover(); r != nil && r != any(giveUp{}) {
			panic(r)
		}
		if !ok {
			g.c.steps, g.c.values = g.c.steps[:steps], g.c.values[:values]
		}
	}()
	s := recipeOf(name)(g)
	s.op = name
	out, shapes := g.evaluate(s)
	g.c.append(*s, out, shapes)
	return len(out) > 0
}

// evaluate returns the results of a step in all worlds and their shapes in the
// graph, or nothing where it is not to be taken.
func (g *gen) evaluate(s *step) ([][]tensor.Value, []shape.Shape) {
	graph, err := lang.CaptureWith("step", nil, func(m *lang.Module) { entry(m, "main", g.c, []step{*s}, s.in, nil) })
	if err != nil {
		g.fault = cmp.Or(g.fault, ownFault(err))
		return nil, nil // the shape rule rejects it
	}
	args, types := make([][]tensor.Value, len(s.in)), make([]tensor.Type, len(s.in))
	for i, v := range s.in {
		args[i], types[i] = g.c.values[v].worlds, g.c.values[v].typ
	}
	var shapes []shape.Shape
	for _, r := range graph.Funcs[len(graph.Funcs)-1].Body.Results {
		shapes = append(shapes, r.Type.Shape)
	}
	out := g.worlds(graph, types, args)
	return out, shapes
}

// worlds evaluates the entry point main in all worlds, or returns nothing where a
// result is not acceptable.
func (g *gen) worlds(graph *dag.Graph, types []tensor.Type, args [][]tensor.Value) [][]tensor.Value {
	graph, err := dag.Specialize(graph, "main", types...)
	if err != nil {
		g.fault = cmp.Or(g.fault, ownFault(err))
		return nil
	}
	g.oracle.states = g.special && slices.ContainsFunc(args, func(w []tensor.Value) bool { return hasSpecial(w[0]) })
	out, err := g.oracle.entry(graph, args)
	if err != nil {
		g.fault = cmp.Or(g.fault, ownFault(err))
		return nil
	}
	for _, w := range out {
		if !acceptable(w, g.special) {
			return nil
		}
	}
	return out
}

// add builds the whole graph as an entry point.
func (c *Case) add(m *lang.Module, name string) {
	var args []int
	for i := range c.values {
		if c.isInput(i) {
			args = append(args, i)
		}
	}
	entry(m, name, c, c.steps, args, c.results)
}

// entry builds steps as an entry point with the values args as arguments; nil
// results mean those of the last step.
func entry(m *lang.Module, name string, c *Case, steps []step, args, results []int) {
	callees := make([]lang.Callee, len(steps))
	for i, s := range steps {
		if s.callee != nil {
			callees[i] = m.Func(name+"_callee"+decimal(i), s.callee)
		}
	}
	m.Entry(name, func(f *lang.Func) {
		at := map[int]lang.Tensor{}
		inputs := make([]lang.Tensor, len(args))
		for i, v := range args {
			inputs[i] = f.InputOf("x"+decimal(i), c.values[v].typ.DType, c.values[v].shape...)
			at[v] = inputs[i]
		}
		var last []lang.Tensor
		for i, s := range steps {
			if s.leaf != nil && s.build == nil || len(s.out) > 0 && allIn(at, s.out) {
				continue
			}
			in := make([]lang.Tensor, len(s.in))
			for j, v := range s.in {
				in[j] = at[v]
			}
			last = s.build(&building{f, callees[i]}, in)
			for j, v := range s.out {
				at[v] = last[j]
			}
		}
		if results == nil {
			for i, t := range last {
				f.Output("y"+decimal(i), t)
			}
		}
		for i, v := range results {
			f.Output("y"+decimal(i), at[v])
		}
	})
}

func allIn(at map[int]lang.Tensor, vs []int) bool {
	return !slices.ContainsFunc(vs, func(v int) bool { _, ok := at[v]; return !ok })
}

// args returns the arguments of the entry point that add builds.
func (c *Case) args() []tensor.Value {
	var args []tensor.Value
	for i, v := range c.values {
		if c.isInput(i) {
			args = append(args, v.worlds[0])
		}
	}
	return args
}

// isInput reports whether value i is an argument of the entry point.
func (c *Case) isInput(i int) bool {
	s := c.values[i].step
	return s >= 0 && c.steps[s].leaf != nil && c.steps[s].build == nil
}
