// Package draw draws graphs: DOT text with shapes and sizes, for
// Graphviz to lay out, as package svg does.
//
// # Errors
//
// The DAG_* errors of a graph that is not valid.
//
// # Determinism
//
// DOT is the same bytes for equal graphs.
package draw

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"

	"github.com/dustin/go-humanize"
	"gonum.org/v1/gonum/graph"
	"gonum.org/v1/gonum/graph/encoding"
	"gonum.org/v1/gonum/graph/encoding/dot"
	"gonum.org/v1/gonum/graph/multi"

	"github.com/skainet-dev/skainet-go/compile/dag"
	"github.com/skainet-dev/skainet-go/compile/op"
	"github.com/skainet-dev/skainet-go/tensor"
)

// DOT returns the graph in Graphviz's language: a box for each node with its
// operation, attributes and path, a cluster for each function and nested block,
// an arrow for each use with the type of the value and its size.
func DOT(g *dag.Graph) ([]byte, error) { return text(g, notes{}) }

// text returns the DOT text with notes in place of some arrows.
func text(g *dag.Graph, n notes) ([]byte, error) {
	if err := dag.Verify(g); err != nil {
		return nil, err
	}
	p := &picture{DirectedGraph: multi.NewDirectedGraph(), makers: map[*dag.Value]graph.Node{}, names: map[*dag.Value]string{}, notes: n}
	for _, f := range g.Funcs {
		c := p.cluster(&p.clusters, f.Name+"("+strings.Join(f.Args, ", ")+")")
		p.function(c, f)
	}
	text, err := dot.MarshalMulti(p, quote(g.Name), "", " ")
	return append(text, '\n'), err // only for a name that the encoder cannot quote; ours are quoted
}

// picture implements the graph interfaces of gonum's encoder.
type picture struct {
	*multi.DirectedGraph
	makers   map[*dag.Value]graph.Node
	names    map[*dag.Value]string // of arguments
	notes    notes
	clusters []dot.Multigraph
	count    int   // of clusters
	vertices int64 // drawn
	lines    int64
}

// DOTAttributers returns the defaults.
func (p *picture) DOTAttributers() (graph, node, edge encoding.Attributer) {
	font := quote("Helvetica")
	return pairs("rankdir", "TB", "fontname", font),
		pairs("shape", "box", "style", quote("rounded,filled"), "fillcolor", "white", "fontname", font, "fontsize", "11"),
		pairs("fontname", font, "fontsize", "9")
}

// Structure returns the clusters.
func (p *picture) Structure() []dot.Multigraph { return p.clusters }

// cluster is a function or a nested block; its members are drawn by the picture.
type cluster struct {
	*multi.DirectedGraph
	id       string
	label    string
	clusters []dot.Multigraph
}

func (c *cluster) DOTID() string               { return c.id }
func (c *cluster) Structure() []dot.Multigraph { return c.clusters }
func (c *cluster) add(id int64, name string)   { c.AddNode(member{id, name}) }
func (p *picture) cluster(list *[]dot.Multigraph, label string) *cluster {
	c := &cluster{DirectedGraph: multi.NewDirectedGraph(), id: "cluster_" + strconv.Itoa(p.count), label: label}
	p.count++
	*list = append(*list, c)
	return c
}

// DOTAttributers returns the cluster's title.
func (c *cluster) DOTAttributers() (graph, node, edge encoding.Attributer) {
	return pairs("label", quote(c.label), "color", "gray"), attrs{}, attrs{}
}

type attrs []encoding.Attribute

// pairs takes keys and values in turn.
func pairs(text ...string) attrs {
	var a attrs
	for i := 0; i < len(text); i += 2 {
		a = append(a, encoding.Attribute{Key: text[i], Value: text[i+1]})
	}
	return a
}

func (a attrs) Attributes() []encoding.Attribute { return a }

// member refers to a vertex without repeating its attributes.
type member struct {
	id   int64
	name string
}

func (m member) ID() int64     { return m.id }
func (m member) DOTID() string { return m.name }

