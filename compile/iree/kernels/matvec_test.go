package kernels

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/tensor/dtype"
)

func TestSupported(t *testing.T) {
	tests := []struct {
		m    MatVec
		want bool
	}{
		{MatVec{384, 384, dtype.F16}, true},
		{MatVec{51865, 512, dtype.F16}, true},
		{MatVec{1, 16, dtype.F32}, true},
		{MatVec{7, 48, dtype.BF16}, true},
		{MatVec{4, 24, dtype.F32}, false}, // 24 is not a multiple of 16 lanes
		{MatVec{4, 0, dtype.F32}, false},
		{MatVec{0, 16, dtype.F32}, false},
		{MatVec{4, 16, dtype.F64}, false},
		{MatVec{4, 16, dtype.I8}, true},
		{MatVec{4, 16, dtype.U8}, false},
	}
	for _, tt := range tests {
		require.Equal(t, tt.want, tt.m.Supported(), "%+v", tt.m)
	}
}

// Guards against change; the parity tests of the models that use the kernel
// show that the numbers are right.
func TestText(t *testing.T) {
	text := MatVec{40, 48, dtype.F16}.Text(Form{Indent: "  "})
	require.True(t, strings.HasPrefix(text, "  stream.executable private @matvec_f16_40x48 {\n"))
	require.Equal(t, strings.Count(text, "{"), strings.Count(text, "}"))
	require.Contains(t, text, "%groups = arith.constant 2 : index", "40 rows are two groups of up to 32")
	require.Contains(t, text, "%c2 = arith.constant 40 : index")
	require.Contains(t, text, "arith.minui %6, %c2 : index", "the last group is cut at the last row")
	require.Equal(t, 1, strings.Count(text, "vector.fma"), "48 is three vectors: one per iteration")
	require.Equal(t, 8, strings.Count(MatVec{4, 384, dtype.F32}.Text(Form{}), "vector.fma"))
	require.NotContains(t, MatVec{4, 384, dtype.F32}.Text(Form{}), "extf")
	require.Regexp(t, `arith.sitofp %\d+ : vector<16xi8> to vector<16xf32>`, MatVec{4, 384, dtype.I8}.Text(Form{}))
	require.Equal(t, text, MatVec{40, 48, dtype.F16}.Text(Form{Indent: "  "}))
}
