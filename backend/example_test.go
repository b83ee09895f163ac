package backend_test

import (
	"context"
	"fmt"
	"log"

	"github.com/skainet-dev/skainet-go/backend/cpu"
	"github.com/skainet-dev/skainet-go/compile/dag/describe"
	"github.com/skainet-dev/skainet-go/lang"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
)

// A graph is built and run on the CPU of this machine, without a compiler.
func Example() {
	graph, err := lang.Capture("affine", nil, func(m *lang.Module) {
		m.Entry("main", func(f *lang.Func) {
			x := f.Input("x", dtype.F32, 3)
			f.Output("y", x.MulScalar(2).AddScalar(1))
		})
	})
	if err != nil {
		log.Fatal(err)
	}
	contract, err := describe.Contract(graph)
	if err != nil {
		log.Fatal(err)
	}
	program, err := cpu.Load(graph, contract, nil)
	if err != nil {
		log.Fatal(err)
	}
	defer program.Close()

	x, err := tensor.Of([]float32{1, 2, 3}, 3)
	if err != nil {
		log.Fatal(err)
	}
	results, err := program.Call(context.Background(), "main", x)
	if err != nil {
		log.Fatal(err)
	}
	y, err := tensor.Slice[float32](results[0])
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(results[0].Type, y)
	// Output: f32[3] [3 5 7]
}
