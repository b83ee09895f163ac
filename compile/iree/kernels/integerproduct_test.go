package kernels

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/tensor/dtype"
)

// Each weight type has a text of its own, under a name of its own.
func TestIntegerProduct(t *testing.T) {
	for weight, want := range map[dtype.DType]string{
		dtype.I8: "integer_product_i8", dtype.U8: "integer_product_u8", dtype.I16: "integer_product_i16",
	} {
		m := IntegerProduct{Weight: weight}
		require.True(t, m.Supported())
		require.Equal(t, want, m.Symbol())
		text := m.Text(Form{Indent: "  "})
		require.Equal(t, strings.Count(text, "{"), strings.Count(text, "}"))
		require.Contains(t, text, "arith.muli")
		require.NotContains(t, text, "vector.bitcast", "the compiler takes a sign extension of it as one by zeros")
		require.NotContains(t, text, "vector.fma")
	}
	signed, unsigned := IntegerProduct{Weight: dtype.I8}.Text(Form{}), IntegerProduct{Weight: dtype.U8}.Text(Form{})
	require.NotContains(t, signed, "arith.extui")
	require.Contains(t, unsigned, "arith.extui")
	rows := IntegerProduct{Weight: dtype.I8, Rows: true}
	require.True(t, rows.Supported())
	require.Equal(t, "integer_product_i8_rows", rows.Symbol())
	text := rows.Text(Form{Indent: "  "})
	require.Equal(t, strings.Count(text, "{"), strings.Count(text, "}"))
	require.Contains(t, text, "stream.executable private @integer_product_i8_rows ")
	require.Contains(t, text, "arith.extsi")
	require.NotContains(t, text, "arith.extui")
	require.False(t, IntegerProduct{Weight: dtype.U8, Rows: true}.Supported())
	require.False(t, IntegerProduct{Weight: dtype.I32}.Supported())
	require.False(t, IntegerProduct{Weight: dtype.U16}.Supported(), "it does not fit 16 bits with a sign")
}
