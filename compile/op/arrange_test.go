package op

import "math"

func init() { inferences = append(inferences, arrangeInferences...) }

func extend(mode string, low, high []int64) Attrs {
	return Attrs{"mode": mode, "low": low, "high": high}
}

var arrangeInferences = []inference{
	{"reverse", "f32[2x?]", over(1), "f32[2x?]", ""},
	{"reverse", "f32[2x3]", over(2), "", CodeAttribute},
	{"reverse", "f32[2x3]", over(1, 1), "", CodeAttribute},
	{"tile", "i8[2x3]", Attrs{"repeats": ints(2, 0)}, "i8[4x0]", ""},
	{"tile", "i8[scalar]", Attrs{"repeats": ints()}, "i8[scalar]", ""},
	{"tile", "i8[2x3]", Attrs{"repeats": ints(2)}, "", CodeAttribute},
	{"tile", "i8[2x3]", Attrs{"repeats": ints(2, -1)}, "", CodeAttribute},
	{"tile", "i8[2x3]", Attrs{"repeats": ints(1<<62, 1)}, "", CodeAttribute},
	{"tile", "i8[2x3]", Attrs{"repeats": ints(1<<60, 1<<60)}, "", CodeShape},
	{"tile", "i8[?]", Attrs{"repeats": ints(2)}, "", CodeShape},
	{"roll", "bool[5]", with(dim(0), "shift", int64(-7)), "bool[5]", ""},
	{"roll", "bool[0]", with(dim(0), "shift", int64(1)), "bool[0]", ""},
	{"roll", "bool[5]", with(dim(1), "shift", int64(1)), "", CodeAttribute},
	{"roll", "bool[?]", with(dim(0), "shift", int64(1)), "", CodeShape},
	{"pad_extend", "f32[3x4]", extend(Reflect, ints(2, 0), ints(1, 3)), "f32[6x7]", ""},
	{"pad_extend", "f32[3]", extend(Reflect, ints(3), ints(0)), "", CodeAttribute},
	{"pad_extend", "f32[3]", extend(Symmetric, ints(3), ints(3)), "f32[9]", ""},
	{"pad_extend", "f32[3]", extend(Symmetric, ints(3), ints(4)), "", CodeAttribute},
	{"pad_extend", "f32[3]", extend(Wrap, ints(0), ints(4)), "", CodeAttribute},
	{"pad_extend", "f32[1]", extend(Edge, ints(9), ints(9)), "f32[19]", ""},
	{"pad_extend", "f32[0]", extend(Edge, ints(1), ints(0)), "", CodeAttribute},
	{"pad_extend", "f32[1]", extend(Edge, ints(math.MaxInt64), ints(9)), "", CodeAttribute},
	{"pad_extend", "f32[3]", extend(Reflect, ints(-1), ints(0)), "", CodeAttribute},
	{"pad_extend", "f32[3]", extend("constant", ints(1), ints(0)), "", CodeAttribute},
	{"pad_extend", "f32[3]", extend(Edge, ints(1, 1), ints(0)), "", CodeAttribute},
	{"pad_extend", "f32[?]", extend(Edge, ints(1), ints(0)), "", CodeShape},
	{"tril", "f32[2x3x4]", nil, "f32[2x3x4]", ""},
	{"tril", "f32[3]", nil, "", CodeShape},
	{"tril", "i8[1x2000000000]", nil, "", CodeShape},
	{"triu", "bool[0x4]", Attrs{"k": int64(math.MinInt64)}, "bool[0x4]", ""},
	{"triu", "bool[?x4]", nil, "", CodeShape},
	{"triu", "bool[4x4]", Attrs{"k": 1.0}, "", CodeAttribute},
	{"cumsum", "f16[2x3]", with(dim(1), "exclusive", true), "f16[2x3]", ""},
	{"cumsum", "f16[2x0]", with(dim(1), "exclusive", true), "f16[2x0]", ""},
	{"cumsum", "f16[2x3]", dim(2), "", CodeAttribute},
	{"cumsum", "bool[2x3]", dim(1), "", CodeDType},
	{"cumsum", "f32[2x?]", dim(1), "", CodeShape},
	{"cumprod", "u8[4]", with(dim(0), "reverse", true), "u8[4]", ""},
	{"cumprod", "u8[scalar]", dim(0), "", CodeAttribute},
}
