package lang_test

import (
	"fmt"

	"github.com/skainet-dev/skainet-go/lang"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
	"github.com/skainet-dev/skainet-go/tensor/shape"
)

// A constructor calls methods on tensors; Capture turns what it did into a graph. The
// example of package backend runs one.
func Example() {
	graph, err := lang.Capture("classifier", nil, func(m *lang.Module) {
		m.Entry("main", func(f *lang.Func) {
			x := f.InputOf("x", dtype.F32, shape.Named("batch"), shape.N(4))
			w := lang.Weight(f, "w", make([]float32, 4*3), 4, 3)
			b := lang.Weight(f, "b", make([]float32, 3), 3)
			f.Output("probabilities", x.MatMul(w).Add(b).Softmax(-1))
		})
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	main := graph.Funcs[0]
	for i, v := range main.Body.Args {
		fmt.Println(main.Args[i], v.Type)
	}
	for i, v := range main.Body.Results {
		fmt.Println(main.Results[i], v.Type)
	}
	// Output:
	// x f32[batch?x4]
	// probabilities f32[batch?x3]
}

// A mistake in a constructor is an error of Capture, with its place in the model.
func ExampleCapture_mistake() {
	_, err := lang.Capture("classifier", nil, func(m *lang.Module) {
		m.Entry("main", func(f *lang.Func) {
			f.Scope("head", func() {
				x := f.Input("x", dtype.F32, 2, 4)
				f.Output("y", x.Add(f.Splat(dtype.F32, 1, 3)))
			})
		})
	})
	fmt.Println(err)
	// Output: LANG_MISUSE: example_test.go:45: Tensor.Add: main/head: add of f32[2x4] and f32[3]: the shapes do not broadcast; sizes must be equal or one of them 1, counted from the last dimension
}

// One matrix multiplies every matrix of a batch.
func ExampleTensor_MatMul() {
	show(func(f *lang.Func) lang.Tensor {
		x := f.Input("x", dtype.F32, 8, 16, 64) // [batch, tokens, width]
		return x.MatMul(f.Input("w", dtype.F32, 64, 32))
	})
	// Output: f32[8x16x32]
}

func ExampleTensor_Less() {
	show(func(f *lang.Func) lang.Tensor {
		x := f.Input("x", dtype.F32, 4)
		return x.Less(f.Splat(dtype.F32, 0)).Select(x.MulScalar(0.1), x) // a leaky ReLU
	})
	// Output: f32[4]
}

func ExampleTensor_PadMode() {
	show(func(f *lang.Func) lang.Tensor {
		x := f.Input("x", dtype.F32, 3, 10)
		return x.PadMode(lang.Reflect, []int64{0, 2}, []int64{0, 2})
	})
	// Output: f32[3x14]
}

func ExampleTensor_Conv() {
	show(func(f *lang.Func) lang.Tensor {
		image := f.Input("image", dtype.F32, 1, 3, 32, 32)
		kernel := f.Input("kernel", dtype.F32, 8, 3, 3, 3)
		options := lang.WindowOptions{Strides: []int64{2, 2}}
		return image.Conv(kernel, image.WithSamePadding(options, []int64{3, 3}, false))
	})
	// Output: f32[1x8x16x16]
}

// show prints the type of what build returns.
func show(build func(f *lang.Func) lang.Tensor) {
	_, err := lang.Capture("example", nil, func(m *lang.Module) {
		m.Entry("main", func(f *lang.Func) {
			y := build(f)
			fmt.Println(y.Type())
			f.Output("y", y)
		})
	})
	if err != nil {
		fmt.Println(err)
	}
}

// Weights as the blocks that the file has: a row of 64 elements in Q8_0 is two blocks of
// 34 bytes. Models need this only where the pass that does it for MatMul is not wanted.
func ExampleFunc_ParamBlocks() {
	index := &tensor.Index{Tensors: []tensor.Spec{{
		Name: "w", DType: dtype.F32, Shape: shape.Of(3, 64), Encoding: "Q8_0", Bytes: 3 * 2 * 34,
	}}}
	graph, err := lang.Capture("packed", index, func(m *lang.Module) {
		m.Entry("main", func(f *lang.Func) {
			blocks, encoding := f.ParamBlocks("w")
			fmt.Println(encoding, blocks.Type())
			f.Output("y", f.Input("x", dtype.F32, 1, 64).DequantMatMul(encoding, blocks))
		})
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(graph.Funcs[0].Body.Results[0].Type)
	// Output:
	// Q8_0 i8[3x2x34]
	// f32[1x3]
}
