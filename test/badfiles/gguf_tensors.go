package badfiles

import "strings"

func (c *ggufCases) tensors() {
	c.patch64("name_length_lies", "n a", "TRUNCATED", 1<<33)
	c.patch64("name_length_max", "n a", "TRUNCATED", 1<<64-1)
	c.add("name_not_utf8", patched(c.good, c.at["n a"]+8, 0xff), "BAD_NAME", c.at["n a"])
	c.add("name_nul", patched(c.good, c.at["n a"]+8, 0), "BAD_NAME", c.at["n a"])
	c.add("name_twice", patched(c.good, c.at["n q"]+8, 'a'), "DUPLICATE_NAME", c.at["n q"])
	empty := ggufHead(3, 1, 0).info("", 0, 0, 4)
	c.add("name_empty", empty.data(32, 32), "BAD_NAME", 24)
	long := ggufHead(3, 1, 0).info(strings.Repeat("n", 1025), 0, 0, 4)
	c.add("name_long", long.data(32, 32), "LIMIT", 24)

	c.tensor("shape_dims_5", "BAD_SHAPE", "d w", 0, 1, 1, 1, 1, 1)
	c.patch("shape_dims_million", "d a", "BAD_SHAPE", 0x40, 0x42, 0x0f)
	c.patch("shape_dims_max", "d a", "BAD_SHAPE", 0xff, 0xff, 0xff, 0xff)
	c.tensor("shape_size_2_63", "BAD_SHAPE", "s w", 0, 1<<63)
	c.tensor("shape_size_max", "BAD_SHAPE", "s w", 0, 1<<64-1)
	// 2^62 x 8: the product wraps to 0.
	c.tensor("shape_product_wraps", "OVERFLOW", "s w", 0, 1<<62, 8)
	c.tensor("shape_product_wraps_at_4", "OVERFLOW", "s w", 24, 1<<16, 1<<16, 1<<16, 1<<16)
	c.tensor("shape_product_2_63", "OVERFLOW", "s w", 24, 1<<31, 1<<32)
	c.tensor("shape_product_wraps_before_0", "OVERFLOW", "s w", 0, 0, 1<<62, 8)
	// 2^61 elements fit, their bytes do not.
	c.tensor("shape_bytes_wrap", "OVERFLOW", "s w", 0, 1<<61)
	c.tensor("shape_bytes_of_blocks_wrap", "OVERFLOW", "s w", 8, 1<<63-32)
	c.tensor("shape_more_than_the_file", "TRUNCATED", "o w", 0, 1<<42+1)
	c.tensor("row_q4_0_of_33", "BAD_ROW", "s w", 2, 33)
	c.tensor("row_q4_0_of_16_by_2", "BAD_ROW", "s w", 2, 16, 2)
	c.tensor("row_q4_k_of_100", "BAD_ROW", "s w", 12, 100)
	c.tensor("row_q6_k_of_896", "BAD_ROW", "s w", 14, 896, 4)
	c.tensor("row_q8_0_scalar", "BAD_ROW", "s w", 8)

	for _, t := range []struct {
		name   string
		number uint32
	}{{"q4_2", 4}, {"q4_3", 5}, {"q4_0_4_4", 31}, {"q4_0_8_8", 33}, {"iq4_nl_4_4", 36}, {"iq4_nl_8_8", 38}} {
		c.tensor("type_removed_"+t.name, "REMOVED_TYPE", "t w", t.number, 32)
	}
	c.cut("table_cut_in_name", "n z", 8, 0)
	c.cut("table_cut_before_dims", "d z", 0, 0)
	c.cut("table_cut_in_sizes", "s z", 12, 0)
	c.cut("table_cut_before_type", "t z", 0, -16)
	c.cut("table_cut_in_offset", "o z", 4, -20)
	c.add("table_missing", ggufHead(3, 1, 0).b, "TRUNCATED", 8)
}

