package fromonnx

import (
	"context"
	"encoding/hex"
	"encoding/json"
	"math"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/backend"
	"github.com/skainet-dev/skainet-go/backend/cpu"
	"github.com/skainet-dev/skainet-go/backend/open"
	"github.com/skainet-dev/skainet-go/compile/dag"
	"github.com/skainet-dev/skainet-go/compile/dag/describe"
	"github.com/skainet-dev/skainet-go/io/onnx"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
	"github.com/skainet-dev/skainet-go/tensor/shape"
)

// recorded is a tensor of a file in testdata.
type recorded struct {
	Type int64
	Dims []int64
	Data string
}

func (r recorded) value(t *testing.T) tensor.Value {
	t.Helper()
	data, err := hex.DecodeString(r.Data)
	require.NoError(t, err)
	v := tensor.Value{Type: tensor.TypeOf(onnx.DType(r.Type), r.Dims...), Bytes: data}
	require.NoError(t, v.Check())
	return v
}

type recordedCase struct {
	Name       string
	Model      []byte
	Constants  map[string]recorded
	States     map[string]string
	Shapes     map[string]string
	Cut        []string
	Dequantize bool
	Calls      []struct{ Inputs, Outputs map[string]recorded }
}

func recordedCases(t *testing.T) []recordedCase {
	t.Helper()
	var cases []recordedCase
	for _, file := range []string{"testdata/models.json", "testdata/operators.json", "testdata/dequantized.json", "testdata/caches.json", "testdata/newest.json"} {
		doc, err := os.ReadFile(file)
		require.NoError(t, err)
		var more []recordedCase
		require.NoError(t, json.Unmarshal(doc, &more))
		cases = append(cases, more...)
	}
	return cases
}

func (c recordedCase) imported(t *testing.T, inline int64) (*dag.Graph, *onnx.Model) {
	t.Helper()
	m, err := onnx.ParseModel(c.Model)
	require.NoError(t, err)
	o := Options{Evaluate: open.Evaluate, States: c.States, Cut: c.Cut, Dequantize: c.Dequantize, Inline: inline, Shapes: map[string]shape.Shape{}, Constants: map[string]tensor.Value{}}
	for name, text := range c.Shapes {
		o.Shapes[name] = sizesIn(text)
	}
	for name, v := range c.Constants {
		o.Constants[name] = v.value(t)
	}
	g, err := Import(m, o)
	require.NoError(t, err)
	return g, m
}

func sizesIn(text string) shape.Shape {
	s := shape.Shape{}
	for _, d := range strings.Split(text, ",") {
		s = append(s, shape.Named(d))
	}
	return s
}

// loaded opens a graph whose parameters are the model's stored tensors.
func loaded(t *testing.T, g *dag.Graph, m *onnx.Model) backend.Executable {
	t.Helper()
	stored := map[string]tensor.Value{}
	var list []*onnx.Tensor
	for i := range m.Graph.Initializers {
		list = append(list, &m.Graph.Initializers[i])
	}
	for _, n := range m.Graph.Nodes {
		if v := n.Attributes["value"].Tensor; v != nil {
			list = append(list, v)
		}
	}
	for _, w := range list {
		v, err := w.Value()
		require.NoError(t, err)
		stored[w.Key] = Carrier(v)
	}
	c, err := describe.Contract(g)
	require.NoError(t, err)
	x, err := cpu.Load(g, c, func(_, key string) (tensor.Value, error) { return stored[key], nil })
	require.NoError(t, err)
	t.Cleanup(func() { x.Close() })
	return x
}

// One graph gives ONNX Runtime's results for calls of several sizes, with weights as
// parameters and as constants. Sums in another order, and functions such as e^x, differ
// in the last places of an f32: 1e-5.
func TestRecordedModels(t *testing.T) {
	named, read := 0, 0
	for _, c := range recordedCases(t) {
		t.Run(c.Name, func(t *testing.T) {
			for _, inline := range []int64{-1, math.MaxInt64} {
				g, m := c.imported(t, inline)
				params, err := g.Params()
				require.NoError(t, err)
				read += len(params)
				if inline > 0 {
					require.Empty(t, params)
				}
				for _, f := range g.Funcs {
					for _, a := range f.Body.Args {
						if !a.Type.Shape.IsStatic() {
							named++
						}
					}
				}
				x := loaded(t, g, m)
				for _, call := range c.Calls {
					given := map[string]tensor.Value{}
					for name, v := range call.Inputs {
						given[name] = v.value(t)
					}
					got := map[string]tensor.Value{}
					for _, f := range g.Funcs {
						got = called(t, x, f, given)
						for name, v := range got { // of the first part
							if v.Type.DType.IsInt() && v.Type.Shape.Rank() == 0 && len(c.Cut) > 0 {
								v = tensor.Value{Type: tensor.TypeOf(dtype.U8, wholes(v)[0]), Bytes: make([]byte, wholes(v)[0])}
							}
							given[name] = v
						}
					}
					want := map[string]tensor.Value{}
					for name, v := range call.Outputs {
						want[name] = v.value(t)
					}
					if diff := cmp.Diff(floatsOf(want), floatsOf(got), cmpopts.EquateApprox(1e-5, 1e-6), cmpopts.EquateNaNs()); diff != "" {
						t.Error(diff)
					}
				}
			}
		})
	}
	require.Greater(t, named, 30)
	require.Greater(t, read, 20)
}

func called(t *testing.T, x backend.Executable, f *dag.Func, given map[string]tensor.Value) map[string]tensor.Value {
	t.Helper()
	var args []tensor.Value
	for _, name := range f.Args {
		args = append(args, given[name])
	}
	out, err := x.Call(context.Background(), f.Name, args...)
	require.NoError(t, err)
	got := map[string]tensor.Value{}
	for i, name := range f.Results {
		got[name] = out[i]
	}
	return got
}

// listing is a tensor in a form that can be compared with a tolerance.
type listing struct {
	Type     string
	Elements []float64
}

func floatsOf(values map[string]tensor.Value) map[string]listing {
	out := map[string]listing{}
	for name, v := range values {
		l := listing{Type: v.Type.String()}
		switch {
		case v.Type.DType.IsFloat():
			n, _ := v.Type.Shape.Elements()
			l.Elements = make([]float64, n)
			if err := tensor.Float64s(v.Type.DType, l.Elements, v.Bytes); err != nil {
				l.Type = err.Error()
			}
		default:
			for _, x := range wholes(v) {
				l.Elements = append(l.Elements, float64(x))
			}
		}
		out[name] = l
	}
	return out
}

// The graph depends only on the model and the options, and other weights of the same
// shapes give the same one.
func TestImportIsDeterministic(t *testing.T) {
	for _, c := range recordedCases(t) {
		g, _ := c.imported(t, -1)
		again, _ := c.imported(t, -1)
		require.Equal(t, paths(g), paths(again), c.Name)
		for i, f := range g.Funcs {
			require.Equal(t, f.Args, again.Funcs[i].Args)
			require.Equal(t, f.Results, again.Funcs[i].Results)
		}
	}
}

func paths(g *dag.Graph) (list []string) {
	for _, f := range g.Funcs {
		f.Body.Walk(func(n *dag.Node) { list = append(list, n.String()) })
	}
	return slices.Clip(list)
}
