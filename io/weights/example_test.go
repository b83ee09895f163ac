package weights_test

import (
	"fmt"
	"log"
	"os"
	"path/filepath"

	"github.com/skainet-dev/skainet-go/io/safetensors"
	"github.com/skainet-dev/skainet-go/io/weights"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
	"github.com/skainet-dev/skainet-go/tensor/shape"
)

// Open finds out the format of a weight file. Its index is what a model is built from;
// the bytes of a tensor are read when they are asked for.
func ExampleOpen() {
	folder, err := os.MkdirTemp("", "weights")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(folder)
	path := filepath.Join(folder, "model.safetensors")
	err = safetensors.Write(path, []safetensors.Item{{
		Spec: tensor.Spec{Name: "fc.bias", DType: dtype.U8, Shape: shape.Of(3)},
		Data: tensor.Owned([]byte{1, 2, 3}),
	}}, nil)
	if err != nil {
		log.Fatal(err)
	}

	file, err := weights.Open(path)
	if err != nil {
		log.Fatal(err)
	}
	defer file.Close()
	index, err := file.Index()
	if err != nil {
		log.Fatal(err)
	}
	for _, t := range index.Tensors {
		buffer, err := file.Tensor(t.Name)
		if err != nil {
			log.Fatal(err)
		}
		data, err := buffer.Bytes()
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(file.Format(), t.Name, t.Type(), data)
		buffer.Close()
	}
	// Output: safetensors fc.bias u8[3] [1 2 3]
}
