package badfiles

import "strings"

// stTensors are faults of the fields of a tensor.
func stTensors(c *stCases) {
	c.edit("tensor_number", stB, `"b":^7`, "BAD_TYPE")
	c.edit("tensor_empty", stB, `"b":^{}`, "MISSING_FIELD")
	c.edit("tensor_no_dtype", stB, `"b":^{"shape":[],"data_offsets":[8,9]}`, "MISSING_FIELD")
	c.edit("tensor_no_shape", stB, `"b":^{"dtype":"U8","data_offsets":[8,9]}`, "MISSING_FIELD")
	c.edit("tensor_no_offsets", stB, `"b":^{"dtype":"U8","shape":[]}`, "MISSING_FIELD")
	c.edit("tensor_field_twice", `"U8"`, `"U8",^"dtype":"U8"`, "DUPLICATE_KEY")
	c.edit("tensor_field_twice_escaped", `"U8"`, `"U8",^"d\u0074ype":"I8"`, "DUPLICATE_KEY")
	c.edit("tensor_field_unknown", `"U8"`, `"U8",^"strides":[]`, "UNKNOWN_FIELD")
	c.edit("tensor_field_case", `"dtype":"U8"`, `^"DType":"U8"`, "UNKNOWN_FIELD")

	c.edit("dtype_number", `"U8"`, `^8`, "BAD_TYPE")
	c.edit("dtype_null", `"U8"`, `^null`, "BAD_TYPE")
	c.edit("shape_number", `"shape":[]`, `"shape":^1`, "BAD_TYPE")
	c.edit("shape_string", `[2,1]`, `[2,^"1"]`, "BAD_TYPE")
	c.edit("shape_nested", `[2,1]`, `[2,^[1]]`, "BAD_TYPE")
	c.edit("shape_negative", `[2,1]`, `[2,^-1]`, "BAD_NUMBER")
	c.edit("shape_minus_zero", `"shape":[0]`, `"shape":[^-0]`, "BAD_NUMBER")
	c.edit("shape_fraction", `[2,1]`, `[2,^1.0]`, "BAD_NUMBER")
	c.edit("shape_exponent", `[2,1]`, `[2,^1e0]`, "BAD_NUMBER")
	c.edit("shape_2_to_63", `[2,1]`, `[^9223372036854775808,0]`, "BAD_NUMBER")
	c.edit("shape_wraps_to_2", `[2,1]`, `[^18446744073709551618]`, "BAD_NUMBER")
	c.edit("shape_digits", `[2,1]`, `[^2`+strings.Repeat("0", 100_000)+`]`, "BAD_NUMBER")
	c.edit("shape_rank_33", `[2,1]`, `^[2`+strings.Repeat(",1", 32)+`]`, "LIMIT")
	c.edit("shape_rank_50000", `[2,1]`, `^[2`+strings.Repeat(",1", 50_000)+`]`, "LIMIT")
	c.edit("shape_product_wraps", `[2,1]`, `^[4611686018427387904,8]`, "OVERFLOW")
	c.edit("shape_product_wraps_to_2", `[2,1]`, `^[4294967297,4294967297,2]`, "OVERFLOW")
	c.edit("shape_bytes_wrap", `[2,1]`, `^[4611686018427387904]`, "OVERFLOW")
	c.edit("shape_zero_with_bytes", stB, `"b":{"dtype":"U8","shape":[0],"data_offsets":^[8,9]}`, "BAD_LENGTH")
	c.edit("shape_huge", stB, `"b":{"dtype":"U8","shape":[1125899906842624],"data_offsets":^[8,9]}`, "BAD_LENGTH")
	c.edit("shape_half_byte", stB, `"b":{"dtype":"F4","shape":^[1],"data_offsets":[8,9]}`, "BAD_LENGTH")
	c.edit("shape_six_bits", stB, `"b":{"dtype":"F6_E2M3","shape":^[2],"data_offsets":[8,9]}`, "BAD_LENGTH")
}

