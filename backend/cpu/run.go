package cpu

import (
	"context"
	"runtime"
	"slices"

	"github.com/skainet-dev/skainet-go/compile/dag"
	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/tensor"
)

// frame is one activation of a function: its live values.
type frame struct {
	x   *executable
	ctx context.Context
	env map[*dag.Value]array
	// leases of the values whose memory this frame reuses.
	leases map[*dag.Value]*lease
	// owners of the values whose memory has a known owner: see inplace.go.
	owners map[*dag.Value]owner
	writes map[string]bool // states whose only read value may be overwritten
	log    *overwritten    // that of the call
	// Values on the way to the fixed value that is computed, which more than one node uses.
	steps map[*dag.Value]array
}

func (x *executable) frame(ctx context.Context) *frame {
	return &frame{x: x, ctx: ctx, env: map[*dag.Value]array{}, leases: map[*dag.Value]*lease{}, owners: map[*dag.Value]owner{}, steps: map[*dag.Value]array{}}
}

func (f *frame) bind(to []*dag.Value, from []array) {
	for i, v := range to {
		f.env[v] = from[i]
	}
}

// oneThread is set where goroutines share one thread and are not preempted.
const oneThread = runtime.GOARCH == "wasm"

// cancelled returns an error if the call is to stop before node n.
func (f *frame) cancelled(n *dag.Node) error {
	if oneThread {
		runtime.Gosched() // nobody else could cancel: the timers of ctx need this thread too
	}
	if err := f.ctx.Err(); err != nil {
		return errs.Wrap(CodeCancelled, err, "the call was stopped").On(n.Path)
	}
	return nil
}

// run executes the nodes of b that are not fixed.
func (f *frame) run(b *dag.Block) error {
	steps := f.x.plan.steps[b]
	for i := range steps {
		s := &steps[i]
		n := s.Node
		if err := f.cancelled(n); err != nil {
			return err
		}
		in, err := f.values(n.Inputs)
		if err != nil {
			return err
		}
		out, err := f.apply(n, in)
		if err != nil {
			return err
		}
		f.bind(n.Outputs, out)
		f.lend(n, in, out)
		f.keepOwners(n, in, out)
		for _, v := range s.last {
			f.release(v)
		}
	}
	return nil
}

// nested executes a block of a control operation. owners are those of the arguments,
// if known, and afterwards those of the results.
func (f *frame) nested(b *dag.Block, args []array, owners []owner) ([]array, []owner, error) {
	f.bind(b.Args, args)
	for i, o := range owners {
		f.own(b.Args[i], o)
	}
	if err := f.run(b); err != nil {
		return nil, nil, err
	}
	out, err := f.values(b.Results)
	if err != nil {
		return nil, nil, err
	}
	of := f.sole(b.Results, out)
	for i, v := range b.Results {
		if !slices.Contains(f.x.plan.made[b], v) && !slices.Contains(b.Args, v) {
			of[i] = shared // of an enclosing block
		}
	}
	for _, vs := range [][]*dag.Value{b.Args, f.x.plan.made[b]} {
		for _, v := range vs { // their memory becomes that of a result
			delete(f.env, v)
			delete(f.leases, v)
			delete(f.owners, v)
		}
	}
	return out, of, nil
}

func (f *frame) values(vs []*dag.Value) ([]array, error) {
	out := make([]array, len(vs))
	for i, v := range vs {
		a, err := f.value(v)
		if err != nil {
			return nil, err
		}
		out[i] = a
	}
	return out, nil
}

// value returns a live value, computing a fixed one at its first use.
func (f *frame) value(v *dag.Value) (array, error) {
	if a, ok := f.env[v]; ok {
		return a, nil
	}
	if a, ok := f.x.remembered(v); ok {
		return a, nil
	}
	if a, ok := f.steps[v]; ok {
		return a, nil
	}
	if !f.x.plan.kept[v] {
		a, err := f.fix(v)
		if err == nil && f.x.plan.again[v] {
			f.steps[v] = a
		}
		return a, err
	}
	outer := f.steps
	f.steps = map[*dag.Value]array{}
	a, err := f.fix(v)
	f.steps = outer
	if err == nil {
		f.x.remember(v, a)
	}
	return a, err
}

// fix computes a fixed value.
func (f *frame) fix(v *dag.Value) (array, error) {
	if general, from := f.x.general, f.x.origins[v]; general != nil && general.plan.always[from] {
		return general.frame(f.ctx).value(from) // for all sizes
	}
	in, err := f.values(v.Node.Inputs)
	if err != nil {
		return array{}, err
	}
	out, err := f.apply(v.Node, in)
	if err != nil {
		return array{}, err
	}
	return out[v.Port], nil
}

func (f *frame) apply(n *dag.Node, in []array) ([]array, error) {
	f.x.at = n
	out, err := kernelOf(n.Op)(f, n, in)
	if err == nil && f.x.options.Trace != nil {
		values := make([]tensor.Value, len(out))
		for i, a := range out {
			values[i] = a.value()
		}
		f.x.options.Trace(n, values)
	}
	return out, err
}
