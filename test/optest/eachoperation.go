package optest

import (
	"slices"
	"strings"

	"github.com/skainet-dev/skainet-go/compile/dag"
	"github.com/skainet-dev/skainet-go/lang"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
)

// EachOperation is the constructor of a subset of Model's entry points that has every
// operation: each adds an operation that no earlier one has, in f32 if there are
// several types. It is for drivers that need a second for each kernel.
func EachOperation(m *lang.Module) {
	seen := map[string]bool{}
	for _, e := range narrow {
		more := false
		for name := range operations(alone(e)) {
			more = more || !seen[name]
			seen[name] = true
		}
		if more {
			m.Entry(e.name, e.build)
		}
	}
	stateful(m)
	calls(m)
}

// Part is the constructor of part i of n of Model's entry points.
func Part(i, n int) lang.Constructor {
	return func(m *lang.Module) {
		addPart(m, narrow, i, n)
		if i == 0 {
			stateful(m)
			calls(m)
		}
	}
}

// DynamicPart is the constructor of part i of n of Dynamic's entry points that are
// for all targets: not those of types that only processors have, nor those of the
// products for which processors have kernels.
func DynamicPart(i, n int) lang.Constructor {
	return func(m *lang.Module) {
		var all []entry
		for _, e := range dynamic {
			if !strings.HasPrefix(e.name, "many_rows_") && !slices.ContainsFunc(onProcessors, func(d dtype.DType) bool { return alone(e).Holds(d) }) {
				all = append(all, e)
			}
		}
		addPart(m, all, i, n)
		if i == 0 {
			dynamicCalls(m)
		}
	}
}

// onProcessors are the element types of the tables for processors alone.
var onProcessors = []dtype.DType{dtype.F64, dtype.BF16, dtype.I64, dtype.U64, dtype.I16, dtype.U16, dtype.U32}

// addPart distributes the entries, so that the parts are similar.
func addPart(m *lang.Module, entries []entry, i, n int) {
	for k, e := range entries {
		if k%n == i {
			m.Entry(e.name, e.build)
		}
	}
}

// alone is the graph of one entry point. It ignores faults of the table, which are found
// when all of it is captured.
func alone(e entry) *dag.Graph {
	g, err := lang.Capture("alone", nil, func(m *lang.Module) { m.Entry(e.name, e.build) })
	if err != nil {
		return &dag.Graph{}
	}
	return g
}

// operations are those of the graph, and the composite ones that they are parts of.
func operations(g *dag.Graph) map[string]bool {
	used := map[string]bool{}
	for _, f := range g.Funcs {
		f.Body.Walk(func(n *dag.Node) {
			used[n.Op.Name] = true
			for _, composite := range n.From {
				used[composite.String()] = true
			}
		})
	}
	return used
}
