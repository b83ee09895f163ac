package xla_test

import (
	"fmt"
	"log"

	"github.com/skainet-dev/skainet-go/compile/xla"
	"github.com/skainet-dev/skainet-go/lang"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
	"github.com/skainet-dev/skainet-go/tensor/shape"
)

// An entry point with a dynamic size is written for one size.
func ExampleEmit() {
	graph, err := lang.Capture("twice", nil, func(m *lang.Module) {
		m.Entry("run", func(f *lang.Func) {
			x := f.InputOf("x", dtype.F32, shape.Named("n"))
			f.Output("y", x.Add(x))
		})
	})
	if err != nil {
		log.Fatal(err)
	}
	module, err := xla.Emit(graph, "run", map[string]int64{"n": 3}, xla.Options{})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Print(string(module.Text))
	// Output:
	// module @twice {
	//   func.func @main(%x: tensor<3xf32>) -> (tensor<3xf32>) {
	//     %0 = stablehlo.add %x, %x : tensor<3xf32>
	//     return %0 : tensor<3xf32>
	//   }
	// }
}
