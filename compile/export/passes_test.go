package export

import (
	"context"
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/backend/cpu"
	"github.com/skainet-dev/skainet-go/backend/parity"
	"github.com/skainet-dev/skainet-go/compile/dag"
	"github.com/skainet-dev/skainet-go/compile/hlo"
	"github.com/skainet-dev/skainet-go/examples/staircase/affine"
	"github.com/skainet-dev/skainet-go/examples/staircase/grayscale"
	"github.com/skainet-dev/skainet-go/examples/staircase/linear"
	"github.com/skainet-dev/skainet-go/internal/errs"
	"github.com/skainet-dev/skainet-go/lang"
	"github.com/skainet-dev/skainet-go/lang/dtype"
	"github.com/skainet-dev/skainet-go/lang/tensor"
)

func results(t *testing.T, g *dag.Graph) []tensor.Value {
	t.Helper()
	m, err := hlo.Emit(g, hlo.Options{})
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

// An export computes what the model computes as it was written: the same bits, or
// in f16 and bf16 the same but for a few roundings of the largest element.
func TestPassesKeepTheExamples(t *testing.T) {
	for name, build := range map[string]lang.Constructor{"affine": affine.Model, "grayscale": grayscale.Model, "linear": linear.Model} {
		plain, err := lang.CaptureWith(name, nil, build)
		require.NoError(t, err)
		want := results(t, plain)
		for precision, tolerance := range map[string]float64{"": 0, "f16": 3. / (1 << 11), "bf16": 3. / (1 << 8)} {
			t.Run(name+"/"+precision, func(t *testing.T) {
				g, err := Capture(name, nil, build, precision)
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

func TestEqualWeightsAreReadOnce(t *testing.T) {
	typ := tensor.TypeOf(dtype.F32, 2)
	index := &tensor.Index{Tensors: []tensor.Spec{
		{Name: "b", DType: typ.DType, Shape: typ.Shape, Bytes: 8}, {Name: "a", DType: typ.DType, Shape: typ.Shape, Bytes: 8}, {Name: "c", DType: typ.DType, Shape: typ.Shape, Bytes: 8},
	}}
	model := func(m *lang.Module) {
		m.Entry("main", func(f *lang.Func) { f.Output("y", f.Param("b").Add(f.Param("a")).Mul(f.Param("c"))) })
	}
	contents := func(_, key string) string { return map[string]string{"a": "1", "b": "1", "c": "2"}[key] }
	_, m, err := RunIndex(model, index, Options{Name: "tied", Contents: contents})
	require.NoError(t, err)
	require.Len(t, m.Contract.Parameters, 2)
	require.Equal(t, "a", m.Contract.Parameters[0].Key)
	require.Equal(t, "c", m.Contract.Parameters[1].Key)
}

func TestUnknownPrecision(t *testing.T) {
	_, _, err := Run(linear.Model, Options{Name: "linear", DType: "f64"})
	require.Equal(t, CodeDType, errs.CodeOf(err))
}
