package op

import "github.com/skainet-dev/skainet-go/tensor"

// The result types of control operations depend on the graph, which this
// package does not know: the graph builder gives them in the attribute types.
var controlOps = []*Op{
	{
		Name: "while", Family: Control, Blocks: 2, Traits: moves.role(Loops).memory(Inner),
		Doc:      "Carries values through the body (second block) for as long as the condition (first block, one bool scalar) holds; both blocks take the carried values. The results are the last carried values.",
		Operands: []Operand{{Name: "initial", Class: Any, Variadic: true}},
		Rule:     func(c *Call) ([]tensor.Type, error) { return append([]tensor.Type{}, c.In...), nil },
	},
	{
		Name: "cond", Family: Control, Blocks: 2, Traits: moves.role(Chooses).memory(Inner),
		Doc:      "The results of the first block where predicate holds, else of the second; only that block is computed. The blocks take no arguments, use values from around them, and give results of the same types, at least one.",
		Operands: []Operand{{Name: "predicate", Class: Bool}},
		Rule: func(c *Call) ([]tensor.Type, error) {
			if c.In[0].Shape.Rank() != 0 {
				return nil, c.Failf(CodeShape, "the predicate must be a scalar")
			}
			return nil, nil
		},
	},
	{
		Name: "call", Family: Control, Traits: moves.role(Calls).memory(Inner),
		Doc:        "Calls another function of the module; operands and results are that function's.",
		Operands:   []Operand{{Name: "arguments", Class: Any, Variadic: true}},
		Attributes: []Attribute{{Name: "function", Kind: KindString, Doc: "name of the function called"}},
		Rule:       func(c *Call) ([]tensor.Type, error) { return nil, nil },
	},
	{
		Name: "barrier", Family: Control, Traits: moves.memory(View),
		Doc:      "x itself, computed once and stored: a compiler may not fuse what makes it with what uses it. For places where recomputing costs more than memory.",
		Operands: []Operand{{Name: "x", Class: Any}},
		Rule:     same,
	},
}
