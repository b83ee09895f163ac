package badfiles

import (
	"bytes"
	"slices"

	. "github.com/skainet-dev/skainet-go/test/onnxtest" //nolint:staticcheck // a language for messages
)

// stored adds a case of an initializer t with these fields, which is at fault itself.
func (c *onnxCases) stored(name, code string, fields ...[]byte) {
	tensor := Message(append(fields, Field(8, "t"))...)
	c.with(name, code, tensor, Field(graphStored, tensor))
}

// dims are the sizes of a tensor.
func dims(sizes ...int64) []byte {
	all := []byte{}
	for _, s := range sizes {
		all = append(all, Field(1, s)...)
	}
	return all
}

// tensors are tensors whose elements, type and shape do not belong together.
func (c *onnxCases) tensors() {
	f32, i64, i4, text := Field(2, int64(1)), Field(2, int64(7)), Field(2, int64(22)), Field(2, int64(8))
	raw := func(n int) []byte { return Field(9, make([]byte, n)) }
	c.stored("tensor_raw_short", "TENSOR", dims(2), f32, raw(7))
	c.stored("tensor_raw_long", "TENSOR", dims(2), f32, raw(9))
	c.stored("tensor_raw_none", "TENSOR", dims(2), f32)
	c.stored("tensor_scalar_of_two", "TENSOR", f32, raw(8))
	c.stored("tensor_i4_short", "TENSOR", dims(3), i4, raw(1))
	c.stored("tensor_zero_size_with_data", "TENSOR", dims(0), f32, raw(4))
	c.stored("tensor_size_max", "TENSOR", dims(1<<62), f32, raw(4))
	c.stored("tensor_size_negative", "TENSOR", dims(-1), f32, raw(4))
	c.stored("tensor_product_wraps", "TENSOR", dims(1<<32, 1<<32), f32)
	c.stored("tensor_product_wraps_to_2", "TENSOR", dims(1<<32, 1<<32, 2), f32, raw(8))
	c.stored("tensor_bytes_wrap", "TENSOR", dims(1<<61), Field(2, int64(11)))
	c.stored("tensor_zero_and_huge", "TENSOR", dims(1<<62, 0), f32)
	c.stored("tensor_terabyte", "TENSOR", dims(1<<40), Field(2, int64(2)), raw(1))
	c.stored("tensor_rank_65", "LIMIT", dims(slices.Repeat([]int64{1}, 65)...), f32, raw(4))
	c.stored("tensor_type_0", "TENSOR", dims(1), raw(4))
	c.stored("tensor_type_99", "TENSOR", dims(1), Field(2, int64(99)), raw(4))
	c.stored("tensor_ints_of_floats", "TENSOR", dims(1), f32, Field(5, []byte{1}))
	c.stored("tensor_strings_in_raw", "TENSOR", dims(1), text, raw(4))
	c.stored("tensor_strings_missing", "TENSOR", dims(2), text, Field(6, "one"))
	c.stored("tensor_packed_claims", "TENSOR", dims(1<<30), i64, Field(7, []byte{1, 2, 3}))
	c.stored("tensor_packed_more", "TENSOR", dims(2), i64, Field(7, []byte{1, 2, 3}))

	two := Message(dims(1), f32, Field(4, []byte{0, 0, 0, 1}), Field(9, []byte{0, 0, 0, 2}), Field(8, "t"))
	c.with("tensor_two_fields", "TENSOR", []byte{0, 0, 0, 2}, Field(graphStored, two))
	open := []byte{1, 0x80}
	c.with("tensor_packed_open", "WIRE", []byte{0x80, 0x42, 1, 't'}, Field(graphStored, Message(dims(2), i64, Field(7, open), Field(8, "t"))))
	long := append(bytes.Repeat([]byte{0x81}, 10), 1)
	c.with("tensor_packed_long", "WIRE", long, Field(graphStored, Message(dims(1), i64, Field(7, long))))
	odd := []byte{9, 8, 7, 6, 5}
	c.with("tensor_packed_odd", "WIRE", odd, Field(graphStored, Message(dims(1), f32, Field(4, odd))))

	constant := Tensor("", 1, make([]byte, 3), 1)
	c.with("tensor_of_constant", "TENSOR", constant, Field(graphNode, Node("Constant", "k", nil, Message(Field(1, "value"), Field(5, constant)))))
	values := Tensor("s", 1, make([]byte, 8), 2)
	sparse := Message(Field(1, values), Field(2, Tensor("", 7, make([]byte, 8), 1)), Field(3, int64(5)))
	c.with("tensor_sparse_indices", "TENSOR", values, Field(15, sparse))
}

// external are tensors whose elements are said to lie in another file.
func (c *onnxCases) external() {
	entry := func(key, value string) []byte { return Field(13, Message(Field(1, key), Field(2, value))) }
	add := func(name, code string, entries ...[]byte) {
		c.stored(name, code, dims(1), Field(2, int64(1)), Message(entries...), Field(14, int64(1)))
	}
	add("external_absolute", "EXTERNAL", entry("location", "/etc/passwd"))
	add("external_up", "EXTERNAL", entry("location", "../w.bin"))
	add("external_up_inside", "EXTERNAL", entry("location", "a/../../w.bin"))
	add("external_backslash", "EXTERNAL", entry("location", `a\..\..\w.bin`))
	add("external_drive", "EXTERNAL", entry("location", "c:w.bin"))
	add("external_no_path", "EXTERNAL", entry("offset", "0"))
	add("external_offset_text", "EXTERNAL", entry("location", "w.bin"), entry("offset", "0x10"))
	add("external_length_negative", "EXTERNAL", entry("location", "w.bin"), entry("length", "-4"))
	add("external_and_here", "TENSOR", Field(9, make([]byte, 4)), entry("location", "w.bin"))
}