func (c *ggufCases) offsets() {
	c.patch64("offset_3", "o a", "BAD_OFFSET", 3)
	c.patch64("offset_48", "o q", "BAD_OFFSET", 48)
	c.patch64("offset_hole_at_start", "o a", "HOLE", 32)
	c.patch64("offset_hole", "o q", "HOLE", 64)
	c.patch64("offset_same", "o q", "OVERLAP", 0)
	c.patch64("offset_backwards", "o s", "OVERLAP", 32)
	c.patch64("offset_into_the_one_before", "o s", "OVERLAP", 64)
	c.patch64("offset_behind_the_end", "o s", "TRUNCATED", 1<<20)
	c.patch64("offset_max", "o s", "TRUNCATED", 1<<64-32)
	c.patch64("offset_of_no_bytes_far_away", "o z", "TRUNCATED", 1<<63-32)
	// Two tensors of I8 whose sum is near 2^63.
	sum := ggufHead(3, 2, 0).info("v", 24, 0, 1<<62).info("w", 24, 1<<62, 1<<62)
	c.add("offset_sum_wraps", sum.data(32, 32), "TRUNCATED", sum.places["o v"])
	after := ggufHead(3, 2, 0).info("v", 99, 32, 4).info("w", 24, 0, 4)
	c.add("offset_before_an_unknown_type", after.data(32, 64), "HOLE", after.places["o v"])
	inside := ggufHead(3, 3, 0).info("u", 24, 0, 40).info("v", 99, 64, 4).info("w", 24, 32, 4)
	c.add("offset_inside_with_an_unknown_type", inside.data(32, 96), "OVERLAP", inside.places["o w"])
	// With an alignment of 64 the second tensor starts at 64, not at 32.
	wide := ggufHead(3, 2, 1).number("general.alignment", ggufU32, 64).info("v", 0, 0, 4).info("w", 0, 32, 4)
	c.add("offset_of_another_alignment", wide.data(64, 64), "BAD_OFFSET", wide.places["o w"])

	c.cut("data_missing", "data", 0, 0)
	c.cases[len(c.cases)-1].Offset = c.at["o a"]
	c.cut("data_cut", "data", 99, 0)
	c.cases[len(c.cases)-1].Offset = c.at["o s"]
	c.add("data_not_reached", c.good[:c.at["o z"]+8], "TRUNCATED", c.at["o a"])
	end := int64(len(c.good))
	c.add("end_trailing_byte", append(GGUFGood(), 0), "TRAILING_BYTES", end)
	c.add("end_second_file", append(GGUFGood(), c.good...), "TRAILING_BYTES", end)
	c.add("end_trailing_without_tensors", ggufHead(3, 0, 0).zeros(9).b, "TRAILING_BYTES", 32)
}

// borders truncates the good file at the end of a section, so that the
// next one is missing completely.
func (c *ggufCases) borders() {
	const first, counts = 24, 8 // of the pairs; the counts claim more than is left
	add := func(name string, at, offset int64) { c.add("border_"+name, c.good[:at], "TRUNCATED", offset) }
	add("magic", 4, 4)
	add("version", 8, 8)
	add("tensor_count", 16, 8)
	add("key_count", first, counts)
	add("first_key", c.at["t general.architecture"], counts)
	add("first_type", c.at["v general.architecture"], counts)
	add("first_pair", c.at["k general.alignment"], counts)
	add("array_head", c.at["v test.sizes"]+12, c.at["v test.sizes"]+4)
	add("pairs", c.at["n a"], c.at["n a"])
	add("name", c.at["d q"], c.at["d q"])
	add("dims", c.at["s q"], c.at["s q"])
	add("sizes", c.at["t q"], c.at["s q"])
	add("type", c.at["o q"], c.at["s q"])
	add("first_info", c.at["n q"], c.at["n q"])
	add("first_tensor", c.at["data"]+16, c.at["o q"])
	add("second_tensor", c.at["data"]+32+36, c.at["o s"])
}

func (c *ggufCases) splits() {
	part := func(keys uint64) *ggufFile { return ggufHead(3, 0, keys) }
	u16 := func(g *ggufFile, key string, v uint16) *ggufFile {
		g.key(key, ggufU16).u16(v)
		return g
	}
	g := u16(part(1), "split.no", 0)
	c.add("split_no_count", g.b, "BAD_SPLIT", g.places["t split.no"])
	g = u16(part(1), "split.count", 2)
	c.add("split_no_number", g.b, "BAD_SPLIT", g.places["t split.count"])
	g = u16(u16(part(2), "split.no", 0), "split.count", 0)
	c.add("split_of_0", g.b, "BAD_SPLIT", g.places["v split.count"])
	g = u16(u16(part(2), "split.no", 2), "split.count", 2)
	c.add("split_number_2_of_2", g.b, "BAD_SPLIT", g.places["v split.no"])
	g = part(2).number("split.no", ggufU32, 0)
	u16(g, "split.count", 2)
	c.add("split_number_u32", g.b, "WRONG_TYPE", g.places["t split.no"])
	g = part(1).number("split.tensors.count", ggufU32, 0)
	c.add("split_tensors_u32", g.b, "WRONG_TYPE", g.places["t split.tensors.count"])
}
