package hlo

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/lang"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
)

func converted(t *testing.T, from dtype.DType, to dtype.DType, make func(f *lang.Func, x lang.Tensor) lang.Tensor) string {
	t.Helper()
	return string(mustEmit(t, func(m *lang.Module) {
		m.Entry("f", func(f *lang.Func) { f.Output("y", make(f, f.Input("x", from, 2)).Convert(to)) })
	}).Text)
}

// same returns the argument unchanged.
func same(_ *lang.Func, x lang.Tensor) lang.Tensor { return x }

func TestFloatsToIntegers(t *testing.T) {
	// The greatest number of the type is not an f32: values from 2^31 on are selected afterwards.
	require.Contains(t, converted(t, dtype.F32, dtype.I32, same), `    %0 = stablehlo.compare NE, %x, %x, FLOAT : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xi1>
    %1 = stablehlo.constant dense<0.0> : tensor<2xf32>
    %2 = stablehlo.select %0, %1, %x : tensor<2xi1>, tensor<2xf32>
    %3 = stablehlo.constant dense<-2.1474836e+09> : tensor<f32>
    %4 = stablehlo.constant dense<2.1474835e+09> : tensor<f32>
    %5 = stablehlo.clamp %3, %2, %4 : (tensor<f32>, tensor<2xf32>, tensor<f32>) -> tensor<2xf32>
    %6 = stablehlo.convert %5 : (tensor<2xf32>) -> tensor<2xi32>
    %7 = stablehlo.constant dense<2.1474836e+09> : tensor<2xf32>
    %8 = stablehlo.compare GE, %2, %7, FLOAT : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xi1>
    %9 = stablehlo.constant dense<2147483647> : tensor<2xi32>
    %10 = stablehlo.select %8, %9, %6 : tensor<2xi1>, tensor<2xi32>
    return %10 : tensor<2xi32>
`)
	for name, c := range map[string]struct {
		from, to dtype.DType
		top      string // of the clamp
		chosen   string // the first value out of range, "" if top is the greatest
	}{
		"an f64 holds all of i32":  {dtype.F64, dtype.I32, "dense<2.147483647e+09> : tensor<f64>", ""},
		"an f64 holds all of u32":  {dtype.F64, dtype.U32, "dense<4.294967295e+09> : tensor<f64>", ""},
		"but not of i64":           {dtype.F64, dtype.I64, "dense<9.223372036854775e+18> : tensor<f64>", "dense<9223372036854775807> : tensor<2xi64>"},
		"nor of u64":               {dtype.F64, dtype.U64, "dense<1.844674407370955e+19> : tensor<f64>", "dense<18446744073709551615> : tensor<2xui64>"},
		"of f32, 24 bits":          {dtype.F32, dtype.U16, "dense<65535.0> : tensor<f32>", ""},
		"an f16 is widened":        {dtype.F16, dtype.I16, "dense<32767.0> : tensor<f32>", ""},
		"beyond f16 is infinity":   {dtype.F16, dtype.U32, "dense<4.294967e+09> : tensor<f32>", "dense<4294967295> : tensor<2xui32>"},
		"a bf16 has 8 bits itself": {dtype.BF16, dtype.I16, "dense<32767.0> : tensor<f32>", ""},
	} {
		text := converted(t, c.from, c.to, same)
		require.Contains(t, text, c.top, name)
		if c.chosen == "" {
			require.NotContains(t, text, "compare GE", name)
		} else {
			require.Contains(t, text, c.chosen, name)
		}
	}
}

// Values with known bounds are not clamped again, and values known not to be NaN are not tested.
func TestFloatsThatFit(t *testing.T) {
	type T = lang.Tensor
	for name, c := range map[string]struct {
		from, to dtype.DType
		make     func(f *lang.Func, x T) T
		clamps   int
		asked    int // number of NaN tests
	}{
		"a count":         {dtype.F32, dtype.I8, func(f *lang.Func, _ T) T { return f.Iota(dtype.F32, 0, 2) }, 0, 0},
		"bools":           {dtype.Bool, dtype.I8, func(_ *lang.Func, x T) T { return x.Convert(dtype.F32) }, 0, 0},
		"halves of u8":    {dtype.U8, dtype.I8, func(_ *lang.Func, x T) T { return x.Convert(dtype.F32).MulScalar(0.49).Round() }, 0, 0},
		"twice i8":        {dtype.I8, dtype.I8, func(_ *lang.Func, x T) T { return x.Convert(dtype.F32).MulScalar(2) }, 1, 0},
		"joined":          {dtype.I8, dtype.I16, func(f *lang.Func, x T) T { y := x.Convert(dtype.F32); return f.Concat(0, y, y.AddScalar(5)) }, 0, 0},
		"i32 as an f32":   {dtype.I32, dtype.I32, func(_ *lang.Func, x T) T { return x.Convert(dtype.F32) }, 1, 0},
		"between":         {dtype.F32, dtype.I8, func(_ *lang.Func, x T) T { return x.ClampScalar(-128, 127).Reshape(1, 2) }, 0, 1},
		"between, beyond": {dtype.F32, dtype.U8, func(_ *lang.Func, x T) T { return x.ClampScalar(-128, 127) }, 1, 1},
		"quantised": {dtype.F32, dtype.I8, func(f *lang.Func, x T) T {
			return x.QuantizeLinear(f.Splat(dtype.F32, 0.5), f.Splat(dtype.I8, 3), 0)
		}, 0, 0},
	} {
		text := converted(t, c.from, c.to, c.make)
		require.Equal(t, c.clamps, strings.Count(text, "stablehlo.clamp"), "%s: %s", name, text)
		require.Equal(t, c.asked, strings.Count(text, "compare NE"), "%s: %s", name, text)
	}
}
