package passes_test

import (
	"fmt"
	"log"

	"github.com/skainet-dev/skainet-go/compile/dag"
	"github.com/skainet-dev/skainet-go/compile/dag/passes"
	"github.com/skainet-dev/skainet-go/lang"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
)

// What one pass does, from the graph as it was written on.
func ExampleRun() {
	graph, err := lang.CaptureWith("m", nil, func(m *lang.Module) {
		m.Entry("main", func(f *lang.Func) {
			x := f.Input("x", dtype.F32, 4)
			f.Output("y", x.Negate().Negate().Mul(f.Splat(dtype.F32, 1, 4)))
		})
	})
	if err != nil {
		log.Fatal(err)
	}
	show := func(what string) {
		fmt.Print(what, ":")
		graph.Funcs[0].Body.Walk(func(n *dag.Node) { fmt.Print(" ", n.Op.Name) })
		fmt.Println()
	}
	show("written")
	if err := passes.Run(graph, passes.Pass{Name: "simplify", Run: passes.Simplify}); err != nil {
		log.Fatal(err)
	}
	show("simplified")
	// Output:
	// written: negate negate splat multiply
	// simplified:
}
