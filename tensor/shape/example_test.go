package shape_test

import (
	"fmt"
	"log"

	"github.com/skainet-dev/skainet-go/tensor/shape"
)

// Sizes that a call gives have names, and arithmetic on them has one canonical form.
func ExampleNamed() {
	batch, seq := shape.Named("batch"), shape.Named("seq")
	fmt.Println(seq.Times(batch), seq.Plus(shape.N(1)).FloorDiv(2))
	fmt.Println(batch.Times(seq).Same(seq.Times(batch)), batch.Same(seq))
	// Output:
	// batch*seq? (seq+1)/2?
	// true false
}

// Bind finds the sizes of names in the shapes of a call's arguments.
func ExampleBind() {
	batch := shape.Named("batch")
	sizes, err := shape.Bind(
		shape.Argument{Name: "ids", Want: shape.Shape{batch, shape.N(8)}, Given: shape.Of(3, 8)},
		shape.Argument{Name: "mask", Want: shape.Shape{batch}, Given: shape.Of(3)},
	)
	if err != nil {
		log.Fatal(err)
	}
	result, err := shape.Shape{batch.Times(shape.N(2)), shape.N(8)}.Bind(sizes)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(sizes, result)
	// Output: map[batch:3] 6x8
}

// A shape in text, as String writes it: "x" between sizes.
func ExampleParse() {
	s, err := shape.Parse("batch?x3x8")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(s.Rank(), s.IsStatic(), s[0].Same(shape.Named("batch")), s)
	// Output: 3 false true batch?x3x8
}
