package gguf_test

import (
	"fmt"
	"log"
	"os"
	"path/filepath"

	"github.com/skainet-dev/skainet-go/io/gguf"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
	"github.com/skainet-dev/skainet-go/tensor/shape"
)

func ExampleWrite() {
	folder, err := os.MkdirTemp("", "gguf")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(folder)
	path := filepath.Join(folder, "model.gguf")
	pairs := []gguf.Pair{
		{Key: "general.architecture", Value: "llama"},
		{Key: "llama.block_count", Value: uint32(2)},
	}
	bias := tensor.Owned([]byte{1, 2, 3})
	items := []gguf.Item{{
		Spec: tensor.Spec{Name: "bias", DType: dtype.I8, Shape: shape.Of(3), Bytes: bias.Len()},
		Open: bias.Reader,
	}}
	if _, err := gguf.Write(path, pairs, items, gguf.Options{}); err != nil {
		log.Fatal(err)
	}

	file, err := gguf.Open(path)
	if err != nil {
		log.Fatal(err)
	}
	defer file.Close()
	layers, err := file.Require("llama.block_count")
	if err != nil {
		log.Fatal(err)
	}
	n, err := layers.Int()
	if err != nil {
		log.Fatal(err)
	}
	spec, err := file.Index().Lookup("bias")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("version", file.Version(), "big endian:", file.BigEndian())
	fmt.Println(n, "layers;", spec.Name, spec.Type())
	// Output:
	// version 3 big endian: false
	// 2 layers; bias i8[3]
}
