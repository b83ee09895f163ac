package op

import (
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
)

// Example is a call of an operation, from which test programs and random graphs are
// generated (test/optest, test/randgraph). A row with examples needs no handwritten case there.
type Example struct {
	// Shapes are those of the operands; Gives are those of the results, which have the first
	// operand's element type.
	Shapes, Gives [][]int64
	Attrs         Attrs
	// Low and High bound the elements of the operands; both 0 means unbounded.
	Low, High float64
}

// like adds an example.
func (o *Op) like(e Example) *Op {
	o.Examples = append(o.Examples, e)
	return o
}

// form sets the replacement in texts for an operation that StableHLO lacks.
func (o *Op) form(f func(c *Call, b *builder, in []expr) []expr) *Op {
	o.Portable = f
	return o
}

// ExampleTypes returns the types of the operands of an example, with floats of type d
// and integers of type i32.
func (o *Op) ExampleTypes(e Example, d dtype.DType) []tensor.Type {
	types := make([]tensor.Type, len(e.Shapes))
	for i, sizes := range e.Shapes {
		t := tensor.TypeOf(dtype.Bool, sizes...)
		switch c := o.Operands[min(i, len(o.Operands)-1)].Class; {
		case c&Float != 0:
			t.DType = d
		case c&Int != 0:
			t.DType = dtype.I32
		}
		types[i] = t
	}
	return types
}
