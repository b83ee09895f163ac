package snippets

import (
	"context"
	"fmt"

	"github.com/skainet-dev/skainet-go/backend"
	"github.com/skainet-dev/skainet-go/backend/open"
	"github.com/skainet-dev/skainet-go/backend/opencpu"
	"github.com/skainet-dev/skainet-go/backend/openfile"
	"github.com/skainet-dev/skainet-go/io/weights"
	"github.com/skainet-dev/skainet-go/lang"
	"github.com/skainet-dev/skainet-go/lang/nn"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
	"github.com/skainet-dev/skainet-go/tensor/shape"
)

// Classifier has two layers, whose weights are those of a file.
func Classifier(m *lang.Module) {
	m.Entry("main", func(f *lang.Func) {
		x := f.InputOf("x", dtype.F32, shape.Named("batch"), shape.N(64))
		h := nn.Linear(f, "fc1.", x, nn.LinearOptions{}).ReLU() // fc1.weight, fc1.bias
		f.Output("p", nn.Linear(f, "fc2.", h, nn.LinearOptions{}).Softmax(1))
	})
}

// Alone opens the classifier in a program that needs no library.
func Alone(ctx context.Context, x tensor.Value) ([]float32, error) {
	file, err := weights.Open("digits.safetensors")
	if err != nil {
		return nil, err
	}
	defer file.Close()
	index, err := file.Index() // names and shapes
	if err != nil {
		return nil, err
	}
	graph, err := lang.Capture("digits", index, Classifier)
	if err != nil {
		return nil, err
	}
	program, err := opencpu.Graph(graph, opencpu.Options{Weights: "digits.safetensors"})
	if err != nil {
		return nil, err
	}
	defer program.Close()
	results, err := program.Call(ctx, "main", x)
	if err != nil {
		return nil, err
	}
	return tensor.Slice[float32](results[0])
}

// Opened opens an ONNX file for arguments of these sizes.
func Opened(ctx context.Context) (backend.Executable, error) {
	m, _, err := openfile.Import("model.onnx", []string{"image=@image.npy"}, openfile.Options{Run: open.Options{Backend: open.CPU}})
	if err != nil {
		return nil, err
	}
	for _, e := range m.Contract.Entries {
		for _, a := range e.Args {
			fmt.Println(e.Name, a.Name, a.Type())
		}
	}
	return m.Open(ctx)
}

// Workers opens a session for each of two goroutines; the weights are in memory once.
func Workers(program backend.Executable) (backend.Executable, error) {
	second, err := program.(backend.Shared).Session(nil)
	return second, err
}