// vertex is a node, an argument or a result.
type vertex struct {
	member
	attrs
}

// line is a use of a value.
type line struct {
	multi.Line
	attrs
}

func (p *picture) vertex(c *cluster, label, fill string, more ...encoding.Attribute) graph.Node {
	id := p.vertices
	p.vertices++
	v := vertex{member{id, "n" + strconv.FormatInt(id, 10)}, pairs("label", quote(label))}
	if fill != "" {
		v.attrs = append(v.attrs, encoding.Attribute{Key: "fillcolor", Value: quote(fill)})
	}
	v.attrs = append(v.attrs, more...)
	p.AddNode(v)
	c.add(id, v.name)
	return v
}

func (p *picture) use(v *dag.Value, to graph.Node) {
	from := p.makers[v]
	p.lines++
	p.SetLine(line{
		multi.Line{F: from, T: to, UID: p.lines},
		pairs("label", quote(typeText(v.Type))),
	})
}

func (p *picture) function(c *cluster, f *dag.Func) {
	p.block(c, f.Body, func(i int) string { return f.Args[i] })
	for i, v := range f.Body.Results {
		p.use(v, p.vertex(c, f.Results[i], "#d8f0d8"))
	}
	for _, w := range f.Writes {
		p.use(w.Value, p.vertex(c, "write "+w.State, "#f0e0d8"))
	}
}

func (p *picture) block(c *cluster, b *dag.Block, name func(i int) string) {
	for i, v := range b.Args {
		p.names[v] = name(i)
		p.makers[v] = p.vertex(c, name(i)+"\n"+typeText(v.Type)+p.notes.marks(v), "#d8e4f8")
	}
	for _, n := range b.Nodes {
		at := p.vertex(c, label(n)+p.notes.marks(n.Outputs...), fill(n))
		for _, v := range n.Inputs {
			if p.notes.has(v, n) {
				p.note(c, v, at)
			} else {
				p.use(v, at)
			}
		}
		for _, v := range n.Outputs {
			p.makers[v] = at
		}
		for i, inner := range n.Blocks {
			in := p.cluster(&c.clusters, fmt.Sprintf("block %d of %s", i, n.Path))
			p.block(in, inner, func(j int) string { return fmt.Sprintf("carried %d", j) })
			for j, v := range inner.Results {
				p.use(v, p.vertex(in, fmt.Sprintf("result %d", j), "#d8f0d8"))
			}
		}
	}
}

// fill returns a colour that distinguishes weights and constants from computed values.
func fill(n *dag.Node) string {
	switch n.Op.Role {
	case op.Weight:
		return "#f8f0c8"
	case op.Literal, op.Uniform, op.Counts:
		return "#eeeeee"
	case op.Variable:
		return "#f0e0d8"
	}
	return ""
}

// label returns the operation, its attributes and its path.
func label(n *dag.Node) string {
	lines := []string{n.Op.Name}
	for _, name := range n.Attrs.Names() {
		text := fmt.Sprint(n.Attrs[name])
		if v, ok := n.Attrs[name].(tensor.Value); ok {
			text = typeText(v.Type)
		}
		const most = 40
		if r := []rune(text); len(r) > most {
			text = string(r[:most]) + "..."
		}
		lines = append(lines, name+" = "+text)
	}
	return strings.Join(append(lines, n.Path), "\n")
}

// typeText returns "f32[2x3], 24 B".
func typeText(t tensor.Type) string {
	n, err := t.Bytes()
	if err != nil {
		return t.String() // dynamic: no size
	}
	return t.String() + ", " + humanize.IBytes(uint64(n))
}

// quote returns a DOT string. A line feed becomes an
// escape, which a label shows as a new line; other control
// characters become spaces.
func quote(s string) string {
	s = strings.Map(func(r rune) rune {
		if r != '\n' && !unicode.IsPrint(r) {
			return ' '
		}
		return r
	}, s)
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`).Replace(s) + `"`
}
