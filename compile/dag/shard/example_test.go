package shard_test

import (
	"fmt"
	"log"

	"github.com/skainet-dev/skainet-go/compile/dag"
	"github.com/skainet-dev/skainet-go/compile/dag/shard"
	"github.com/skainet-dev/skainet-go/lang"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
)

// The rows of a batch are split over two devices.
func ExampleApply() {
	graph, err := lang.Capture("double", nil, func(m *lang.Module) {
		m.Entry("main", func(f *lang.Func) { f.Output("y", f.Input("x", dtype.F32, 8, 3).MulScalar(2)) })
	})
	if err != nil {
		log.Fatal(err)
	}
	axes, err := shard.ParseAxes("data=2")
	if err != nil {
		log.Fatal(err)
	}
	rows := dag.Sharding{"data", ""}
	graph, err = shard.Apply(graph, axes, shard.Layout{
		Arguments: []shard.Rule{{Names: "main.x", Axes: rows}},
		Results:   []shard.Rule{{Names: "main.y", Axes: rows}},
	})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(graph.Mesh.Devices(), graph.Mesh.Arguments)
	// Output: 2 map[main.x:data,]
}
