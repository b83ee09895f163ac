package lang

import (
	"errors"
	"slices"

	"github.com/skainet-dev/skainet-go/compile/dag"
	"github.com/skainet-dev/skainet-go/compile/op"
	"github.com/skainet-dev/skainet-go/compile/op/id"
	"github.com/skainet-dev/skainet-go/errs"
)

// Axis is an axis of a mesh of devices: its name, and how many devices are along it.
type Axis = dag.Axis

// Mesh declares the devices that the model runs on where a backend has several: those of XLA.
// Numbers are the same on one device, and on every other mesh. A model without a mesh may
// call Shard too, for the mesh that somebody gives its graph later (compile/dag/shard).
func (m *Module) Mesh(axes ...Axis) {
	if mesh := m.mesh(); len(mesh.Axes) > 0 {
		panic(errs.New(CodeMisuse, "the model has two meshes").On(m.graph.Name).Hint("call Module.Mesh once"))
	}
	m.graph.Mesh.Axes = axes
}

// mesh returns the graph's mesh.
func (m *Module) mesh() *dag.Mesh {
	if m.graph.Mesh == nil {
		m.graph.Mesh = &dag.Mesh{
			Parameters: map[string]dag.Sharding{}, States: map[string]dag.Sharding{},
			Arguments: map[string]dag.Sharding{}, Results: map[string]dag.Sharding{},
		}
	}
	return m.graph.Mesh
}

// Shard says how t is split over the devices of a mesh: the axis of each dimension, "" for one
// that is whole on each device. It changes no value. Of a parameter, an input of an entry
// point or what Func.Read returned it says how that is kept on the devices, and a result that
// Shard returned is split as it is; all others are whole on each device. In between, XLA splits
// what is not said as it sees fit.
//
// A dimension must be divisible by the devices along its axis, and an axis splits one
// dimension.
func (t Tensor) Shard(axes ...string) Tensor {
	s := dag.Sharding(axes)
	m := t.f.m
	if m == nil { // in a decomposition
		return t.f.add("shard", attrs{"axes": s.String()}, t)
	}
	if err := (&dag.Mesh{}).Fits(t.Type(), s); err != nil {
		var e *errs.Error
		if errors.As(err, &e) {
			panic(e.On(t.f.path))
		}
		panic(err)
	}
	keep := func(in map[string]dag.Sharding, name string) Tensor {
		if before, is := in[name]; is && !slices.Equal(before, s) {
			panic(t.f.misuse("%q is split as %q, and was split as %q before", name, s, before).Hint("split it once, the same way in each function"))
		}
		in[name] = s
		return t
	}
	switch n := t.v.Node; {
	case n == nil && t.f.f.Entry && t.f.block == t.f.f.Body:
		return keep(m.mesh().Arguments, dag.PortName(t.f.f.Name, t.f.f.Args[t.v.Port]))
	case n != nil && n.Op.Role == op.Weight:
		return keep(m.mesh().Parameters, n.Attrs.String("key"))
	case n != nil && n.Op.Role == op.Variable:
		return keep(m.mesh().States, n.Attrs.String("name"))
	}
	m.mesh()
	return t.f.add("shard", attrs{"axes": s.String()}, t)
}

// split notes how a result is split.
func (f *Func) split(name string, t Tensor) {
	switch n := t.v.Node; {
	case !f.f.Entry || f.m.graph.Mesh == nil:
	case n == nil:
		if s := f.m.graph.Mesh.Arguments[dag.PortName(f.f.Name, f.f.Args[t.v.Port])]; s != nil {
			f.m.graph.Mesh.Results[dag.PortName(f.f.Name, name)] = s
		}
	case n.Op.ID == id.Shard:
		f.m.graph.Mesh.Results[dag.PortName(f.f.Name, name)] = dag.ParseSharding(n.Attrs.String("axes"))
	}
}
