package onnx_test

import (
	"bytes"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/io/onnx"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
	_ "github.com/skainet-dev/skainet-go/test/errtest"
	. "github.com/skainet-dev/skainet-go/test/onnxtest"
)

func TestModel(t *testing.T) {
	inner := Message(Field(1, Node("Neg", "b", []string{"x"})))
	model := Model(
		Field(1, Node("Op", "y", []string{"x", ""},
			Message(Field(1, "f"), Field(2, uint32(0x3f800000))), Message(Field(1, "i"), Field(3, int64(-2))),
			Message(Field(1, "s"), Field(4, "text")), Message(Field(1, "t"), Field(5, Tensor("c", 2, []byte{7}))),
			Message(Field(1, "g"), Field(6, inner)), Message(Field(1, "fs"), Field(7, []byte{0, 0, 0, 0x40})),
			Message(Field(1, "is"), Field(8, int64(1)), Field(8, []byte{2, 3})), Message(Field(1, "ss"), Field(9, "a"), Field(9, "b")))),
		Field(5, Tensor("w", 3, []byte{1, 2}, 2)), Field(11, Value("x", 1)), Field(12, Value("y", 16)), Field(99, "what is new"),
	)
	m, err := onnx.ParseModel(model)
	require.NoError(t, err)
	c := *m.Graph.Nodes[0].Attributes["t"].Tensor
	want := &onnx.Model{Opsets: map[string]int64{"": 18}, Graph: onnx.Graph{
		Nodes: []onnx.Node{{Inputs: []string{"x", ""}, Outputs: []string{"y"}, Op: "Op", Attributes: map[string]onnx.Attribute{
			"f": {Float: 1}, "i": {Int: -2}, "s": {String: "text"}, "t": {Tensor: &c}, "fs": {Floats: []float32{2}},
			"is": {Ints: []int64{1, 2, 3}}, "ss": {Strings: []string{"a", "b"}},
			"g": {Graph: &onnx.Graph{Nodes: []onnx.Node{{Inputs: []string{"x"}, Outputs: []string{"b"}, Op: "Neg"}}}},
		}}},
		Initializers: m.Graph.Initializers,
		Inputs:       []onnx.ValueInfo{{Name: "x", Kind: onnx.KindTensor, Type: 1}}, Outputs: []onnx.ValueInfo{{Name: "y", Kind: onnx.KindTensor, Type: 16}},
	}}
	if diff := cmp.Diff(want, m, cmpopts.IgnoreUnexported(onnx.Tensor{}), ignorePlaces, cmpopts.IgnoreFields(onnx.Node{}, "At")); diff != "" {
		t.Error(diff)
	}
	w, err := m.Graph.Initializers[0].Value()
	require.NoError(t, err)
	require.Equal(t, tensor.Value{Type: tensor.TypeOf(dtype.I8, 2), Bytes: []byte{1, 2}}, w)
	for cut := range model {
		if _, err := onnx.ParseModel(model[:cut]); err != nil {
			require.Contains(t, []errs.Code{onnx.CodeTruncated, onnx.CodeNoGraph}, errs.CodeOf(err))
		}
	}
}

// Each type stores its elements in another field; f16 is stored as integers.
func TestTensorFields(t *testing.T) {
	for _, c := range []struct {
		name  string
		proto []byte
		want  tensor.Value
	}{
		{"f32", Message(Field(1, int64(1)), Field(2, int64(1)), Field(4, []byte{0, 0, 0x80, 0x3f})), tensor.Value{Type: tensor.TypeOf(dtype.F32, 1), Bytes: []byte{0, 0, 0x80, 0x3f}}},
		{"f16", Message(Field(2, int64(10)), Field(5, int64(0x3c00))), tensor.Value{Type: tensor.TypeOf(dtype.F16), Bytes: []byte{0, 0x3c}}},
		{"bool", Message(Field(1, []byte{2}), Field(2, int64(9)), Field(5, []byte{1, 0})), tensor.Value{Type: tensor.TypeOf(dtype.Bool, 2), Bytes: []byte{1, 0}}},
		{"i64", Message(Field(2, int64(7)), Field(7, int64(-1))), tensor.Value{Type: tensor.TypeOf(dtype.I64), Bytes: bytes.Repeat([]byte{255}, 8)}},
		{"u32", Message(Field(2, int64(12)), Field(11, int64(5))), tensor.Value{Type: tensor.TypeOf(dtype.U32), Bytes: []byte{5, 0, 0, 0}}},
		{"f64", Message(Field(2, int64(11)), Field(10, []byte{0, 0, 0, 0, 0, 0, 0xf0, 0x3f})), tensor.Value{Type: tensor.TypeOf(dtype.F64), Bytes: []byte{0, 0, 0, 0, 0, 0, 0xf0, 0x3f}}},
		{"empty", Message(Field(1, int64(0)), Field(2, int64(1))), tensor.Value{Type: tensor.TypeOf(dtype.F32, 0), Bytes: []byte{}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := onnx.ParseTensor(c.proto)
			require.NoError(t, err)
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestRefused(t *testing.T) {
	for name, proto := range map[string][]byte{
		"string":     Tensor("x", 8, nil),
		"too short":  Tensor("x", 1, []byte{1, 2, 3}),
		"huge":       Tensor("x", 1, nil, 1<<40),
		"overflow":   Tensor("x", 1, nil, 1<<40, 1<<40),
		"negative":   Tensor("x", 1, nil, -2),
		"typed list": Message(Field(1, int64(3)), Field(2, int64(6)), Field(5, []byte{1, 2})),
	} {
		_, err := onnx.ParseTensor(proto)
		require.Equal(t, onnx.CodeTensor, errs.CodeOf(err), name)
	}
	for name, proto := range map[string][]byte{
		"no tag": {0}, "cut list": Message(Field(2, int64(1)), Field(4, []byte{1, 2})), "cut varints": Message(Field(7, []byte{0x80})),
		"cut doubles": Field(10, []byte{1}),
	} {
		_, err := onnx.ParseTensor(proto)
		require.Contains(t, []errs.Code{onnx.CodeWire, onnx.CodeTruncated}, errs.CodeOf(err), name)
	}
	graph := []byte{}
	for range 40 {
		graph = Field(1, Node("If", "y", nil, Message(Field(1, "then"), Field(6, graph))))
	}
	_, err := onnx.ParseModel(Model(graph))
	require.Equal(t, onnx.CodeWire, errs.CodeOf(err))
	require.ErrorContains(t, err, "deep")
}
