package dag

import (
	"cmp"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/agnivade/levenshtein"

	"github.com/skainet-dev/skainet-go/compile/op/id"
	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/tensor"
)

// MeshValues are the values that a mesh can split, by the names that it has for them.
type MeshValues struct {
	Parameters map[string]tensor.Type // as they are stored
	// Blocks are the parameters that are stored in blocks, whose last dimension is the bytes of
	// a block.
	Blocks                     map[string]bool
	States, Arguments, Results map[string]tensor.Type
}

// valuesOf returns the values of a graph.
func valuesOf(g *Graph) (MeshValues, error) {
	v := MeshValues{map[string]tensor.Type{}, map[string]bool{}, map[string]tensor.Type{}, map[string]tensor.Type{}, map[string]tensor.Type{}}
	params, err := g.Params()
	if err != nil {
		return v, err
	}
	for _, p := range params {
		v.Parameters[p.Key], v.Blocks[p.Key] = p.Type, !p.Encoding.IsDense()
	}
	for _, s := range g.States {
		v.States[s.Name] = s.Type
	}
	for _, f := range g.Funcs {
		if !f.Entry {
			continue
		}
		for i, name := range f.Args {
			v.Arguments[PortName(f.Name, name)] = f.Body.Args[i].Type
		}
		for i, name := range f.Results {
			v.Results[PortName(f.Name, name)] = f.Body.Results[i].Type
		}
	}
	return v, nil
}

// kindWeight is what a message calls a parameter.
const kindWeight = "weight"

// CheckValues returns an error if the mesh splits a value that is not among v, or that its
// sharding does not fit.
func (m *Mesh) CheckValues(v MeshValues) error {
	for _, c := range []struct {
		what      string
		shardings map[string]Sharding
		types     map[string]tensor.Type
	}{
		{kindWeight, m.Parameters, v.Parameters}, {"state variable", m.States, v.States},
		{"argument", m.Arguments, v.Arguments}, {"result", m.Results, v.Results},
	} {
		for _, name := range slices.Sorted(maps.Keys(c.shardings)) {
			s := c.shardings[name]
			t, is := c.types[name]
			if !is {
				return errs.New(CodeSharding, "the mesh splits the %s %q, which does not exist", c.what, name).On(name).Hint("%s", nearest(name, c.types))
			}
			if c.what == kindWeight && v.Blocks[name] {
				s = m.Parameter(name, t.Shape.Rank())
			}
			if s != nil {
				if err := m.Fits(t, s); err != nil {
					return at(err, name)
				}
			}
		}
	}
	return nil
}

// nearest is a hint of the names that are most like one.
func nearest(name string, types map[string]tensor.Type) string {
	const most, long = 3, 200 // to compare names costs the product of their lengths
	type near struct {
		name     string
		distance int
	}
	var all []near
	for _, n := range slices.Sorted(maps.Keys(types)) {
		if len(n) <= long && len(name) <= long {
			all = append(all, near{n, levenshtein.ComputeDistance(name, n)})
		}
	}
	if len(all) == 0 {
		return "leave it out"
	}
	slices.SortStableFunc(all, func(a, b near) int { return cmp.Compare(a.distance, b.distance) })
	var names []string
	for _, n := range all[:min(most, len(all))] {
		names = append(names, strconv.Quote(n.name))
	}
	return "the names most like it are " + strings.Join(names, ", ")
}

// Within returns the mesh for g, which a rewrite made of the mesh's graph: without the values
// that g does not have any more.
func (m *Mesh) Within(g *Graph) *Mesh {
	if m == nil {
		return nil
	}
	v, err := valuesOf(g)
	if err != nil {
		return m // the verifier finds it
	}
	kept := func(shardings map[string]Sharding, types map[string]tensor.Type) map[string]Sharding {
		out := maps.Clone(shardings)
		maps.DeleteFunc(out, func(name string, _ Sharding) bool {
			_, is := types[name]
			return !is
		})
		return out
	}
	out := *m
	out.Parameters, out.States = kept(m.Parameters, v.Parameters), kept(m.States, v.States)
	out.Arguments, out.Results = kept(m.Arguments, v.Arguments), kept(m.Results, v.Results)
	return &out
}

// sharded checks the mesh of a graph against its values.
func (g *Graph) sharded() error {
	m := g.Mesh
	if m == nil {
		return nil
	}
	if err := m.Check(g.Name); err != nil {
		return err
	}
	for _, f := range g.Funcs {
		var fault error
		f.Body.Walk(func(n *Node) {
			if n.Op.ID == id.Shard && fault == nil {
				fault = at(m.Fits(n.Outputs[0].Type, ParseSharding(n.Attrs.String("axes"))), n.Path)
			}
		})
		if fault != nil {
			return fault
		}
	}
	v, err := valuesOf(g)
	if err != nil {
		return err
	}
	return m.CheckValues(v)
}
