package openfile

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/backend"
	"github.com/skainet-dev/skainet-go/backend/importtext"
	"github.com/skainet-dev/skainet-go/backend/open"
	"github.com/skainet-dev/skainet-go/backend/xla"
	"github.com/skainet-dev/skainet-go/compile/contract"
	"github.com/skainet-dev/skainet-go/compile/dag/graphjson"
	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/io/npy"
	"github.com/skainet-dev/skainet-go/lang"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
	"github.com/skainet-dev/skainet-go/tensor/shape"
	_ "github.com/skainet-dev/skainet-go/test/errtest"
	"github.com/skainet-dev/skainet-go/test/onnxtest"
)

func TestShapes(t *testing.T) {
	array := func(sizes ...int64) *tensor.Type { x := tensor.TypeOf(dtype.F32, sizes...); return &x }
	input := func(name, sizes string) contract.Named {
		s, err := shape.Parse(sizes)
		require.NoError(t, err)
		return contract.Named{Name: name, DType: dtype.F32, Shape: s}
	}
	inputs := []contract.Named{input("a", "n?x?x3"), input("b", "n?"), input("c", "2x3"), {Name: "d", DType: dtype.F32, Shape: shape.Shape{}}}
	for name, c := range map[string]struct {
		given argumentList
		o     importtext.Options
		in    xla.Buckets
		want  []string
	}{
		"nothing is given": {},
		"text":             {given: argumentList{{"a", "1,2", nil}}},
		"two":              {given: argumentList{{"b", "", array(5)}, {"a", "", array(5, 7, 3)}}, want: []string{"a=5,7,?", "b=5"}},
		"static sizes":     {given: argumentList{{"c", "", array(4, 3)}}},
		"the same twice":   {given: argumentList{{"a", "", array(5, 7, 3)}, {"a", "", array(5, 7, 3)}}, want: []string{"a=5,7,?"}},
		"two calls":        {given: argumentList{{"a", "", array(5, 7, 3)}, {"a", "", array(5, 8, 3)}}, want: []string{"a=5,?,?"}},
		"two ranks":        {given: argumentList{{"b", "", array(5)}, {"b", "", array(5, 8)}}},
		"no rank, two":     {given: argumentList{{"d", "", array(4, 3)}, {"d", "", array(5, 3)}}},
		"no rank":          {given: argumentList{{"d", "", array(4, 3)}}, want: []string{"d=4,3"}},
		"a scalar":         {given: argumentList{{"d", "", array()}}},
		"another rank":     {given: argumentList{{"a", "", array(4, 3)}}},
		"unknown":          {given: argumentList{{"z", "", array(4, 3)}}},
		"said": {
			given: argumentList{{"a", "", array(5, 7, 3)}, {"b", "", array(5)}}, want: []string{"b=rows"},
			o: importtext.Options{Shapes: []string{"a=rows,7,3"}},
		},
		"buckets":        {given: argumentList{{"a", "", array(5, 7, 3)}, {"b", "", array(5)}}, in: xla.Buckets{Most: map[string][]int64{"n": {8}}}, want: []string{"a=?,7,?", "b=?"}},
		"all in buckets": {given: argumentList{{"a", "", array(5, 7, 3)}}, in: xla.Buckets{Powers: true}, want: []string{"a=?,7,?"}},
		"fixed":          {given: argumentList{{"b", "", array(5)}}, o: importtext.Options{Fixed: []string{"b=@x.npy"}}},
	} {
		require.Equal(t, c.want, c.given.shapes(inputs, c.o, c.in), name)
	}
}

// The model of a file is what its contract says, for the sizes of the arrays.
func TestImport(t *testing.T) {
	const file = "../../rules/tests/onnx/encoder.onnx"
	ids, err := tensor.Of(make([]int64, 10), 2, 5)
	require.NoError(t, err)
	path := filepath.Join(t.TempDir(), "ids.npy")
	require.NoError(t, npy.WriteFile(path, ids))
	var o Options
	o.Run.Backend = "cpu"
	m, args, err := Import(file, []string{"input_ids=@" + path}, o)
	require.NoError(t, err)
	require.Equal(t, []string{"input_ids=@" + path}, args)
	require.Equal(t, "onnx", m.Format)
	require.Equal(t, "i64[2x5]", m.Contract.Entries[0].Args[1].Type().String(), "the mask has the sizes of the ids")
	x, err := m.Open(t.Context())
	require.NoError(t, err)
	defer x.Close()
	results, err := x.Call(t.Context(), "main", ids, ids)
	require.NoError(t, err)
	require.Len(t, results, 2)
	require.NoError(t, Check(file))
	require.ErrorContains(t, Check(path), "MODELFILE_UNKNOWN")
}

