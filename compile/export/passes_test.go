package export

import (
	"context"
	"fmt"
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/backend/cpu"
	"github.com/skainet-dev/skainet-go/backend/parity"
	"github.com/skainet-dev/skainet-go/compile/dag"
	"github.com/skainet-dev/skainet-go/compile/iree"
	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/examples/staircase/affine"
	"github.com/skainet-dev/skainet-go/examples/staircase/grayscale"
	"github.com/skainet-dev/skainet-go/examples/staircase/linear"
	"github.com/skainet-dev/skainet-go/lang"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
)

func results(t *testing.T, g *dag.Graph) []tensor.Value {
	t.Helper()
	m, err := iree.Emit(g, iree.Options{})
	require.NoError(t, err)
	x, err := cpu.Load(g, m.Contract, nil)
	require.NoError(t, err)
	cases, err := parity.MadeUp(m.Contract)
	require.NoError(t, err)
	var out []tensor.Value
	for _, c := range cases {
		for _, call := range c.Calls {
			r, err := x.Call(context.Background(), call.Entry, call.Args...)
			require.NoError(t, err)
			out = append(out, r...)
		}
	}
	return out
}

// An export computes what the model as written computes: the same bits, or in f16
// and bf16 within a few roundings of the largest element.
func TestPassesKeepTheExamples(t *testing.T) {
	for name, build := range map[string]lang.Constructor{"affine": affine.Model, "grayscale": grayscale.Model, "linear": linear.Model} {
		plain, err := lang.CaptureWith(name, nil, build)
		require.NoError(t, err)
		want := results(t, plain)
		for precision, tolerance := range map[string]float64{"": 0, "f16": 3. / (1 << 11), "bf16": 3. / (1 << 8)} {
			t.Run(name+"/"+precision, func(t *testing.T) {
				g, err := Capture(cpu.Evaluate, name, nil, build, precision, "")
				require.NoError(t, err)
				got := results(t, g)
				require.Len(t, got, len(want))
				for i := range want {
					if tolerance == 0 || want[i].Type.DType != dtype.F32 {
						require.Equal(t, want[i], got[i])
						continue
					}
					a, err := tensor.Slice[float32](want[i])
					require.NoError(t, err)
					b, err := tensor.Slice[float32](got[i])
					require.NoError(t, err)
					largest := 0.0
					for _, x := range a {
						largest = max(largest, math.Abs(float64(x)))
					}
					for j := range a {
						require.InDelta(t, a[j], b[j], tolerance*largest)
					}
				}
			})
		}
	}
}

// In every precision the product of one row is a kernel on CPUs, which reads the weight
// as it is stored.
func TestKernelsInEveryPrecision(t *testing.T) {
	typ := tensor.TypeOf(dtype.F32, 64, 64)
	index := &tensor.Index{Tensors: []tensor.Spec{{Name: "w", DType: typ.DType, Shape: typ.Shape, Bytes: 64 * 64 * 4}}}
	model := func(m *lang.Module) {
		m.Entry("main", func(f *lang.Func) {
			x := f.Input("x", dtype.F32, 1, 64)
			f.Output("y", x.Dot(f.Param("w"), lang.Dims{}, lang.Dims{LHS: []int{1}, RHS: []int{1}}))
		})
	}
	for precision, name := range map[string]string{"": "f32", "f16": "f16", "bf16": "bf16", "int8": "i8"} {
		g, err := Capture(cpu.Evaluate, "row", index, model, precision, "")
		require.NoError(t, err)
		m, err := iree.Emit(g, iree.Options{Kernels: true})
		require.NoError(t, err)
		call := fmt.Sprintf("flow.dispatch @matvec_%[1]s_64x64::@matvec_%[1]s_64x64(", name)
		require.Contains(t, string(m.Text), call)
		require.Contains(t, string(m.Text), fmt.Sprintf("(tensor<64x64x%s>, tensor<64xf32>) -> tensor<64xf32>", name))
		require.Contains(t, string(m.Text), "(%x: tensor<1x64xf32>) -> (tensor<1x64xf32>)")
	}
}

func TestEqualWeightsAreReadOnce(t *testing.T) {
	typ := tensor.TypeOf(dtype.F32, 2)
	index := &tensor.Index{Tensors: []tensor.Spec{
		{Name: "b", DType: typ.DType, Shape: typ.Shape, Bytes: 8}, {Name: "a", DType: typ.DType, Shape: typ.Shape, Bytes: 8}, {Name: "c", DType: typ.DType, Shape: typ.Shape, Bytes: 8},
	}}
	model := func(m *lang.Module) {
		m.Entry("main", func(f *lang.Func) { f.Output("y", f.Param("b").Add(f.Param("a")).Mul(f.Param("c"))) })
	}
	contents := func(_, key string) string { return map[string]string{"a": "1", "b": "1", "c": "2"}[key] }
	_, m, err := RunIndex(cpu.Evaluate, model, index, Options{Name: "tied", Contents: contents})
	require.NoError(t, err)
	require.Len(t, m.Contract.Parameters, 2)
	require.Equal(t, "a", m.Contract.Parameters[0].Key)
	require.Equal(t, "c", m.Contract.Parameters[1].Key)
}

func TestUnknownPrecision(t *testing.T) {
	_, _, err := Run(cpu.Evaluate, linear.Model, Options{Name: "linear", DType: "f64"})
	require.Equal(t, CodeDType, errs.CodeOf(err))
}
