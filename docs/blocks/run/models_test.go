//go:build integration

package run

import (
	"bytes"
	"encoding/binary"
	"os"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/io/gguf"
	"github.com/skainet-dev/skainet-go/io/npy"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/test/families"
	"github.com/skainet-dev/skainet-go/test/onnxtest"
)

// Types of ONNX.
const (
	f32 = 1
	i64 = 7
)

// value writes a ValueInfoProto; a size is an int or a name.
func value(name string, dataType int64, sizes ...any) []byte {
	var shape []byte
	for _, s := range sizes {
		d := []byte{}
		switch s := s.(type) {
		case int:
			d = onnxtest.Field(1, int64(s))
		case string:
			d = onnxtest.Field(2, s)
		}
		shape = append(shape, onnxtest.Field(1, d)...)
	}
	return onnxtest.Message(onnxtest.Field(1, name), onnxtest.Field(2, onnxtest.Field(1, onnxtest.Message(onnxtest.Field(1, dataType), onnxtest.Field(2, shape)))))
}

// number and list are attributes of a node.
func number(name string, n int64) []byte {
	return onnxtest.Message(onnxtest.Field(1, name), onnxtest.Field(3, n), onnxtest.Field(20, int64(2)))
}

func list(name string, numbers ...int64) []byte {
	m := onnxtest.Field(1, name)
	for _, n := range numbers {
		m = append(m, onnxtest.Field(8, n)...)
	}
	return append(m, onnxtest.Field(20, int64(7))...)
}

// constant writes an initializer of numbers of any type.
func constant(t *testing.T, name string, dataType int64, numbers any, sizes ...int64) []byte {
	var raw bytes.Buffer
	require.NoError(t, binary.Write(&raw, binary.LittleEndian, numbers))
	return onnxtest.Field(5, onnxtest.Tensor(name, dataType, raw.Bytes(), sizes...))
}

// model writes a ModelProto, with the version of the format, by which files are known.
func model(graph ...[]byte) []byte {
	return onnxtest.Message(onnxtest.Field(1, int64(8)), onnxtest.Model(graph...))
}

func node(op, output string, inputs []string, attributes ...[]byte) []byte {
	return onnxtest.Field(1, onnxtest.Node(op, output, inputs, attributes...))
}

// named is a node with a name.
func named(name, op, output string, inputs ...string) []byte {
	return onnxtest.Field(1, onnxtest.Message(onnxtest.Node(op, output, inputs), onnxtest.Field(3, name)))
}

// decoder is a head of attention over the keys of all steps, whose past is an input.
func decoder(t *testing.T, path string) {
	table := make([]float32, 8*4)
	for i := range table {
		table[i] = float32(i%5) / 4
	}
	require.NoError(t, os.WriteFile(path, model(
		onnxtest.Field(2, "decoder"),
		onnxtest.Field(11, value("input_ids", i64, 1, "seq")),
		onnxtest.Field(11, value("past_key_values.0.key", f32, 1, 1, "past", 4)),
		onnxtest.Field(12, value("hidden", f32, 1, 1, "seq", 4)),
		onnxtest.Field(12, value("present.0.key", f32, 1, 1, "all", 4)),
		constant(t, "table", f32, table, 8, 4),
		constant(t, "axis", i64, []int64{1}, 1),
		node("Gather", "embedded", []string{"table", "input_ids"}),
		node("Unsqueeze", "query", []string{"embedded", "axis"}),
		node("Concat", "present.0.key", []string{"past_key_values.0.key", "query"}, number("axis", 2)),
		node("Transpose", "columns", []string{"present.0.key"}, list("perm", 0, 1, 3, 2)),
		node("MatMul", "scores", []string{"query", "columns"}),
		node("Softmax", "shares", []string{"scores"}, number("axis", -1)),
		node("MatMul", "hidden", []string{"shares", "present.0.key"}),
	), 0o666))
}

// detector is for pictures whose sides are multiples of 32: each square of 32 by 32 gets its
// maximum added.
func detector(t *testing.T, path string) {
	require.NoError(t, os.WriteFile(path, model(
		onnxtest.Field(2, "detector"),
		onnxtest.Field(11, value("images", f32, "batch", 3, "height", "width")),
		onnxtest.Field(12, value("boxes", f32, "batch", 3, "height", "width")),
		constant(t, "scales", f32, []float32{1, 1, 32, 32}, 4),
		node("MaxPool", "squares", []string{"images"}, list("kernel_shape", 32, 32), list("strides", 32, 32)),
		node("Resize", "large", []string{"squares", "", "scales"}),
		node("Add", "boxes", []string{"images", "large"}),
	), 0o666))
}

