package operator_test

import (
	"context"
	"math"
	"reflect"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/backend/cpu"
	"github.com/skainet-dev/skainet-go/compile/contract"
	"github.com/skainet-dev/skainet-go/compile/dag"
	"github.com/skainet-dev/skainet-go/compile/dag/describe"
	"github.com/skainet-dev/skainet-go/compile/dag/graphjson"
	"github.com/skainet-dev/skainet-go/compile/dag/passes"
	"github.com/skainet-dev/skainet-go/compile/hlo"
	"github.com/skainet-dev/skainet-go/compile/hlo/verify"
	"github.com/skainet-dev/skainet-go/compile/iree"
	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/lang"
	"github.com/skainet-dev/skainet-go/lang/operator"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
	"github.com/skainet-dev/skainet-go/tensor/shape"
	_ "github.com/skainet-dev/skainet-go/test/errtest"
)

// The first three are the kinds: composed, composed beside a CPU function, and written.
var (
	twice = operator.Register(operator.Definition{
		Name: "test.twice", Doc: "2 x.",
		Operands:  []operator.Operand{{Name: "x", Class: operator.Float}},
		Rule:      operator.Same,
		Decompose: func(_ *operator.Call, in []lang.Tensor) []lang.Tensor { return []lang.Tensor{in[0].Add(in[0])} },
		Examples:  []operator.Example{{Shapes: [][]int64{{2, 3}}, Gives: [][]int64{{2, 3}}}},
	})
	swish = operator.Register(operator.Definition{
		Name: "test.swish", Doc: "x/(1 + e^(-beta x)).",
		Operands:   []operator.Operand{{Name: "x", Class: operator.Float}},
		Attributes: []operator.Attribute{{Name: "beta", Kind: operator.KindFloat, Default: 1.0, Doc: "the slope"}},
		Rule:       operator.Same,
		CPU:        each(func(c *operator.Call, x float64) float64 { return x / (1 + math.Exp(-c.Attrs.Float("beta")*x)) }),
		Decompose: func(c *operator.Call, in []lang.Tensor) []lang.Tensor {
			return []lang.Tensor{in[0].Mul(in[0].MulScalar(c.Attrs.Float("beta")).Logistic())}
		},
		Examples: []operator.Example{{Shapes: [][]int64{{2, 3}}, Gives: [][]int64{{2, 3}}}},
	})
	flip = operator.Register(operator.Definition{
		Name: "test.flip", Doc: "-x.",
		Operands:  []operator.Operand{{Name: "x", Class: operator.Float}},
		Rule:      operator.Same,
		CPU:       each(func(_ *operator.Call, x float64) float64 { return -x }),
		Decompose: func(_ *operator.Call, in []lang.Tensor) []lang.Tensor { return []lang.Tensor{in[0].Negate()} },
		Rounding:  operator.Exact,
		Examples:  []operator.Example{{Shapes: [][]int64{{2}}, Gives: [][]int64{{2}}}},
	})
	cube = operator.Register(operator.Definition{
		Name: "test.cube", Doc: "x^3.",
		Operands: []operator.Operand{{Name: "x", Class: operator.Numeric}},
		Rule:     operator.Same,
		CPU:      each(func(_ *operator.Call, x float64) float64 { return x * x * x }),
		Texts: map[operator.Target]string{
			operator.AnyTarget: `
%0 = stablehlo.multiply %x, %x : {{.x}}
%1 = stablehlo.multiply %0, %x : {{.x}}
return %1 : {{.y}}`,
			operator.CPUTarget: `
%r = math.powf %x, %x : {{.x}}
util.return %r : {{.y}}`,
		},
		Examples: []operator.Example{{Shapes: [][]int64{{4}}, Gives: [][]int64{{4}}}},
	})
)

// each makes a CPU function of a function of numbers.
func each(f func(c *operator.Call, x float64) float64) func(c *operator.Call, in []tensor.Value) ([]tensor.Value, error) {
	return func(c *operator.Call, in []tensor.Value) ([]tensor.Value, error) {
		return operator.Each(in, func(x ...float64) float64 { return f(c, x[0]) })
	}
}

// capture returns the graph of y = f(x).
func capture(t *testing.T, d dtype.DType, dims []shape.Dim, f func(x lang.Tensor) lang.Tensor) *dag.Graph {
	t.Helper()
	g, err := lang.Capture("m", nil, func(m *lang.Module) {
		m.Entry("main", func(fn *lang.Func) { fn.Output("y", f(fn.InputOf("x", d, dims...))) })
	})
	require.NoError(t, err)
	return g
}

func apply(o *operator.Operator, a operator.Attrs) func(x lang.Tensor) lang.Tensor {
	return func(x lang.Tensor) lang.Tensor { return o.Apply(a, x)[0] }
}

// run computes y of x on the CPU backend.
func run(t *testing.T, g *dag.Graph, x tensor.Value) (tensor.Value, error) {
	t.Helper()
	c := &contract.Contract{Schema: contract.Schema, Name: g.Name, Entries: describe.Entries(g)}
	p, err := cpu.Load(g, c, nil)
	require.NoError(t, err)
	out, err := p.Call(context.Background(), "main", x)
	if err != nil {
		return tensor.Value{}, err
	}
	return out[0], nil
}

