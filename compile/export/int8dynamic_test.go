package export

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/backend/cpu"
	"github.com/skainet-dev/skainet-go/compile/contract"
	"github.com/skainet-dev/skainet-go/compile/dag"
	"github.com/skainet-dev/skainet-go/compile/iree"
	"github.com/skainet-dev/skainet-go/compile/iree/kernels"
	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/io/transform"
	"github.com/skainet-dev/skainet-go/lang"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
	"github.com/skainet-dev/skainet-go/tensor/shape"
)

// oneProduct is x [rows, K] times the transpose of w [N, K].
func oneProduct(k int64) lang.Constructor {
	return func(m *lang.Module) {
		m.Entry("main", func(f *lang.Func) {
			x := f.InputOf("x", dtype.F32, shape.Named("rows"), shape.N(k))
			f.Output("y", x.Dot(f.Param("w"), lang.Dims{}, lang.Dims{LHS: []int{1}, RHS: []int{1}}))
		})
	}
}

func indexOf(name string, sizes ...int64) *tensor.Index {
	s := tensor.Spec{Name: name, DType: dtype.F32, Shape: shape.Of(sizes...)}
	s.Bytes, _ = s.Type().Bytes()
	return &tensor.Index{Tensors: []tensor.Spec{s}}
}

// rowsOf returns a part of w, rows of k, as an archive has it.
func rowsOf(t *testing.T, w []float32, k int64, p transform.Part) tensor.Value {
	t.Helper()
	v, err := tensor.Of(w, int64(len(w))/k, k)
	require.NoError(t, err)
	tr, err := transform.Rows(tensor.Spec{Name: "w", DType: dtype.F32, Shape: v.Type.Shape, Bytes: int64(len(v.Bytes))}, p, transform.Options{})
	require.NoError(t, err)
	b, err := tr.Buffer(tensor.Owned(v.Bytes)).Bytes()
	require.NoError(t, err)
	if p == transform.RowScales {
		return tensor.Value{Type: tensor.TypeOf(dtype.F32, int64(len(w))/k), Bytes: b}
	}
	return tensor.Value{Type: tensor.TypeOf(dtype.I8, int64(len(w))/k, k), Bytes: b}
}

// product runs a graph of oneProduct on the CPU backend.
func product(t *testing.T, g *dag.Graph, x, w []float32, k int64) []float32 {
	t.Helper()
	m, err := iree.Emit(g, iree.Options{})
	require.NoError(t, err)
	e, err := cpu.Load(g, m.Contract, func(_, key string) (tensor.Value, error) {
		if strings.HasSuffix(key, contract.ScalesSuffix) {
			return rowsOf(t, w, k, transform.RowScales), nil
		}
		return rowsOf(t, w, k, transform.RowValues), nil
	})
	require.NoError(t, err)
	defer e.Close()
	in, err := tensor.Of(x, int64(len(x))/k, k)
	require.NoError(t, err)
	out, err := e.Call(t.Context(), "main", in)
	require.NoError(t, err)
	y, err := tensor.Slice[float32](out[0])
	require.NoError(t, err)
	return y
}

// quantizedHere is DynamicQuantizeLinear of ONNX's specification, in f32, with ONNX Runtime's
// scale for zeros: codes less the zero point, and the scale.
func quantizedHere(x []float32) ([]int32, float32) {
	low, high := float32(0), float32(0)
	for _, v := range x {
		low, high = min(low, v), max(high, v)
	}
	scale := (high - low) / 255
	if high == low {
		scale = 1
	}
	codes := make([]int32, len(x))
	if scale == 0 { // underflow: each product is zero, whatever the codes are
		return codes, scale
	}
	byteOf := func(v float64) int32 { return int32(min(max(v, 0), 255)) }
	zero := byteOf(math.RoundToEven(float64(-low / scale)))
	for i, v := range x {
		codes[i] = byteOf(math.RoundToEven(float64(v/scale))+float64(zero)) - zero
	}
	return codes, scale
}

