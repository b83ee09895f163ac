package compile_test

import (
	"fmt"
	"log"

	"github.com/skainet-dev/skainet-go/compile"
	"github.com/skainet-dev/skainet-go/lang"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
)

// One call names any target; what follows is the same for all.
func ExampleTo() {
	graph, err := lang.Capture("twice", nil, func(m *lang.Module) {
		m.Entry("run", func(f *lang.Func) {
			x := f.Input("x", dtype.F32, 2)
			f.Output("y", x.Add(x))
		})
	})
	if err != nil {
		log.Fatal(err)
	}
	for _, name := range []string{"cpu_x86_64_v3", "xla_cpu"} {
		to, err := compile.To(name, "latency")
		if err != nil {
			log.Fatal(err)
		}
		texts, err := to.Texts(graph, compile.Options{})
		if err != nil {
			log.Fatal(err)
		}
		fmt.Printf("for %s:\n%s", to.Backend, texts[0].Text)
	}
	// Output:
	// for iree:
	// module @twice {
	//   func.func @run(%x: tensor<2xf32>) -> (tensor<2xf32>) {
	//     %0 = stablehlo.add %x, %x : tensor<2xf32>
	//     return %0 : tensor<2xf32>
	//   }
	// }
	// for xla:
	// module @twice {
	//   func.func @main(%x: tensor<2xf32>) -> (tensor<2xf32>) {
	//     %0 = stablehlo.add %x, %x : tensor<2xf32>
	//     return %0 : tensor<2xf32>
	//   }
	// }
}
