package onnx

import (
	"maps"
	"slices"
	"strconv"
)

// each calls f with every stored tensor, in the order in which they get keys.
func (m *Model) each(f func(t *Tensor)) {
	m.Graph.each(f)
	for i := range m.Functions {
		eachAttribute(m.Functions[i].Defaults, f)
		eachNode(m.Functions[i].Nodes, f)
	}
}

func (g *Graph) each(f func(t *Tensor)) {
	for i := range g.Initializers {
		f(&g.Initializers[i])
	}
	for i := range g.Sparse {
		f(&g.Sparse[i].Values)
		f(&g.Sparse[i].Indices)
	}
	eachNode(g.Nodes, f)
}

func eachNode(nodes []Node, f func(t *Tensor)) {
	for i := range nodes {
		eachAttribute(nodes[i].Attributes, f)
	}
}

func eachAttribute(all map[string]Attribute, f func(t *Tensor)) {
	for _, name := range slices.Sorted(maps.Keys(all)) {
		a := all[name]
		if a.Tensor != nil {
			f(a.Tensor)
		}
		if a.Sparse != nil {
			f(&a.Sparse.Values)
			f(&a.Sparse.Indices)
		}
		for i := range a.Tensors {
			f(&a.Tensors[i])
		}
		if a.Graph != nil {
			a.Graph.each(f)
		}
		for i := range a.Graphs {
			a.Graphs[i].each(f)
		}
	}
}

// keys gives each stored tensor a name that no other has. A file's order decides: who
// comes first has the plain name.
type keys struct {
	taken  map[string]bool
	next   map[string]int // the number to try next for a name that is taken
	graphs int            // that have a number for a place
}

func newKeys() *keys { return &keys{taken: map[string]bool{}, next: map[string]int{}} }

// key returns name, or place/name where name is taken, or one with a number.
func (k *keys) key(place, name string) string {
	if name == "" {
		name = "tensor"
	}
	tries := []string{name}
	if place != "" {
		tries = append(tries, place+"/"+name)
	}
	for _, key := range tries {
		if !k.taken[key] {
			k.taken[key] = true
			return key
		}
	}
	base := tries[len(tries)-1]
	for {
		k.next[base]++
		if key := base + "#" + strconv.Itoa(k.next[base]+1); !k.taken[key] {
			k.taken[key] = true
			return key
		}
	}
}

// model gives keys to the tensors of the main graph, of its nodes, and of the functions.
func (k *keys) model(m *Model) {
	k.graph(&m.Graph, "")
	for i := range m.Functions {
		f := &m.Functions[i]
		place := f.Name
		if f.Domain != "" {
			place = f.Domain + "." + f.Name
		}
		if f.Overload != "" {
			place += ":" + f.Overload
		}
		k.constants(f.Nodes, place)
		k.attributes(f.Defaults, place, place)
		k.nodes(f.Nodes, place)
	}
}

// graph gives keys to what is a value of the graph itself before what its nodes hold.
func (k *keys) graph(g *Graph, place string) {
	for i := range g.Initializers {
		t := &g.Initializers[i]
		t.Key = k.key(place, t.Name)
	}
	for i := range g.Sparse {
		g.Sparse[i].keys(k, place, g.Sparse[i].Name)
	}
	k.constants(g.Nodes, place)
	k.nodes(g.Nodes, place)
}

// constants gives keys to the tensors of Constant nodes, the names of their values.
func (k *keys) constants(nodes []Node, place string) {
	for i := range nodes {
		n := &nodes[i]
		if !n.constant() || len(n.Outputs) == 0 {
			continue
		}
		if t := n.Attributes["value"].Tensor; t != nil {
			t.Key = k.key(place, n.Outputs[0])
		}
		if s := n.Attributes["sparse_value"].Sparse; s != nil {
			s.keys(k, place, n.Outputs[0])
		}
	}
}

func (n *Node) constant() bool {
	return n.Op == "Constant" && (n.Domain == "" || n.Domain == "ai.onnx")
}

// nodes gives keys to the other tensors of nodes, and to those of their graphs.
func (k *keys) nodes(nodes []Node, place string) {
	for i := range nodes {
		n := &nodes[i]
		if len(n.Attributes) == 0 {
			continue
		}
		name := n.Name
		if len(n.Outputs) > 0 && n.Outputs[0] != "" {
			name = n.Outputs[0]
		}
		k.attributes(n.Attributes, place, name)
	}
}

// attributes gives keys to tensors that are not of Constant nodes, and to those of graphs.
func (k *keys) attributes(all map[string]Attribute, place, name string) {
	for _, attribute := range slices.Sorted(maps.Keys(all)) {
		a := all[attribute]
		own := name + "/" + attribute
		if a.Tensor != nil && a.Tensor.Key == "" {
			a.Tensor.Key = k.key(place, own)
		}
		if a.Sparse != nil && a.Sparse.Values.Key == "" {
			a.Sparse.keys(k, place, own)
		}
		for i := range a.Tensors {
			a.Tensors[i].Key = k.key(place, own+"/"+strconv.Itoa(i))
		}
		inner := k.inner(place, own)
		if a.Graph != nil {
			k.graph(a.Graph, inner)
		}
		for i := range a.Graphs {
			k.graph(&a.Graphs[i], inner+"/"+strconv.Itoa(i))
		}
	}
}

func (s *SparseTensor) keys(k *keys, place, name string) {
	s.Values.Key = k.key(place, name+"/values")
	s.Indices.Key = k.key(place, name+"/indices")
}

// inner returns the place of a graph: the path to its attribute, or a number where that
// is long, since each of its tensors may get it.
func (k *keys) inner(place, attribute string) string {
	if place != "" {
		attribute = place + "/" + attribute
	}
	if len(attribute) <= longestPlace {
		return attribute
	}
	k.graphs++
	return "graph#" + strconv.Itoa(k.graphs)
}

const longestPlace = 256
