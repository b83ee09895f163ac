package op

import (
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/shape"
)

var contractionOps = []*Op{
	{
		Name: "dot_general", Family: Contraction, Traits: sums.precision(Narrow).reduces(Contracting).terms(Products).rows(Multiplied),
		Doc:      "Sums products over the contracting dimensions for each index of the batching dimensions. Result dimensions: batching, remaining of lhs, remaining of rhs. Sums are in f32 or wider.",
		Operands: []Operand{{Name: "lhs", Class: Numeric}, {Name: "rhs", Class: Numeric}},
		Attributes: []Attribute{
			{Name: "lhs_batching", Kind: KindInts, Default: []int64{}, Doc: "batching dimensions of lhs"},
			{Name: "rhs_batching", Kind: KindInts, Default: []int64{}, Doc: "batching dimensions of rhs, in the same order"},
			{Name: "lhs_contracting", Kind: KindInts, Doc: "contracting dimensions of lhs"},
			{Name: "rhs_contracting", Kind: KindInts, Doc: "contracting dimensions of rhs, in the same order"},
		},
		Rule: dotGeneral,
	},
}

func dotGeneral(c *Call) ([]tensor.Type, error) {
	lhs, rhs := c.In[0], c.In[1]
	if lhs.DType != rhs.DType {
		return nil, c.Failf(CodeDType, "operands must have the same element type")
	}
	var out shape.Shape
	used := [2]map[int64]bool{{}, {}}
	for _, kind := range []string{"batching", "contracting"} {
		l, r := c.Attrs.Ints("lhs_"+kind), c.Attrs.Ints("rhs_"+kind)
		ls, err := c.axes("lhs_"+kind, lhs.Shape.Rank())
		if err != nil {
			return nil, err
		}
		rs, err := c.axes("rhs_"+kind, rhs.Shape.Rank())
		if err != nil {
			return nil, err
		}
		if len(l) != len(r) {
			return nil, c.Failf(CodeAttribute, "lhs has %d and rhs has %d %s dimensions", len(l), len(r), kind)
		}
		for i := range l {
			if used[0][l[i]] || used[1][r[i]] {
				return nil, c.Failf(CodeAttribute, "a dimension is both batching and contracting")
			}
			if !lhs.Shape[l[i]].Same(rhs.Shape[r[i]]) {
				return nil, c.differ(lhs.Shape[l[i]], rhs.Shape[r[i]], "%s dimensions %d and %d differ in size", kind, l[i], r[i])
			}
			if kind == "batching" {
				out = append(out, lhs.Shape[l[i]])
			}
		}
		for a := range ls {
			used[0][a] = true
		}
		for a := range rs {
			used[1][a] = true
		}
	}
	for side, t := range []tensor.Type{lhs, rhs} {
		for i, d := range t.Shape {
			if !used[side][int64(i)] {
				out = append(out, d)
			}
		}
	}
	return []tensor.Type{{DType: lhs.DType, Shape: out}}, nil
}
