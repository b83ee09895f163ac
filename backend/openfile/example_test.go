package openfile_test

import (
	"context"
	"fmt"

	"github.com/skainet-dev/skainet-go/backend/open"
	"github.com/skainet-dev/skainet-go/backend/openfile"
	"github.com/skainet-dev/skainet-go/lang"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
)

// A model in Go, opened as a model file is: with open.IREE in place of open.CPU it is compiled for
// this processor, once, and IREE's tools are found, or fetched.
func ExampleGiven() {
	model := func(m *lang.Module) {
		m.Entry("main", func(f *lang.Func) {
			x := f.Input("x", dtype.F32, 4)
			f.Output("y", x.MulScalar(2).AddScalar(1))
		})
	}
	graph, err := lang.Capture("line", nil, model)
	if err != nil {
		fmt.Println(err)
		return
	}
	m, err := openfile.Given(graph, "", openfile.Options{Run: open.Options{Backend: open.CPU, Fetch: true}})
	if err != nil {
		fmt.Println(err)
		return
	}
	x, err := m.Open(context.Background())
	if err != nil {
		fmt.Println(err)
		return
	}
	defer x.Close()
	arg, err := tensor.Of([]float32{1, 2, 3, 4}, 4)
	if err != nil {
		fmt.Println(err)
		return
	}
	results, err := x.Call(context.Background(), "main", arg)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(tensor.Slice[float32](results[0]))
	// Output: [3 5 7 9] <nil>
}

// A model file is imported first, which says what it takes and gives, and then opened.
func ExampleImport() {
	m, _, err := openfile.Import("../../rules/tests/onnx/encoder.onnx", nil, openfile.Options{Run: open.Options{Backend: open.CPU}})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, e := range m.Contract.Entries {
		for _, a := range e.Args {
			fmt.Println(a.Name, a.Type())
		}
	}
	// Output:
	// input_ids i64[batch?xseq?]
	// attention_mask i64[batch?xseq?]
}
