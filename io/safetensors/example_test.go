package safetensors_test

import (
	"bytes"
	"fmt"
	"log"
	"os"
	"path/filepath"

	"github.com/skainet-dev/skainet-go/io/safetensors"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
	"github.com/skainet-dev/skainet-go/tensor/shape"
)

// The header is JSON, after its length.
func ExampleEncode() {
	var file bytes.Buffer
	err := safetensors.Encode(&file, []safetensors.Item{{
		Spec: tensor.Spec{Name: "fc.bias", DType: dtype.U8, Shape: shape.Of(3)},
		Data: tensor.Owned([]byte{1, 2, 3}),
	}}, map[string]string{"format": "pt"})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%s\n", bytes.TrimSpace(file.Bytes()[8:file.Len()-3]))
	// Output: {"__metadata__":{"format":"pt"},"fc.bias":{"dtype":"U8","shape":[3],"data_offsets":[0,3]}}
}

// What a file holds, without reading a tensor.
func ExampleOpen() {
	folder, err := os.MkdirTemp("", "safetensors")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(folder)
	path := filepath.Join(folder, "model.safetensors")
	if err := safetensors.Write(path, []safetensors.Item{{
		Spec: tensor.Spec{Name: "fc.bias", DType: dtype.U8, Shape: shape.Of(3)},
		Data: tensor.Owned([]byte{1, 2, 3}),
	}}, map[string]string{"format": "pt"}); err != nil {
		log.Fatal(err)
	}
	file, err := safetensors.Open(path)
	if err != nil {
		log.Fatal(err)
	}
	defer file.Close()
	fmt.Println(file.Metadata())
	for _, t := range file.Tensors() {
		fmt.Println(t.Name, t.Type())
	}
	// Output:
	// map[format:pt]
	// fc.bias u8[3]
}
