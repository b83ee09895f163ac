// Package operators adds two operations to the language: one composed of others, and one
// written by hand.
package operators

import (
	"math"

	"github.com/skainet-dev/skainet-go/lang"
	"github.com/skainet-dev/skainet-go/lang/operator"
	"github.com/skainet-dev/skainet-go/tensor"
)

var swish = operator.Register(operator.Definition{
	Name:       "acme.swish",
	Doc:        "x/(1 + e^(-beta x)) (Ramachandran et al. 2017).",
	Operands:   []operator.Operand{{Name: "x", Class: operator.Float}},
	Attributes: []operator.Attribute{{Name: "beta", Kind: operator.KindFloat, Default: 1.0, Doc: "the slope at which it bends"}},
	Rule:       operator.Same,
	CPU: func(c *operator.Call, in []tensor.Value) ([]tensor.Value, error) {
		beta := c.Attrs.Float("beta")
		return operator.Each(in, func(x ...float64) float64 { return x[0] / (1 + math.Exp(-beta*x[0])) })
	},
	Decompose: func(c *operator.Call, in []lang.Tensor) []lang.Tensor {
		x := in[0]
		return []lang.Tensor{x.Mul(x.MulScalar(c.Attrs.Float("beta")).Logistic())}
	},
	Examples: []operator.Example{{Shapes: [][]int64{{2, 5}}, Gives: [][]int64{{2, 5}}, Attrs: operator.Attrs{"beta": 2.0}}},
})

// Swish returns x/(1 + e^(-beta x)).
func Swish(x lang.Tensor, beta float64) lang.Tensor {
	return swish.Apply(operator.Attrs{"beta": beta}, x)[0]
}

var hypot = operator.Register(operator.Definition{
	Name:     "acme.hypot",
	Doc:      "sqrt(a^2 + b^2) of two tensors of one type.",
	Operands: []operator.Operand{{Name: "a", Class: operator.Float}, {Name: "b", Class: operator.Float}},
	Rule:     operator.Same,
	CPU: func(_ *operator.Call, in []tensor.Value) ([]tensor.Value, error) {
		return operator.Each(in, func(x ...float64) float64 { return math.Hypot(x[0], x[1]) })
	},
	Texts: map[operator.Target]string{
		// StableHLO, for every target that has no text of its own.
		operator.AnyTarget: `
%0 = stablehlo.multiply %a, %a : {{.a}}
%1 = stablehlo.multiply %b, %b : {{.a}}
%2 = stablehlo.add %0, %1 : {{.a}}
%3 = stablehlo.sqrt %2 : {{.a}}
return %3 : {{.y}}`,
		// A kernel for processors, in the dialects that IREE reads.
		operator.CPUTarget: `
%0 = linalg.generic {
  indexing_maps = [
    affine_map<({{.a.Indices}}) -> ({{.a.Indices}})>,
    affine_map<({{.a.Indices}}) -> ({{.a.Indices}})>,
    affine_map<({{.a.Indices}}) -> ({{.a.Indices}})>
  ],
  iterator_types = [{{.a.Parallel}}]
} ins(%a, %b : {{.a}}, {{.b}}) outs(%a : {{.y}}) {
^bb0(%p: {{.a.Element}}, %q: {{.a.Element}}, %out: {{.a.Element}}):
  %1 = arith.mulf %p, %p : {{.a.Element}}
  %2 = arith.mulf %q, %q : {{.a.Element}}
  %3 = arith.addf %1, %2 : {{.a.Element}}
  %4 = math.sqrt %3 : {{.a.Element}}
  linalg.yield %4 : {{.a.Element}}
} -> {{.y}}
util.return %0 : {{.y}}`,
	},
	Examples: []operator.Example{{Shapes: [][]int64{{2, 5}, {2, 5}}, Gives: [][]int64{{2, 5}}}},
})

// Hypot returns sqrt(a^2 + b^2).
func Hypot(a, b lang.Tensor) lang.Tensor { return hypot.Apply(nil, a, b)[0] }
