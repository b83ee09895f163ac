package modelfile

import (
	"testing"

	"github.com/stretchr/testify/require"
	"google.golang.org/protobuf/proto"

	"github.com/skainet-dev/skainet-go/compile/dag/describe"
	"github.com/skainet-dev/skainet-go/compile/import/fromonnx"
	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/io/onnx/schema"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/shape"
)

// scaled is a model of y = x*w + r, where r is a scalar, with an input that the file stores.
func scaled(t *testing.T) []byte {
	t.Helper()
	value := func(name string, dims ...*schema.TensorShapeProto_Dimension) *schema.ValueInfoProto {
		return &schema.ValueInfoProto{Name: proto.String(name), Type: &schema.TypeProto{Value: &schema.TypeProto_TensorType{
			TensorType: &schema.TypeProto_Tensor{ElemType: proto.Int32(1), Shape: &schema.TensorShapeProto{Dim: dims}},
		}}}
	}
	size := func(n int64) *schema.TensorShapeProto_Dimension {
		return &schema.TensorShapeProto_Dimension{Value: &schema.TensorShapeProto_Dimension_DimValue{DimValue: n}}
	}
	batch := &schema.TensorShapeProto_Dimension{Value: &schema.TensorShapeProto_Dimension_DimParam{DimParam: "batch size"}}
	b, err := proto.MarshalOptions{Deterministic: true}.Marshal(&schema.ModelProto{
		IrVersion: proto.Int64(8), ProducerName: proto.String("a test"),
		OpsetImport: []*schema.OperatorSetIdProto{{Version: proto.Int64(17)}},
		Graph: &schema.GraphProto{
			Name: proto.String("scaled"),
			Node: []*schema.NodeProto{
				{OpType: proto.String("Mul"), Input: []string{"x", "w"}, Output: []string{"m"}},
				{OpType: proto.String("Add"), Input: []string{"m", "r"}, Output: []string{"y"}},
			},
			Initializer: []*schema.TensorProto{{Name: proto.String("w"), DataType: proto.Int32(1), Dims: []int64{3}, FloatData: []float32{1, 2, 3}}},
			Input:       []*schema.ValueInfoProto{value("x", batch, size(3)), value("r"), value("w", size(3))},
			Output:      []*schema.ValueInfoProto{value("y", batch, size(3))},
		},
	})
	require.NoError(t, err)
	return b
}

func TestAnONNXFile(t *testing.T) {
	m, err := Open(write(t, "model.gguf", scaled(t)))
	require.NoError(t, err)
	defer m.Close()
	require.Equal(t, "onnx", m.Format())
	require.Contains(t, m.Facts(), Fact{"producer", "a test"})
	require.Contains(t, m.Facts(), Fact{"operators of ai.onnx", "17"})
	var inputs []string
	for _, in := range m.Inputs() {
		inputs = append(inputs, in.Name+" "+in.Type().String())
	}
	require.Equal(t, []string{"x f32[?x3]", "r f32[scalar]"}, inputs, "what the file stores is no input; its name of a size is none of ours")

	g, err := m.Graph(Options{Name: "named", Inline: DefaultInline})
	require.NoError(t, err)
	c, err := describe.Contract(g)
	require.NoError(t, err)
	require.Equal(t, "named", c.Name)
	require.Equal(t, "f32[batch_size?x3]", c.Entries[0].Args[0].Type().String())
	require.Equal(t, "w", c.Parameters[0].Key)
	w, err := m.Weights().Tensor("w")
	require.NoError(t, err)
	b, err := w.Bytes()
	require.NoError(t, err)
	require.Len(t, b, 12)
	index, err := m.Index()
	require.NoError(t, err)
	_, err = index.Lookup("w")
	require.NoError(t, err)

	// The options of an import arrive.
	one, err := tensor.Of([]float32{1})
	require.NoError(t, err)
	g, err = m.Graph(Options{
		Shapes: map[string]shape.Shape{"x": {shape.Named("n"), shape.N(3)}}, Constants: map[string]tensor.Value{"r": one},
		Outputs: []string{"m"}, Inline: 100,
	})
	require.NoError(t, err)
	c, err = describe.Contract(g)
	require.NoError(t, err)
	require.Len(t, c.Entries[0].Args, 1)
	require.Equal(t, "f32[n?x3]", c.Entries[0].Args[0].Type().String())
	require.Equal(t, "m", c.Entries[0].Results[0].Name)
	require.Empty(t, c.Parameters, "the weight is a constant")
	_, err = m.Graph(Options{States: map[string]string{"y": "z"}})
	require.Equal(t, fromonnx.CodeOption, errs.CodeOf(err))
	require.ErrorContains(t, err, "model.gguf")
	_, err = m.Graph(Options{Context: 1})
	require.Equal(t, CodeOption, errs.CodeOf(err))
}
