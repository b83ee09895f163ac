package op

func over(dims ...int64) Attrs { return Attrs{"dims": append([]int64{}, dims...)} }

func init() { inferences = append(inferences, reduceInferences...) }

var reduceInferences = []inference{
	{"reduce_prod", "i64[2x3]", over(0), "i64[3]", ""},
	{"reduce_prod", "bool[2x3]", over(0), "", CodeDType},
	{"reduce_prod", "i64[2x3]", over(-1), "", CodeAttribute},
	{"reduce_any", "bool[2x0]", over(1), "bool[2]", ""},
	{"reduce_any", "i8[2x3]", over(1), "", CodeDType},
	{"reduce_all", "bool[2x3]", with(over(0, 1), "keepdims", true), "bool[1x1]", ""},
	{"reduce_all", "bool[scalar]", over(), "bool[scalar]", ""},
	{"reduce_all", "bool[2]", over(0, 0), "", CodeAttribute},
	{"reduce_mean", "f16[2x3]", over(1), "f16[2]", ""},
	{"reduce_mean", "f32[2x0]", over(1), "f32[2]", ""},
	{"reduce_mean", "i32[2x3]", over(1), "", CodeDType},
	{"reduce_mean", "f32[2x?]", over(1), "", CodeShape},
	{"reduce_mean", "f32[2]", over(1), "", CodeAttribute},
	{"reduce_log_sum_exp", "f32[2x3]", with(over(1), "keepdims", true), "f32[2x1]", ""},
	{"reduce_log_sum_exp", "f32[2x3]", over(2), "", CodeAttribute},
	{"reduce_variance", "f32[2x3]", with(over(1), "correction", int64(1)), "f32[2]", ""},
	{"reduce_variance", "f32[2x3]", with(over(1), "correction", int64(3)), "", CodeAttribute},
	{"reduce_variance", "f32[2x3]", with(over(1), "correction", int64(-1)), "", CodeAttribute},
	{"reduce_variance", "f32[2x0]", over(1), "", CodeAttribute},
	{"reduce_variance", "f32[?x3]", over(1), "", CodeShape},
	{"argmin", "u8[2x3]", Attrs{"dim": int64(0)}, "i32[3]", ""},
	{"argmin", "bool[2]", Attrs{"dim": int64(0)}, "", CodeDType},
	{"argmin", "f32[0]", Attrs{"dim": int64(0)}, "", CodeShape},
	{"argmin", "f32[scalar]", Attrs{"dim": int64(0)}, "", CodeAttribute},
}
