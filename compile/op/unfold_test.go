package op

import "math"

func init() {
	inferences = append(inferences, unfoldInferences...)
}

func unfolded(dim, size, step int64) Attrs {
	return Attrs{"dim": dim, "size": size, "step": step}
}

func interior(low, high, between []int64) Attrs {
	return Attrs{"low": low, "high": high, "interior": between}
}

func columns(sizes []int64, kernel ...int64) Attrs {
	return Attrs{"sizes": sizes, "kernel": kernel}
}

var unfoldInferences = []inference{
	{"unfold", "f32[2x7x3]", unfolded(1, 3, 2), "f32[2x3x3x3]", ""},
	{"unfold", "bool[7]", Attrs{"dim": int64(0), "size": int64(7)}, "bool[1x7]", ""},
	{"unfold", "i8[n?x4]", unfolded(0, 1, 1), "i8[n?x4x1]", ""},
	{"unfold", "f32[7]", unfolded(0, 8, 1), "", CodeShape},
	{"unfold", "f32[n?]", unfolded(0, 2, 1), "", CodeShape},
	{"unfold", "f32[?x4]", unfolded(1, 2, 1), "", CodeShape},
	{"unfold", "f32[7]", unfolded(1, 2, 1), "", CodeAttribute},
	{"unfold", "f32[7]", unfolded(0, 0, 1), "", CodeAttribute},
	{"unfold", "f32[7]", unfolded(0, 1, 0), "", CodeAttribute},
	{"unfold", "f32[7]", unfolded(0, math.MaxInt64, 1), "", CodeAttribute},

	{"im2col", "f32[2x3x5x6]", Attrs{"kernel": ints(2, 3)}, "f32[2x18x16]", ""},
	{"im2col", "i16[2x3x5]", Attrs{"kernel": ints(2), "strides": ints(2), "low": ints(1), "high": ints(2), "dilation": ints(3)}, "i16[2x6x3]", ""},
	{"im2col", "f32[n?x3x5]", Attrs{"kernel": ints(2)}, "f32[n?x6x4]", ""},
	{"im2col", "f32[2x3x5]", Attrs{"kernel": ints(6)}, "", CodeShape},
	{"im2col", "f32[2x3x5]", Attrs{"kernel": ints(2, 2)}, "", CodeShape},
	{"im2col", "f32[2x3x?]", Attrs{"kernel": ints(2)}, "", CodeShape},
	{"im2col", "f32[2x3x5]", Attrs{"kernel": ints(2), "strides": ints(0)}, "", CodeAttribute},
	{"im2col", "bool[2x3x5]", Attrs{"kernel": ints(2)}, "", CodeDType},

	{"col2im", "f32[2x18x16]", columns(ints(5, 6), 2, 3), "f32[2x3x5x6]", ""},
	{"col2im", "f32[n?x6x4]", columns(ints(5), 2), "f32[n?x3x5]", ""},
	{"col2im", "f32[2x18x15]", columns(ints(5, 6), 2, 3), "", CodeShape},
	{"col2im", "f32[2x17x16]", columns(ints(5, 6), 2, 3), "", CodeShape},
	{"col2im", "f32[2x18x16x1]", columns(ints(5, 6), 2, 3), "", CodeShape},
	{"col2im", "f32[?x18x16]", columns(ints(5, 6), 2, 3), "", CodeShape},
	{"col2im", "f32[2x18x16]", columns(ints(1, 6), 2, 3), "", CodeShape},
	{"col2im", "f32[2x18x16]", columns(ints(5), 2, 3), "", CodeShape},
	{"col2im", "f32[2x18x16]", columns(ints(-5, 6), 2, 3), "", CodeAttribute},

	{"pad_interior", "f32[2x3] f32[scalar]", interior(ints(1, 0), ints(0, 2), ints(0, 2)), "f32[3x9]", ""},
	{"pad_interior", "i64[0x1] i64[scalar]", interior(ints(1, 0), ints(0, 0), ints(5, 5)), "i64[1x1]", ""},
	{"pad_interior", "f32[n?x3] f32[scalar]", interior(ints(1, 0), ints(0, 0), ints(0, 1)), "f32[n+1?x5]", ""},
	{"pad_interior", "f32[n?x3] f32[scalar]", interior(ints(0, 0), ints(0, 0), ints(1, 0)), "f32[2*n-1?x3]", ""},
	{"pad_interior", "f32[?x3] f32[scalar]", interior(ints(0, 0), ints(0, 0), ints(1, 0)), "", CodeShape},
	{"pad_interior", "f32[3] i32[scalar]", interior(ints(0), ints(0), ints(1)), "", CodeShape},
	{"pad_interior", "f32[3] f32[1]", interior(ints(0), ints(0), ints(1)), "", CodeShape},
	{"pad_interior", "f32[3] f32[scalar]", interior(ints(0), ints(0), ints(-1)), "", CodeAttribute},
	{"pad_interior", "f32[3] f32[scalar]", interior(ints(0), ints(-1), ints(1)), "", CodeAttribute},
	{"pad_interior", "f32[3] f32[scalar]", interior(ints(0), ints(0), ints(1, 1)), "", CodeAttribute},
	{"pad_interior", "f32[3] f32[scalar]", interior(ints(math.MaxInt64), ints(0), ints(0)), "", CodeAttribute},
	{"pad_interior", "f32[9223372036854775807] f32[scalar]", interior(ints(1), ints(0), ints(0)), "", CodeShape},

	{"integer_power", "i32[2x3] i32[2x3]", nil, "i32[2x3]", ""},
	{"integer_power", "u8[n?] u8[n?]", nil, "u8[n?]", ""},
	{"integer_power", "i32[2] i64[2]", nil, "", CodeShape},
	{"integer_power", "i32[2] i32[3]", nil, "", CodeShape},
	{"integer_power", "f32[2] f32[2]", nil, "", CodeDType},
}