func TestKinds(t *testing.T) {
	x, err := tensor.Of([]float32{-1, 0, 3}, 3)
	require.NoError(t, err)
	for _, c := range []struct {
		o    *operator.Operator
		a    operator.Attrs
		want []float32 // NumPy 2.4: 2*x; x/(1+np.exp(-2*x)); x**3, in f32
		node string
	}{
		{twice, nil, []float32{-2, 0, 6}, "add"},
		{swish, operator.Attrs{"beta": 2.0}, []float32{-0.11920292, 0, 2.992582}, "test.swish"},
		{cube, nil, []float32{-1, 0, 27}, "test.cube"},
	} {
		t.Run(c.o.Name(), func(t *testing.T) {
			require.NoError(t, c.o.Err())
			g := capture(t, dtype.F32, shape.Of(3), apply(c.o, c.a))
			require.Equal(t, c.node, g.Funcs[0].Body.Nodes[0].Op.Name)
			y, err := run(t, g, x)
			require.NoError(t, err)
			got, err := tensor.Slice[float32](y)
			require.NoError(t, err)
			require.InDeltaSlice(t, c.want, got, 1e-6)
		})
	}
}

// Texts are right for our verifier, in every form, with static and dynamic sizes.
func TestTexts(t *testing.T) {
	for _, dims := range [][]shape.Dim{shape.Of(2, 3), {shape.Named("n"), shape.N(3)}} {
		for _, d := range []dtype.DType{dtype.F32, dtype.F64, dtype.F16, dtype.BF16} {
			g := capture(t, d, dims, func(x lang.Tensor) lang.Tensor {
				return apply(cube, nil)(apply(swish, nil)(apply(cube, nil)(apply(twice, nil)(x))))
			})
			for _, o := range []iree.Options{{}, {Kernels: true}, {IntegerF16: true}, {Kernels: true, IntegerF16: true}} {
				m, err := iree.Emit(g, o)
				require.NoError(t, err)
				require.Empty(t, verify.Text("m.mlir", m.Text), string(m.Text))
				text := string(m.Text)
				require.Equal(t, 2, strings.Count(text, ".call @test_cube_1("), text)
				require.Equal(t, 1, strings.Count(text, ".func private @test_cube_1("), "one for both calls")
				require.Equal(t, o.Kernels, strings.Contains(text, "math.powf"))
				require.Contains(t, text, "@test_swish_1")
			}
			m, err := hlo.Emit(g, hlo.Options{})
			require.NoError(t, err)
			require.Empty(t, verify.Text("m.mlir", m.Text), string(m.Text))
		}
	}
}

// A parameter may have the name that a function would take.
func TestSymbolTaken(t *testing.T) {
	g, err := lang.Capture("m", nil, func(m *lang.Module) {
		s := m.State("test_cube_1", dtype.F32, 0, 2)
		m.Entry("main", func(f *lang.Func) { f.Output("y", cube.Apply(nil, f.Read(s))[0]) })
	})
	require.NoError(t, err)
	m, err := iree.Emit(g, iree.Options{})
	require.NoError(t, err)
	require.Contains(t, string(m.Text), "func.call @test_cube_2(")
	require.Empty(t, verify.Text("m.mlir", m.Text))
}

// A text that cannot be written for a call is an error where the call is.
func TestTextOfAnotherRank(t *testing.T) {
	o := operator.Register(operator.Definition{
		Name: "test.columns", Doc: "x [A, B].",
		Operands: []operator.Operand{{Name: "x", Class: operator.Float}},
		Rule:     operator.Same,
		CPU:      func(_ *operator.Call, in []tensor.Value) ([]tensor.Value, error) { return in, nil },
		Texts:    map[operator.Target]string{operator.AnyTarget: "// {{.x.Dim 1}} columns\nreturn %x : {{.y}}"},
		Examples: []operator.Example{{Shapes: [][]int64{{2, 3}}, Gives: [][]int64{{2, 3}}}},
	})
	require.NoError(t, o.Err())
	_, err := iree.Emit(capture(t, dtype.F32, shape.Of(2, 3), apply(o, nil)), iree.Options{})
	require.NoError(t, err)
	_, err = iree.Emit(capture(t, dtype.F32, shape.Of(2), apply(o, nil)), iree.Options{})
	require.Equal(t, errs.Code("OPERATOR_TEXT"), errs.CodeOf(err), "%v", err)
	require.ErrorContains(t, err, "OPERATOR_TEXT: main/test.columns: test.columns has no text for any here: ")
}

// Unsigned numbers take the portable text.
func TestUnsignedIsPortable(t *testing.T) {
	g := capture(t, dtype.U8, shape.Of(3), apply(cube, nil))
	m, err := iree.Emit(g, iree.Options{Kernels: true})
	require.NoError(t, err)
	require.NotContains(t, string(m.Text), "math.powf")
	require.Empty(t, verify.Text("m.mlir", m.Text))
}