// stRanges are faults of data_offsets, alone and among each other.
func stRanges(c *stCases) {
	c.edit("offsets_object", `[8,9]`, `^{"begin":8,"end":9}`, "BAD_TYPE")
	c.edit("offsets_none", `[8,9]`, `^[]`, "BAD_OFFSETS")
	c.edit("offsets_one", `[8,9]`, `^[8]`, "BAD_OFFSETS")
	c.edit("offsets_three", `[8,9]`, `^[8,9,9]`, "BAD_OFFSETS")
	c.edit("offsets_exchanged", `[8,9]`, `^[9,8]`, "BAD_OFFSETS")
	c.edit("offsets_negative", `[8,9]`, `[^-1,9]`, "BAD_NUMBER")
	c.edit("offsets_fraction", `[8,9]`, `[8,^9.0]`, "BAD_NUMBER")
	c.edit("offsets_string", `[8,9]`, `[8,^"9"]`, "BAD_TYPE")
	c.edit("offsets_huge", `[8,9]`, `[8,^1e400]`, "BAD_NUMBER")
	c.edit("offsets_max", `[8,9]`, `^[8,9223372036854775807]`, "TRUNCATED")
	c.edit("offsets_outside", `[8,9]`, `^[8,10]`, "TRUNCATED")
	c.edit("length_of_more", `[8,9]`, `^[7,9]`, "BAD_LENGTH")
	c.edit("length_of_less", `[8,9]`, `^[9,9]`, "BAD_LENGTH")
	c.edit("length_of_other_type", stB, `"b":{"dtype":"U16","shape":[],"data_offsets":^[8,9]}`, "BAD_LENGTH")

	two := func(first, second string) string { return "{" + first + "," + second + "}" }
	a, b := stTensor("a", "U8", "4", 0, 4), stTensor("b", "U8", "4", 4, 8)
	mark := func(t string) string { return strings.Replace(t, `s":[`, `s":^[`, 1) }
	c.header("range_overlap", two(a, mark(stTensor("b", "U8", "4", 3, 7))), "OVERLAP", 7)
	c.header("range_inside", two(a, mark(stTensor("b", "U8", "2", 1, 3))), "OVERLAP", 4)
	c.header("range_same", two(a, mark(stTensor("b", "U8", "4", 0, 4))), "OVERLAP", 4)
	c.header("range_overlap_first_later", two(mark(stTensor("b", "U8", "4", 3, 7)), a), "OVERLAP", 7)
	c.header("range_empty_inside", two(a, mark(stTensor("b", "U8", "0", 2, 2))), "OVERLAP", 4)
	c.header("range_hole", two(a, mark(stTensor("b", "U8", "4", 5, 9))), "HOLE", 9)
	c.header("range_hole_at_start", two(mark(stTensor("a", "U8", "3", 1, 4)), b), "HOLE", 8)
	c.header("range_empty_behind", two(a, mark(stTensor("b", "U8", "0", 5, 5))), "HOLE", 5)
	good := SafetensorsGood()
	text := int64(8 + len(stText))
	c.raw("border_header", good[:text], "TRUNCATED", 8+int64(strings.Index(stText, "[0,8]")))
	c.raw("border_first_tensor", good[:text+8], "TRUNCATED", 8+int64(strings.Index(stText, "[8,9]")))
	c.raw("data_cut", st(two(a, b), 7), "TRUNCATED", 8+int64(len(a)+2+strings.Index(b, "[4,8]")))
	c.raw("data_none", st(two(a, b), 0), "TRUNCATED", 8+int64(1+strings.Index(a, "[0,4]")))
	c.raw("data_byte_more", st(two(a, b), 9), "TRAILING_BYTES", 8+int64(len(two(a, b)))+8)
	c.raw("data_of_no_tensor", st("{}", 1), "TRAILING_BYTES", 10)
	c.raw("data_second_file", append(SafetensorsGood(), SafetensorsGood()...), "TRAILING_BYTES", int64(len(SafetensorsGood())))
	c.raw("data_unknown_dtype_cut", st("{"+stTensor("a", "I4", "4", 0, 2)+"}", 1), "TRUNCATED", 8+int64(strings.Index(stTensor("a", "I4", "4", 0, 2), "[0,2]"))+1)
}
