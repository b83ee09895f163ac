package iree

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/compile/hlo"
	"github.com/skainet-dev/skainet-go/lang"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
)

// A widening conversion of an unsigned type is followed by a clamp, through an integer, and no
// other conversion is.
func TestUnsignedConversions(t *testing.T) {
	for name, c := range map[string]struct {
		from, to dtype.DType
		want     string
	}{
		"bool to float": {dtype.Bool, dtype.F32, `  func.func @f(%x: tensor<2xi1>) -> (tensor<2xf32>) {
    %0 = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.constant dense<1> : tensor<i32>
    %2 = stablehlo.convert %x : (tensor<2xi1>) -> tensor<2xi32>
    %3 = stablehlo.clamp %0, %2, %1 : (tensor<i32>, tensor<2xi32>, tensor<i32>) -> tensor<2xi32>
    %4 = stablehlo.convert %3 : (tensor<2xi32>) -> tensor<2xf32>
    return %4 : tensor<2xf32>
`},
		"to a wider integer": {dtype.U16, dtype.U64, `    %1 = stablehlo.constant dense<65535> : tensor<ui64>
    %2 = stablehlo.convert %x : (tensor<2xui16>) -> tensor<2xui64>
    %3 = stablehlo.clamp %0, %2, %1 : (tensor<ui64>, tensor<2xui64>, tensor<ui64>) -> tensor<2xui64>
    return %3 : tensor<2xui64>
`},
		"to a wider float": {dtype.U32, dtype.F64, "dense<4294967295> : tensor<i64>"},
		"of a sign":        {dtype.I8, dtype.F32, "    %0 = stablehlo.convert %x : (tensor<2xi8>) -> tensor<2xf32>\n    return %0"},
		"to as many bits":  {dtype.U32, dtype.F32, "    %0 = stablehlo.convert %x : (tensor<2xui32>) -> tensor<2xf32>\n    return %0"},
		"to fewer bits":    {dtype.U32, dtype.U8, "    %0 = stablehlo.convert %x : (tensor<2xui32>) -> tensor<2xui8>\n    return %0"},
	} {
		build := func(m *lang.Module) {
			m.Entry("f", func(f *lang.Func) { f.Output("y", f.Input("x", c.from, 2).Convert(c.to)) })
		}
		require.Contains(t, string(mustEmit(t, build, Options{}).Text), c.want, name)
		require.NotContains(t, string(mustEmit(t, build, Options{Without: []string{UnsignedProduct}}).Text), "clamp", name)
	}
}

// Variables of unsigned types have signed types in the text, and are reinterpreted as
// unsigned when read; the contract names the model's types.
func TestUnsignedVariables(t *testing.T) {
	m := mustEmit(t, func(m *lang.Module) {
		s := m.State("count", dtype.U8, 200, 2)
		m.Entry("f", func(f *lang.Func) {
			f.Output("y", f.Read(s).Add(f.Input("x", dtype.U8, 2)))
			f.Output("z", lang.Weight(f, "w", []uint16{1, 65535}, 2))
			f.Write(s, f.Read(s).AddScalar(1))
		})
	}, Options{Constants: hlo.ExternalAlways})
	for _, want := range []string{
		`util.global private @w = #flow.parameter.named<"model"::"w"> : tensor<2xi16>`,
		"util.global private mutable @count = dense<200> : tensor<2xi8>",
		"= util.global.load @count : tensor<2xi8>\n",
		"util.global.store %", ", @count : tensor<2xi8>",
		": (tensor<2xi8>) -> tensor<2xui8>", ": (tensor<2xui8>) -> tensor<2xi8>", ": (tensor<2xi16>) -> tensor<2xui16>",
	} {
		require.Contains(t, string(m.Text), want)
	}
	require.Equal(t, dtype.U16, m.Contract.Parameters[0].DType)
}
