package onnx_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/io/onnx"
	. "github.com/skainet-dev/skainet-go/test/onnxtest"
)

// ignorePlaces leaves out where in the file a value lies.
var ignorePlaces = cmpopts.IgnoreFields(onnx.ValueInfo{}, "At")

func constant(output string) []byte {
	return Node("Constant", output, nil, Message(Field(1, "value"), Field(5, Tensor("inner name", 2, []byte{1}))))
}

// The first tensor of a name has it as its key; others have their places before it.
func TestKeys(t *testing.T) {
	branch := Message(Field(1, constant("w")), Field(5, Tensor("c", 2, []byte{1})), Field(5, Tensor("only", 2, []byte{1})))
	model := Message(
		Field(8, Field(2, int64(18))),
		Field(7, Message(
			Field(11, Value("x", 9)), Field(5, Tensor("w", 2, []byte{1})),
			Field(1, constant("c")),
			Field(1, Node("If", "y", []string{"x"}, Message(Field(1, "then_branch"), Field(6, branch)), Message(Field(1, "else_branch"), Field(6, branch)))),
			Field(1, constant("only")),
			Field(1, Node("ConstantOfShape", "z", []string{"c"}, Message(Field(1, "value"), Field(5, Tensor("", 2, []byte{1}))))),
			Field(1, Node("Trees", "t", []string{"c"}, Message(Field(1, "list"), Field(10, Tensor("", 2, []byte{1})), Field(10, Tensor("", 2, []byte{1}))))),
			Field(1, Node("Constant", "s", nil, Message(Field(1, "sparse_value"), Field(22, Message(Field(1, Tensor("", 2, []byte{1}, 1)), Field(2, Tensor("", 7, make([]byte, 8), 1)), Field(3, int64(5))))))),
		)),
		Field(25, Message(Field(1, "f"), Field(10, "d"), Field(13, "o"), Field(7, constant("w")), Field(7, constant("own")))),
	)
	m, err := onnx.ParseModel(model)
	require.NoError(t, err)
	g := &m.Graph
	value := func(n *onnx.Node) string { return n.Attributes["value"].Tensor.Key }
	then, otherwise := g.Nodes[1].Attributes["then_branch"].Graph, g.Nodes[1].Attributes["else_branch"].Graph
	got := []string{
		g.Initializers[0].Key, value(&g.Nodes[0]), value(&then.Nodes[0]), then.Initializers[0].Key, then.Initializers[1].Key,
		value(&otherwise.Nodes[0]), otherwise.Initializers[0].Key, otherwise.Initializers[1].Key, value(&g.Nodes[2]), value(&g.Nodes[3]),
		g.Nodes[4].Attributes["list"].Tensors[1].Key, g.Nodes[5].Attributes["sparse_value"].Sparse.Indices.Key,
		value(&m.Functions[0].Nodes[0]), value(&m.Functions[0].Nodes[1]),
	}
	want := []string{
		"w", "c", "y/then_branch/w", "y/then_branch/c", "y/then_branch/only", "y/else_branch/w", "y/else_branch/c", "y/else_branch/only", "only", "z/value",
		"t/list/1", "s/indices", "d.f:o/w", "own",
	}
	require.Empty(t, cmp.Diff(want, got))
}

// Nodes that lie in another order than they can be computed in are sorted, by what their
// graphs use too; what is in order stays so.
func TestSorted(t *testing.T) {
	branch := func(name string) []byte {
		return Message(Field(1, "then_branch"), Field(6, Message(Field(1, Node("Abs", "i", []string{name})), Field(12, Value("i", 1)))))
	}
	m, err := onnx.ParseModel(Model(
		Field(11, Value("x", 1)),
		Field(1, Node("Abs", "e", []string{"x"})),
		Field(1, Node("Abs", "d", []string{"c"})),
		Field(1, Node("If", "c", []string{"x"}, branch("b"))),
		Field(1, Node("Abs", "b", []string{"a", ""})),
		Field(1, Node("Abs", "a", []string{"x"})),
		Field(1, Node("Abs", "f", []string{"e"})),
	))
	require.NoError(t, err)
	order := ""
	for n := range m.Nodes() {
		order += n.Outputs[0]
	}
	require.Equal(t, "eabcidf", order)
}

func TestTypes(t *testing.T) {
	dims := func(d ...[]byte) []byte {
		all := []byte{}
		for _, x := range d {
			all = append(all, Field(1, x)...)
		}
		return all
	}
	tensorType := func(shape []byte) []byte { return Field(1, Message(Field(1, int64(1)), Field(2, shape))) }
	m, err := onnx.ParseModel(Message(
		Field(1, int64(9)), Field(2, "writer"), Field(3, "1.0"), Field(14, Message(Field(1, "key"), Field(2, "text"))),
		Field(8, Message(Field(1, "ai.onnx"), Field(2, int64(20)))),
		Field(7, Message(
			Field(2, "g"),
			Field(11, Message(Field(1, "x"), Field(2, tensorType(dims(Field(2, "batch"), Field(1, int64(3)), nil, Field(1, int64(-1))))))),
			Field(11, Message(Field(1, "scalar"), Field(2, tensorType(nil)))),
			Field(11, Message(Field(1, "open"), Field(2, Field(1, Field(1, int64(1)))))),
			Field(11, Message(Field(1, "list"), Field(2, Field(4, Field(1, tensorType(nil)))))),
			Field(11, Message(Field(1, "maybe"), Field(2, Field(9, Field(1, tensorType(nil)))))),
			Field(11, Message(Field(1, "map"), Field(2, Field(5, Field(1, int64(7)))))),
			Field(14, Message(Field(1, "x"), Field(2, Message(Field(1, "SCALE_TENSOR"), Field(2, "s"))))),
		)),
	))
	require.NoError(t, err)
	want := &onnx.Model{
		IRVersion: 9, Producer: "writer", ProducerVersion: "1.0", Metadata: map[string]string{"key": "text"}, Opsets: map[string]int64{"": 20},
		Graph: onnx.Graph{
			Name: "g", Quantization: map[string]map[string]string{"x": {"SCALE_TENSOR": "s"}},
			Inputs: []onnx.ValueInfo{
				{Name: "x", Kind: onnx.KindTensor, Type: 1, Ranked: true, Shape: []onnx.Dim{{Param: "batch"}, {Known: true, Size: 3}, {}, {}}},
				{Name: "scalar", Kind: onnx.KindTensor, Type: 1, Ranked: true}, {Name: "open", Kind: onnx.KindTensor, Type: 1},
				{Name: "list", Kind: onnx.KindSequence}, {Name: "maybe", Kind: onnx.KindOptional}, {Name: "map", Kind: onnx.KindMap},
			},
		},
	}
	require.Empty(t, cmp.Diff(want, m, ignorePlaces))
	require.Equal(t, "sequence", m.Graph.Inputs[3].Kind.String())
	text := ""
	for _, d := range m.Graph.Inputs[0].Shape {
		text += d.String() + " "
	}
	require.Equal(t, "batch 3 ? ? ", text)
}
