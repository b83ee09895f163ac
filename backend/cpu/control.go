package cpu

import (
	"slices"

	"github.com/skainet-dev/skainet-go/compile/dag"
	"github.com/skainet-dev/skainet-go/compile/op/id"
)

var controlKernels = map[id.ID]kernel{
	id.While: while,
	id.Cond: func(f *frame, n *dag.Node, in []array) ([]array, error) {
		b := n.Blocks[1]
		if in[0].data.(vec[boolean])[0] != 0 {
			b = n.Blocks[0]
		}
		out, owners, err := f.nested(b, nil, nil)
		f.ownAll(n, owners)
		return out, err
	},
	id.Call: call,
	// Nothing is fused here, and there is one device.
	id.Barrier: asItIs,
	id.Shard:   asItIs,
}

func asItIs(_ *frame, _ *dag.Node, in []array) ([]array, error) { return in, nil }

func while(f *frame, n *dag.Node, in []array) ([]array, error) {
	cond, body := n.Blocks[0], n.Blocks[1]
	carried, owners := slices.Clone(in), make([]owner, len(in))
	for i := range in {
		owners[i] = f.mine(n, i)
	}
	for {
		if err := f.cancelled(n); err != nil {
			return nil, err
		}
		again, _, err := f.nested(cond, carried, nil)
		if err != nil {
			return nil, err
		}
		if again[0].data.(vec[boolean])[0] == 0 {
			f.ownAll(n, owners)
			return carried, nil
		}
		if carried, owners, err = f.nested(body, carried, owners); err != nil {
			return nil, err
		}
	}
}

func call(f *frame, n *dag.Node, in []array) ([]array, error) {
	fn, err := f.x.graph.Func(n.Attrs.String("function"))
	if err != nil {
		return nil, err
	}
	inner := f.x.frame(f.ctx)
	inner.log = f.log
	inner.bind(fn.Body.Args, in)
	for i, v := range fn.Body.Args {
		inner.own(v, f.mine(n, i))
	}
	if err := inner.run(fn.Body); err != nil {
		return nil, err
	}
	out, err := inner.values(fn.Body.Results)
	if err == nil {
		f.ownAll(n, inner.sole(fn.Body.Results, out))
	}
	return out, err
}

// ownAll records the ownership of the results of n.
func (f *frame) ownAll(n *dag.Node, owners []owner) {
	for i, o := range owners {
		f.own(n.Outputs[i], o)
	}
}
