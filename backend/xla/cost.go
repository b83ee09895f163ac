package xla

import (
	"context"

	"github.com/skainet-dev/skainet-go/backend/xla/pjrt"
	"github.com/skainet-dev/skainet-go/compile/contract"
	"github.com/skainet-dev/skainet-go/compile/dag"
	"github.com/skainet-dev/skainet-go/compile/dag/describe"
	"github.com/skainet-dev/skainet-go/tensor"
)

// Share is the memory that a graph keeps on each device of its mesh, in bytes; Whole* is what
// it keeps on one device alone. Weights are counted as they are stored, Packed, and Unpacked is
// what there is in place of them in that form, which Open chooses where there is room; while
// it unpacks a weight that one is there in both.
type Share struct {
	Devices                  int64
	Weights, WholeWeights    int64
	Unpacked, WholeUnpacked  int64
	States, WholeStates      int64
	SplitWeights, AllWeights int // numbers of parameters
}

// ShareOf returns the memory of a graph. It needs no plugin.
func ShareOf(g *dag.Graph) (Share, error) {
	s := Share{Devices: g.Mesh.Devices()}
	var err error
	if s.SplitWeights, s.AllWeights, err = addWeights(g, &s.Weights, &s.WholeWeights); err != nil {
		return s, err
	}
	unpacked, _, err := dag.Unpacked(g)
	if err != nil {
		return s, err
	}
	if _, _, err := addWeights(unpacked, &s.Unpacked, &s.WholeUnpacked); err != nil {
		return s, err
	}
	mesh := meshOf(g)
	for _, v := range g.States {
		if err := share(mesh, v.Type, mesh.States[v.Name], &s.States, &s.WholeStates); err != nil {
			return s, err
		}
	}
	return s, nil
}

func meshOf(g *dag.Graph) *dag.Mesh {
	if g.Mesh.Spans() {
		return g.Mesh
	}
	return &dag.Mesh{}
}

// addWeights adds up a graph's parameters, and counts those that are split, and all.
func addWeights(g *dag.Graph, part, whole *int64) (split, all int, err error) {
	params, err := g.Params()
	if err != nil {
		return 0, 0, err
	}
	mesh := meshOf(g)
	for _, p := range params {
		sharding := mesh.Parameter(p.Key, p.Type.Shape.Rank())
		if all++; !sharding.IsWhole() {
			split++
		}
		if err := share(mesh, p.Type, sharding, part, whole); err != nil {
			return 0, 0, err
		}
	}
	return split, all, nil
}

// share adds what each device has of a value, and the whole of it.
func share(mesh *dag.Mesh, t tensor.Type, sharding dag.Sharding, part, whole *int64) error {
	n, err := t.Bytes()
	if err != nil {
		return err
	}
	*whole += n
	if !sharding.IsWhole() {
		if n, err = mesh.Part(t, sharding).Bytes(); err != nil {
			return err
		}
	}
	*part += n
	return nil
}

// Cost is what a call of an entry point takes of each device.
type Cost struct {
	Entry string
	Sizes map[string]int64
	// Need is the memory, as far as the plugin tells it: nil where it does not.
	Need *pjrt.Need
	// Collectives are those of the program that XLA made for the mesh; none for one device.
	Collectives []Collective
}

// Costs compiles the graph of o for its sizes, and returns what calls take, with weights in
// the form Options.Weights; "" is Unpacked, whatever there is room for. Weights are not read, and
// the cache is not used.
func Costs(ctx context.Context, o Options) ([]Cost, error) {
	if err := CheckForm(o.Weights); err != nil {
		return nil, err
	}
	if o.Weights != Packed {
		var err error
		if o.Graph, _, err = dag.Unpacked(o.Graph); err != nil {
			return nil, err
		}
	}
	c, err := describe.Contract(o.Graph)
	if err != nil {
		return nil, err
	}
	o.Cache = nil
	from := &compiled{graph: o.Graph, o: o, known: map[string]*program{}}
	e, err := newEngine(o, c, from, o.Graph.Mesh)
	if err != nil {
		return nil, err
	}
	defer e.giveUp(ctx)
	var out []Cost
	err = each(o.Graph, c, o.Sizes, func(entry *contract.Entry, sizes map[string]int64) error {
		p, err := e.find(ctx, entry, sizes)
		if err != nil {
			return err
		}
		cost := Cost{Entry: entry.Name, Sizes: sizes}
		if need, err := p.executable.Memory(); err == nil {
			cost.Need = &need
		}
		if e.mesh.Spans() {
			module, err := p.executable.Optimized()
			if err != nil {
				return on(err, entry.Name)
			}
			if cost.Collectives, err = collectives(module, e.mesh.Devices()); err != nil {
				return on(err, entry.Name)
			}
		}
		out = append(out, cost)
		return p.executable.Close()
	})
	return out, err
}
