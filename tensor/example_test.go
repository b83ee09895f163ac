package tensor_test

import (
	"fmt"
	"log"

	"github.com/skainet-dev/skainet-go/tensor"
)

// A value is made of a Go slice, and read as one.
func ExampleOf() {
	v, err := tensor.Of([]float32{1, 2, 3, 4, 5, 6}, 2, 3)
	if err != nil {
		log.Fatal(err)
	}
	data, err := tensor.Slice[float32](v)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(v.Type, len(v.Bytes), data)
	// Output:
	// f32[2x3] 24 [1 2 3 4 5 6]
}
