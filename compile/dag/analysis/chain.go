package analysis

import (
	"github.com/skainet-dev/skainet-go/compile/dag"
	"github.com/skainet-dev/skainet-go/compile/op"
)

// chain follows the computation of a fixed value that stays: what it is computed from is
// made for it, and dropped when nothing on the way needs it any more.
type chain struct {
	p     *planner
	owner *dag.Value          // of the value that stays, whose bytes are counted already
	steps map[*dag.Value]bool // there until the end, because more than one node uses them
	live  int64
	most  int64
}

// making returns the most bytes that the computation of v, a fixed value that stays, takes
// besides what stays.
func (p *planner) making(v *dag.Value) int64 {
	if most, known := p.made[v]; known {
		return most
	}
	c := &chain{p: p, owner: Owner(v), steps: map[*dag.Value]bool{}}
	c.compute(v)
	p.made[v] = c.most
	return c.most
}

// compute follows the computation of v, and returns the bytes that are there as long as it.
func (c *chain) compute(v *dag.Value) (bytes int64) {
	if c.steps[v] {
		return 0
	}
	if c.p.visits--; c.p.visits < 0 { // chains with so much in common that following each takes long
		c.reach(c.p.passing)
		return 0
	}
	n := v.Node
	var before int64 // of the inputs
	for _, in := range n.Inputs {
		if c.p.direct[in] {
			c.reach(plus(c.live, c.p.making(in)))
			continue
		}
		before = plus(before, c.compute(in))
	}
	for _, o := range n.Outputs {
		c.live = plus(c.live, c.size(o))
	}
	c.reach(c.live)
	if n.Op.Memory == op.Same {
		bytes = before
	} else {
		bytes = c.size(v)
		for _, o := range n.Outputs {
			if o != v {
				c.live -= min(c.live, c.size(o))
			}
		}
		c.live -= min(c.live, before)
	}
	if c.p.reads[v] > 1 {
		c.steps[v], bytes = true, 0
	}
	return bytes
}

// reach notes how much is held.
func (c *chain) reach(live int64) { c.most = max(c.most, live) }

// size returns the bytes that a value on the way takes.
func (c *chain) size(v *dag.Value) int64 {
	if v == c.owner || sharing(v.Node) {
		return 0
	}
	return c.p.held(v.Type)
}

// sharing reports whether the results of a node have no memory of their own.
func sharing(n *dag.Node) bool { return n.Op.Role == op.Weight || n.Op.Memory == op.Same }
