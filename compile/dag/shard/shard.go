// Package shard lays a graph out over the devices of a mesh by rules, so that a model runs on
// several devices and its code says nothing of it.
//
// A Layout is rules of names for one kind of model, such as causal.Config.TensorParallel for
// decoders and bert.DataParallel; Apply gives a graph a mesh by one. A model may say itself
// how a value is split (lang.Tensor.Shard), which goes before the rules.
//
// # Errors
//
// SHARD_AXES for a text that is no mesh; SHARD_UNUSED for an axis that splits nothing;
// DAG_MESH and DAG_SHARDING of the verifier.
//
// # Determinism
//
// The mesh depends only on the graph, the axes and the layout.
package shard

import (
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/skainet-dev/skainet-go/compile/dag"
	"github.com/skainet-dev/skainet-go/compile/op/id"
	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/tensor/shape"
)

// Codes of this package.
const (
	CodeAxes   errs.Code = "SHARD_AXES"   // smallest input: --mesh=model
	CodeUnused errs.Code = "SHARD_UNUSED" // smallest input: an axis that no rule names
)

// Layout says how the values of a kind of models are split.
type Layout struct {
	Parameters, States []Rule
	Arguments, Results []Rule // of entry points, as dag.PortName names them
}

// Rule says how the values with some names are split. The first rule that a name matches
// counts. A dimension that the devices do not divide, or whose axis the mesh does not have,
// stays whole: one layout is for all sizes of a model, and for all meshes.
type Rule struct {
	Names string       // a pattern of path.Match
	Axes  dag.Sharding // of each dimension
	// Parts, if not 0, is the number of parts of a split dimension that stay whole, such as
	// attention heads.
	Parts int64
}

// ParseAxes parses the axes of a mesh, "data=2,model=4".
func ParseAxes(text string) ([]dag.Axis, error) {
	var axes []dag.Axis
	for part := range strings.SplitSeq(text, ",") {
		name, size, ok := strings.Cut(part, "=")
		n, err := strconv.ParseInt(size, 10, 64)
		if !ok || err != nil || name == "" {
			return nil, errs.New(CodeAxes, "%q is no axis of a mesh", part).Hint("write NAME=DEVICES, such as model=4, with commas between several")
		}
		axes = append(axes, dag.Axis{Name: name, Size: n})
	}
	return axes, nil
}

// Apply returns g on a mesh of these axes, which take the place of those that it has: a model's
// code says how values are split, and who runs it on how many devices. An axis that the code
// splits values along must be among them. g is not changed; both share all but the mesh.
func Apply(g *dag.Graph, axes []dag.Axis, l Layout) (*dag.Graph, error) {
	out := *g
	a := applied{mesh: &dag.Mesh{Axes: axes}, used: map[string]bool{}}
	said := &dag.Mesh{}
	if g.Mesh != nil {
		said = g.Mesh
	}
	out.Mesh = a.mesh
	params, err := g.Params()
	if err != nil {
		return nil, err
	}
	a.mesh.Parameters = map[string]dag.Sharding{}
	for _, p := range params {
		a.note(a.mesh.Parameters, said.Parameters, l.Parameters, p.Key, p.Type.Shape)
	}
	a.mesh.States = map[string]dag.Sharding{}
	for _, s := range g.States {
		a.note(a.mesh.States, said.States, l.States, s.Name, s.Type.Shape)
	}
	a.mesh.Arguments, a.mesh.Results = map[string]dag.Sharding{}, map[string]dag.Sharding{}
	for _, f := range g.Funcs {
		f.Body.Walk(func(n *dag.Node) {
			if n.Op.ID == id.Shard {
				a.split(dag.ParseSharding(n.Attrs.String("axes")))
			}
		})
		if !f.Entry {
			continue
		}
		for i, name := range f.Args {
			a.note(a.mesh.Arguments, said.Arguments, l.Arguments, dag.PortName(f.Name, name), f.Body.Args[i].Type.Shape)
		}
		for i, name := range f.Results {
			a.note(a.mesh.Results, said.Results, l.Results, dag.PortName(f.Name, name), f.Body.Results[i].Type.Shape)
		}
	}
	if err := dag.Verify(&out); err != nil {
		return nil, err
	}
	for _, axis := range axes {
		if !a.used[axis.Name] {
			return nil, errs.New(CodeUnused, "the axis %q of %d devices splits nothing of the model", axis.Name, axis.Size).On(g.Name).
				Hint("%s", a.hint())
		}
	}
	return &out, nil
}

// applied is a mesh that is being made.
type applied struct {
	mesh  *dag.Mesh
	used  map[string]bool // axes
	known []string        // axes that rules name
}

func (a *applied) hint() string {
	if len(a.known) == 0 {
		return "nothing says how this model is split"
	}
	slices.Sort(a.known)
	return "the model is split along " + strings.Join(slices.Compact(a.known), ", ") + ", by a number of devices that divides its sizes"
}

// note finds how a value is split.
func (a *applied) note(into, said map[string]dag.Sharding, rules []Rule, name string, sizes shape.Shape) {
	if s := said[name]; s != nil {
		a.keep(into, name, s)
		return
	}
	for _, r := range rules {
		if match, err := path.Match(r.Names, name); err != nil || !match {
			continue
		}
		// One in blocks has the bytes of a block after its own dimensions.
		if len(r.Axes) != len(sizes) && len(r.Axes) != len(sizes)-1 {
			continue
		}
		s := make(dag.Sharding, len(r.Axes))
		for i, axis := range r.Axes {
			if axis != "" {
				a.known = append(a.known, axis)
			}
			if a.divides(axis, sizes[i], r.Parts) {
				s[i] = axis
			}
		}
		if !s.IsWhole() {
			a.keep(into, name, s)
		}
		return
	}
}

func (a *applied) keep(into map[string]dag.Sharding, name string, s dag.Sharding) {
	into[name] = s
	a.split(s)
}

// split notes that axes split something.
func (a *applied) split(s dag.Sharding) {
	for _, axis := range s {
		a.used[axis] = true
	}
}

func (a *applied) divides(axis string, d shape.Dim, parts int64) bool {
	i := slices.IndexFunc(a.mesh.Axes, func(x dag.Axis) bool { return x.Name == axis })
	if i < 0 || a.mesh.Axes[i].Size < 1 {
		return false
	}
	n := a.mesh.Axes[i].Size
	return parts%n == 0 && (!d.IsStatic() || d.Size%n == 0)
}
