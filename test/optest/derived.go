package optest

import (
	"fmt"

	"github.com/skainet-dev/skainet-go/compile/op"
	"github.com/skainet-dev/skainet-go/lang"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
	"github.com/skainet-dev/skainet-go/tensor/shape"
)

// derivedEntries are those of the operations whose rows have examples: a call of each, in
// f32 and f16.
var derivedEntries = examples(func(o *op.Op, e op.Example) []entry {
	return each(fmt.Sprintf("derived_%s", o.Name), halves, func(f *lang.Func, d dtype.DType) {
		in := make([]lang.Tensor, len(e.Shapes))
		for i, t := range o.ExampleTypes(e, d) {
			in[i] = f.Input(fmt.Sprintf("x%d", i), t.DType, t.Shape.Sizes()...)
		}
		outputs(f, lang.Apply(o.ID, e.Attrs, in...))
	}, func(d dtype.DType) []tensor.Value {
		var args []tensor.Value
		for i, t := range o.ExampleTypes(e, d) {
			args = append(args, spaced(t, e, i))
		}
		return args
	})
})

// dynamicDerived are elementwise ones whose first size is dynamic.
var dynamicDerived = examples(func(o *op.Op, e op.Example) []entry {
	if o.Family != op.Elementwise || o.IsComposite() {
		return nil // package op tests how composite operations handle sizes
	}
	return []entry{{name: "dynamic_derived_" + o.Name, sizes: ofN, build: func(f *lang.Func) {
		in := make([]lang.Tensor, len(e.Shapes))
		for i, t := range o.ExampleTypes(e, dtype.F32) {
			in[i] = f.InputOf(fmt.Sprintf("x%d", i), t.DType, n, shape.N(3))
		}
		outputs(f, lang.Apply(o.ID, e.Attrs, in...))
	}}}
})

// examples makes entries of each example of the table.
func examples(of func(o *op.Op, e op.Example) []entry) []entry {
	var all []entry
	for _, o := range op.BuiltIn() {
		for i, e := range o.Examples {
			for _, entry := range of(o, e) {
				if i > 0 {
					entry.name = fmt.Sprintf("%s_%d", entry.name, i)
				}
				all = append(all, entry)
			}
		}
	}
	return all
}

func outputs(f *lang.Func, out []lang.Tensor) {
	for i, y := range out {
		f.Output(fmt.Sprintf("y%d", i), y)
	}
}

// spaced returns numbers from the low to the high bound of an example, in another order
// for each operand.
func spaced(t tensor.Type, e op.Example, operand int) tensor.Value {
	count := 1
	for _, size := range t.Shape.Sizes() {
		count *= int(size)
	}
	low, high := e.Low, e.High
	if low == high {
		low, high = -4, 4
	}
	numbers := make([]float32, count)
	for i := range numbers {
		at := (i*(2*operand+1) + operand) % count
		numbers[i] = float32(low + (high-low)*float64(at)/float64(max(count-1, 1)))
	}
	switch {
	case t.DType.IsFloat():
		return typed(t.DType, numbers, t.Shape.Sizes()...)
	case t.DType == dtype.Bool:
		bools := make([]bool, count)
		for i, x := range numbers {
			bools[i] = x > 0
		}
		return list(bools, t.Shape.Sizes()...)
	}
	integers := make([]int32, count)
	for i, x := range numbers {
		integers[i] = int32(x)
	}
	return list(integers, t.Shape.Sizes()...)
}
