package dag

import (
	"maps"
	"slices"

	"github.com/skainet-dev/skainet-go/compile/op"
	"github.com/skainet-dev/skainet-go/tensor/quant"
)

// Unpacking is a parameter in blocks that a graph of Unpacked reads as what is in them.
type Unpacking struct {
	Param             // as it is stored
	Unpacked   string // the key of what is in the blocks
	Sharding   Sharding
	WithBlocks bool // whether the blocks are read too, such as by a lookup of rows
}

// Unpacked returns g with each parameter in blocks that a product reads, or that is unpacked
// whole, in place of its blocks as another parameter: what is in them, f32. Whoever runs the
// graph makes those once, as Unpacking.Graph computes them. A product of one row is then
// computed as one of several: sums are in another order. g is not changed, and is returned if
// it has none.
func Unpacked(g *Graph) (*Graph, []Unpacking, error) {
	params, err := g.Params()
	if err != nil {
		return nil, nil, err
	}
	taken := map[string]bool{}
	for _, p := range params {
		taken[p.Key] = true
	}
	list := map[string]*Unpacking{}
	out, err := rebuild(g, &rewriter{which: func(*Node) bool { return false }, replace: func(p *rewriter, to *Block, n *Node) (bool, error) {
		at := slices.IndexFunc(n.Op.Operands, func(o op.Operand) bool { return o.Blocks })
		if at < 0 || n.Inputs[at].Node == nil || n.Inputs[at].Node.Op.Role != op.Weight {
			return false, nil
		}
		weight := n.Inputs[at].Node
		one := Param{weight.Attrs.String("scope"), weight.Attrs.String("key"), weight.Attrs.Type("type"), quant.Encoding(n.Attrs.String("encoding"))}
		u := list[one.Key]
		if u == nil {
			u = &Unpacking{Param: one, Unpacked: one.Key + ":f32"}
			for taken[u.Unpacked] {
				u.Unpacked += "_"
			}
		}
		read := func() (*Value, error) {
			list[one.Key], taken[u.Unpacked] = u, true
			w, err := to.AddAt(n.Inner(weight.Op.Name), weight.Op.Name, op.Attrs{"scope": one.Scope, "key": u.Unpacked, "type": one.Logical()})
			if err != nil {
				return nil, err
			}
			return w.Outputs[0], nil
		}
		switch {
		case len(n.Inputs) == 1: // gives what is in them
			w, err := read()
			if err == nil {
				p.values[n.Outputs[0]] = w
			}
			return true, err
		case n.Op.Reduces == op.Last: // multiplies with them
			w, err := read()
			if err != nil {
				return true, err
			}
			x := p.values[n.Inputs[0]]
			y, err := to.AddAt(n.Inner("dot_general"), "dot_general", op.Attrs{
				"lhs_contracting": []int64{int64(x.Type.Shape.Rank() - 1)}, "rhs_contracting": []int64{1},
			}, x, w)
			if err == nil {
				p.put(n.Outputs, y.Outputs)
			}
			return true, err
		}
		return false, nil
	}})
	if err != nil || len(list) == 0 {
		return g, nil, err
	}
	for _, f := range out.Funcs {
		live := map[*Value]bool{}
		for _, v := range f.Body.Results {
			live[v] = true
		}
		for _, w := range f.Writes {
			live[w.Value] = true
		}
		f.Body.Sweep(live)
	}
	left, err := out.Params()
	if err != nil {
		return nil, nil, err
	}
	if out.Mesh != nil {
		mesh := *out.Mesh
		mesh.Parameters = maps.Clone(mesh.Parameters)
		for key, u := range list {
			if s := mesh.Parameters[key]; s != nil {
				u.Sharding = s[:min(len(s), u.Type.Shape.Rank()-1)]
				if mesh.Parameters == nil {
					mesh.Parameters = map[string]Sharding{}
				}
				mesh.Parameters[u.Unpacked] = u.Sharding
			}
		}
		out.Mesh = mesh.Within(out)
	}
	var all []Unpacking
	for _, key := range slices.Sorted(maps.Keys(list)) {
		u := list[key]
		u.WithBlocks = slices.ContainsFunc(left, func(p Param) bool { return p.Key == key })
		all = append(all, *u)
	}
	return out, all, Verify(out)
}

// Graph returns the graph whose entry point main gives what is in the blocks, its argument, on
// the mesh of the graph.
func (u *Unpacking) Graph(mesh *Mesh) (*Graph, error) {
	b := &Block{}
	w := b.AddArg(u.Type)
	n, err := b.Add("dequantize_blocks", "main/unpack", op.Attrs{"encoding": string(u.Encoding)}, w)
	if err != nil {
		return nil, err
	}
	b.Results = []*Value{n.Outputs[0]}
	g := &Graph{Name: "unpack", Funcs: []*Func{{Name: "main", Entry: true, Args: []string{"w"}, Results: []string{"y"}, Body: b}}}
	if mesh.Spans() {
		g.Mesh = &Mesh{Axes: mesh.Axes}
		if u.Sharding != nil {
			blocks := append(slices.Clone(u.Sharding), "")
			g.Mesh.Arguments = map[string]Sharding{PortName("main", "w"): blocks}
			g.Mesh.Results = map[string]Sharding{PortName("main", "y"): u.Sharding}
		}
	}
	return g, Verify(g)
}
