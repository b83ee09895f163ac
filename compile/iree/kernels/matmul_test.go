package kernels

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/tensor/dtype"
	"github.com/skainet-dev/skainet-go/tensor/quant"
)

func TestMatMulSupported(t *testing.T) {
	tests := []struct {
		m    MatMul
		want bool
	}{
		{MatMul{N: 1024, K: 640, Encoding: "Q5_0"}, true},
		{MatMul{N: 1, K: 32, Encoding: "Q8_0"}, true},
		{MatMul{N: 640, K: 2048, Encoding: "Q6_K"}, true},
		{MatMul{N: 640, K: 640, Encoding: "Q6_K"}, false}, // 640 is not a multiple of 256
		{MatMul{N: 4, K: 48, Encoding: "Q5_0"}, false},
		{MatMul{N: 4, K: 32, Encoding: "Q5_1"}, false},
		{MatMul{N: 0, K: 32, Encoding: "Q4_0"}, false},
		{MatMul{N: 4, K: 0, Encoding: "Q4_0"}, false},
		{MatMul{N: 4, K: -32, Encoding: "Q4_0"}, false},
		{MatMul{N: 384, K: 384, Weight: dtype.F32}, true},
		{MatMul{N: 384, K: 48, Weight: dtype.F16}, true},
		{MatMul{N: 384, K: 48, Weight: dtype.BF16}, true},
		{MatMul{N: 384, K: 24, Weight: dtype.F32}, false}, // 24 is not a multiple of 16 lanes
		{MatMul{N: 384, K: 48, Weight: dtype.F64}, false},
		{MatMul{N: 384, K: 48, Weight: dtype.I8}, true},
		{MatMul{N: 384, K: 48, Weight: dtype.U8}, false},
	}
	for _, tt := range tests {
		require.Equal(t, tt.want, tt.m.Supported(), "%+v", tt.m)
	}
}

// Weights of one encoding share a kernel, whatever their shapes; those whose
// last panel is narrow have one that masks it.
func TestMatMulSymbol(t *testing.T) {
	q := MatMul{N: 1024, K: 640, Encoding: "Q5_0"}
	require.Equal(t, "matmul_q5_0", q.Symbol())
	require.Equal(t, q.Text(Form{}), MatMul{N: 640, K: 2048, Encoding: "Q5_0"}.Text(Form{}))
	tail := MatMul{N: 37, K: 640, Encoding: "Q5_0"}
	require.Equal(t, "matmul_q5_0_tail", tail.Symbol())
	require.Contains(t, tail.Text(Form{}), "vector.maskedstore")
	require.NotContains(t, q.Text(Form{}), "mask")
	require.Equal(t, "matmul_f16", MatMul{N: 16, K: 16, Weight: dtype.F16}.Symbol())
}

// Slices are whole blocks, and a workgroup uses less than half of the stack that
// the build rules allow (toolchains/iree/targets.bzl).
func TestMatMulPanels(t *testing.T) {
	matrices := []MatMul{{Weight: dtype.F32}, {Weight: dtype.F16}, {Weight: dtype.BF16}}
	for _, e := range packedEncodings {
		matrices = append(matrices, MatMul{Encoding: e})
	}
	for _, m := range matrices {
		s, ok := m.source()
		require.True(t, ok)
		require.Zero(t, s.slice%s.elements, m)
		require.Zero(t, s.elements%rowChains, m)
		require.Zero(t, s.elements%tileUnroll, m)
		require.LessOrEqual(t, 4*lanes*(s.slice+s.elements), int64(48<<10), m)
		m.N = 32
		text := m.Text(Form{Indent: "  "})
		require.Equal(t, strings.Count(text, "{"), strings.Count(text, "}"), m)
		fused := narrowTile.height*tileUnroll + rowChains
		require.GreaterOrEqual(t, strings.Count(text, "vector.fma"), fused, m)
	}
}

// Tables of one encoding share a kernel.
func TestTake(t *testing.T) {
	k := Take{N: 262144, K: 640, Encoding: "Q8_0"}
	require.True(t, k.Supported())
	require.Equal(t, "take_q8_0", k.Symbol())
	require.Equal(t, k.Text(Form{}), Take{N: 7, K: 32, Encoding: "Q8_0"}.Text(Form{}))
	require.False(t, Take{N: 7, K: 640, Encoding: "Q6_K"}.Supported(), "640 is not a multiple of 256")
	require.False(t, Take{N: 7, K: 640, Encoding: quant.Dense}.Supported())
	for _, e := range packedEncodings {
		text := Take{N: 7, K: 512, Encoding: e}.Text(Form{Indent: "  "})
		elements, _, _ := readers[e].block()
		require.Equal(t, int(elements)/lanes, strings.Count(text, "vector.store"), e)
	}
}

// Guards against change; the parity tests of the operations that use the kernels show
// that the numbers are right.
func TestMatMulText(t *testing.T) {
	for _, m := range []MatMul{{N: 48, Encoding: "Q4_K"}, {N: 40, Encoding: quant.Dense, Weight: dtype.BF16}} {
		text := m.Text(Form{Indent: "  "})
		require.Equal(t, text, m.Text(Form{Indent: "  "}))
		path := filepath.Join("testdata", m.Symbol()+".mlir")
		if *update {
			require.NoError(t, os.WriteFile(path, []byte(text), 0o644))
		}
		golden, err := os.ReadFile(path)
		require.NoError(t, err)
		require.Empty(t, cmp.Diff(string(golden), text), "%s: run with -update", m.Symbol())
	}
}
