// Command gomodule uses SKaiNET for Go as a Go module, without Bazel: it runs a model that it
// defines itself on the CPU backend, and then writes the model as a graph file, or runs a program
// that was compiled of it, in the runtime library if that is named, or else in the tool that is found:
//
//	gomodule GRAPH.json
//	gomodule PROGRAM.vmfb PROGRAM.contract.json [libireert.so]
package main

import (
	"context"
	"fmt"
	"os"

	"github.com/skainet-dev/skainet-go/backend"
	"github.com/skainet-dev/skainet-go/backend/iree"
	"github.com/skainet-dev/skainet-go/backend/iree/tools"
	"github.com/skainet-dev/skainet-go/backend/open"
	"github.com/skainet-dev/skainet-go/compile/contract"
	"github.com/skainet-dev/skainet-go/compile/dag/graphjson"
	"github.com/skainet-dev/skainet-go/lang"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
)

// Model computes y = 2x + 1 for four numbers.
func Model(m *lang.Module) {
	m.Entry("main", func(f *lang.Func) {
		x := f.Input("x", dtype.F32, 4)
		f.Output("y", x.MulScalar(2).AddScalar(1))
	})
}

func main() {
	if err := run(context.Background(), os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(ctx context.Context, files []string) error {
	// In this process, by the reference in Go: no compiler, nothing to install.
	graph, err := lang.Capture("line", nil, Model)
	if err != nil {
		return err
	}
	x, err := open.Graph(ctx, graph, open.Options{Backend: open.CPU})
	if err != nil {
		return err
	}
	if err := call(ctx, "cpu", x); err != nil || len(files) == 0 {
		return err
	}

	// As a file, for the command skainet.
	if len(files) == 1 {
		text, err := graphjson.Marshal(graph)
		if err != nil {
			return err
		}
		return os.WriteFile(files[0], text, 0o666)
	}

	// A program that was compiled before, by skainet compile or by Bazel, and its contract.
	c, err := contract.ReadFile(files[1])
	if err != nil {
		return err
	}
	o := iree.Options{Program: files[0], Contract: c}
	if len(files) > 2 {
		o.Library = files[2]
	}
	if o.Library, o.Tool, err = (tools.Search{Fetch: true}).Runtime(ctx, o.Library, ""); err != nil {
		return err
	}
	if x, err = iree.Open(o); err != nil {
		return err
	}
	return call(ctx, "iree", x)
}

// call calls a program and closes it.
func call(ctx context.Context, name string, x backend.Executable) error {
	defer x.Close()
	arg, err := tensor.Of([]float32{1, 2, 3, 4}, 4)
	if err != nil {
		return err
	}
	results, err := x.Call(ctx, "main", arg)
	if err != nil {
		return err
	}
	y, err := tensor.Slice[float32](results[0])
	if err != nil {
		return err
	}
	fmt.Println(name, y)
	return nil
}