func TestNarrowIsRounded(t *testing.T) {
	x := tensor.Value{Type: tensor.TypeOf(dtype.F16, 1)}
	h := tensor.F32ToF16(1.1)
	x.Bytes = []byte{byte(h), byte(h >> 8)}
	y, err := run(t, capture(t, dtype.F16, shape.Of(1), apply(cube, nil)), x)
	require.NoError(t, err)
	v := float64(tensor.F16ToF32(h))
	want := tensor.F32ToF16(float32(v * v * v))
	require.Equal(t, []byte{byte(want), byte(want >> 8)}, y.Bytes)
}

// In a model that is converted to f16, one that states nothing computes in f32.
func TestStaysWide(t *testing.T) {
	g := capture(t, dtype.F32, shape.Of(2, 3), func(x lang.Tensor) lang.Tensor { return apply(swish, nil)(x.Mul(x)).Mul(x) })
	narrow, err := passes.Narrow(passes.Narrowing{To: dtype.F16})
	require.NoError(t, err)
	require.NoError(t, passes.Run(g, narrow))
	types := map[string]dtype.DType{}
	for _, n := range g.Funcs[0].Body.Nodes {
		types[n.Op.Name] = n.Outputs[0].Type.DType
	}
	require.Equal(t, dtype.F32, types["test.swish"])
	require.Equal(t, dtype.F16, types["multiply"])
}

// A graph file says which package registers an operation; read without it, the graph is
// refused by name.
func TestGraphFile(t *testing.T) {
	g := capture(t, dtype.F32, shape.Of(2), func(x lang.Tensor) lang.Tensor { return apply(swish, nil)(apply(twice, nil)(x)) })
	text, err := graphjson.Marshal(g)
	require.NoError(t, err)
	type here struct{}
	from := reflect.TypeFor[here]().PkgPath() // which Bazel chooses for a test
	require.Contains(t, string(text), `"operators":{"test.swish":"`+from+`","test.twice":"`+from+`"}`)
	again, err := graphjson.Parse(text)
	require.NoError(t, err)
	same, err := graphjson.Marshal(again)
	require.NoError(t, err)
	require.Equal(t, string(text), string(same))

	unknown := strings.ReplaceAll(strings.ReplaceAll(string(text), "test.swish", "acme.swish"), from, "example.com/acme/ops")
	_, err = graphjson.Parse([]byte(unknown))
	require.Equal(t, errs.Code("OP_UNKNOWN"), errs.CodeOf(err))
	require.ErrorContains(t, err, `unknown operation "acme.swish"; import example.com/acme/ops, which registers it, in the program that reads this graph`)
	_, err = graphjson.Parse([]byte(strings.ReplaceAll(unknown, `"acme.swish":"example.com/acme/ops",`, "")))
	require.ErrorContains(t, err, `unknown operation "acme.swish"; it is an operation of acme: import the Go package that registers it`)
}

// One that is exact is folded by its CPU function; others stay, as those of the table do.
func TestFolded(t *testing.T) {
	g := capture(t, dtype.F32, shape.Of(2), func(x lang.Tensor) lang.Tensor {
		c := lang.Const(x.Func(), []float32{2, 3}, 2)
		return x.Add(apply(flip, nil)(c)).Add(apply(cube, nil)(c))
	})
	require.NoError(t, passes.Run(g, passes.Fold(cpu.Evaluate, 1<<20)))
	var names []string
	for _, n := range g.Funcs[0].Body.Nodes {
		names = append(names, n.Op.Name)
	}
	require.NotContains(t, names, "test.flip")
	require.Contains(t, names, "test.cube")
	x, err := tensor.Of([]float32{1, 1}, 2)
	require.NoError(t, err)
	y, err := run(t, g, x)
	require.NoError(t, err)
	got, err := tensor.Slice[float32](y)
	require.NoError(t, err)
	require.Equal(t, []float32{7, 25}, got)
}

func TestApplyNothing(t *testing.T) {
	_, err := lang.Capture("m", nil, func(m *lang.Module) {
		m.Entry("main", func(*lang.Func) { cube.Apply(nil) })
	})
	require.Equal(t, errs.Code("OP_OPERANDS"), errs.CodeOf(err))
}

func TestEachRefuses(t *testing.T) {
	whole, err := tensor.Of([]int32{1}, 1)
	require.NoError(t, err)
	one, err := tensor.Of([]float32{1}, 1)
	require.NoError(t, err)
	two, err := tensor.Of([]float32{1, 2}, 2)
	require.NoError(t, err)
	add := func(x ...float64) float64 { return x[0] + x[1] }
	_, err = operator.Each([]tensor.Value{whole, whole}, add)
	require.Equal(t, errs.Code("OP_DTYPE"), errs.CodeOf(err))
	_, err = operator.Each([]tensor.Value{one, two}, add)
	require.Equal(t, errs.Code("OP_SHAPE"), errs.CodeOf(err))
	_, err = operator.Each([]tensor.Value{two, whole}, add)
	require.Error(t, err)
	y, err := operator.Each([]tensor.Value{two, two}, add)
	require.NoError(t, err)
	require.Equal(t, []byte{0, 0, 0, 64, 0, 0, 128, 64}, y[0].Bytes)
}
