package iree

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/compile/iree/kernels"
	"github.com/skainet-dev/skainet-go/lang"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
	"github.com/skainet-dev/skainet-go/tensor/shape"
)

// Weights that are stored by rows are read as they are, by bytes where a row is of whole
// vectors of 16, and by pairs where it is of 8.
func TestByteProductsOfRows(t *testing.T) {
	for depth, kernel := range map[int64]string{
		64: "byte_product_rows", 48: "byte_product_rows", 8: "integer_product_i8_rows", 56: "integer_product_i8_rows", 60: "",
	} {
		build := func(m *lang.Module) {
			m.Entry("f", func(f *lang.Func) {
				x := f.InputOf("x", dtype.U8, shape.Named("rows"), shape.N(depth)).Convert(dtype.I32)
				w := f.Input("w", dtype.I8, 48, depth).Convert(dtype.I32)
				f.Output("y", x.Dot(w, lang.Dims{}, lang.Dims{LHS: []int{1}, RHS: []int{1}}))
			})
		}
		text := func(instructions ...string) string {
			return string(mustEmit(t, build, Options{Kernels: true, Wide: true, Instructions: instructions}).Text)
		}
		if kernel == "" {
			require.Equal(t, text(), text(kernels.ByteProducts))
			require.NotContains(t, text(), "_product")
			continue
		}
		require.Contains(t, text(kernels.ByteProducts), "= flow.dispatch @"+kernel+"::")
		require.Contains(t, text(), "= flow.dispatch @integer_product_i8_rows::")
	}
}

// A product of bytes with a sign is one of bytes where the processor has it and there is at
// most one zero point; nothing widens the bytes before it.
func TestByteProducts(t *testing.T) {
	type operand = func(f *lang.Func) lang.Tensor
	x := func(d dtype.DType, depth int64) operand {
		return func(f *lang.Func) lang.Tensor {
			return f.InputOf("x", d, shape.Named("rows"), shape.N(depth)).Convert(dtype.I32)
		}
	}
	less := func(x operand, d dtype.DType, sizes ...int64) operand {
		return func(f *lang.Func) lang.Tensor { return x(f).Sub(f.Input("z", d, sizes...).Convert(dtype.I32)) }
	}
	for name, tt := range map[string]struct {
		x      operand
		weight dtype.DType
		depth  int64
		bytes  bool
	}{
		"u8":                  {less(x(dtype.U8, 64), dtype.U8), dtype.I8, 64, true},
		"i8":                  {less(x(dtype.I8, 64), dtype.I8), dtype.I8, 64, true},
		"no zero point":       {x(dtype.U8, 64), dtype.I8, 64, true},
		"a list of one":       {less(x(dtype.U8, 64), dtype.U8, 1), dtype.I8, 64, true},
		"one for each column": {less(x(dtype.U8, 64), dtype.U8, 64), dtype.I8, 64, false},
		"no fours":            {less(x(dtype.U8, 62), dtype.U8), dtype.I8, 62, false},
		"weights of u8":       {less(x(dtype.U8, 64), dtype.U8), dtype.U8, 64, false},
		"16 bits":             {x(dtype.I16, 64), dtype.I8, 64, false},
	} {
		t.Run(name, func(t *testing.T) {
			build := func(m *lang.Module) {
				m.Entry("f", func(f *lang.Func) {
					f.Output("y", tt.x(f).MatMul(f.Input("w", tt.weight, tt.depth, 48).Convert(dtype.I32)))
				})
			}
			text := func(instructions ...string) string {
				return string(mustEmit(t, build, Options{Kernels: true, Wide: true, Instructions: instructions}).Text)
			}
			with := text("avx512f", kernels.ByteProducts)
			if !tt.bytes {
				require.Equal(t, text(), with)
				return
			}
			require.Contains(t, with, "= flow.dispatch @byte_product::")
			require.NotContains(t, with, "tensor<?x64xi32>{%", "kernels read bytes")
			require.NotContains(t, with, "dense<-128> : tensor<?", "no constant has a size that is not known")
			require.NotContains(t, text("avx512f"), "byte_product")
		})
	}
}
