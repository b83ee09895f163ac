package fromonnx

import (
	"context"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/backend/open"
	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/io/onnx"
	"github.com/skainet-dev/skainet-go/tensor"
	_ "github.com/skainet-dev/skainet-go/test/errtest"
	. "github.com/skainet-dev/skainet-go/test/onnxtest"
)

func of[T tensor.Element](t *testing.T, v []T, sizes ...int64) tensor.Value {
	t.Helper()
	x, err := tensor.Of(v, sizes...)
	require.NoError(t, err)
	return x
}

func model(t *testing.T, graph ...[]byte) *onnx.Model {
	t.Helper()
	m, err := onnx.ParseModel(Model(graph...))
	require.NoError(t, err)
	return m
}

// A size that other nodes compute is known when it is needed: the rows of x are
// as many as its elements through the last of [1, 2] plus [0, 1].
func TestSizesAreComputed(t *testing.T) {
	m := model(t, Field(11, Value("x", 6)), Field(11, Value("a", 7)), Field(11, Value("b", 7)), Field(12, Value("y", 6)),
		Field(1, Node("Add", "shape", []string{"a", "b"})), Field(1, Node("Reshape", "y", []string{"x", "shape"})))
	inputs := []tensor.Value{of(t, []int32{1, 2, 3, 4, 5, 6}, 6), of(t, []int64{-1, 2}, 2), of(t, []int64{0, 1}, 2)}
	g, err := Graph(m, inputs, open.Evaluate)
	require.NoError(t, err)
	x, err := open.Graph(context.Background(), g, open.Options{Backend: open.CPU})
	require.NoError(t, err)
	defer x.Close()
	got, err := x.Call(context.Background(), "main", inputs...)
	require.NoError(t, err)
	if diff := cmp.Diff([]tensor.Value{of(t, []int32{1, 2, 3, 4, 5, 6}, 2, 3)}, got); diff != "" {
		t.Error(diff)
	}
}

func TestUnmapped(t *testing.T) {
	x, y := Field(11, Value("x", 1)), Field(12, Value("y", 1))
	input := []tensor.Value{of(t, []float32{1, 2}, 2)}
	other := Message(Field(1, "x"), Field(2, "y"), Field(4, "Neg"), Field(7, "com.example"))
	for _, c := range []struct {
		reason string
		graph  [][]byte
	}{
		{"no rule for What", [][]byte{x, y, Field(1, Node("What", "y", []string{"x"}))}},
		{"no rule for com.example.Neg", [][]byte{x, y, Field(1, other)}},
		{"refused: ONNX_NODE",
			[][]byte{x, y, Field(1, Node("Flatten", "y", []string{"x"}, Message(Field(1, "axis"), Field(3, int64(9)))))}},
		{"element types that no program computes in", [][]byte{x, y, Field(5, Tensor("w", 8, nil)), Field(1, Node("Neg", "y", []string{"w"}))}},
		{"refused: ONNX_NODE", [][]byte{x, y, Field(1, Node("Not", "y", []string{"x"}))}},
		{"refused: OP_SHAPE", [][]byte{x, y, Field(5, Tensor("w", 1, make([]byte, 12), 3)), Field(1, Node("Add", "y", []string{"x", "w"}))}},
	} {
		_, err := Graph(model(t, c.graph...), input, open.Evaluate)
		require.Error(t, err)
		require.Equal(t, c.reason, Reason(err))
	}
	value := func(name string) []onnx.ValueInfo {
		return []onnx.ValueInfo{{Name: name, Kind: onnx.KindTensor, Type: 1}}
	}
	for reason, nodes := range map[string][]onnx.Node{ // which the reader of files refuses
		`the output "y", which no node makes`: nil,
		`the input "z", which no node makes`:  {{Op: "Neg", Inputs: []string{"z"}, Outputs: []string{"y"}}},
		`the input "z", which a later node makes, Abs of z: nodes must come after those whose results they take, and not in a circle`: {
			{Op: "Neg", Inputs: []string{"z"}, Outputs: []string{"y"}}, {Op: "Abs", Inputs: []string{"y"}, Outputs: []string{"z"}}},
		`two nodes, Abs of y and Neg of y, make the value "y"`: {
			{Op: "Abs", Inputs: []string{"x"}, Outputs: []string{"y"}}, {Op: "Neg", Inputs: []string{"x"}, Outputs: []string{"y"}}},
	} {
		_, err := Graph(&onnx.Model{Graph: onnx.Graph{Nodes: nodes, Inputs: value("x"), Outputs: value("y")}}, input, open.Evaluate)
		require.Equal(t, CodeUnmapped, errs.CodeOf(err))
		require.Equal(t, reason, Reason(err))
	}
	require.Empty(t, Reason(nil))
	require.Equal(t, "EOF", Reason(errEOF{}))
}

type errEOF struct{}

func (errEOF) Error() string { return "EOF" }
