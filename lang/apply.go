package lang

import "github.com/skainet-dev/skainet-go/compile/op"

// Apply applies an operation of the table (compile/op) by its ID: for tools and tests
// that are made from the table. Attributes with a default may be left out, and the
// operands of elementwise operations broadcast. There is at least one operand.
func Apply(i op.ID, attributes op.Attrs, in ...Tensor) []Tensor {
	o := op.Of(i)
	if o.Family == op.Elementwise && len(in) == 2 {
		x, y := broadcast(o.Name, in[0], in[1])
		in = []Tensor{x, y}
	}
	f := in[0].f
	return f.outputs(f.node(o.Name, attributes, in...))
}
