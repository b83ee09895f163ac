package op

func init() {
	inferences = append(inferences, convInferences...)
	inferences = append(inferences, poolInferences...)
}

// windows returns attributes of windows; nil lists are omitted.
func windows(strides, low, high, dilation []int64) Attrs {
	a := Attrs{}
	for name, v := range map[string][]int64{"strides": strides, "low": low, "high": high, "dilation": dilation} {
		if v != nil {
			a[name] = v
		}
	}
	return a
}

func kernel(sizes ...int64) Attrs { return Attrs{"kernel": sizes} }

var convInferences = []inference{
	{"convolution", "f32[2x3x8] f32[4x3x3]", nil, "f32[2x4x6]", ""},
	{"convolution", "f16[1x4x9x9] f16[6x2x3x2]", with(windows(ints(2, 1), ints(1, 0), ints(0, 1), ints(1, 2)), "groups", int64(2)), "f16[1x6x4x8]", ""},
	{"convolution", "f32[1x2x4x4x4] f32[1x2x2x2x2]", nil, "f32[1x1x3x3x3]", ""},
	{"convolution", "f32[0x3x8] f32[4x3x3]", nil, "f32[0x4x6]", ""},
	{"convolution", "f32[2x3x8] f16[4x3x3]", nil, "", CodeDType},
	{"convolution", "f32[2x3x8] f32[4x2x3]", nil, "", CodeShape},
	{"convolution", "f32[2x3] f32[4x3]", nil, "", CodeShape},
	{"convolution", "f32[2x3x8] f32[4x3x3x3]", nil, "", CodeShape},
	{"convolution", "f32[2x3x2] f32[4x3x3]", nil, "", CodeShape},
	{"convolution", "f32[2x3x8] f32[4x3x0]", nil, "", CodeShape},
	{"convolution", "f32[2x3x9000] f32[4x3x4097]", nil, "", CodeShape},
	{"convolution", "f32[1x1x90x90] f32[1x1x65x65]", nil, "", CodeShape},
	{"convolution", "f32[2x3x?] f32[4x3x3]", nil, "", CodeShape},
	{"convolution", "f32[2x3x8] f32[4x3x3]", windows(ints(0), nil, nil, nil), "", CodeAttribute},
	{"convolution", "f32[2x3x8] f32[4x3x3]", windows(ints(1, 1), nil, nil, nil), "", CodeAttribute},
	{"convolution", "f32[2x3x8] f32[4x3x3]", windows(nil, ints(-1), nil, nil), "", CodeAttribute},
	{"convolution", "f32[2x3x8] f32[4x3x3]", windows(nil, nil, ints(1<<40), nil), "", CodeAttribute},
	{"convolution", "f32[2x3x8] f32[4x3x3]", windows(nil, nil, nil, ints(0)), "", CodeAttribute},
	{"convolution", "f32[2x3x8] f32[4x3x3]", Attrs{"groups": int64(0)}, "", CodeAttribute},
	{"convolution", "f32[2x4x8] f32[3x2x3]", Attrs{"groups": int64(2)}, "", CodeShape},
	{"conv_transpose", "f32[2x4x5] f32[4x3x3]", with(windows(ints(2), ints(1), ints(1), nil), "output_padding", ints(1)), "f32[2x3x10]", ""},
	{"conv_transpose", "f32[1x4x5x5] f32[4x3x2x2]", Attrs{"groups": int64(2)}, "f32[1x6x6x6]", ""},
	{"conv_transpose", "f32[1x1x4] f32[1x1x1]", windows(nil, ints(1), ints(2), nil), "f32[1x1x1]", ""},
	{"conv_transpose", "f32[2x4x5] f32[3x4x3]", nil, "", CodeShape},
	{"conv_transpose", "f32[2x4x5] f32[4x3x3]", Attrs{"groups": int64(3)}, "", CodeShape},
	{"conv_transpose", "f32[2x4x0] f32[4x3x3]", nil, "", CodeShape},
	{"conv_transpose", "f32[2x4x5] f32[4x3x3]", windows(nil, ints(9), nil, nil), "", CodeShape},
	{"conv_transpose", "f32[2x4x5] f32[4x3x3]", Attrs{"output_padding": ints(1)}, "", CodeAttribute},
	{"conv_transpose", "f32[2x4x5] f32[4x3x3]", Attrs{"output_padding": ints(0, 0)}, "", CodeAttribute},
	{"conv_transpose", "f32[2x4x5] f64[4x3x3]", nil, "", CodeDType},
}

var poolInferences = []inference{
	{"max_pool", "f32[1x2x8x8]", with(windows(ints(2, 2), ints(1, 1), ints(1, 1), nil), "kernel", ints(3, 3)), "f32[1x2x4x4]", ""},
	{"max_pool", "i8[1x2x8]", kernel(3), "i8[1x2x6]", ""},
	{"max_pool", "f32[1x2x8]", with(with(kernel(3), "strides", ints(2)), "ceil", true), "f32[1x2x4]", ""},
	{"max_pool", "f32[1x2x4]", with(with(kernel(2), "strides", ints(5)), "ceil", true), "f32[1x2x1]", ""},
	{"max_pool", "bool[1x2x8]", kernel(3), "", CodeDType},
	{"max_pool", "f32[2x8]", kernel(), "", CodeShape},
	{"max_pool", "f32[1x2x8]", kernel(3, 3), "", CodeShape},
	{"max_pool", "f32[1x2x8]", kernel(9), "", CodeShape},
	{"max_pool", "f32[1x2x8]", nil, "", CodeAttribute},
	{"avg_pool", "f16[1x2x8x9]", with(kernel(2, 3), "count_include_pad", true), "f16[1x2x7x7]", ""},
	{"avg_pool", "f32[1x1x1]", with(kernel(1), "low", ints(1<<30)), "", CodeShape},
	{"avg_pool", "i8[1x2x8]", kernel(3), "", CodeDType},
	{"avg_pool", "f32[1x2x8]", with(kernel(3), "strides", ints(0)), "", CodeAttribute},
	{"adaptive_max_pool", "i32[1x2x8x5]", Attrs{"sizes": ints(3, 7)}, "i32[1x2x3x7]", ""},
	{"adaptive_max_pool", "i32[1x2x8x5]", Attrs{"sizes": ints(3)}, "", CodeShape},
	{"adaptive_max_pool", "i32[1x2x0]", Attrs{"sizes": ints(3)}, "", CodeShape},
	{"adaptive_avg_pool", "f32[1x2x8]", Attrs{"sizes": ints(3)}, "f32[1x2x3]", ""},
	{"adaptive_avg_pool", "f32[1x2x8]", Attrs{"sizes": ints(0)}, "", CodeAttribute},
	{"adaptive_avg_pool", "f32[1x2x8]", Attrs{"sizes": ints(1 << 40)}, "", CodeAttribute},
	{"global_max_pool", "i8[1x2x8x5]", nil, "i8[1x2x1x1]", ""},
	{"global_max_pool", "f32[1x2]", nil, "", CodeShape},
	{"global_avg_pool", "f32[1x2x8]", nil, "f32[1x2x1]", ""},
	{"global_avg_pool", "f32[1x2x?]", nil, "", CodeShape},
	{"global_avg_pool", "f32[1x2x0]", nil, "", CodeShape},
}
