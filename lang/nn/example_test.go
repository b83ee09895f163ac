package nn_test

import (
	"fmt"
	"log"

	"github.com/skainet-dev/skainet-go/lang"
	"github.com/skainet-dev/skainet-go/lang/nn"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
	"github.com/skainet-dev/skainet-go/tensor/shape"
)

// Layers read their weights by key: here those of PyTorch modules named norm and fc.
func Example() {
	index := &tensor.Index{Format: "safetensors", Tensors: []tensor.Spec{
		{Name: "norm.weight", DType: dtype.F16, Shape: shape.Of(8)},
		{Name: "norm.bias", DType: dtype.F16, Shape: shape.Of(8)},
		{Name: "fc.weight", DType: dtype.F16, Shape: shape.Of(4, 8)},
	}}
	_, err := lang.Capture("head", index, func(m *lang.Module) {
		m.Entry("main", func(f *lang.Func) {
			x := f.InputOf("x", dtype.F32, shape.Named("tokens"), shape.N(8))
			x = nn.LayerNorm(f, "norm.", x, nn.LayerNormOptions{Epsilon: 1e-12})
			y := nn.Linear(f, "fc.", x, nn.LinearOptions{NoBias: true})
			fmt.Println(y.Type())
			f.Output("y", y)
		})
	})
	if err != nil {
		log.Fatal(err)
	}
	// Output: f32[tokens?x4]
}
