package op

import (
	"github.com/skainet-dev/skainet-go/tensor"
)

var sourceOps = []*Op{
	sizeOp,
	{
		Name: "constant", Family: Source, Traits: moves.role(Literal).memory(Store),
		Doc: "A value known at capture. A named constant may be moved to an archive by the export's constant policy; an unnamed one stays in the program.",
		Attributes: []Attribute{
			{Name: "value", Kind: KindValue, Doc: "the elements"},
			{Name: "name", Kind: KindString, Default: "", Doc: "key under which an archive may hold it"},
		},
		Rule: func(c *Call) ([]tensor.Type, error) {
			v := c.Attrs.Value("value")
			if v.Type.DType.IsStorageOnly() {
				return nil, c.Failf(CodeDType, "no operation computes in the element type %s", v.Type.DType)
			}
			if err := v.Check(); err != nil {
				return nil, c.Failf(CodeAttribute, "%v", err)
			}
			return []tensor.Type{v.Type}, nil
		},
	},
	{
		Name: "splat", Family: Source, Traits: moves.role(Uniform),
		Doc: "A tensor whose elements all have one value.",
		Attributes: []Attribute{
			{Name: "type", Kind: KindType, Doc: "the result's type"},
			{Name: "value", Kind: KindFloat, Doc: "the element, exact in the element type"},
		},
		Rule: splat,
	},
	{
		Name: "parameter", Family: Source, Traits: moves.role(Weight).memory(Store),
		Doc: "A tensor of the weights, read from an archive at run time. One with an encoding is the bytes of its blocks, i8 [..., K/elements, bytes of a block] of f32 [..., K], as they lie in a GGUF file.",
		Attributes: []Attribute{
			{Name: "type", Kind: KindType, Doc: "the result's type"},
			{Name: "encoding", Kind: KindString, Default: "", Doc: "of the blocks, as package quant names them; none where the elements are dense"},
			{Name: "scope", Kind: KindString, Default: "model", Doc: "parameter scope"},
			{Name: "key", Kind: KindString, Doc: "the tensor's name in the weight file"},
		},
		Rule: parameter,
	},
	{
		Name: "state", Family: Source, Traits: moves.role(Variable).memory(Store),
		Doc: "The value that a state variable had when the entry point was called.",
		Attributes: []Attribute{
			{Name: "type", Kind: KindType, Doc: "the variable's type"},
			{Name: "name", Kind: KindString, Doc: "the variable"},
		},
		Rule: typeAttribute,
	},
	{
		Name: "iota", Family: Source, Traits: moves.role(Counts),
		Doc: "Counts 0, 1, 2, ... along one dimension and repeats along the others.",
		Attributes: []Attribute{
			{Name: "type", Kind: KindType, Doc: "the result's type, numeric"},
			{Name: "dim", Kind: KindInt, Doc: "the dimension along which the value grows"},
		},
		Rule: func(c *Call) ([]tensor.Type, error) {
			t := c.Attrs.Type("type")
			if !Numeric.Has(t.DType) {
				return nil, c.Failf(CodeDType, "iota counts in a numeric type, not %s", t.DType)
			}
			if _, err := c.axis("dim", t.Shape.Rank()); err != nil {
				return nil, err
			}
			return typeOfAny(c)
		},
	},
}

// typeOfAny takes dynamic sizes too, if they have names.
func typeOfAny(c *Call) ([]tensor.Type, error) {
	if s := c.Attrs.Type("type").Shape; s.IsStatic() || !s.IsKnown() {
		return typeAttribute(c)
	}
	t := c.Attrs.Type("type")
	if !Any.Has(t.DType) {
		return nil, c.Failf(CodeDType, "no operation computes in the element type %s", t.DType)
	}
	return []tensor.Type{t}, nil
}

func typeAttribute(c *Call) ([]tensor.Type, error) {
	t := c.Attrs.Type("type")
	if !Any.Has(t.DType) {
		return nil, c.Failf(CodeDType, "no operation computes in the element type %s", t.DType)
	}
	if _, err := t.Bytes(); err != nil {
		return nil, c.Failf(CodeShape, "%v", err)
	}
	return []tensor.Type{t}, nil
}
