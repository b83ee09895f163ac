package dag_test

import (
	"fmt"
	"log"

	"github.com/skainet-dev/skainet-go/compile/dag"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
)

// Package lang builds graphs for models; this is what it does for y = exp(x) + x.
func Example() {
	body := &dag.Block{}
	x := body.AddArg(tensor.TypeOf(dtype.F32, 4))
	exp, err := body.Add("exp", "main/exp", nil, x)
	if err != nil {
		log.Fatal(err)
	}
	sum, err := body.Add("add", "main/add", nil, exp.Outputs[0], x)
	if err != nil {
		log.Fatal(err)
	}
	body.Results = sum.Outputs
	graph := &dag.Graph{Name: "example", Funcs: []*dag.Func{
		{Name: "main", Entry: true, Args: []string{"x"}, Results: []string{"y"}, Body: body},
	}}
	if err := dag.Verify(graph); err != nil {
		log.Fatal(err)
	}
	body.Walk(func(n *dag.Node) { fmt.Println(n.Op.Name, n.Outputs[0].Type) })
	// Output:
	// exp f32[4]
	// add f32[4]
}
