package graphjson_test

import (
	"bytes"
	"flag"
	"math"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/compile/dag"
	"github.com/skainet-dev/skainet-go/compile/dag/graphjson"
	"github.com/skainet-dev/skainet-go/compile/iree"
	"github.com/skainet-dev/skainet-go/compile/op"
	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/examples/staircase/affine"
	"github.com/skainet-dev/skainet-go/examples/staircase/grayscale"
	"github.com/skainet-dev/skainet-go/examples/staircase/linear"
	"github.com/skainet-dev/skainet-go/lang"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
	"github.com/skainet-dev/skainet-go/tensor/shape"
	_ "github.com/skainet-dev/skainet-go/test/errtest"
	"github.com/skainet-dev/skainet-go/test/optest"
)

func capture(t *testing.T, name string, build lang.Constructor) *dag.Graph {
	t.Helper()
	g, err := lang.Capture(name, nil, build)
	require.NoError(t, err)
	return g
}

// text returns the text that the compiler would see.
func text(t *testing.T, g *dag.Graph) string {
	t.Helper()
	m, err := iree.Emit(g, iree.Options{})
	require.NoError(t, err)
	return string(m.Text)
}

func marshal(t *testing.T, g *dag.Graph) []byte {
	t.Helper()
	doc, err := graphjson.Marshal(g)
	require.NoError(t, err)
	return doc
}

// Every operation is in optest, so all kinds of attributes, loops, calls
// and states are covered. The text comes from another package, which
// is independent of documents.
func TestRoundTripKeepsTheProgram(t *testing.T) {
	schema := compiledSchema(t)
	for _, m := range []struct {
		name  string
		build lang.Constructor
	}{
		{"optest", optest.Model}, {"wide", optest.CPUOnly},
		{"affine", affine.Model}, {"grayscale", grayscale.Model}, {"linear", linear.Model}, {"mesh", mesh},
	} {
		t.Run(m.name, func(t *testing.T) {
			g := capture(t, m.name, m.build)
			doc := marshal(t, g)
			back, err := graphjson.Parse(doc)
			require.NoError(t, err)
			require.Equal(t, string(doc), string(marshal(t, back)))
			require.Equal(t, text(t, g), text(t, back))

			v, err := jsonschema.UnmarshalJSON(bytes.NewReader(doc))
			require.NoError(t, err)
			require.NoError(t, schema.Validate(v))
		})
	}
}

// mesh is a model on a mesh of two devices.
func mesh(m *lang.Module) {
	m.Mesh(lang.Axis{Name: "model", Size: 2})
	m.Entry("main", func(f *lang.Func) {
		x := f.Input("x", dtype.F32, 3, 4).Shard("", "model")
		f.Output("y", x.Exp().Shard("", "model").Tanh())
	})
}

// compiledSchema returns the published schema in a third-party validator.
func compiledSchema(t *testing.T) *jsonschema.Schema {
	t.Helper()
	data, err := os.ReadFile("schema.json")
	require.NoError(t, err)
	v, err := jsonschema.UnmarshalJSON(bytes.NewReader(data))
	require.NoError(t, err)
	c := jsonschema.NewCompiler()
	require.NoError(t, c.AddResource("schema.json", v))
	s, err := c.Compile("schema.json")
	require.NoError(t, err)
	return s
}

