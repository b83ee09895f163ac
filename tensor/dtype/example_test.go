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
