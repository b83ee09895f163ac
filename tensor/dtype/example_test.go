package dtype_test

import (
	"fmt"
	"log"

	"github.com/skainet-dev/skainet-go/tensor/dtype"
)

func ExampleParse() {
	d, err := dtype.Parse("bf16")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(d == dtype.BF16, d.IsFloat(), d.Bits(), d.Bytes(10))
	// Output: true true 16 20
}

// A float of 8 bits and back: 0.3 is not one of its numbers.
func ExampleSmall() {
	small, ok := dtype.F8E4M3FN.Small()
	if !ok {
		log.Fatal("not a small float")
	}
	code := small.Code(0.3)
	fmt.Printf("%#x %v\n", code, small.F32(code))
	// Output: 0x2a 0.3125
}
