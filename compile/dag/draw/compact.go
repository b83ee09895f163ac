package draw

import (
	"fmt"

	"gonum.org/v1/gonum/graph"
	"gonum.org/v1/gonum/graph/multi"

	"github.com/skainet-dev/skainet-go/compile/dag"
)

// far is the number of rows from which a use has a note instead of an arrow.
// A layout puts a point on every row that an arrow crosses, so an input used by a
// hundred layers would take minutes, and its arrows would be unreadable.
const far = 12

// Compact is like DOT, for a layout. A use far below the definition of its
// value has no arrow: a note at the use has the path of the node that
// computes the value, or the name of the argument, with type and size, and a
// number, such as (1), that is also at the definition.
func Compact(g *dag.Graph) ([]byte, error) {
	if err := dag.Verify(g); err != nil {
		return nil, err
	}
	r := rows{node: map[*dag.Node]int{}, argument: map[*dag.Value]int{}}
	for _, f := range g.Funcs {
		r.place(f.Body)
	}
	n := notes{rows: r, number: map[*dag.Value]int{}}
	for _, f := range g.Funcs {
		f.Body.Walk(func(by *dag.Node) {
			for _, v := range by.Inputs {
				if n.number[v] == 0 && r.node[by]-r.of(v) >= far {
					n.number[v] = len(n.number) + 1
				}
			}
		})
	}
	return text(g, n)
}

// notes says which uses have a note; none in the zero value.
type notes struct {
	rows   rows
	number map[*dag.Value]int // of values that have notes, from 1
}

func (n notes) has(v *dag.Value, by *dag.Node) bool {
	return n.number[v] > 0 && n.rows.node[by]-n.rows.of(v) >= far
}

// marks returns the numbers of values for a label.
func (n notes) marks(values ...*dag.Value) string {
	text := ""
	for _, v := range values {
		if k := n.number[v]; k > 0 {
			text += fmt.Sprintf("\n(%d)", k)
		}
	}
	return text
}

// note draws a use without an arrow from the definition.
func (p *picture) note(c *cluster, v *dag.Value, to graph.Node) {
	name := p.names[v]
	if v.Node != nil {
		name = v.Node.Path
	}
	from := p.vertex(c, name+"\n"+typeText(v.Type)+p.notes.marks(v), "", pairs("shape", "note", "style", "dashed")...)
	p.lines++
	p.SetLine(line{multi.Line{F: from, T: to, UID: p.lines}, pairs("style", "dashed")})
}

// rows estimates where a layout puts nodes: each below those that it depends on, except
// that arguments, weights and values computed only from weights are just above
// their first use.
type rows struct {
	node     map[*dag.Node]int
	argument map[*dag.Value]int
}

func (r rows) of(v *dag.Value) int {
	if v.Node != nil {
		return r.node[v.Node]
	}
	return r.argument[v]
}

func (r rows) place(b *dag.Block) {
	var order []*dag.Node
	free := map[*dag.Node]bool{} // depends on no argument
	b.Walk(func(n *dag.Node) {
		order = append(order, n)
		row, alone := 0, true
		for _, v := range n.Inputs {
			row = max(row, r.of(v)+1)
			alone = alone && v.Node != nil && free[v.Node]
		}
		r.node[n], free[n] = row, alone
	})
	first := map[*dag.Value]int{} // the row of the first use
	for i := len(order) - 1; i >= 0; i-- {
		n := order[i]
		if free[n] {
			row, used := 0, false
			for _, v := range n.Outputs {
				if use, ok := first[v]; ok && (!used || use-1 < row) {
					row, used = use-1, true
				}
			}
			if used {
				r.node[n] = row
			}
		}
		for _, v := range n.Inputs {
			if use, ok := first[v]; !ok || r.node[n] < use {
				first[v] = r.node[n]
			}
		}
	}
	for v, use := range first {
		if v.Node == nil {
			r.argument[v] = use - 1
		}
	}
}
