package quant_test

import (
	"fmt"
	"log"

	"github.com/skainet-dev/skainet-go/tensor/quant"
)

// A row of 32 numbers becomes a block of Q8_0: a scale in f16 and 32 bytes.
func ExamplePack() {
	encoding, err := quant.Parse("Q8_0")
	if err != nil {
		log.Fatal(err)
	}
	row := make([]float32, 32)
	for i := range row {
		row[i] = float32(i) * 4 // so that the largest, 124, is near 127 steps
	}
	size, err := encoding.Size(int64(len(row)))
	if err != nil {
		log.Fatal(err)
	}
	block := make([]byte, size)
	if err := quant.Pack(encoding, block, row); err != nil {
		log.Fatal(err)
	}
	unpacked := make([]float32, len(row))
	if err := quant.Unpack(encoding, unpacked, block); err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%d bytes, %.2f is now %.2f\n", size, row[5], unpacked[5])
	// Output: 34 bytes, 20.00 is now 19.53
}
