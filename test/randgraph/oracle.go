package randgraph

import (
	"bytes"
	"context"
	"math/rand/v2"

	"github.com/skainet-dev/skainet-go/backend/cpu"
	"github.com/skainet-dev/skainet-go/compile/contract"
	"github.com/skainet-dev/skainet-go/compile/dag"
	"github.com/skainet-dev/skainet-go/compile/op"
	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/tensor"
)

// Worlds: the first is the reference; then those whose roundings are moved by what
// backends differ by; then those moved coarse times as far, by which edges near a
// value are seen.
const (
	steady = 4
	rough  = 3
	coarse = 16
	worlds = 1 + steady + rough
)

// scale is how far world w perturbs roundings.
func scale(w int) int {
	switch {
	case w == 0:
		return 0
	case w <= steady:
		return 1
	}
	return coarse
}

// codeEdge marks a choice of a path that depends on rounding, and a result that no
// class states. It does not leave the package.
const codeEdge errs.Code = "RANDGRAPH_EDGE"

// oracle evaluates graphs node by node in all worlds.
type oracle struct {
	r *rand.Rand
	// states refuses nodes whose numeric class says nothing of special operands.
	states bool
}

// environment holds the values of blocks in all worlds.
type environment map[*dag.Value][]tensor.Value

// entry evaluates the only entry point of g.
func (o *oracle) entry(g *dag.Graph, args [][]tensor.Value) ([][]tensor.Value, error) {
	return o.function(g, g.Funcs[len(g.Funcs)-1], args)
}

func (o *oracle) function(g *dag.Graph, f *dag.Func, args [][]tensor.Value) ([][]tensor.Value, error) {
	env := environment{}
	return o.block(g, f.Body, env, args)
}

func (o *oracle) block(g *dag.Graph, b *dag.Block, env environment, args [][]tensor.Value) ([][]tensor.Value, error) {
	for i, a := range b.Args {
		env[a] = args[i]
	}
	for _, n := range b.Nodes {
		in := make([][]tensor.Value, len(n.Inputs))
		for i, v := range n.Inputs {
			in[i] = env[v]
		}
		out, err := o.node(g, n, env, in)
		if err != nil {
			return nil, err
		}
		for i, v := range n.Outputs {
			env[v] = out[i]
		}
	}
	out := make([][]tensor.Value, len(b.Results))
	for i, v := range b.Results {
		out[i] = env[v]
	}
	return out, nil
}

func (o *oracle) node(g *dag.Graph, n *dag.Node, env environment, in [][]tensor.Value) ([][]tensor.Value, error) {
	switch n.Op.Role {
	case op.Calls:
		f, err := g.Func(n.Attrs.String("function"))
		if err != nil {
			return nil, err
		}
		return o.function(g, f, in)
	case op.Chooses:
		yes, err := decide(in[0])
		if err != nil {
			return nil, err
		}
		branch := n.Blocks[1]
		if yes {
			branch = n.Blocks[0]
		}
		return o.block(g, branch, env, nil)
	case op.Loops:
		for {
			p, err := o.block(g, n.Blocks[0], env, in)
			if err != nil {
				return nil, err
			}
			if yes, err := decide(p[0]); err != nil || !yes {
				return in, err
			}
			if in, err = o.block(g, n.Blocks[1], env, in); err != nil {
				return nil, err
			}
		}
	}
	return o.rounded(n, in)
}

// decide reads a predicate, which must be the same in all worlds.
func decide(p []tensor.Value) (bool, error) {
	if !equal(p) {
		return false, errs.New(codeEdge, "a predicate depends on rounding")
	}
	return p[0].Bytes[0] != 0, nil
}

// equal reports whether all worlds hold the same bits.
func equal(w []tensor.Value) bool {
	for _, v := range w[1:] {
		if !bytes.Equal(v.Bytes, w[0].Bytes) {
			return false
		}
	}
	return true
}

