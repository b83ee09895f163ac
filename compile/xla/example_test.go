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

// One text is for all sizes up to four: the sum leaves out what is behind the size of a call.
func ExampleEmitBucket() {
	graph, err := lang.Capture("total", nil, func(m *lang.Module) {
		m.Entry("run", func(f *lang.Func) {
			f.Output("y", f.InputOf("x", dtype.F32, shape.Named("n")).Sum(false, 0))
		})
	})
	if err != nil {
		log.Fatal(err)
	}
	bucket, err := xla.EmitBucket(graph, "run", nil, map[string]int64{"n": 4}, xla.Options{})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(bucket.Sizes)
	fmt.Print(string(bucket.Text))
	// Output:
	// [n]
	// module @total {
	//   func.func @main(%x: tensor<4xf32>, %s.0: tensor<i32>) -> (tensor<f32>) {
	//     %0 = stablehlo.iota dim = 0 : tensor<4xi32>
	//     %1 = stablehlo.broadcast_in_dim %s.0, dims = [] : (tensor<i32>) -> tensor<4xi32>
	//     %2 = stablehlo.compare LT, %0, %1, SIGNED : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1>
	//     %3 = stablehlo.constant dense<0.0> : tensor<4xf32>
	//     %4 = stablehlo.select %2, %x, %3 : tensor<4xi1>, tensor<4xf32>
	//     %5 = stablehlo.constant dense<0.0> : tensor<f32>
	//     %6 = stablehlo.reduce(%4 init: %5) applies stablehlo.add across dimensions = [0] : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
	//     return %6 : tensor<f32>
	//   }
	// }
}
