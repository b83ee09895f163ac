package op

import (
	"slices"
	"strings"

	"github.com/skainet-dev/skainet-go/tensor"
)

// The result types of control operations depend on the graph, which this
// package does not see: the graph builder passes them in the attribute types.
var controlOps = []*Op{
	{
		Name: "while", Family: Control, Blocks: 2, Traits: moves.role(Loops).memory(Inner).padding(Apart),
		Doc:      "Loops: runs the body (second block) while the condition (first block, one bool scalar) is true; both blocks take the carried values. The results are the final carried values.",
		Operands: []Operand{{Name: "initial", Class: Any, Variadic: true}},
		Rule:     func(c *Call) ([]tensor.Type, error) { return append([]tensor.Type{}, c.In...), nil },
	},
	{
		Name: "cond", Family: Control, Blocks: 2, Traits: moves.role(Chooses).memory(Inner).padding(Apart),
		Doc:      "The results of the first block if predicate is true, else of the second; only that block is computed. The blocks have no arguments, may use values from the enclosing scope, and return at least one result, of the same types.",
		Operands: []Operand{{Name: "predicate", Class: Bool}},
		Rule: func(c *Call) ([]tensor.Type, error) {
			if c.In[0].Shape.Rank() != 0 {
				return nil, c.Failf(CodeShape, "the predicate must be a scalar")
			}
			return nil, nil
		},
	},
	{
		Name: "call", Family: Control, Traits: moves.role(Calls).memory(Inner).padding(Apart),
		Doc:        "Calls another function of the module; operands and results are that function's.",
		Operands:   []Operand{{Name: "arguments", Class: Any, Variadic: true}},
		Attributes: []Attribute{{Name: "function", Kind: KindString, Doc: "name of the function called"}},
		Rule:       func(c *Call) ([]tensor.Type, error) { return nil, nil },
	},
	{
		Name: "barrier", Family: Control, Traits: moves.memory(View).padding(Apart),
		Doc:      "x itself, computed once and materialised: a compiler may not fuse its producer with its consumers. For values whose recomputation costs more than memory.",
		Operands: []Operand{{Name: "x", Class: Any}},
		Rule:     same,
	},
	{
		Name: "shard", Family: Control, Traits: moves.memory(View).padding(Apart),
		Doc:        "x itself, whose parts are on the devices of a mesh where a program runs on several: each dimension that an axis is named for is split over the devices along it. On one device it does nothing.",
		Operands:   []Operand{{Name: "x", Class: Any}},
		Attributes: []Attribute{{Name: "axes", Kind: KindString, Doc: "the axis of each dimension, separated by commas; nothing for a dimension that is whole"}},
		Rule: func(c *Call) ([]tensor.Type, error) {
			if c.In[0].Shape.Rank() == 0 {
				return nil, c.Failf(CodeShape, "a scalar has no axes")
			}
			axes := strings.Split(c.Attrs.String("axes"), ",")
			if len(axes) != c.In[0].Shape.Rank() {
				return nil, c.Failf(CodeAttribute, "axes = %q names %d dimensions of %s", c.Attrs.String("axes"), len(axes), c.In[0])
			}
			for i, a := range axes {
				if a != "" && slices.Contains(axes[:i], a) {
					return nil, c.Failf(CodeAttribute, "axes = %q: an axis splits one dimension", c.Attrs.String("axes"))
				}
			}
			return same(c)
		},
	},
}
