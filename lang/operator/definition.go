package operator

import (
	"strings"

	"github.com/skainet-dev/skainet-go/compile/op"
	"github.com/skainet-dev/skainet-go/lang"
	"github.com/skainet-dev/skainet-go/tensor"
)

// Definition is an operation of one's own: name, rule, function for the CPU, and either a
// decomposition or a text.
type Definition struct {
	// Name is namespace.name, such as "acme.swish": lower-case letters, digits and _.
	Name string
	// Doc is a paragraph for the page of operations, with the shapes.
	Doc        string
	Operands   []Operand
	Attributes []Attribute
	// Rule returns the types of the results. The operands' classes and the attributes have
	// been checked. It is called with sizes that may be dynamic (shape.Dim).
	Rule func(c *Call) ([]tensor.Type, error)
	// CPU computes the results, for backend/cpu, constant folding and parity tests. Narrow
	// floats (f16, bf16) are given as f32, and its f32 results are rounded to them. It may be
	// left out beside Decompose; a graph then contains the decomposition.
	CPU func(c *Call, in []tensor.Value) ([]tensor.Value, error)
	// Decompose writes the operation in others, of the language or registered. It has no
	// inputs, weights, states, loops or calls, and does not apply the operation itself,
	// neither directly nor through others.
	Decompose func(c *Call, in []lang.Tensor) []lang.Tensor
	// Texts writes it by hand, for operations that others do not express, or not fast
	// enough: the body of a function for each target. AnyTarget is needed unless there is
	// a Decompose; CPUTarget replaces either in programs for processors.
	//
	// A body is a template of package text/template with the names of the operands, of the
	// results, y or y0, y1, ..., and of the attributes: {{.x}} is the type of operand x, such as
	// tensor<2x3xf32>, with {{.x.Element}}, {{.x.Rank}}, {{.x.Dim 0}} and, for linalg,
	// {{.x.Indices}} (d0, d1) and {{.x.Parallel}}; {{.beta}} is an attribute;
	// a string is escaped, to stand in "{{.mode}}". Its values are %x for each operand. Narrow floats are f32 in it, as in CPU.
	// The body for AnyTarget is StableHLO and ends in return; that for CPUTarget is of any
	// dialects that IREE reads (linalg, tensor, arith, math, scf, vector), and ends in
	// util.return. It is not taken for unsigned integers.
	Texts map[Target]string
	// Rounding says how the results of two implementations differ, Approximate if it is
	// left out; Terms says for Sum what is summed, and must be set there: NoTerms for a
	// product of many numbers.
	Rounding Rounding
	Terms    Terms
	// Precision says in which type it computes when a model is converted to a narrow float:
	// Wide, f32, if it is left out.
	Precision Precision
	// Examples are calls, one at least, from which random graphs are made; they are tried
	// when the operation is registered.
	Examples []Example
}

// The types of a definition's fields are those of the table of operations.
type (
	// Operand describes an operand.
	Operand = op.Operand
	// Attribute describes an attribute.
	Attribute = op.Attribute
	// Attrs holds attribute values by name.
	Attrs = op.Attrs
	// Call is a call of the operation.
	Call = op.Call
	// Example is a call from which tests are made.
	Example = op.Example
	// Target is a kind of text.
	Target = op.Target
	// Rounding bounds the difference between two implementations.
	Rounding = op.Rounding
	// Precision is the type that it computes in.
	Precision = op.Precision
	// Terms says what is summed.
	Terms = op.Terms
)

// The targets of texts.
const (
	AnyTarget = op.AnyTarget
	CPUTarget = op.CPUTarget
)

// The classes of operands.
const (
	Float   = op.Float
	Int     = op.Int
	Bool    = op.Bool
	Any     = op.Any
	Numeric = op.Numeric
)

// The kinds of attributes.
const (
	KindInt    = op.KindInt
	KindInts   = op.KindInts
	KindFloat  = op.KindFloat
	KindBool   = op.KindBool
	KindString = op.KindString
	KindDType  = op.KindDType
)

// How exact results are, and in which type they are computed.
const (
	Exact       = op.Exact
	Correct     = op.Correct
	Near        = op.Near
	Sum         = op.Sum
	Approximate = op.Approximate
	Follow      = op.Follow
	Wide        = op.Wide
	NoTerms     = op.NoTerms
	Addends     = op.Addends
	Products    = op.Products
)

// CodeShape and CodeAttribute are for Call.Failf in rules.
const (
	CodeShape     = op.CodeShape
	CodeDType     = op.CodeDType
	CodeAttribute = op.CodeAttribute
)

// Same is the rule of operations whose operands and only result have one type.
func Same(c *Call) ([]tensor.Type, error) {
	for _, t := range c.In[1:] {
		if t.DType != c.In[0].DType || !t.Shape.Same(c.In[0].Shape) {
			return nil, c.Failf(CodeShape, "operands must have the same type")
		}
	}
	return []tensor.Type{c.In[0]}, nil
}

// row returns the definition as a row of the table.
func (d *Definition) row(from string) *op.Op {
	space, _, _ := strings.Cut(d.Name, ".")
	o := &op.Op{
		Name: d.Name, Family: op.Family(space), Doc: d.Doc, Operands: d.Operands, Attributes: d.Attributes,
		Rule: d.Rule, Examples: d.Examples,
		Traits: op.Traits{
			Role: op.Computes, Rounding: d.Rounding, Precision: d.Precision, Terms: d.Terms,
			Memory: op.Fresh, Reduces: op.Nothing, Rows: op.Elements,
		},
		Custom: &op.Custom{Package: from, CPU: d.CPU, Texts: d.Texts},
	}
	if d.Decompose != nil {
		o.Custom.Form = lang.Decomposition(d.Decompose)
	}
	if o.Rounding == op.RoundingUnset {
		o.Rounding = op.Approximate
	}
	if o.Precision == op.PrecisionUnset {
		o.Precision = op.Wide
	}
	if o.Terms == op.TermsUnset && o.Rounding != op.Sum {
		o.Terms = op.NoTerms
	}
	return o
}
