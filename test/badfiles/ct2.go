package badfiles

import (
	"fmt"
	"strings"

	"github.com/skainet-dev/skainet-go/errs"
)

// str appends a string of the format: length with NUL, text, NUL.
func (l *le) str(s string) *le {
	return l.u16(uint16(len(s) + 1)).raw([]byte(s)...).u8(0)
}

// ct2Head is everything before the variables.
func ct2Head(variables uint32) *le {
	return new(le).u32(6).str("TestSpec").u32(1).u32(variables)
}

// variable appends a well-formed f32 variable of n elements.
func (l *le) variable(name string, n int) *le {
	return l.str(name).u8(1).u32(uint32(n)).u8(0).u32(uint32(4 * n)).zeros(4 * n)
}

// CT2Good is a well-formed CTranslate2 file, the base of the bad ones: tensors
// "w" (f32[2]) and "v" (f32[1]), and an alias "w2" of "w".
func CT2Good() []byte {
	return ct2Head(2).variable("w", 2).variable("v", 1).u32(1).str("w2").str("w").b
}

// CT2 is the corpus of malformed CTranslate2 files.
func CT2() []Case {
	good := CT2Good()
	head := ct2Head(1).at()         // offset of the first variable
	name := head + 4                // offset after the name "w"
	dtype, length := name+5, name+6 // after rank and one size
	var cases []Case
	add := func(name string, data []byte, code string, offset int64) {
		cases = append(cases, Case{name, data, errs.Code("CT2_" + code), offset})
	}

	add("header_version_0", patched(good, 0, 0), "BAD_VERSION", 0)
	add("header_version_2", patched(good, 0, 2), "BAD_VERSION", 0)
	add("header_of_a_zip_file", patched(good, 0, 'P', 'K', 3, 4), "BAD_VERSION", 0)
	add("header_big_endian", patched(good, 0, 0, 0, 0, 6), "BAD_VERSION", 0)
	add("header_empty_file", nil, "TRUNCATED", 0)
	add("header_version_7", patched(good, 0, 7), "BAD_VERSION", 0)
	add("header_ends_in_spec", good[:10], "TRUNCATED", 6)
	add("header_spec_not_ended", patched(good, 14, 'X'), "BAD_STRING", 14)
	add("header_spec_empty", new(le).u32(6).str("").u32(1).u32(0).u32(0).b, "BAD_STRING", 4)
	add("header_spec_length_zero", new(le).u32(6).u16(0).u32(1).u32(0).u32(0).b, "BAD_STRING", 4)
	add("header_no_revision", good[:15], "TRUNCATED", 15)
	add("header_no_count", good[:19], "TRUNCATED", 19)
	add("header_count_max", ct2Head(0xffffffff).b, "LIMIT", head-4)
	add("header_count_too_high", ct2Head(9).variable("w", 1).b, "TRUNCATED", head+18)

	add("name_length_lies", patched(good, head, 0xff, 0x03), "TRUNCATED", head+2)
	add("name_over_limit", ct2Head(1).variable(strings.Repeat("n", 1025), 1).u32(0).b, "LIMIT", head)
	add("name_empty", ct2Head(1).variable("", 1).u32(0).b, "BAD_STRING", head)
	add("name_not_utf8", patched(good, head+2, 0xff), "BAD_STRING", head+2)
	add("name_nul_inside", ct2Head(1).variable("a\x00b", 1).u32(0).b, "BAD_STRING", head+3)
	add("name_twice", ct2Head(2).variable("w", 1).variable("w", 1).u32(0).b, "DUPLICATE_NAME", head+18)
	add("name_twice_scalar", ct2Head(2).str("n").u8(0).u8(1).u32(1).u8(3).variable("n", 1).u32(0).b, "DUPLICATE_NAME", head+11)

	add("variable_no_rank", good[:name], "TRUNCATED", name)
	add("variable_rank_9", patched(good, name, 9), "LIMIT", name)
	add("variable_rank_255", patched(good, name, 255), "LIMIT", name)
	add("variable_ends_in_sizes", good[:name+3], "TRUNCATED", name+1)
	add("variable_no_dtype", good[:dtype], "TRUNCATED", dtype)
	add("variable_dtype_6", patched(good, dtype, 6), "BAD_DTYPE", dtype)
	add("variable_dtype_255", patched(good, dtype, 255), "BAD_DTYPE", dtype)
	add("variable_no_length", good[:length], "TRUNCATED", length)
	add("variable_length_short", patched(good, length, 7), "BAD_LENGTH", length)
	add("variable_length_long", patched(good, length, 9), "BAD_LENGTH", length)
	add("variable_length_zero", patched(good, length, 0), "BAD_LENGTH", length)
	add("variable_scalar_length", ct2Head(1).str("n").u8(0).u8(2).u32(1).u8(3).u32(0).b, "BAD_LENGTH", head+6)
	add("variable_data_huge", ct2Head(1).str("w").u8(1).u32(1<<29).u8(0).u32(1<<31).u32(0).b, "TRUNCATED", head+14)
	add("variable_data_cut", good[:length+4+3], "TRUNCATED", length+4)
	// 2^31 x 2^31 x 4 elements of 4 bytes: the product wraps to 0.
	add("variable_product_wraps", ct2Head(1).str("w").u8(3).u32(1<<31).u32(1<<31).u32(4).u8(0).u32(0).u32(0).b, "OVERFLOW", head+18)
	// 2^62 elements fit, their bytes do not.
	add("variable_bytes_wrap", ct2Head(1).str("w").u8(2).u32(1<<31).u32(1<<31).u8(0).u32(0).u32(0).b, "OVERFLOW", head+14)

	// Version 3 has widths and numbers of elements at these offsets.
	old := func() *le { return new(le).u32(3).str("TestSpec").u32(1).u32(1) }
	for _, width := range []uint8{0, 3, 8, 255} {
		add(fmt.Sprint("width_", width), old().str("w").u8(1).u32(2).u8(width).u32(2).zeros(8).u32(0).b, "BAD_DTYPE", dtype)
	}
	add("width_of_bytes", old().str("w").u8(1).u32(2).u8(4).u32(8).zeros(8).u32(0).b, "BAD_LENGTH", length)
	add("width_count_max", old().str("w").u8(1).u32(1<<32-1).u8(4).u32(1<<32-1).u32(0).b, "TRUNCATED", length+4)
	add("width_data_cut", old().str("w").u8(1).u32(2).u8(4).u32(2).zeros(7).b, "TRUNCATED", length+4)

	add("variable_zero_size_with_data", ct2Head(1).str("w").u8(1).u32(0).u8(0).u32(4).zeros(4).u32(0).b, "BAD_LENGTH", length)
	add("variable_size_max", ct2Head(1).str("w").u8(1).u32(1<<32-1).u8(1).u32(1<<32-1).u32(0).b, "TRUNCATED", length+4)
	add("border_version", good[:4], "TRUNCATED", 4)
	add("border_count", good[:head], "TRUNCATED", head)
	add("border_first_variable", good[:length+4+8], "TRUNCATED", length+4+8)
	add("border_alias_count", good[:len(good)-9], "TRUNCATED", int64(len(good)-9))

	table := int64(len(good)) - 13 // offset of the number of aliases
	add("alias_no_count", good[:table], "TRUNCATED", table)
	add("alias_count_max", patched(good, table, 0xff, 0xff, 0xff, 0xff), "LIMIT", table)
	add("alias_count_too_high", patched(good, table, 2), "TRUNCATED", table+13)
	add("alias_no_target", good[:len(good)-4], "TRUNCATED", int64(len(good)-4))
	add("alias_to_nothing", patched(good, table+11, 'q'), "BAD_ALIAS", table+4)
	add("alias_to_itself", ct2Head(0).u32(1).str("a").str("a").b, "BAD_ALIAS", head+4)
	add("alias_circle", ct2Head(0).u32(2).str("a").str("b").str("b").str("a").b, "BAD_ALIAS", head+4)
	add("alias_name_of_variable", ct2Head(1).variable("w", 1).u32(1).str("w").str("w").b, "DUPLICATE_NAME", head+22)
	add("alias_twice", ct2Head(1).variable("w", 1).u32(2).str("a").str("w").str("a").str("w").b, "DUPLICATE_NAME", head+30)
	add("alias_not_ended", patched(good, int64(len(good)-1), '!'), "BAD_STRING", int64(len(good)-1))

	add("end_trailing_byte", append(CT2Good(), 0), "TRAILING_BYTES", int64(len(good)))
	add("end_second_file", append(CT2Good(), good...), "TRAILING_BYTES", int64(len(good)))
	return cases
}

// CT2ManyFaults is a file with many faults, none of which hides the next.
func CT2ManyFaults() []byte {
	l := ct2Head(6)
	l.variable("", 1)
	l.str("r").u8(9)
	for range 9 {
		l.u32(1)
	}
	l.u8(6).u32(0)
	l.str("l").u8(1).u32(1).u8(0).u32(5).zeros(5)
	l.variable("v", 1)
	l.variable("v", 1)
	l.str("o").u8(3).u32(1 << 31).u32(1 << 31).u32(4).u8(0).u32(0)
	l.u32(5).str("a").str("q").str("b").str("c").str("c").str("b").str("v").str("v")
	return l.str("w").str("v").u8(0).b
}

// CT2Chain is a file of n aliases, each to the next, and the last to a missing name.
func CT2Chain(n int) []byte {
	l := ct2Head(0).u32(uint32(n))
	for i := range n {
		l.str(fmt.Sprint("a", i)).str(fmt.Sprint("a", i+1))
	}
	return l.b
}
