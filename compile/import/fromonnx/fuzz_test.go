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
	"github.com/skainet-dev/skainet-go/test/badfiles"
)

// FuzzImport checks that a model that the reader takes either becomes a graph that holds,
// or is refused by a coded error that names the place; that the import takes no more
// memory than its bounds say, with the CPU backend under a small limit as the evaluator and
// with one that refuses what is not small; and that it ends.
func FuzzImport(f *testing.F) {
	f.Add(badfiles.ONNXGood())
	for _, file := range []string{"testdata/models.json", "testdata/operators.json"} {
		doc, err := os.ReadFile(file)
		require.NoError(f, err)
		var cases []struct{ Model []byte }
		require.NoError(f, json.Unmarshal(doc, &cases))
		for _, c := range cases {
			f.Add(c.Model)
		}
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		m, err := onnx.ParseModel(data)
		if err != nil {
			return
		}
		for _, evaluate := range []Evaluator{evaluatedSmall, open.Evaluator(1 << 24)} {
			before, start := allocated(), time.Now()
			g, err := Import(m, Options{Evaluate: evaluate, MaxMemory: 1 << 24, Noise: NoiseZero})
			require.Less(t, allocated()-before, uint64(1<<30))
			require.Less(t, time.Since(start), time.Minute)
			if err != nil {
				var e *errs.Error
				require.ErrorAs(t, err, &e)
				require.NotEmpty(t, e.Node+e.File, "%v", err)
				continue
			}
			require.NoError(t, dag.Verify(g))
		}
	})
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
