package export

import (
	"github.com/skainet-dev/skainet-go/compile/dag"
	"github.com/skainet-dev/skainet-go/compile/dag/graphjson"
	"github.com/skainet-dev/skainet-go/compile/dag/passes"
	"github.com/skainet-dev/skainet-go/compile/hlo"
	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/lang"
	"github.com/skainet-dev/skainet-go/tensor"
)

// Model makes a model's graph with a module's name, from a weights index that is nil for a
// model without weights, and runs passes on it. The caller may change the graph.
type Model func(name string, index *tensor.Index, ps ...passes.Pass) (*dag.Graph, error)

// Constructed returns the model of a constructor.
func Constructed(build lang.Constructor) Model {
	return func(name string, index *tensor.Index, ps ...passes.Pass) (*dag.Graph, error) {
		return lang.CaptureWith(name, index, build, ps...)
	}
}

// Stored returns the model of a graph file (compile/dag/graphjson). The module's name
// replaces the one in the file, unless it is empty.
func Stored(path string) Model {
	return func(name string, _ *tensor.Index, ps ...passes.Pass) (*dag.Graph, error) {
		g, err := graphjson.ReadFile(path)
		if err != nil {
			return nil, err
		}
		g, err = Given(g)(name, nil, ps...)
		return g, errs.WithFile(err, path)
	}
}

// Given returns the model of a graph in memory, which its passes change.
func Given(g *dag.Graph) Model {
	return func(name string, _ *tensor.Index, ps ...passes.Pass) (*dag.Graph, error) {
		if name != "" {
			g.Name = name
		}
		return g, passes.Run(g, ps...)
	}
}

// Graph returns the graph that an export in a precision writes with the weights
// stored according to a policy; see Options.Weights.
func (m Model) Graph(fold passes.Evaluator, name string, index *tensor.Index, precision, weights string) (*dag.Graph, error) {
	ps, err := stored(fold, index, precision, weights)
	if err != nil {
		return nil, err
	}
	return m(name, index, ps...)
}

// Run makes the model's graph, emits it and writes the files. The graph and the
// module are returned for further use.
func (m Model) Run(fold passes.Evaluator, o Options) (*dag.Graph, *hlo.Module, error) {
	index, err := ReadIndex(o.Index)
	if err != nil {
		return nil, nil, err
	}
	return m.RunIndex(fold, index, o)
}

// RunIndex is like Run with an index in memory instead of the file o.Index; nil for
// a model without weights.
func (m Model) RunIndex(fold passes.Evaluator, index *tensor.Index, o Options) (*dag.Graph, *hlo.Module, error) {
	ps, err := stored(fold, index, o.DType, o.Weights)
	if err != nil {
		return nil, nil, err
	}
	if o.Contents != nil {
		ps = append([]passes.Pass{passes.Duplicates(o.Contents)}, ps...)
	}
	g, err := m(o.Name, index, ps...)
	if err != nil {
		return nil, nil, err
	}
	text, err := RunGraph(g, o)
	if err != nil {
		return nil, nil, err
	}
	return g, text, noteUnpacked(o.Notes, g, index, o)
}