// Arrays that are too small for a model are to blame, and not the node that says so.
func TestImportBlamesTheArrays(t *testing.T) {
	dim := func(value []byte) []byte { return onnxtest.Field(1, value) }
	typed := func(name string) []byte {
		shape := onnxtest.Message(dim(onnxtest.Field(1, int64(1))), dim(onnxtest.Field(1, int64(1))), dim(onnxtest.Field(2, "n")))
		tensor := onnxtest.Message(onnxtest.Field(1, int64(1)), onnxtest.Field(2, shape))
		return onnxtest.Message(onnxtest.Field(1, name), onnxtest.Field(2, onnxtest.Field(1, tensor)))
	}
	window := onnxtest.Message(onnxtest.Field(1, "kernel_shape"), onnxtest.Field(8, int64(4)), onnxtest.Field(20, int64(7)))
	file := filepath.Join(t.TempDir(), "pool.onnx")
	require.NoError(t, os.WriteFile(file, append(onnxtest.Field(1, int64(8)), onnxtest.Model(
		onnxtest.Field(1, onnxtest.Node("MaxPool", "y", []string{"x"}, window)),
		onnxtest.Field(11, typed("x")), onnxtest.Field(12, onnxtest.Value("y", 1)),
	)...), 0o600))
	array := func(n int64) []string {
		v, err := tensor.Of(make([]float32, n), 1, 1, n)
		require.NoError(t, err)
		path := filepath.Join(t.TempDir(), "x.npy")
		require.NoError(t, npy.WriteFile(path, v))
		return []string{"x=@" + path}
	}
	_, _, err := Import(file, array(9), Options{})
	require.NoError(t, err)
	_, _, err = Import(file, array(3), Options{})
	require.Equal(t, backend.CodeBadArgument, errs.CodeOf(err), "%v", err)
	require.ErrorContains(t, err, "x is f32[1x1x3]; ")
	require.ErrorContains(t, err, "it was found to hold for x f32[1x1xn+3?]")
	// Sizes that an option gives are the option's.
	_, _, err = Import(file, nil, Options{Import: importtext.Options{Shapes: []string{"x=1,1,3"}}})
	require.Equal(t, errs.Code("OP_SHAPE"), errs.CodeOf(err), "%v", err)
}

// A graph that no file has needs a file for its parameters alone.
func TestGivenWithoutAFile(t *testing.T) {
	graph, err := graphjson.Parse([]byte(`{"schema": 1, "name": "scaled", "states": [], "functions": [
 {"name": "main", "entry": true, "args": [{"name": "x", "id": 0, "dtype": "f32", "shape": [2]}],
  "nodes": [
   {"op": "parameter", "path": "w", "inputs": [], "attributes": {"type": {"dtype": "f32", "shape": [2]}, "key": "w"}, "outputs": [{"id": 1}]},
   {"op": "multiply", "path": "product", "inputs": [0, 1], "outputs": [{"id": 2}]}
  ],
  "results": [{"name": "y", "value": 2}], "writes": []}]}`))
	require.NoError(t, err)
	x, err := tensor.Of([]float32{3, 5}, 2)
	require.NoError(t, err)
	file := filepath.Join(t.TempDir(), "w.safetensors")
	header := `{"w":{"dtype":"F32","shape":[2],"data_offsets":[0,8]}}  `
	require.Len(t, header, 56)
	require.NoError(t, os.WriteFile(file, append(append([]byte{56, 0, 0, 0, 0, 0, 0, 0}, header...), x.Bytes...), 0o600))
	o := Options{Weights: file, Run: open.Options{Backend: open.CPU}}
	m, err := Given(graph, "", o)
	require.NoError(t, err)
	require.Equal(t, "graph", m.Format)
	program, err := m.Open(t.Context())
	require.NoError(t, err)
	defer program.Close()
	results, err := program.Call(t.Context(), "main", x)
	require.NoError(t, err)
	got, err := tensor.Slice[float32](results[0])
	require.NoError(t, err)
	require.Equal(t, []float32{9, 25}, got)

	o.Weights = ""
	m, err = Given(graph, "", o)
	if err == nil {
		_, err = m.Open(t.Context())
	}
	require.Error(t, err)
	o.Weights = filepath.Join(t.TempDir(), "none")
	_, err = Given(graph, "", o)
	require.ErrorContains(t, err, "FILE_OPEN")
}

// A backend that does not exist is an error before a file is read; that none is named, where
// the model is opened.
func TestNoBackend(t *testing.T) {
	_, _, err := Import("none.onnx", nil, Options{Run: open.Options{Backend: "tpu"}})
	require.Equal(t, open.CodeBackend, errs.CodeOf(err), "%v", err)
	_, err = Given(nil, "none.onnx", Options{Run: open.Options{Backend: "tpu"}})
	require.Equal(t, open.CodeBackend, errs.CodeOf(err), "%v", err)
	g, err := lang.Capture("line", nil, func(m *lang.Module) {
		m.Entry("main", func(f *lang.Func) { f.Output("y", f.Input("x", dtype.F32, 4).AddScalar(1)) })
	})
	require.NoError(t, err)
	m, err := Given(g, "", Options{})
	require.NoError(t, err)
	_, err = m.Open(t.Context())
	require.Equal(t, open.CodeBackend, errs.CodeOf(err), "%v", err)
	require.ErrorContains(t, err, "no backend was named; use --backend with one of cpu, iree, xla; in Go, Backend of the options: open.CPU")
}

// Of an argument that the import should have known, the error says so.
func TestTooLate(t *testing.T) {
	given := argumentList{{"x", "@x.npy", nil}, {"sr", "16000", nil}}
	fix := func() error {
		return errs.New("ONNX_NODE", "two branches").Hint("give the input its value: --fix sr=16000, with which the file compares it")
	}
	require.ErrorContains(t, given.tooLate(fix()), "; the argument sr=16000 is that of a call, which the import does not see: give --fix in its place")
	require.Equal(t, fix().Error(), given[:1].tooLate(fix()).Error())
	require.Equal(t, os.ErrClosed, given.tooLate(os.ErrClosed))
}
