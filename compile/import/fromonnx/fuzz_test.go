package fromonnx

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"runtime/metrics"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/backend/open"
	"github.com/skainet-dev/skainet-go/compile/dag"
	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/io/onnx"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/shape"
	"github.com/skainet-dev/skainet-go/test/badfiles"
)

// FuzzImport checks that a model that the reader takes either becomes a graph that holds,
// or is refused by a coded error that names the place; that the import takes no more
// memory than its bounds say, with the CPU backend under a small limit as the evaluator and
// with one that refuses what is not small; and that it ends.
func FuzzImport(f *testing.F) {
	f.Add(badfiles.ONNXGood(), byte(0))
	for _, file := range []string{"testdata/models.json", "testdata/operators.json"} {
		doc, err := os.ReadFile(file)
		require.NoError(f, err)
		var cases []struct{ Model []byte }
		require.NoError(f, json.Unmarshal(doc, &cases))
		for i, c := range cases {
			f.Add(c.Model, byte(0))
			f.Add(c.Model, byte(i))
		}
	}
	f.Fuzz(func(t *testing.T, data []byte, choices byte) {
		m, err := onnx.ParseModel(data)
		if err != nil {
			return
		}
		for _, evaluate := range []Evaluator{evaluatedSmall, open.Evaluator(1 << 24)} {
			before, start := allocated(), time.Now()
			o := chosen(m, choices)
			o.Evaluate, o.MaxMemory = evaluate, 1<<24
			g, err := Import(m, o)
			refused, _ := Refused(m, o)
			require.Less(t, allocated()-before, uint64(2<<30))
			require.Less(t, time.Since(start), 2*time.Minute)
			if err == nil {
				require.NoError(t, dag.Verify(g))
			} else {
				refused = append(refused, err)
			}
			for _, err := range refused {
				var e *errs.Error
				require.ErrorAs(t, err, &e)
				require.NotEqual(t, CodeFault, e.Code, "%v", err)
				if e.Code != CodeOption { // which names the option
					require.NotEmpty(t, e.Node+e.File, "%v", err)
				}
			}
		}
	})
}

// chosen returns options of an import: each bit of choices sets one, by what the file has.
func chosen(m *onnx.Model, choices byte) Options {
	o := Options{Noise: NoiseZero, Dequantize: choices&1 != 0}
	nodes, inputs, outputs := m.Graph.Nodes, m.Graph.Inputs, m.Graph.Outputs
	if n := len(nodes); choices&2 != 0 && n > 0 && len(nodes[n/2].Outputs) > 0 {
		o.Cut = []string{nodes[n/2].Outputs[0]}
	}
	if n := len(nodes); choices&4 != 0 && n > 0 && len(nodes[n-1].Outputs) > 0 {
		o.Outputs = []string{nodes[n-1].Outputs[0]}
	}
	if choices&8 != 0 && len(inputs) > 0 && len(outputs) > 0 {
		o.States = map[string]string{outputs[len(outputs)-1].Name: inputs[len(inputs)-1].Name}
		if choices&16 != 0 {
			o.States = map[string]string{outputs[len(outputs)-1].Name: inputs[len(inputs)-1].Name + ":8"}
		}
	}
	if choices&32 != 0 && len(inputs) > 0 {
		sizes := make(shape.Shape, len(inputs[0].Shape))
		for i := range sizes {
			sizes[i] = shape.N(int64(i + 2))
		}
		o.Shapes = map[string]shape.Shape{inputs[0].Name: sizes}
	}
	return o
}

// evaluatedSmall computes what takes little memory.
func evaluatedSmall(ctx context.Context, g *dag.Graph, args []tensor.Value) ([]tensor.Value, error) {
	for _, n := range g.Funcs[0].Body.Nodes {
		for _, o := range n.Outputs {
			if size, err := o.Type.Bytes(); err != nil || size > 1<<20 {
				return nil, errors.Join(errs.New(CodeUnmapped, "a large value"), err)
			}
		}
	}
	return open.Evaluate(ctx, g, args)
}

// allocated returns the bytes allocated so far.
func allocated() uint64 {
	s := []metrics.Sample{{Name: "/gc/heap/allocs:bytes"}}
	metrics.Read(s)
	return s[0].Value.Uint64()
}
