package opencpu_test

import (
	"context"
	"encoding/binary"
	"fmt"
	"log"
	"os"
	"path/filepath"

	"github.com/skainet-dev/skainet-go/backend/opencpu"
	"github.com/skainet-dev/skainet-go/io/safetensors"
	"github.com/skainet-dev/skainet-go/io/weights"
	"github.com/skainet-dev/skainet-go/lang"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
	"github.com/skainet-dev/skainet-go/tensor/shape"
)

// A model in Go with the weights of a file: the index of the file gives the parameters their
// shapes, and the file their values.
func ExampleGraph() {
	folder, err := os.MkdirTemp("", "opencpu")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(folder)
	path := filepath.Join(folder, "model.safetensors")
	data, err := binary.Append(nil, binary.LittleEndian, []float32{1, 2, 3, 4})
	if err != nil {
		log.Fatal(err)
	}
	spec := tensor.Spec{Name: "w", DType: dtype.F32, Shape: shape.Of(2, 2)}
	if err := safetensors.Write(path, []safetensors.Item{{Spec: spec, Data: tensor.Owned(data)}}, nil); err != nil {
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
	graph, err := lang.Capture("product", index, func(m *lang.Module) {
		m.Entry("main", func(f *lang.Func) {
			x := f.Input("x", dtype.F32, 1, 2)
			f.Output("y", x.MatMul(f.Param("w")))
		})
	})
	if err != nil {
		log.Fatal(err)
	}
	x, err := opencpu.Graph(graph, opencpu.Options{Weights: path})
	if err != nil {
		log.Fatal(err)
	}
	defer x.Close()
	arg, err := tensor.Of([]float32{1, 10}, 1, 2)
	if err != nil {
		log.Fatal(err)
	}
	results, err := x.Call(context.Background(), "main", arg)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(tensor.Slice[float32](results[0]))
	// Output: [31 42] <nil>
}