// special has values that a decimal representation or a careless reader would lose.
func special(t *testing.T) *dag.Graph {
	t.Helper()
	bits, err := tensor.Of([]uint32{0x7fc00001, 0xffa00000, 0x80000000, 1}, 4)
	require.NoError(t, err)
	nan := tensor.Value{Type: tensor.TypeOf(dtype.F32, 4), Bytes: bits.Bytes}
	b := &dag.Block{}
	x := b.AddArg(tensor.Type{DType: dtype.BF16, Shape: shape.Shape{{Size: shape.Dynamic, Name: "batch"}, {Size: shape.Dynamic}, {Size: 3}}})
	scalar := b.AddArg(tensor.TypeOf(dtype.I16))
	b.AddArg(tensor.Type{DType: dtype.F32, Shape: shape.Shape{shape.Named("n")}})
	named := b.AddArg(tensor.Type{DType: dtype.F32, Shape: shape.Shape{shape.Named("n+1"), shape.N(6)}})
	add := func(name, path string, attrs op.Attrs, in ...*dag.Value) *dag.Value {
		n, err := b.Add(name, path, attrs, in...)
		require.NoError(t, err)
		return n.Outputs[0]
	}
	b.Results = []*dag.Value{
		add("constant", "special/é \"\\\n", op.Attrs{"value": nan, "name": "λ <&>"}),
		add("exp", "", nil, x),
		add("splat", "special/minus_zero", op.Attrs{"type": tensor.TypeOf(dtype.F64), "value": math.Copysign(0, -1)}),
		add("splat", "special/payload", op.Attrs{"type": tensor.TypeOf(dtype.F64, 0, 2), "value": math.Float64frombits(0x7ff0000000000abc)}),
		add("splat", "special/infinite", op.Attrs{"type": tensor.TypeOf(dtype.F64), "value": math.Inf(-1)}),
		add("splat", "special/tiny", op.Attrs{"type": tensor.TypeOf(dtype.F64), "value": math.SmallestNonzeroFloat64}),
		add("splat", "special/large", op.Attrs{"type": tensor.TypeOf(dtype.F64), "value": 1e300}),
		add("reshape", "special/sizes", op.Attrs{"sizes": shape.Shape{shape.N(2), shape.Named("n+1"), shape.N(3)}}, named),
		add("slice", "special/part", op.Attrs{"start": shape.Shape{shape.Named("n-1"), shape.N(0)}, "limit": shape.Shape{shape.Named("n"), shape.N(6)}, "strides": []int64{1, 2}}, named),
		add("splat", "special/type", op.Attrs{"type": tensor.Type{DType: dtype.I8, Shape: shape.Shape{shape.Named("n/2")}}, "value": 1.0}),
		add("parameter", "special/w", op.Attrs{"type": tensor.TypeOf(dtype.F16, 2), "scope": "adapter", "key": "blk.0/w"}),
		scalar,
	}
	f := &dag.Func{Name: "main", Entry: true, Args: []string{"x", "s", "n", "named"}, Body: b}
	for i := range b.Results {
		f.Results = append(f.Results, string(rune('a'+i)))
	}
	f.Writes = []dag.Write{{State: "kept", Value: b.Results[4]}}
	return &dag.Graph{Name: "special", Funcs: []*dag.Func{f}, States: []*dag.State{
		{Name: "kept", Type: tensor.TypeOf(dtype.F64), Init: math.Float64frombits(0xfff8000000000007)},
		{Name: "endless", Type: tensor.TypeOf(dtype.F64, 2), Init: math.Inf(1)},
	}}
}

func TestRoundTripKeepsEveryBit(t *testing.T) {
	g := special(t)
	doc := marshal(t, g)
	back, err := graphjson.Parse(doc)
	require.NoError(t, err)
	require.Equal(t, string(doc), string(marshal(t, back)))
	bits := cmp.Comparer(func(a, b float64) bool { return math.Float64bits(a) == math.Float64bits(b) })
	if diff := cmp.Diff(g.States, back.States, bits); diff != "" {
		t.Error(diff)
	}
	f, b := g.Funcs[0], back.Funcs[0]
	require.Equal(t, f.Args, b.Args)
	require.Equal(t, f.Results, b.Results)
	for i, v := range f.Body.Args {
		require.True(t, v.Type.Equal(b.Body.Args[i].Type))
	}
	require.Len(t, b.Body.Nodes, len(f.Body.Nodes))
	for i, n := range f.Body.Nodes {
		got := b.Body.Nodes[i]
		require.Equal(t, n.Path, got.Path)
		require.Same(t, n.Op, got.Op)
		if diff := cmp.Diff(n.Attrs, got.Attrs, bits); diff != "" {
			t.Error(n.Path, diff)
		}
	}
	v, err := jsonschema.UnmarshalJSON(bytes.NewReader(doc))
	require.NoError(t, err)
	require.NoError(t, compiledSchema(t).Validate(v))
}

