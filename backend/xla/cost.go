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
// it keeps on one device alone.
type Share struct {
	Devices                  int64
	Weights, WholeWeights    int64
	States, WholeStates      int64
	SplitWeights, AllWeights int // numbers of parameters
}

// ShareOf returns the memory of a graph. It needs no plugin.
func ShareOf(g *dag.Graph) (Share, error) {
	s := Share{Devices: g.Mesh.Devices()}
	mesh := g.Mesh
	if !mesh.Spans() {
		mesh = &dag.Mesh{}
	}
	params, err := g.Params()
	if err != nil {
		return s, err
	}
	add := func(t tensor.Type, sharding dag.Sharding, part, whole *int64) error {
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
	for _, p := range params {
		sharding := mesh.Parameter(p.Key, p.Type.Shape.Rank())
		if s.AllWeights++; !sharding.IsWhole() {
			s.SplitWeights++
		}
		if err := add(p.Type, sharding, &s.Weights, &s.WholeWeights); err != nil {
			return s, err
		}
	}
	for _, v := range g.States {
		if err := add(v.Type, mesh.States[v.Name], &s.States, &s.WholeStates); err != nil {
			return s, err
		}
	}
	return s, nil
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

// Costs compiles the graph of o for its sizes, and returns what calls take. Weights are not
// read, and the cache is not used.
func Costs(ctx context.Context, o Options) ([]Cost, error) {
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
