package snippets

import (
	"context"

	"github.com/skainet-dev/skainet-go/backend"
	"github.com/skainet-dev/skainet-go/backend/open"
	"github.com/skainet-dev/skainet-go/backend/openfile"
	"github.com/skainet-dev/skainet-go/backend/xla"
	"github.com/skainet-dev/skainet-go/compile"
	"github.com/skainet-dev/skainet-go/compile/dag"
	"github.com/skainet-dev/skainet-go/compile/dag/shard"
	"github.com/skainet-dev/skainet-go/models/gemma3"
	"github.com/skainet-dev/skainet-go/tensor"
)

// OpenTo opens a graph on a target.
func OpenTo(ctx context.Context, graph *dag.Graph) (backend.Executable, error) {
	options, err := open.To("xla_cpu", "latency") // or "cpu", or a target of IREE such as "cpu_x86_64_v3"
	if err != nil {
		return nil, err
	}
	options.Weights = "model.safetensors"
	program, err := open.Graph(ctx, graph, options)
	return program, err
}

// Each calls a graph on three backends.
func Each(ctx context.Context, graph *dag.Graph, x tensor.Value) ([][]tensor.Value, error) {
	var all [][]tensor.Value
	for _, name := range []string{"cpu", "cpu_x86_64_v3", "xla_cpu"} { // CPU backend, IREE, XLA
		options, err := open.To(name, "")
		if err != nil {
			return nil, err
		}
		options.Fetch = true // IREE's tools, where none are found
		m, err := openfile.Given(graph, "", openfile.Options{Weights: "model.safetensors", Run: options})
		if err != nil {
			return nil, err
		}
		program, err := m.Open(ctx)
		if err != nil {
			return nil, err
		}
		results, err := program.Call(ctx, "main", x)
		if err != nil {
			return nil, err
		}
		all = append(all, results)
		program.Close()
	}
	return all, nil
}

// Texts are what the target's compiler takes.
func Texts(graph *dag.Graph) ([]compile.Text, error) {
	to, err := compile.To("xla_cpu", "latency")
	if err != nil {
		return nil, err
	}
	texts, err := to.Texts(graph, compile.Options{Sizes: []map[string]int64{{"batch": 1}}})
	return texts, err
}

// Sharded opens a graph on four devices.
func Sharded(ctx context.Context, graph *dag.Graph, index *tensor.Index, archives map[string][]string) (backend.Executable, error) {
	layout, err := gemma3.TensorParallel(index) // heads and feed-forward rows, along the axis model
	// or layout := bert.DataParallel(): texts of a batch, along the axis data
	if err != nil {
		return nil, err
	}
	graph, err = shard.Apply(graph, []dag.Axis{{Name: "model", Size: 4}}, layout)
	if err != nil {
		return nil, err
	}
	program, err := xla.Open(ctx, xla.Options{Graph: graph, Archives: archives})
	return program, err
}

// InBuckets opens a graph whose texts of up to 16, 64 and 256 tokens run one program each.
func InBuckets(ctx context.Context, graph *dag.Graph, archives map[string][]string) (backend.Executable, error) {
	buckets, err := xla.ParseBuckets("seq=16,64,256") // or xla.AutoBuckets in its place
	if err != nil {
		return nil, err
	}
	program, err := xla.Open(ctx, xla.Options{Graph: graph, Archives: archives, Buckets: buckets})
	return program, err
}

// Compiled compiles a model in Go for this processor, and loads it.
func Compiled(ctx context.Context, graph *dag.Graph) (backend.Executable, error) {
	m, err := openfile.Given(graph, "", openfile.Options{Run: open.Options{Backend: open.IREE, Fetch: true}})
	if err != nil {
		return nil, err
	}
	return m.Open(ctx)
}
