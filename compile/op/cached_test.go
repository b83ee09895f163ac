package op

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"
)

func init() { inferences = append(inferences, cachedInferences...) }

const cached = "f32[3x4x8] f16[16x2x8] f16[16x2x8] i32[scalar]"

var cachedInferences = []inference{
	{"update_rows", "f16[16x2x8] f16[3x2x8] i32[scalar]", nil, "f16[16x2x8]", ""},
	{"update_rows", "bool[4] bool[4] i32[scalar]", nil, "bool[4]", ""},
	{"update_rows", "f16[16x2] f16[20x2] i32[scalar]", nil, "f16[16x2]", ""},
	{"update_rows", "f16[16x2] f16[0x2] i32[scalar]", nil, "f16[16x2]", ""},
	{"update_rows", "f16[16x2] f32[3x2] i32[scalar]", nil, "", CodeDType},
	{"update_rows", "f16[16x2] f16[3x3] i32[scalar]", nil, "", CodeShape},
	{"update_rows", "f16[16x2] f16[2] i32[scalar]", nil, "", CodeShape},
	{"update_rows", "f16[scalar] f16[scalar] i32[scalar]", nil, "", CodeShape},
	{"update_rows", "f16[16x2] f16[3x2] i32[1]", nil, "", CodeShape},
	{"update_rows", "f16[16x2] f16[3x2] i64[scalar]", nil, "", CodeShape},
	{"update_rows", "f16[16x2] f16[3x2] f32[scalar]", nil, "", CodeDType},
	{"update_rows", "f16[0x2] f16[3x2] i32[scalar]", nil, "", CodeShape},
	{"update_rows", "f16[3000000000x0] f16[3x0] i32[scalar]", nil, "", CodeShape},
	{"update_rows", "f16[?x2] f16[3x2] i32[scalar]", nil, "", CodeShape},
	{"cached_attention", cached, nil, "f32[3x4x8]", ""},
	{"cached_attention", cached, Attrs{"scale": 0.5, "window": int64(4), "soft_cap": 30.0}, "f32[3x4x8]", ""},
	{"cached_attention", "f32[1x4x8] f32[16x1x8] f32[16x1x8] i32[scalar]", nil, "f32[1x4x8]", ""},
	{"cached_attention", "f32[5x2x8] f32[4x2x8] f32[4x2x8] i32[scalar]", nil, "f32[5x2x8]", ""},
	{"cached_attention", "f16[3x4x8] f16[16x2x8] f16[16x2x8] i32[scalar]", nil, "f16[3x4x8]", ""},
	{"cached_attention", "bf16[3x4x8] f32[16x2x8] f32[16x2x8] i32[scalar]", nil, "bf16[3x4x8]", ""},
	{"cached_attention", "f64[3x4x8] f16[16x2x8] f16[16x2x8] i32[scalar]", nil, "", CodeDType},
	{"cached_attention", "f32[3x4x8] f64[16x2x8] f64[16x2x8] i32[scalar]", nil, "", CodeDType},
	{"cached_attention", "f32[3x4x8] f16[16x2x8] f32[16x2x8] i32[scalar]", nil, "", CodeDType},
	{"cached_attention", "f32[3x4x8] f16[16x2x8] f16[16x2x8]", nil, "", CodeOperands},
	{"cached_attention", "f32[4x8] f16[16x2x8] f16[16x2x8] i32[scalar]", nil, "", CodeShape},
	{"cached_attention", "f32[3x4x8] f16[16x2x7] f16[16x2x7] i32[scalar]", nil, "", CodeShape},
	{"cached_attention", "f32[3x4x8] f16[16x2x8] f16[15x2x8] i32[scalar]", nil, "", CodeShape},
	{"cached_attention", "f32[3x4x8] f16[16x3x8] f16[16x3x8] i32[scalar]", nil, "", CodeShape},
	{"cached_attention", "f32[3x4x8] f16[16x0x8] f16[16x0x8] i32[scalar]", nil, "", CodeShape},
	{"cached_attention", "f32[3x4x0] f16[16x2x0] f16[16x2x0] i32[scalar]", nil, "", CodeShape},
	{"cached_attention", "f32[3x4x8] f16[0x2x8] f16[0x2x8] i32[scalar]", nil, "", CodeShape},
	{"cached_attention", "f32[?x4x8] f16[16x2x8] f16[16x2x8] i32[scalar]", nil, "", CodeShape},
	{"cached_attention", "f32[3x4x8] f16[16x2x8] f16[16x2x8] i32[1]", nil, "", CodeShape},
	{"cached_attention", cached, Attrs{"scale": math.Inf(1)}, "", CodeAttribute},
	{"cached_attention", cached, Attrs{"scale": math.NaN()}, "", CodeAttribute},
	{"cached_attention", cached, Attrs{"scale": -1e39}, "", CodeAttribute},
	{"cached_attention", cached, Attrs{"scale": 1e-46}, "", CodeAttribute},
	{"cached_attention", cached, Attrs{"scale": 1e38, "soft_cap": 1e-38}, "f32[3x4x8]", ""},
	{"cached_attention", cached, Attrs{"soft_cap": 1e39}, "", CodeAttribute},
	{"cached_attention", cached, Attrs{"soft_cap": 1e-46}, "", CodeAttribute},
	{"cached_attention", cached, Attrs{"soft_cap": math.NaN()}, "", CodeAttribute},
	{"cached_attention", cached, Attrs{"window": int64(-1)}, "", CodeAttribute},
	{"cached_attention", cached, Attrs{"window": int64(1 << 31)}, "", CodeAttribute},
	{"cached_attention", cached, Attrs{"soft_cap": -1.0}, "", CodeAttribute},
}

// The number of new tokens may be dynamic; the cache is static.
func TestCachesOfDynamicTokens(t *testing.T) {
	for _, tt := range []struct{ op, in, out, says string }{
		{"cached_attention", "f32[seq?x4x8] f16[16x2x8] f16[16x2x8] i32[scalar]", "f32[seq?x4x8]", ""},
		{"update_rows", "f16[16x2x8] f16[seq?x2x8] i32[scalar]", "f16[16x2x8]", ""},
		{"cached_attention", "f32[3x4x8] f16[seq?x2x8] f16[seq?x2x8] i32[scalar]", "", "must be static"},
		{"cached_attention", "f32[3xheads?x8] f16[16x2x8] f16[16x2x8] i32[scalar]", "", "want q [T, H, D]"},
		{"update_rows", "f16[seq?x2x8] f16[3x2x8] i32[scalar]", "", "must be static"},
	} {
		out, _, err := Infer(tt.op, types(t, tt.in), nil)
		if tt.says != "" {
			require.ErrorContains(t, err, tt.says, tt.in)
			continue
		}
		require.NoError(t, err, tt.in)
		require.Equal(t, types(t, tt.out), out)
	}
}
