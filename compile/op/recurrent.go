package op

import (
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/shape"
)

var recurrentOps = []*Op{
	{
		Name: "gru_cell", Family: Recurrent, Traits: approximate.follow(),
		Doc: "One step of a gated recurrent unit (Cho et al. 2014): x [B, I] and state h [B, H] yield the next state [B, H]. Weights w [3H, I] and r [3H, H] and bias [6H] (for w, then for r) have the gates in ONNX's order: update z, reset r, hidden n. " +
			"z = sigmoid(Wz x + Rz h), r = sigmoid(Wr x + Rr h), h' = (1 - z) n + z h with n = tanh(Wn x + r (Rn h + bias)) if linear_before_reset, else n = tanh(Wn x + Rn (r h) + bias).",
		Operands: []Operand{
			{Name: "x", Class: Float}, {Name: "h", Class: Float}, {Name: "w", Class: Float}, {Name: "r", Class: Float}, {Name: "bias", Class: Float},
		},
		Attributes: []Attribute{{Name: "linear_before_reset", Kind: KindBool, Default: false, Doc: "whether the reset gate acts after the product with r, as in cuDNN and PyTorch"}},
		Rule: func(c *Call) ([]tensor.Type, error) {
			return c.cell(3, 2)
		},
		Decompose: func(c *Call, b *builder, in []expr) []expr {
			h := in[1].wide()
			size := h.dim(1).Size
			bias := in[4].wide()
			wx := affine(in[0].wide(), in[2].wide(), bias.slice(0, 0, 3*size, 1))
			r, rb := in[3].wide(), bias.slice(0, 3*size, 3*size, 1)
			gates := func(x expr, i int64) expr { return x.slice(1, i*size, size, 1) }
			both := affine(h, r.slice(0, 0, 2*size, 1), rb.slice(0, 0, 2*size, 1))
			z := gates(wx, 0).plus(gates(both, 0)).un("logistic")
			reset := gates(wx, 1).plus(gates(both, 1)).un("logistic")
			hidden, hiddenBias := r.slice(0, 2*size, size, 1), rb.slice(0, 2*size, size, 1)
			var n expr
			if c.Attrs.Bool("linear_before_reset") {
				n = reset.times(affine(h, hidden, hiddenBias))
			} else {
				n = affine(reset.times(h), hidden, hiddenBias)
			}
			n = gates(wx, 2).plus(n).un("tanh")
			one := b.splat(h.d(), 1)
			return []expr{one.minus(z).times(n).plus(z.times(h)).to(in[0].d())}
		},
	},
	{
		Name: "lstm_cell", Family: Recurrent, Traits: approximate.follow(),
		Doc: "One step of a long short-term memory (Hochreiter and Schmidhuber 1997, with forget gates): x [B, I], state h [B, H] and cell c [B, H] yield the next h and c. Weights w [4H, I] and r [4H, H] and bias [8H] (for w, then for r) have the gates in ONNX's order: input i, output o, forget f, cell g. " +
			"c' = sigmoid(f) c + sigmoid(i) tanh(g), h' = sigmoid(o) tanh(c').",
		Operands: []Operand{
			{Name: "x", Class: Float}, {Name: "h", Class: Float}, {Name: "c", Class: Float},
			{Name: "w", Class: Float}, {Name: "r", Class: Float}, {Name: "bias", Class: Float},
		},
		Rule: func(c *Call) ([]tensor.Type, error) {
			out, err := c.cell(4, 3)
			if err != nil {
				return nil, err
			}
			return append(out, out[0]), nil
		},
		Decompose: func(c *Call, _ *builder, in []expr) []expr {
			h, cell := in[1].wide(), in[2].wide()
			size := h.dim(1).Size
			bias := in[5].wide()
			sums := affine(in[0].wide(), in[3].wide(), bias.slice(0, 0, 4*size, 1)).
				plus(affine(h, in[4].wide(), bias.slice(0, 4*size, 4*size, 1)))
			gate := func(i int64) expr { return sums.slice(1, i*size, size, 1) }
			next := gate(2).un("logistic").times(cell).plus(gate(0).un("logistic").times(gate(3).un("tanh")))
			out := gate(1).un("logistic").times(next.un("tanh"))
			return []expr{out.to(in[0].d()), next.to(in[0].d())}
		},
	},
}

// affine returns x w^T + bias.
func affine(x, w, bias expr) expr { return x.dot(w, [2][]int64{}, [2][]int64{{1}, {1}}).plus(bias) }

// cell checks the operands of a cell with the given number of gates: x, first-1
// states, and then w (operand first), r and bias.
func (c *Call) cell(gates int64, first int) ([]tensor.Type, error) {
	if err := c.known(); err != nil {
		return nil, err
	}
	if err := c.oneDType(len(c.In)); err != nil {
		return nil, err
	}
	x, h := c.In[0].Shape, c.In[1].Shape
	if len(x) != 2 || len(h) != 2 || !x[0].Same(h[0]) || h[1].Size > maxWindow {
		return nil, c.Failf(CodeShape, "want x [B, I] and h [B, H]")
	}
	if err := c.static(1, 1); err != nil { // gates are slices of this size
		return nil, err
	}
	all := shape.N(gates).Times(h[1])
	wants := []shape.Shape{{all, x[1]}, {all, h[1]}, {all.Plus(all)}}
	if first == 3 {
		wants = append([]shape.Shape{h}, wants...)
	}
	for i, w := range wants {
		if err := c.wants(2+i, w...); err != nil {
			return nil, err
		}
	}
	return []tensor.Type{c.In[1]}, nil
}