// wanted is the product by the definition of the mode.
func wanted(t *testing.T, x, w []float32, k int) []float32 {
	t.Helper()
	values := rowsOf(t, w, int64(k), transform.RowValues).Bytes
	scales, err := tensor.Slice[float32](rowsOf(t, w, int64(k), transform.RowScales))
	require.NoError(t, err)
	codes, scale := quantizedHere(x)
	var y []float32
	for r := range len(x) / k {
		for n, s := range scales {
			sum := int32(0)
			for i := range k {
				sum += codes[r*k+i] * int32(int8(values[n*k+i]))
			}
			y = append(y, float32(sum)*(s*scale))
		}
	}
	return y
}

func numbers(seed uint64, count int, of func(r *rand.Rand) float32) []float32 {
	r := rand.New(rand.NewPCG(seed, 0))
	out := make([]float32, count)
	for i := range out {
		out[i] = of(r)
	}
	return out
}

// The product computes what DynamicQuantizeLinear, a product of integers and two scales do,
// to the last bit, whatever the operand and the weight are.
func TestInt8DynamicValues(t *testing.T) {
	normal := func(r *rand.Rand) float32 { return float32(r.NormFloat64()) }
	all := func(v float32) func(*rand.Rand) float32 { return func(*rand.Rand) float32 { return v } }
	for name, tt := range map[string]struct {
		rows, columns int
		x, w          func(r *rand.Rand) float32
	}{
		"both signs":           {5, 6, normal, normal},
		"positive":             {3, 6, func(r *rand.Rand) float32 { return 2 + r.Float32() }, normal},
		"negative":             {3, 6, func(r *rand.Rand) float32 { return -2 - r.Float32() }, normal},
		"zeros":                {2, 3, all(0), normal},
		"negative zeros":       {2, 3, all(float32(math.Copysign(0, -1))), normal},
		"one number":           {2, 3, all(1.7), normal},
		"a negative number":    {2, 3, all(-1.7), normal},
		"weights of zero":      {2, 3, normal, all(0)},
		"a constant weight":    {2, 3, normal, all(-0.3)},
		"one row of weights":   {4, 1, normal, normal},
		"one row":              {1, 6, normal, normal},
		"underflow":            {2, 3, func(r *rand.Rand) float32 { return 1e-44 * float32(r.IntN(5)-2) }, normal},
		"large numbers":        {2, 3, func(r *rand.Rand) float32 { return normal(r) * 1e30 }, normal},
		"small numbers":        {2, 3, func(r *rand.Rand) float32 { return normal(r) * 1e-30 }, normal},
		"one is much larger":   {4, 4, func(r *rand.Rand) float32 { return float32(math.Exp(4 * r.NormFloat64())) }, normal},
		"halves between codes": {2, 3, func(r *rand.Rand) float32 { return float32(r.IntN(511)-255) / 2 }, normal},
	} {
		t.Run(name, func(t *testing.T) {
			const k = 48
			x, w := numbers(1, tt.rows*k, tt.x), numbers(2, tt.columns*k, tt.w)
			g, err := Capture(cpu.Evaluate, "product", indexOf("w", int64(tt.columns), k), oneProduct(k), "", "w=int8_dynamic")
			require.NoError(t, err)
			require.Equal(t, wanted(t, x, w, k), append([]float32(nil), product(t, g, x, w, k)...))
		})
	}
}

// What is no number, or infinite, makes results that are not finite, and never finite ones
// that are wrong.
func TestInt8DynamicWithoutNumbers(t *testing.T) {
	const k = 48
	g, err := Capture(cpu.Evaluate, "product", indexOf("w", 3, k), oneProduct(k), "", "int8_dynamic")
	require.NoError(t, err)
	w := numbers(2, 3*k, func(r *rand.Rand) float32 { return float32(r.NormFloat64()) })
	for _, bad := range []float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
		x := numbers(1, 2*k, func(r *rand.Rand) float32 { return r.Float32() })
		x[5] = float32(bad)
		for _, y := range product(t, g, x, w, k) {
			require.True(t, math.IsNaN(float64(y)) || math.IsInf(float64(y), 0), "%g for %g", y, bad)
		}
	}
}