var update = flag.Bool("update", false, "rewrite the golden document")

// The golden document guards against changes, since other programs read the format.
func TestGolden(t *testing.T) {
	got := marshal(t, capture(t, "affine", affine.Model))
	path := filepath.Join("testdata", "affine.graph.json")
	if *update {
		require.NoError(t, os.WriteFile(path, got, 0o644))
	}
	want, err := os.ReadFile(path)
	require.NoError(t, err)
	require.Equal(t, string(want), string(got))
}

func TestReadFile(t *testing.T) {
	g, err := graphjson.ReadFile(filepath.Join("testdata", "affine.graph.json"))
	require.NoError(t, err)
	require.Equal(t, "affine", g.Name)
	path := filepath.Join(t.TempDir(), "g.json")
	require.NoError(t, os.WriteFile(path, []byte(`{"schema":2}`), 0o644))
	_, err = graphjson.ReadFile(path)
	require.Equal(t, graphjson.CodeSchema, errs.CodeOf(err))
	require.ErrorContains(t, err, path)
	_, err = graphjson.ReadFile(path + "x")
	require.Equal(t, errs.Code("FILE_OPEN"), errs.CodeOf(err))
}

func TestMarshalRefuses(t *testing.T) {
	g := special(t)
	g.Funcs[0].Body.Nodes[1].Path = "\xff"
	_, err := graphjson.Marshal(g)
	require.Equal(t, graphjson.CodeText, errs.CodeOf(err))
	g = special(t)
	g.Funcs[0].Body.Nodes[0].Attrs["name"] = "\xff"
	_, err = graphjson.Marshal(g)
	require.Equal(t, graphjson.CodeText, errs.CodeOf(err))
	g.Name = "no name"
	_, err = graphjson.Marshal(g)
	require.Equal(t, errs.Code("DAG_NAME"), errs.CodeOf(err))
}

// A document as another program might write it: a composite operation is expanded,
// types of outputs may be missing, and ids may have gaps.
func TestHandWritten(t *testing.T) {
	doc := `{"schema": 1, "name": "hand", "states": [], "functions": [
	  {"name": "main", "entry": true,
	   "args": [{"name": "x", "id": 100, "dtype": "f32", "shape": [2, 3]}],
	   "nodes": [
	     {"op": "softmax", "path": "p", "inputs": [100], "attributes": {"dim": 1}, "outputs": [{"id": 7}]},
	     {"op": "layer_norm", "path": "q", "inputs": [7, 8, 8], "outputs": [{"id": 9}]}
	   ],
	   "results": [{"name": "y", "value": 9}], "writes": []}]}`
	_, err := graphjson.Parse([]byte(doc))
	require.Equal(t, graphjson.CodeID, errs.CodeOf(err))
	doc = `{"schema": 1, "name": "hand", "states": [], "functions": [
	  {"name": "main", "entry": true,
	   "args": [{"name": "x", "id": 100, "dtype": "f32", "shape": [2, 3]}, {"name": "g", "id": 8, "dtype": "f32", "shape": [3]}],
	   "nodes": [{"op": "layer_norm", "path": "q", "inputs": [100, 8, 8], "outputs": [{"id": 9}]}],
	   "results": [{"name": "y", "value": 9}], "writes": []}]}`
	g, err := graphjson.Parse([]byte(doc))
	require.NoError(t, err)
	require.Equal(t, 1e-5, g.Funcs[0].Body.Nodes[0].Attrs.Float("epsilon"), "the default")
	require.Equal(t, "f32[2x3]", g.Funcs[0].Body.Results[0].Type.String())
}
