package xla_test

import (
	"context"
	"log"

	"github.com/skainet-dev/skainet-go/backend/xla"
	"github.com/skainet-dev/skainet-go/lang"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
)

// A graph runs on XLA: SKAINET_PJRT_PLUGIN names the plugin.
func ExampleOpen() {
	graph, err := lang.Capture("affine", nil, func(m *lang.Module) {
		m.Entry("main", func(f *lang.Func) {
			f.Output("y", f.Input("x", dtype.F32, 3).MulScalar(2).AddScalar(1))
		})
	})
	if err != nil {
		log.Fatal(err)
	}
	program, err := xla.Open(context.Background(), xla.Options{Graph: graph})
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
	log.Println(results[0].Type)
}
