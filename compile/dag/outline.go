package dag

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/skainet-dev/skainet-go/compile/op"
	"github.com/skainet-dev/skainet-go/compile/op/id"
)

// layer matches the scope of one of several parts of a function that are built the same way.
var layer = regexp.MustCompile(`^layer_[0-9]+$`)

// Outline returns g with the layers of its functions as private functions, one for
// all layers that compute the same: what a model builds in scopes layer_0, layer_1, ...
// of a function (lang.Func.Scope), each contiguous. Parameters are read by the caller
// and passed as arguments. A layer stays in place if no other is equal, or if it has
// loops, conditionals, or products whose kernel reads a parameter (dot_general).
//
// This makes the text shorter and leaves the program unchanged, since
// compilers inline such functions. g is not changed, and is returned if there
// is nothing to do; both share constants.
func Outline(g *Graph) (*Graph, error) {
	o := &outliner{
		rewriter: rewriter{to: &Graph{Name: g.Name, States: g.States, Mesh: g.Mesh}, which: func(*Node) bool { return false }, names: map[string]bool{}},
		count:    map[string]int{}, made: map[string]*Func{},
	}
	regions := map[*Func][]region{}
	for _, f := range g.Funcs {
		o.names[f.Name] = true
		regions[f] = regionsOf(f)
		for _, r := range regions[f] {
			o.count[r.key]++
		}
	}
	found := false
	for _, n := range o.count {
		found = found || n > 1
	}
	if !found {
		return g, nil
	}
	for _, f := range g.Funcs {
		if err := o.function(f, regions[f]); err != nil {
			return nil, err
		}
	}
	return o.to, nil
}

type outliner struct {
	rewriter
	count map[string]int
	made  map[string]*Func
}

// region is a layer: consecutive nodes of a function's own block.
type region struct {
	first, end      int     // indices among the block's nodes
	params, nodes   []*Node // parameters, which stay, and the other nodes
	inputs, outputs []*Value
	key             string // what it computes; the same for equal layers
}

func regionsOf(f *Func) []region {
	var list []region
	scopeOf := func(n *Node) string {
		rest, ok := strings.CutPrefix(n.Path, f.Name+"/")
		scope, _, inside := strings.Cut(rest, "/")
		if !ok || !inside || !layer.MatchString(scope) {
			return ""
		}
		return scope
	}
	nodes, used := f.Body.Nodes, usersOf(f)
	for i := 0; i < len(nodes); {
		scope, end := scopeOf(nodes[i]), i+1
		for end < len(nodes) && scopeOf(nodes[end]) == scope {
			end++
		}
		if scope != "" {
			if r := (region{first: i, end: end}); r.describe(f, used) {
				list = append(list, r)
			}
		}
		i = end
	}
	return list
}

// describe fills in the rest; it reports whether the layer can be a function.
func (r *region) describe(f *Func, used map[*Value]users) bool {
	place := map[*Value]string{} // indices of the region's own values and of its inputs
	var key strings.Builder
	for _, n := range f.Body.Nodes[r.first:r.end] {
		if n.Op.Role == op.Weight {
			r.params = append(r.params, n)
			continue
		}
		if len(n.Blocks) > 0 || n.Op.ID == id.DotGeneral || n.Op.Role == op.Variable {
			return false
		}
		fmt.Fprintf(&key, "%s(", n.Op.Name)
		for _, v := range n.Inputs {
			if place[v] == "" {
				place[v] = fmt.Sprintf("x%d:%s", len(r.inputs), v.Type)
				r.inputs = append(r.inputs, v)
			}
			key.WriteString(place[v] + " ")
		}
		for _, name := range n.Attrs.Names() {
			fmt.Fprintf(&key, " %s=%v", name, n.Attrs[name])
		}
		for i, v := range n.Outputs {
			place[v] = fmt.Sprintf("%d.%d:%s", len(r.nodes), i, v.Type)
		}
		fmt.Fprintf(&key, ")%v\n", types(n.Outputs))
		r.nodes = append(r.nodes, n)
	}
	for _, n := range r.nodes {
		for _, v := range n.Outputs {
			if u, ok := used[v]; ok && (u.first < r.first || u.last >= r.end) {
				r.outputs = append(r.outputs, v)
				key.WriteString(place[v] + " ")
			}
		}
	}
	r.key = key.String()
	return len(r.nodes) > 1 && len(r.outputs) > 0
}

// users are the first and the last top-level node of a function that use a value;
// len(nodes) stands for its results and writes.
type users struct{ first, last int }

// usersOf visits each node once, so it takes linear time for a function of many
// layers.
func usersOf(f *Func) map[*Value]users {
	used := map[*Value]users{}
	note := func(at int, v *Value) {
		u, ok := used[v]
		if !ok {
			u.first = at
		}
		u.last = at
		used[v] = u
	}
	for i, n := range f.Body.Nodes {
		n.Reads(func(v *Value) { note(i, v) })
	}
	end := len(f.Body.Nodes)
	for _, v := range f.Body.Results {
		note(end, v)
	}
	for _, w := range f.Writes {
		note(end, w.Value)
	}
	return used
}

// function copies f with its layers as calls.
func (o *outliner) function(f *Func, regions []region) error {
	o.values = map[*Value]*Value{}
	body := &Block{}
	for _, v := range f.Body.Args {
		o.values[v] = body.AddArg(v.Type)
	}
	for i := 0; i < len(f.Body.Nodes); i++ {
		if len(regions) > 0 && regions[0].first == i {
			r := regions[0]
			regions = regions[1:]
			if o.count[r.key] > 1 {
				if err := o.call(body, f, r); err != nil {
					return err
				}
				i = r.end - 1
				continue
			}
		}
		if err := o.node(body, f.Body.Nodes[i]); err != nil {
			return err
		}
	}
	body.Results = o.all(f.Body.Results)
	made := &Func{Name: f.Name, Entry: f.Entry, Args: f.Args, Results: f.Results, Body: body}
	for _, w := range f.Writes {
		made.Writes = append(made.Writes, Write{w.State, o.values[w.Value]})
	}
	o.to.Funcs = append(o.to.Funcs, made)
	return nil
}

// call appends the parameters of a layer and the call of its function.
func (o *outliner) call(to *Block, f *Func, r region) error {
	for _, n := range r.params {
		if err := o.node(to, n); err != nil {
			return err
		}
	}
	callee := o.made[r.key]
	if callee == nil {
		callee = &Func{Body: &Block{}}
		for i := 1; callee.Name == "" || o.names[callee.Name]; i++ {
			callee.Name = fmt.Sprintf("%s_layer_%d", f.Name, i)
		}
		o.names[callee.Name] = true
		inner := rewriter{to: o.to, which: o.which, values: map[*Value]*Value{}}
		for i, v := range r.inputs {
			callee.Args = append(callee.Args, fmt.Sprintf("x%d", i))
			inner.values[v] = callee.Body.AddArg(v.Type)
		}
		for _, n := range r.nodes {
			if err := inner.node(callee.Body, n); err != nil {
				return err
			}
		}
		callee.Body.Results = inner.all(r.outputs)
		for i := range r.outputs {
			callee.Results = append(callee.Results, fmt.Sprintf("y%d", i))
		}
		o.made[r.key] = callee
		o.to.Funcs = append(o.to.Funcs, callee)
	}
	made, err := to.AddCall(r.nodes[0].Path, callee, o.all(r.inputs)...)
	if err != nil {
		return err
	}
	o.put(r.outputs, made.Outputs)
	return nil
}
