package op

import (
	"github.com/skainet-dev/skainet-go/tensor"
)

var sourceOps = []*Op{
	sizeOp,
	{
		Name: "constant", Family: Source, Traits: moves.role(Literal).memory(Store).padding(Apart),
		Doc: "A value known at capture. A named constant may be moved to an archive by the export's constant policy; an unnamed one stays in the program.",
		Attributes: []Attribute{
			{Name: "value", Kind: KindValue, Doc: "the elements"},
			{Name: "name", Kind: KindString, Default: "", Doc: "key under which an archive may hold it"},
		},
		Rule: func(c *Call) ([]tensor.Type, error) {
			v := c.Attrs.Value("value")
			if v.Type.DType.IsStorageOnly() {
				return nil, c.uncomputed(v.Type.DType)
			}
			if err := v.Check(); err != nil {
				return nil, c.Failf(CodeAttribute, "%v", err)
			}
			return []tensor.Type{v.Type}, nil
		},
	},
	{
		Name: "splat", Family: Source, Traits: moves.role(Uniform).padding(Apart),
		Doc: "A tensor whose elements all have the same value.",
		Attributes: []Attribute{
			{Name: "type", Kind: KindType, Doc: "the result's type"},
			{Name: "value", Kind: KindFloat, Doc: "the element, exact in the element type"},
		},
		Rule: splat,
	},
	{
		Name: "parameter", Family: Source, Traits: moves.role(Weight).memory(Store).padding(Apart),
		Doc: "A tensor of the weights, read from an archive at run time. With an encoding it is the bytes of its blocks, i8 [..., K/elements, bytes of a block] for f32 [..., K], as in a GGUF file.",
		Attributes: []Attribute{
			{Name: "type", Kind: KindType, Doc: "the result's type"},
			{Name: "encoding", Kind: KindString, Default: "", Doc: "encoding of the blocks, as named in package quant; empty if the elements are dense"},
			{Name: "scope", Kind: KindString, Default: "model", Doc: "parameter scope"},
			{Name: "key", Kind: KindString, Doc: "the tensor's name in the weight file"},
		},
		Rule: parameter,
	},
	{
		Name: "state", Family: Source, Traits: moves.role(Variable).memory(Store).padding(Apart),
		Doc: "The value of a state variable at the call of the entry point.",
		Attributes: []Attribute{
			{Name: "type", Kind: KindType, Doc: "the variable's type"},
			{Name: "name", Kind: KindString, Doc: "the variable"},
		},
		Rule: typeAttribute,
	},
	{
		Name: "iota", Family: Source, Traits: moves.role(Counts).padding(Apart),
		Doc: "0, 1, 2, ... along one dimension, repeated along the others.",
		Attributes: []Attribute{
			{Name: "type", Kind: KindType, Doc: "the result's type, numeric"},
			{Name: "dim", Kind: KindInt, Doc: "the dimension to count along"},
		},
		Rule: func(c *Call) ([]tensor.Type, error) {
			t := c.Attrs.Type("type")
			if !Numeric.Has(t.DType) {
				return nil, c.Failf(CodeDType, "iota needs a numeric type, not %s", t.DType)
			}
			if _, err := c.axis("dim", t.Shape.Rank()); err != nil {
				return nil, err
			}
			return typeOfAny(c)
		},
	},
}

// typeOfAny also accepts dynamic sizes, if they have names.
func typeOfAny(c *Call) ([]tensor.Type, error) {
	if s := c.Attrs.Type("type").Shape; s.IsStatic() || !s.IsKnown() {
		return typeAttribute(c)
	}
	t := c.Attrs.Type("type")
	if !Any.Has(t.DType) {
		return nil, c.uncomputed(t.DType)
	}
	return []tensor.Type{t}, nil
}

func typeAttribute(c *Call) ([]tensor.Type, error) {
	t := c.Attrs.Type("type")
	if !Any.Has(t.DType) {
		return nil, c.uncomputed(t.DType)
	}
	if _, err := t.Bytes(); err != nil {
		return nil, c.Failf(CodeShape, "%v", err)
	}
	return []tensor.Type{t}, nil
}