// rounded evaluates a node and perturbs the results that backends round differently.
func (o *oracle) rounded(n *dag.Node, in [][]tensor.Value) ([][]tensor.Value, error) {
	if o.states && !takesSpecial(n, at(in, 0)) {
		return nil, errs.New(codeEdge, "the class of %s says nothing of NaN, infinities and large numbers", n.Op.Name)
	}
	x, err := load(n)
	if err != nil {
		return nil, err
	}
	defer x.close()
	same := true
	for _, w := range in {
		same = same && equal(w)
	}
	first, err := x.call(at(in, 0))
	if err != nil {
		return nil, err
	}
	out := make([][]tensor.Value, len(first))
	kind := roundingOf(n)
	exact := kind == op.Exact
	if !exact && same {
		if exact, err = certain(n, x, at(in, 0), first); err != nil {
			return nil, err
		}
	}
	var sums []tensor.Value // of the sizes of terms
	if kind == op.Sum && !exact {
		if sums, err = x.call(sizes(n, at(in, 0))); err != nil {
			return nil, err
		}
	}
	for w := range worlds {
		results := first
		if w > 0 && (!same || !exact) {
			args := at(in, w)
			if kind != op.Correct && kind != op.Near && !exact {
				for i, a := range args {
					args[i] = o.moved(a, scale(w))
				}
			}
			if results, err = x.call(args); err != nil {
				return nil, err
			}
		}
		for i, v := range results {
			if w > 0 && !exact {
				bits := v.Type.DType.Significand()
				if kind == op.Cancelling {
					v = o.shifted(v, in[len(in)-1][w], float64(scale(w)), bits)
				}
				if kind == op.Periodic {
					v = o.shifted(v, valueOf(tensor.TypeOf(v.Type.DType), []float64{1}), float64(scale(w)), max(bits, 24))
				}
				if kind == op.Sum { // in f32, where the type is narrower
					v = o.shifted(v, sums[i], float64(scale(w))*drift(n), max(bits, 24))
				}
				v = o.moved(v, scale(w)*ulps(kind, v.Type.DType))
			}
			out[i] = append(out[i], v)
		}
	}
	return out, nil
}

func at(in [][]tensor.Value, w int) []tensor.Value {
	args := make([]tensor.Value, len(in))
	for i := range in {
		args[i] = in[i][w]
	}
	return args
}

// kernel is a node alone, ready to be called.
type kernel struct {
	call  func(args []tensor.Value) ([]tensor.Value, error)
	close func()
}

// load makes a program of one node.
func load(n *dag.Node) (*kernel, error) {
	b := &dag.Block{}
	f := &dag.Func{Name: "node", Entry: true, Body: b}
	c := &contract.Contract{Name: "node", Entries: []contract.Entry{{Name: "node"}}}
	e := &c.Entries[0]
	alone := &dag.Node{Op: n.Op, Origin: n.Origin, Attrs: n.Attrs}
	for i, v := range n.Inputs {
		name := "x" + decimal(i)
		f.Args = append(f.Args, name)
		e.Args = append(e.Args, contract.Named{Name: name, DType: v.Type.DType, Shape: v.Type.Shape})
		alone.Inputs = append(alone.Inputs, b.AddArg(v.Type))
	}
	for i, v := range n.Outputs {
		name := "y" + decimal(i)
		f.Results = append(f.Results, name)
		e.Results = append(e.Results, contract.Named{Name: name, DType: v.Type.DType, Shape: v.Type.Shape})
		alone.Outputs = append(alone.Outputs, &dag.Value{Type: v.Type, Node: alone, Port: i})
	}
	b.Nodes, b.Results = []*dag.Node{alone}, alone.Outputs
	x, err := cpu.Load(&dag.Graph{Name: "node", Funcs: []*dag.Func{f}}, c, nil)
	if err != nil {
		return nil, err
	}
	return &kernel{
		call: func(args []tensor.Value) ([]tensor.Value, error) {
			return x.Call(context.Background(), "node", args...)
		},
		close: func() { x.Close() },
	}, nil
}
