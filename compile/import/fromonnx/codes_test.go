package fromonnx

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/backend/open"
	"github.com/skainet-dev/skainet-go/compile/op"
	"github.com/skainet-dev/skainet-go/tensor"
)

// Weights of 4 bits and small floats stay in the file: they are parameters, no constant of
// the graph, and read from there give ONNX Runtime's results.
func TestWeightsAsCodes(t *testing.T) {
	found := 0
	for _, c := range recordedCases(t) {
		if !strings.HasPrefix(c.Name, "weights_of_") {
			continue
		}
		found++
		g, _ := c.imported(t, 8)
		var params []string
		for _, n := range g.Funcs[0].Body.Nodes {
			switch n.Op.Role {
			case op.Weight:
				params = append(params, n.Attrs.String("key")+" "+n.Outputs[0].Type.String())
			case op.Literal:
				require.LessOrEqual(t, len(n.Attrs.Value("value").Bytes), 1024, n.Origin) // tables of codes
			}
		}
		want := map[string][]string{
			"weights_of_4_bits":       {"w i8[5x33]", "scales f32[5x3]", "u u8[5x33]", "rows f32[5]"},
			"weights_of_small_floats": {"w u8[24x5]", "u u8[24x5]"},
		}
		require.ElementsMatch(t, want[c.Name], params)
		path := filepath.Join(t.TempDir(), "model.onnx")
		require.NoError(t, os.WriteFile(path, c.Model, 0o644))
		x, err := open.Graph(context.Background(), g, open.Options{Backend: open.CPU, Weights: path})
		require.NoError(t, err)
		defer x.Close()
		for _, call := range c.Calls {
			given, wanted := map[string]tensor.Value{}, map[string]tensor.Value{}
			for name, v := range call.Inputs {
				given[name] = v.value(t)
			}
			for name, v := range call.Outputs {
				wanted[name] = v.value(t)
			}
			got := called(t, x, g.Funcs[0], given)
			if diff := cmp.Diff(floatsOf(wanted), floatsOf(got), cmpopts.EquateApprox(1e-5, 1e-5)); diff != "" {
				t.Error(c.Name, diff)
			}
		}
	}
	require.Equal(t, 2, found)
}
