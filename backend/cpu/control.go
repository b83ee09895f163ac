package cpu

import (
	"slices"

	"github.com/skainet-dev/skainet-go/compile/dag"
)

var controlKernels = map[string]kernel{
	"while": while,
	"cond": func(f *frame, n *dag.Node, in []array) ([]array, error) {
		if in[0].data.(vec[boolean])[0] != 0 {
			return f.nested(n.Blocks[0], nil)
		}
		return f.nested(n.Blocks[1], nil)
	},
	"call": call,
	// Nothing is fused here, so there is nothing to keep apart.
	"barrier": func(_ *frame, _ *dag.Node, in []array) ([]array, error) { return in, nil },
}

func while(f *frame, n *dag.Node, in []array) ([]array, error) {
	cond, body := n.Blocks[0], n.Blocks[1]
	carried := slices.Clone(in)
	for {
		if err := f.cancelled(n); err != nil {
			return nil, err
		}
		again, err := f.nested(cond, carried)
		if err != nil {
			return nil, err
		}
		if again[0].data.(vec[boolean])[0] == 0 {
			return carried, nil
		}
		if carried, err = f.nested(body, carried); err != nil {
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
	inner.bind(fn.Body.Args, in)
	if err := inner.run(fn.Body); err != nil {
		return nil, err
	}
	return inner.values(fn.Body.Results)
}