// squares is x*x for [batch, 4].
func squares(t *testing.T, path string) {
	require.NoError(t, os.WriteFile(path, model(
		onnxtest.Field(2, "squares"),
		onnxtest.Field(11, value("x", f32, "batch", 4)),
		onnxtest.Field(12, value("y", f32, "batch", 4)),
		node("Mul", "y", []string{"x", "x"}),
	), 0o666))
}

// floats is a .npy file.
func floats(sizes ...int64) source {
	return func(t *testing.T, path string) {
		n := int64(1)
		for _, s := range sizes {
			n *= s
		}
		numbers := make([]float32, n)
		for i := range numbers {
			numbers[i] = float32(i + 1)
		}
		v, err := tensor.Of(numbers, sizes...)
		require.NoError(t, err)
		require.NoError(t, npy.WriteFile(path, v))
	}
}

// language is a tiny Qwen2 of random weights, whose tokens are a to z, then A, and a space.
func language(t *testing.T, path string) {
	tokens := []string{}
	for c := 'a'; c <= 'z'; c++ {
		tokens = append(tokens, string(c))
	}
	tokens = append(tokens, "Ġ")
	for c := 'A'; len(tokens) < 48; c++ {
		tokens = append(tokens, string(c))
	}
	all := families.All()
	f := all[slices.IndexFunc(all, func(f families.Family) bool { return f.Name == "qwen2" })]
	data, err := f.With(
		gguf.Pair{Key: "tokenizer.ggml.model", Value: "gpt2"}, gguf.Pair{Key: "tokenizer.ggml.pre", Value: "qwen2"},
		gguf.Pair{Key: "tokenizer.ggml.tokens", Value: tokens}, gguf.Pair{Key: "tokenizer.ggml.merges", Value: []string{}},
		gguf.Pair{Key: "tokenizer.ggml.eos_token_id", Value: uint32(47)}, gguf.Pair{Key: "tokenizer.ggml.add_bos_token", Value: false},
		gguf.Pair{Key: "tokenizer.chat_template", Value: "{% for m in messages %}{{ m.content }}{% endfor %}"},
	).Encode()
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(path, data, 0o666))
}

// safetensors writes tensors of f32, whose header is given.
func safetensors(t *testing.T, path, header string, numbers []float32) {
	file := bytes.NewBuffer(binary.LittleEndian.AppendUint64(nil, uint64(len(header))))
	file.WriteString(header)
	require.NoError(t, binary.Write(file, binary.LittleEndian, numbers))
	require.NoError(t, os.WriteFile(path, file.Bytes(), 0o666))
}

// repeated returns n numbers between -3/8 and 3/8.
func repeated(n int) []float32 {
	numbers := make([]float32, n)
	for i := range numbers {
		numbers[i] = float32(i%7-3) / 8
	}
	return numbers
}

// weights has a matrix and a vector.
func weights(t *testing.T, path string) {
	safetensors(t, path, `{"layer.weight":{"dtype":"F32","shape":[4,64],"data_offsets":[0,1024]},"layer_norm":{"dtype":"F32","shape":[64],"data_offsets":[1024,1280]}}`, repeated(4*64+64))
}

// linear has the weights of //examples/staircase/linear.
func linear(t *testing.T, path string) {
	safetensors(t, path, `{"b":{"dtype":"F32","shape":[2],"data_offsets":[0,8]},"w":{"dtype":"F32","shape":[2,2],"data_offsets":[8,24]}}`, []float32{0, 0, 1, 0, 0, 1})
}

// perceptron is y = w2 max(0, w1 x), with weights that depend on a number.
func perceptron(number float32) source {
	return func(t *testing.T, path string) {
		numbers := repeated(8*16 + 16*4)
		for i := range numbers {
			numbers[i] *= number
		}
		require.NoError(t, os.WriteFile(path, model(
			onnxtest.Field(2, "perceptron"),
			onnxtest.Field(11, value("x", f32, "batch", 8)),
			onnxtest.Field(12, value("y", f32, "batch", 4)),
			constant(t, "w1", f32, numbers[:8*16], 8, 16),
			constant(t, "w2", f32, numbers[8*16:], 16, 4),
			named("up", "MatMul", "h", "x", "w1"),
			named("act", "Relu", "r", "h"),
			named("down", "MatMul", "y", "r", "w2"),
		), 0o666))
	}
}
