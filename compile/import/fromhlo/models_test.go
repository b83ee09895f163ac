package fromhlo

import (
	"context"
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/backend/open"
	"github.com/skainet-dev/skainet-go/compile/dag"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
	"github.com/skainet-dev/skainet-go/tensor/shape"
	_ "github.com/skainet-dev/skainet-go/test/errtest"
)

// record is a call of a model: see testdata/models.py.
type record struct {
	Inputs, Outputs []struct {
		DType dtype.DType
		Shape []int64
		Data  []byte
	}
}

func (r record) values(t *testing.T) (in, out []tensor.Value) {
	t.Helper()
	for _, x := range r.Inputs {
		in = append(in, tensor.Value{Type: tensor.TypeOf(x.DType, x.Shape...), Bytes: x.Data})
	}
	for _, x := range r.Outputs {
		out = append(out, tensor.Value{Type: tensor.TypeOf(x.DType, x.Shape...), Bytes: x.Data})
	}
	return in, out
}

// run calls a graph whose parameters are its constants: they become constants again.
func run(t *testing.T, g *dag.Graph, constants Constants, args []tensor.Value) []tensor.Value {
	t.Helper()
	for _, f := range g.Funcs {
		inline(t, f.Body, constants)
	}
	x, err := open.Graph(context.Background(), g, open.Options{Backend: open.CPU})
	require.NoError(t, err)
	defer x.Close()
	out, err := x.Call(context.Background(), g.Funcs[0].Name, args...)
	require.NoError(t, err)
	return out
}

func inline(t *testing.T, b *dag.Block, constants Constants) {
	for i, n := range b.Nodes {
		for _, inner := range n.Blocks {
			inline(t, inner, constants)
		}
		if n.Op.Name != "parameter" {
			continue
		}
		for _, c := range constants {
			if c.Key == n.Attrs.String("key") {
				made := &dag.Block{}
				v, err := c.Value()
				require.NoError(t, err)
				k, err := made.Add("constant", n.Path, map[string]any{"value": v})
				require.NoError(t, err)
				k.Outputs[0] = n.Outputs[0]
				k.Outputs[0].Node = k
				b.Nodes[i] = k
			}
		}
	}
}

// near compares within 2e-5 of the largest element: sums of the two have other orders.
func near(t *testing.T, name string, want, got tensor.Value) {
	t.Helper()
	require.Equal(t, want.Type.String(), got.Type.String(), name)
	n, err := want.Type.Shape.Elements()
	require.NoError(t, err)
	a, b := make([]float64, n), make([]float64, n)
	require.NoError(t, tensor.Float64s(want.Type.DType, a, want.Bytes))
	require.NoError(t, tensor.Float64s(got.Type.DType, b, got.Bytes))
	scale := 1.0
	for _, x := range a {
		if !math.IsInf(x, 0) && !math.IsNaN(x) {
			scale = max(scale, math.Abs(x))
		}
	}
	for i, x := range a {
		if x == b[i] || math.IsNaN(x) && math.IsNaN(b[i]) {
			continue
		}
		if !want.Type.DType.IsFloat() || !(math.Abs(x-b[i]) <= 2e-5*scale) {
			t.Errorf("%s: element %d is %v, the reference interpreter has %v", name, i, b[i], x)
			return
		}
	}
}

func recorded(t *testing.T, name string) (text []byte, r record) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", name+".mlir"))
	require.NoError(t, err)
	data, err := os.ReadFile(filepath.Join("testdata", name+".json"))
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal(data, &r))
	return text, r
}

// Models that JAX exported give what StableHLO's reference interpreter gave.
func TestModels(t *testing.T) {
	files, err := filepath.Glob("testdata/*.json")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".json")
		t.Run(name, func(t *testing.T) {
			text, r := recorded(t, name)
			g, constants, err := Graph(text, Options{File: name})
			require.NoError(t, err)
			in, want := r.values(t)
			got := run(t, g, constants, in)
			require.Len(t, got, len(want))
			for i := range want {
				near(t, g.Funcs[0].Results[i], want[i], got[i])
			}
		})
	}
}

// Sizes that the text leaves open have names by their arguments, one for those that must be
// equal; other names, and numbers, may be given.
func TestSizes(t *testing.T) {
	text, r := recorded(t, "dynamic")
	in, want := r.values(t)
	for _, c := range []struct {
		shapes map[string]shape.Shape
		first  string // type of the first argument
	}{
		{nil, "i32[arg0_0?xarg0_1?]"},
		{map[string]shape.Shape{"arg0": {shape.Named("batch"), shape.Named("seq")}, "arg1": {shape.Named("batch"), shape.Named("seq")}}, "i32[batch?xseq?]"},
		{map[string]shape.Shape{"arg0": shape.Of(2, 3)}, "i32[2x3]"},
		{map[string]shape.Shape{"arg1": {shape.Of(shape.Dynamic)[0], shape.N(3)}}, "i32[arg0_0?x3]"},
	} {
		g, constants, err := Graph(text, Options{Shapes: c.shapes})
		require.NoError(t, err)
		require.Equal(t, c.first, g.Funcs[0].Body.Args[0].Type.String())
		got := run(t, g, constants, in)
		for i := range want {
			near(t, g.Funcs[0].Results[i], want[i], got[i])
		}
	}
}