// The error is within what half a step of each weight and a step of each element make.
func TestInt8DynamicError(t *testing.T) {
	const k, rows, columns = 256, 7, 16
	normal := func(r *rand.Rand) float32 { return float32(r.NormFloat64()) }
	x, w := numbers(1, rows*k, normal), numbers(2, columns*k, normal)
	g, err := Capture(cpu.Evaluate, "product", indexOf("w", columns, k), oneProduct(k), "int8_dynamic", "")
	require.NoError(t, err)
	y := product(t, g, x, w, k)
	scales, err := tensor.Slice[float32](rowsOf(t, w, k, transform.RowScales))
	require.NoError(t, err)
	_, scale := quantizedHere(x)
	off := 0.0
	for i, got := range y {
		exact, bound := 0.0, 0.0
		s := float64(scales[i%columns])
		for j := range k {
			a, b := float64(x[i/columns*k+j]), float64(w[i%columns*k+j])
			exact += a * b
			bound += math.Abs(a)*s/2 + (math.Abs(b)+s/2)*float64(scale)
		}
		require.InDelta(t, exact, got, bound)
		off = max(off, math.Abs(exact-float64(got)))
	}
	t.Logf("at most %.3g of sums of %d products", off, k)
	require.Positive(t, off)
	require.Less(t, off, 1.0, "products of %d normal numbers have a deviation of 16", k)
}

// Both ways to ask for the mode make the same program; it has the parameters of int8, whose
// archive serves both.
func TestInt8DynamicOptions(t *testing.T) {
	index := indexOf("w", 64, 64)
	export := func(o Options) (string, []contract.Parameter) {
		o.Name = "product"
		_, m, err := RunIndex(cpu.Evaluate, oneProduct(64), index, o)
		require.NoError(t, err)
		return string(m.Text), m.Contract.Parameters
	}
	text, params := export(Options{DType: "int8_dynamic"})
	require.Contains(t, text, "xui8>")
	require.Len(t, params, 2)
	stored, same := export(Options{Weights: "int8_dynamic"})
	require.Equal(t, text, stored)
	require.Equal(t, params, same)
	weightsOnly, same := export(Options{DType: "int8"})
	require.NotContains(t, weightsOnly, "xui8>")
	require.Equal(t, params, same)
	for _, o := range []Options{{DType: "int8_Dynamic"}, {DType: "dynamic"}} {
		_, _, err := RunIndex(cpu.Evaluate, oneProduct(64), index, o)
		require.Equal(t, CodeDType, errs.CodeOf(err))
		require.ErrorContains(t, err, "int8_dynamic")
	}
	for _, policy := range []string{"int8dynamic", "w=int8_dynamics", "v=int8_dynamic", "int8_dynamic,int8"} {
		_, _, err := RunIndex(cpu.Evaluate, oneProduct(64), index, Options{Name: "product", Weights: policy})
		require.Equal(t, errs.Code("PASS_WEIGHTS"), errs.CodeOf(err), policy)
	}
}

// Processors that multiply bytes run kernels for all three steps.
func TestInt8DynamicKernels(t *testing.T) {
	g, err := Capture(cpu.Evaluate, "product", indexOf("w", 64, 64), oneProduct(64), "int8_dynamic", "")
	require.NoError(t, err)
	text := func(instructions ...string) string {
		m, err := iree.Emit(g, iree.Options{Kernels: true, Wide: true, Instructions: instructions})
		require.NoError(t, err)
		return string(m.Text)
	}
	with := text(kernels.ByteProducts)
	for _, k := range []string{kernels.Extremes{}.Symbol(), kernels.Quantize{}.Symbol(), kernels.ByteProduct{Rows: true}.Symbol()} {
		require.Contains(t, with, "flow.dispatch @"+k+"::")
	}
	require.NotContains(t, text(), "@byte_product")
}
