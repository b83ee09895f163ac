package passes

import (
	"crypto/sha256"
	"fmt"
	"math"
	"strings"

	"github.com/skainet-dev/skainet-go/compile/dag"
	"github.com/skainet-dev/skainet-go/compile/op"
	"github.com/skainet-dev/skainet-go/compile/op/id"
	"github.com/skainet-dev/skainet-go/tensor"
)

// Common merges nodes that compute the same: the same operation with the
// same attributes on the same values. A nested block reuses values of enclosing
// blocks; sibling blocks share nothing, since only one of them may run.
//
// Operations are pure, including private functions, so merging is exact. Reads
// of state, loops and conditionals, and barriers, which request that a value
// is materialised, are not merged. Constants with different names stay separate,
// since names are keys of an archive (see Duplicates).
func Common(g *dag.Graph) { mergeCommon(g) }

func mergeCommon(g *dag.Graph) (changed bool) {
	for _, f := range g.Funcs {
		c := &common{numbers: map[*dag.Value]int{}}
		e := newEditor()
		e.enter = func() { c.scopes = append(c.scopes, map[string]*dag.Node{}) }
		e.leave = func() { c.scopes = c.scopes[:len(c.scopes)-1] }
		e.function(f, c.visit)
		changed = changed || e.changed
	}
	return changed
}

type common struct {
	numbers map[*dag.Value]int
	scopes  []map[string]*dag.Node // of the block and its enclosing blocks
}

func (c *common) visit(_ *editor, n *dag.Node) []*dag.Value {
	key, ok := c.key(n)
	if !ok {
		return nil
	}
	if first := c.find(key); first != nil {
		return first.Outputs
	}
	c.scopes[len(c.scopes)-1][key] = n
	return nil
}

func (c *common) find(key string) *dag.Node {
	for _, s := range c.scopes {
		if n := s[key]; n != nil {
			return n
		}
	}
	return nil
}

// key identifies what n computes; ok is false for a node that must not be merged.
func (c *common) key(n *dag.Node) (string, bool) {
	if n.Op.Role == op.Variable || n.Op.ID == id.Barrier || len(n.Blocks) > 0 {
		return "", false
	}
	var b strings.Builder
	b.WriteString(n.Op.Name)
	for _, v := range n.Inputs {
		if _, ok := c.numbers[v]; !ok {
			c.numbers[v] = len(c.numbers)
		}
		fmt.Fprintf(&b, " %d", c.numbers[v])
	}
	for _, name := range n.Attrs.Names() {
		fmt.Fprintf(&b, " %s=", name)
		switch a := n.Attrs[name].(type) {
		case float64:
			fmt.Fprintf(&b, "%x", math.Float64bits(a)) // distinguishes signed zeros
		case tensor.Value:
			fmt.Fprintf(&b, "%s %x", a.Type, sha256.Sum256(a.Bytes))
		case string:
			fmt.Fprintf(&b, "%q", a)
		default:
			fmt.Fprintf(&b, "%v", a)
		}
	}
	return b.String(), true
}
