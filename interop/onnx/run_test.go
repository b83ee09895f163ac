package main

import (
	"bytes"
	"context"
	"math"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/backend/open"
	"github.com/skainet-dev/skainet-go/io/onnx"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
	_ "github.com/skainet-dev/skainet-go/test/errtest"
	. "github.com/skainet-dev/skainet-go/test/onnxtest"
)

// put writes a node test of the operator on one i8 tensor.
func put(t *testing.T, dir, name, operator string, in, out []byte) {
	t.Helper()
	data := filepath.Join(dir, name, "test_data_set_0")
	require.NoError(t, os.MkdirAll(data, 0o755))
	for path, content := range map[string][]byte{
		filepath.Join(dir, name, "model.onnx"): Model(Field(1, Node(operator, "y", []string{"x"})), Field(11, Value("x", 3)), Field(12, Value("y", 3))),
		filepath.Join(data, "input_0.pb"):      Tensor("x", 3, in, int64(len(in))),
		filepath.Join(data, "output_0.pb"):     Tensor("y", 3, out, int64(len(out))),
	} {
		require.NoError(t, os.WriteFile(path, content, 0o644))
	}
}

func TestRun(t *testing.T) {
	dir := t.TempDir()
	put(t, dir, "test_neg", "Neg", []byte{1, 2}, []byte{255, 254})
	put(t, dir, "test_neg_wrong", "Neg", []byte{1, 2}, []byte{255, 255})
	put(t, dir, "test_abs", "Abs", []byte{255}, []byte{1})
	put(t, dir, "test_exp", "Exp", []byte{1}, []byte{3})
	put(t, dir, "test_what", "Whatever", []byte{1}, []byte{3})
	put(t, dir, "test_cast_FLOAT_to_BFLOAT16", "Identity", []byte{1}, []byte{1})
	put(t, dir, "test_broken", "Neg", []byte{1}, []byte{1})
	require.NoError(t, os.WriteFile(filepath.Join(dir, "test_broken", "model.onnx"), []byte{0}, 0o644))
	o := options{tests: dir, only: "*", parts: 1, open: open.Options{Backend: open.CPU}}
	var out bytes.Buffer
	require.NoError(t, run(context.Background(), o, &out))
	require.Equal(t, `test_broken: fail: ONNX_WIRE: byte 0: no field of a message ModelProto begins so; the file is damaged, or no ONNX model
test_neg_wrong: fail: output 0: element 1 is 254, want 255 (bytes fe and ff)

OPERATOR                      PASS  FAIL  UNMAPPED
?                                0     1         0
Abs                              1     0         0
Exp                              0     0         1
Identity                         0     0         1
Neg                              1     1         0
Whatever                         0     0         1

unmapped, with reasons:
   1 expected bf16 that are cut off, where ours are rounded to the nearest (cast_FLOAT_to_BFLOAT16, ...)
   1 no rule for Whatever (what, ...)
   1 refused: ONNX_NODE (exp, ...)

cpu: 2 pass, 2 fail, 3 unmapped
`, out.String())
}

func TestCompare(t *testing.T) {
	of := func(v ...float32) []tensor.Value {
		x, err := tensor.Of(v, int64(len(v)))
		require.NoError(t, err)
		return []tensor.Value{x}
	}
	nan, inf := float32(math.NaN()), float32(math.Inf(1))
	require.NoError(t, compare(of(1, nan, inf, float32(math.Copysign(0, -1))), of(1.0009, nan, inf, 0)))
	for _, bad := range [][2][]tensor.Value{
		{of(1), of(1.002)}, {of(nan), of(1)}, {of(1), of(nan)}, {of(inf), of(-inf)}, {of(1e30), of(inf)}, {of(1), of(1, 1)}, {of(1), nil}, {of(0), of(2e-7)},
	} {
		require.Error(t, compare(bad[0], bad[1]), "%v", bad)
	}
}

// A test that fails to load is isolated from the others in its batch.
func TestBatchIsHalved(t *testing.T) {
	dir := t.TempDir()
	var tests []*nodeTest
	for _, name := range []string{"a", "b", "c"} {
		put(t, dir, name, "Neg", []byte{1}, []byte{255})
		tests = append(tests, load(os.DirFS(dir), name))
	}
	tests[1].graph.Funcs[0].Args[0] = "no name"
	runAll(context.Background(), tests, open.Options{Backend: open.CPU})
	require.Equal(t, "pass", tests[0].String())
	require.Contains(t, tests[1].String(), "fail: DAG_NAME")
	require.Equal(t, "pass", tests[2].String())
}

// Values that are not tensors of ours are recognised by the model's types.
func TestStrange(t *testing.T) {
	for want, typ := range map[string]int64{"text": 8, "data": 1} {
		m := &onnx.Model{Graph: onnx.Graph{Inputs: []onnx.ValueInfo{{Type: 1}}, Outputs: []onnx.ValueInfo{{Type: typ}}}}
		require.Contains(t, strange(m), want)
	}
}

// bf16 is stored as u16 in files that were made from NumPy arrays.
func TestDeclared(t *testing.T) {
	v := []tensor.Value{{Type: tensor.TypeOf(dtype.U16)}, {Type: tensor.TypeOf(dtype.U16)}}
	declared(v, []onnx.ValueInfo{{Type: 16}, {Type: 4}})
	require.Equal(t, "bf16[scalar]", v[0].Type.String())
	require.Equal(t, "u16[scalar]", v[1].Type.String())
}
