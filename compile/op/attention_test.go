package op

import "math"

func init() {
	inferences = append(inferences, attentionInferences...)
	inferences = append(inferences, recurrentInferences...)
}

const qkv = "f32[2x4x3x8] f32[2x2x5x8] f32[2x2x5x6]"

var attentionInferences = []inference{
	{"attention", qkv, nil, "f32[2x4x3x6]", ""},
	{"attention", qkv + " f32[3x5]", nil, "f32[2x4x3x6]", ""},
	{"attention", qkv + " f32[2x1x1x5]", Attrs{"causal": true, "window": int64(2), "offset": int64(2), "soft_cap": 30.0, "scale": 0.5}, "f32[2x4x3x6]", ""},
	{"attention", "f16[0x4x3x8] f16[0x2x5x8] f16[0x2x5x6]", nil, "f16[0x4x3x6]", ""},
	{"attention", "f32[2x4x3x8] f32[2x2x0x8] f32[2x2x0x6]", nil, "f32[2x4x3x6]", ""},
	{"attention", qkv + " f32[3x5] f32[3x5]", nil, "", CodeOperands},
	{"attention", "f32[2x4x3x8] f32[2x2x5x8]", nil, "", CodeOperands},
	{"attention", qkv + " f16[3x5]", nil, "", CodeDType},
	{"attention", qkv + " f32[3x4]", nil, "", CodeShape},
	{"attention", qkv + " f32[1x2x4x3x5]", nil, "", CodeShape},
	{"attention", "f32[4x3x8] f32[2x5x8] f32[2x5x6]", nil, "", CodeShape},
	{"attention", "f32[2x4x3x8] f32[2x3x5x8] f32[2x3x5x6]", nil, "", CodeShape},
	{"attention", "f32[2x4x3x8] f32[2x0x5x8] f32[2x0x5x6]", nil, "", CodeShape},
	{"attention", "f32[2x4x3x8] f32[2x2x5x7] f32[2x2x5x6]", nil, "", CodeShape},
	{"attention", "f32[2x4x3x8] f32[2x2x5x8] f32[2x2x6x6]", nil, "", CodeShape},
	{"attention", "f32[2x4x3x0] f32[2x2x5x0] f32[2x2x5x6]", nil, "", CodeShape},
	{"attention", "f32[2x4x?x8] f32[2x2x5x8] f32[2x2x5x6]", nil, "", CodeShape},
	{"attention", "f32[0x4x3000000000x8] f32[0x2x5x8] f32[0x2x5x6]", nil, "", CodeShape},
	{"attention", qkv, Attrs{"window": int64(-1)}, "", CodeAttribute},
	{"attention", qkv, Attrs{"offset": int64(1 << 40)}, "", CodeAttribute},
	{"attention", qkv, Attrs{"soft_cap": -1.0}, "", CodeAttribute},
	{"attention", qkv, Attrs{"scale": math.NaN()}, "", CodeAttribute},
	{"rotary", "f32[2x4x3x8] i32[3]", nil, "f32[2x4x3x8]", ""},
	{"rotary", "f16[2x3x8] i64[2x3]", Attrs{"dims": int64(4), "interleaved": true, "denominator": int64(8)}, "f16[2x3x8]", ""},
	{"rotary", "f32[3x8] i32[4]", nil, "", CodeShape},
	{"rotary", "f32[3x8] i32[3x3]", nil, "", CodeShape},
	{"rotary", "f32[8] i32[8]", nil, "", CodeShape},
	{"rotary", "f32[2x3x8] i32[3x3]", nil, "", CodeShape},
	{"rotary", "f32[?x8] i32[3]", nil, "", CodeShape},
	{"rotary", "f32[3x8] f32[3]", nil, "", CodeDType},
	{"rotary", "f32[0x4000000] i32[0]", nil, "", CodeAttribute},
	{"rotary", "f32[3x7] i32[3]", nil, "", CodeAttribute},
	{"rotary", "f32[3x8] i32[3]", Attrs{"dims": int64(10)}, "", CodeAttribute},
	{"rotary", "f32[3x8] i32[3]", Attrs{"dims": int64(-2)}, "", CodeAttribute},
	{"rotary", "f32[3x8] i32[3]", Attrs{"base": 0.0}, "", CodeAttribute},
	{"rotary", "f32[3x8] i32[3]", Attrs{"factor": -1.0}, "", CodeAttribute},
	{"rotary", "f32[3x8] i32[3]", Attrs{"denominator": int64(-1)}, "", CodeAttribute},
}

var recurrentInferences = []inference{
	{"gru_cell", "f32[2x3] f32[2x4] f32[12x3] f32[12x4] f32[24]", nil, "f32[2x4]", ""},
	{"gru_cell", "f32[2x3] f32[2x4] f32[12x3] f32[12x4] f32[24]", Attrs{"linear_before_reset": true}, "f32[2x4]", ""},
	{"gru_cell", "f32[2x3] f32[2x4] f32[12x3] f32[12x4] f32[12]", nil, "", CodeShape},
	{"gru_cell", "f32[2x3] f32[3x4] f32[12x3] f32[12x4] f32[24]", nil, "", CodeShape},
	{"gru_cell", "f32[?x3] f32[?x4] f32[12x3] f32[12x4] f32[24]", nil, "", CodeShape},
	{"gru_cell", "f32[2x3] f32[2x4] f16[12x3] f32[12x4] f32[24]", nil, "", CodeDType},
	{"lstm_cell", "f16[2x3] f16[2x4] f16[2x4] f16[16x3] f16[16x4] f16[32]", nil, "f16[2x4] f16[2x4]", ""},
	{"lstm_cell", "f32[2x3] f32[2x4] f32[2x3] f32[16x3] f32[16x4] f32[32]", nil, "", CodeShape},
	{"lstm_cell", "f32[2x3] f32[2x4] f32[2x4] f32[12x3] f32[16x4] f32[32]", nil, "", CodeShape},
	{"lstm_cell", "f32[2x3] f32[2x4] f32[2x4] f32[16x3] f32[16x4]", nil, "", CodeOperands},
}
