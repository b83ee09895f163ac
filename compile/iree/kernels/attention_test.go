package kernels

import (
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/tensor/dtype"
)

var gemma = Attention{Heads: 4, Groups: 1, Depth: 256, Rows: 2048, Cache: dtype.F16, Scale: 0.0625}

func TestSupportedAttention(t *testing.T) {
	for _, tt := range []struct {
		change func(a *Attention)
		want   bool
	}{
		{func(*Attention) {}, true},
		{func(a *Attention) { a.Groups = 4 }, true},
		{func(a *Attention) { a.Depth = 16 }, true},
		{func(a *Attention) { a.Cache = dtype.F32 }, true},
		{func(a *Attention) { a.Cache = dtype.BF16 }, true},
		{func(a *Attention) { a.Cache = dtype.F64 }, false},
		{func(a *Attention) { a.Groups = 3 }, false},
		{func(a *Attention) { a.Groups = 0 }, false},
		{func(a *Attention) { a.Heads = 0 }, false},
		{func(a *Attention) { a.Heads = 49 }, false}, // more than a workgroup of AttentionMany takes
		{func(a *Attention) { a.Depth = 24 }, false}, // not a multiple of 16 lanes
		{func(a *Attention) { a.Depth = 0 }, false},
		{func(a *Attention) { a.Depth = 512 }, false}, // a panel of keys would not fit on the stack
		{func(a *Attention) { a.Rows = 0 }, false},
		{func(a *Attention) { a.Rows = 1 << 31 }, false},
	} {
		a := gemma
		tt.change(&a)
		require.Equal(t, tt.want, a.Supported(), "%+v", a)
	}
}

func texts(a Attention) map[string]string {
	return map[string]string{AttentionOne{a}.Symbol(): AttentionOne{a}.Text(Form{Indent: "  "}), AttentionMany{a}.Symbol(): AttentionMany{a}.Text(Form{Indent: "  "})}
}

// A call's memory does not depend on the context length, and is within the compiler's limit for
// the stack (IREE 3.13.0: 32 KiB).
func TestScratchIsBounded(t *testing.T) {
	alloca := regexp.MustCompile(`memref\.alloca".* -> memref<([0-9x]+)xf32>`)
	bytes := func(text string) int {
		total := 0
		for _, m := range alloca.FindAllStringSubmatch(text, -1) {
			n := 4
			for _, size := range strings.Split(m[1], "x") {
				k, err := strconv.Atoi(size)
				require.NoError(t, err)
				n *= k
			}
			total += n
		}
		return total
	}
	for _, heads := range []int64{1, 4, 6, 48} {
		a := gemma
		a.Heads = heads
		long := a
		long.Rows = 1 << 20
		short, other := texts(a), texts(long)
		require.Len(t, short, 2)
		for name, text := range short {
			n := bytes(text)
			require.Positive(t, n, name)
			require.LessOrEqual(t, n, 32<<10, name)
			require.Equal(t, n, bytes(other[strings.Replace(name, "x2048_", "x1048576_", 1)]), name)
		}
	}
}

// Guards against change; the parity tests of test/optest show that the numbers are right.
func TestAttentionText(t *testing.T) {
	all := texts(gemma)
	for name, text := range all {
		require.True(t, strings.HasPrefix(text, "  stream.executable private @"+name+" {\n"), name)
		require.Equal(t, strings.Count(text, "{"), strings.Count(text, "}"), name)
		require.Equal(t, text, texts(gemma)[name])
		require.Contains(t, text, "xf16>, vector<", "the cache is read as it is stored")
		require.NotContains(t, text, "math.tanh")
	}
	one := all["attend_one_f16_4x1x256x2048_3d800000"]
	require.Contains(t, one, "@attend_combine_f16_4x1x256x2048_3d800000 {", "eight parts of one group are put together")
	require.Contains(t, one, "memref<8x4x272xf32>", "sums, the greatest score and the sum of weights")
	capped := gemma
	capped.Groups, capped.Heads, capped.SoftCap = 8, 8, 50
	one = texts(capped)["attend_one_f16_8x8x256x2048_3d800000_cap42480000"]
	require.NotContains(t, one, "combine", "eight groups are enough workgroups")
	require.Contains(t, one, "math.tanh")
}
