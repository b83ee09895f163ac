package kernels

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/tensor/dtype"
	"github.com/skainet-dev/skainet-go/tensor/quant"
)

// For processors without f16 a kernel widens it with bit operations, and is otherwise the same;
// a kernel that reads no f16 has one text.
func TestIntegerF16(t *testing.T) {
	narrow := gemma
	narrow.Cache = dtype.BF16
	for name, tt := range map[string]struct {
		text func(f Form) string
		f16  bool
	}{
		"matvec f16":          {MatVec{40, 48, dtype.F16}.Text, true},
		"matvec bf16":         {MatVec{40, 48, dtype.BF16}.Text, false},
		"matmul f16":          {MatMul{N: 48, K: 48, Encoding: quant.Dense, Weight: dtype.F16}.Text, true},
		"matmul f32":          {MatMul{N: 48, K: 48, Encoding: quant.Dense, Weight: dtype.F32}.Text, false},
		"packed matvec":       {PackedMatVec{71, 256, "Q6_K"}.Text, true},
		"packed matmul":       {MatMul{N: 71, K: 256, Encoding: "Q4_K"}.Text, true},
		"packed rows":         {Take{N: 71, K: 64, Encoding: "Q8_0"}.Text, true},
		"attention, one":      {AttentionOne{gemma}.Text, true},
		"attention, many":     {AttentionMany{gemma}.Text, true},
		"attention over bf16": {AttentionMany{narrow}.Text, false},
	} {
		t.Run(name, func(t *testing.T) {
			plain, bits := tt.text(Form{}), tt.text(Form{IntegerF16: true})
			require.Equal(t, tt.f16, plain != bits)
			require.False(t, strings.Contains(bits, "arith.extf") && tt.f16, "no conversion is left")
			require.Equal(t, strings.Count(plain, "vector.fma"), strings.Count(bits, "vector.fma"))
			require.Equal(t, strings.Count(plain, ".store "), strings.Count(bits, ".store "))
		})
	}
}
