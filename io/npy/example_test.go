package npy_test

import (
	"bytes"
	"fmt"
	"log"

	"github.com/skainet-dev/skainet-go/io/npy"
	"github.com/skainet-dev/skainet-go/tensor"
)

// What numpy.load reads, and numpy.save writes.
func Example() {
	v, err := tensor.Of([]int32{1, 2, 3, 4}, 2, 2)
	if err != nil {
		log.Fatal(err)
	}
	var file bytes.Buffer
	if err := npy.Write(&file, v); err != nil {
		log.Fatal(err)
	}
	back, err := npy.Read(&file)
	if err != nil {
		log.Fatal(err)
	}
	data, err := tensor.Slice[int32](back)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(back.Type, data)
	// Output: i32[2x2] [1 2 3 4]
}
