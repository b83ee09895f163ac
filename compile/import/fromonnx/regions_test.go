package fromonnx

import (
	"context"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/backend/open"
	"github.com/skainet-dev/skainet-go/io/onnx"
	"github.com/skainet-dev/skainet-go/tensor"
)

// The numbers of regions, of boxes and of tokens are sizes with names. Experts that are
// identities, all used and of weights that add up to one, give what they take.
func TestNamedRows(t *testing.T) {
	picture := of(t, []float32{1, 2, 3, 4}, 1, 1, 2, 2)
	pool := onnx.Node{Op: "MaxRoiPool", Inputs: []string{"x", "r"}, Outputs: []string{"y"}, Attributes: map[string]onnx.Attribute{"pooled_shape": {Ints: []int64{1, 2}}}}
	experts := onnx.Node{Op: "MoE", Domain: "com.microsoft", Inputs: []string{"x", "r", "a", "", "b"}, Outputs: []string{"y"},
		Attributes: map[string]onnx.Attribute{"k": {Int: 2}, "activation_type": {String: "identity"}}}
	identities := of(t, []float32{1, 0, 0, 1, 1, 0, 0, 1}, 2, 2, 2)
	rows := of(t, []float32{5, 6, -7, 8, 9, 10}, 1, 3, 2)
	for _, c := range []struct {
		m        *onnx.Model
		in       []tensor.Value
		want     tensor.Value
		wantType string
	}{
		{
			built(infos(info("x", 1, 1, 1, 2, 2), info("r", 1, "n", 5)), infos(info("y", 1)), pool),
			[]tensor.Value{picture, of(t, []float32{0, 0, 0, 1, 1, 0, 0, 0, 0, 1}, 2, 5)}, of(t, []float32{3, 4, 3, 3}, 2, 1, 1, 2), "f32[n?x1x1x2]",
		},
		{
			built(infos(info("x", 1, "b", "n", 2), info("r", 1, "m", 2), info("a", 1, 2, 2, 2), info("b", 1, 2, 2, 2)), infos(info("y", 1)), experts),
			[]tensor.Value{rows, of(t, []float32{1, 1, 0, -200, -300, 5}, 3, 2), identities, identities}, rows, "f32[b?xn?x2]",
		},
	} {
		g, err := Import(c.m, Options{Evaluate: open.Evaluate})
		require.NoError(t, err)
		require.Equal(t, c.wantType, g.Funcs[0].Body.Results[0].Type.String())
		got, err := open.Evaluate(context.Background(), g, c.in)
		require.NoError(t, err)
		if diff := cmp.Diff([]tensor.Value{c.want}, got); diff != "" {
			t.Error(diff)
		}
	}
}
