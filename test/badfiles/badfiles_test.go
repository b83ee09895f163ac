package badfiles

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// minCases is the minimum number of cases of a corpus.
const minCases = 40

// kinds are the faults that an untrusted file may have, each with the cases of
// each corpus that show it, or, after a colon, the reason why the format cannot have it.
var kinds = []struct {
	fault string
	cases map[string]string
}{
	{"a length lies", map[string]string{
		"gguf": "key_length_lies value_string_lies array_length_lies name_length_lies header_tensors_lie header_keys_lie", "safetensors": "length_over_file length_short length_tebibyte",
		"safetensors_index": "total_less total_more", "irpa": "data_length_outside name_length segment_table_length", "ctranslate2": "name_length_lies variable_length_long variable_length_short alias_count_too_high",
		"onnx": "length_over_graph length_over_file length_max tensor_raw_short tensor_raw_long tensor_packed_claims external_length_negative",
	}},
	{"a product wraps", map[string]string{
		"gguf": "shape_product_wraps shape_bytes_wrap array_length_wraps offset_sum_wraps", "safetensors": "shape_product_wraps shape_product_wraps_to_2 shape_bytes_wrap",
		"safetensors_index": "total_wraps_to_9", "irpa": "metadata_shape_wraps segment_meta_wraps data_wraps splat_length_max", "ctranslate2": "variable_product_wraps variable_bytes_wrap",
		"onnx": "tensor_product_wraps tensor_product_wraps_to_2 tensor_bytes_wrap shape_product_2_124",
	}},
	{"a dimension of 0", map[string]string{
		"gguf": "shape_product_wraps_before_0 offset_of_no_bytes_far_away", "safetensors": "shape_zero_with_bytes range_empty_inside", "safetensors_index": ":it has no shapes",
		"irpa": "metadata_shape_zero", "ctranslate2": "variable_zero_size_with_data",
		"onnx": "tensor_zero_size_with_data tensor_zero_and_huge",
	}},
	{"a huge dimension", map[string]string{
		"gguf": "shape_size_max shape_size_2_63 shape_dims_max shape_more_than_the_file", "safetensors": "shape_huge shape_2_to_63 shape_rank_50000", "safetensors_index": ":it has no shapes",
		"irpa": "metadata_shape_huge metadata_shape_rank_9", "ctranslate2": "variable_size_max variable_data_huge variable_rank_255",
		"onnx": "tensor_size_max tensor_terabyte tensor_rank_65 shape_size_2_62 shape_rank_65",
	}},
	{"an alignment of 0", map[string]string{
		"gguf": "alignment_0", "safetensors": ":it has no alignment", "safetensors_index": ":it has no alignment", "irpa": ":0 stands for none", "ctranslate2": ":it has no alignment",
		"onnx": ":it has no alignment",
	}},
	{"an alignment of 3, 48 or 2^30", map[string]string{
		"gguf": "alignment_3 alignment_48 alignment_2_30", "safetensors": ":it has no alignment", "safetensors_index": ":it has no alignment",
		"irpa": "entry_alignment_3 entry_alignment_48 entry_alignment_huge data_unaligned", "ctranslate2": ":it has no alignment",
		"onnx": ":it has no alignment",
	}},
	{"an alignment of a wrong type", map[string]string{
		"gguf": "alignment_i32 alignment_u64 alignment_string alignment_array", "safetensors": ":it has no alignment", "safetensors_index": ":it has no alignment",
		"irpa": ":the field has one type", "ctranslate2": ":it has no alignment",
		"onnx": ":it has no alignment",
	}},
	{"a name twice", map[string]string{
		"gguf": "name_twice key_twice", "safetensors": "name_twice name_twice_escaped metadata_key_twice", "safetensors_index": "name_twice index_map_twice",
		"irpa": "name_twice name_same_range", "ctranslate2": "name_twice alias_twice alias_name_of_variable",
		"onnx": "name_stored_twice name_input_twice name_made_twice name_made_and_stored name_attribute_twice wire_graph_twice",
	}},
	{"an empty name", map[string]string{
		"gguf": "name_empty key_empty", "safetensors": "name_empty", "safetensors_index": "name_empty shard_empty", "irpa": "name_empty external_path_empty", "ctranslate2": "name_empty header_spec_empty",
		"onnx": "name_empty node_no_operator external_no_path",
	}},
	{"an overlap", map[string]string{
		"gguf": "offset_same offset_into_the_one_before", "safetensors": "range_overlap range_inside range_same", "safetensors_index": "place_in_two_shards",
		"irpa": "data_overlap data_same_range name_overlap segment_meta_on_table", "ctranslate2": ":its parts follow each other",
		"onnx": ":its parts are messages, each in another",
	}},
	{"a hole", map[string]string{
		"gguf": "offset_hole offset_hole_at_start", "safetensors": "range_hole range_hole_at_start", "safetensors_index": "place_in_none",
		"irpa": "entry_padding end_not_zero header_count_low", "ctranslate2": "end_trailing_byte",
		"onnx": ":its parts are messages, each in another",
	}},
	{"cut at every border", map[string]string{
		"gguf": "border_magic border_version border_tensor_count border_key_count border_first_key border_first_type border_first_pair border_array_head border_pairs border_name border_dims " +
			"border_sizes border_type border_first_info data_not_reached data_missing border_first_tensor border_second_tensor",
		"safetensors":       "file_empty header_none border_header border_first_tensor",
		"safetensors_index": "json_cut_behind_metadata json_cut_behind_member json_cut_behind_name json_cut_in_map json_cut_behind_map place_in_cut_shard",
		"irpa":              "header_cut_in_magic border_header border_first_entry border_table border_metadata border_first_datum",
		"ctranslate2": "header_empty_file border_version header_no_revision header_no_count border_count variable_no_rank variable_no_dtype variable_no_length " +
			"border_first_variable alias_no_count border_alias_count alias_no_target",
		"onnx": "border_head border_graph_tag border_graph_length border_constant border_neg border_sum border_name border_stored border_typed border_input border_last_byte file_in_producer file_in_version file_empty",
	}},
	{"a wrong type of what is known", map[string]string{
		"gguf": "known_architecture_u32 known_tokens_string known_tokens_of_u32 split_number_u32", "safetensors": "dtype_number shape_string offsets_string metadata_number",
		"safetensors_index": "total_string index_map_list shard_number", "irpa": "metadata_dtype_number metadata_shape_string", "ctranslate2": "variable_dtype_6 width_3",
		"onnx": "wire_graph_number wire_version_text wire_output_number wire_raw_data_fixed wire_floats_number tensor_type_0 tensor_ints_of_floats tensor_strings_in_raw",
	}},
	{"deep nesting", map[string]string{
		"gguf": "array_thousand_deep", "safetensors": "json_deep_lists json_deep_shape json_deep_objects", "safetensors_index": "json_deep_lists json_deep_metadata", "irpa": "metadata_deep",
		"ctranslate2": ":nothing nests",
		"onnx":        "many_graphs_inside many_types_inside",
	}},
	{"huge text", map[string]string{
		"gguf": "key_long name_long", "safetensors": "shape_digits shape_rank_50000 name_long_escapes length_at_limit", "safetensors_index": "total_digits shard_4097 name_long", "irpa": "metadata_long name_long",
		"ctranslate2": "name_over_limit",
		"onnx":        "name_long",
	}},
	{"text that is not UTF-8", map[string]string{
		"gguf": "key_not_utf8 name_not_utf8 value_string_not_utf8", "safetensors": "json_utf8_cut json_utf8_overlong json_utf8_surrogate", "safetensors_index": "json_utf8_cut", "irpa": "name_not_utf8 metadata_not_utf8",
		"ctranslate2": "name_not_utf8",
		"onnx":        "name_not_utf8",
	}},
	{"a circle", map[string]string{
		"gguf": ":nothing refers to anything", "safetensors": ":nothing refers to anything", "safetensors_index": "shard_is_a_circle", "irpa": "header_linked_to_itself", "ctranslate2": "alias_circle alias_to_itself",
		"onnx": "node_circle node_circle_to_itself node_circle_by_branch",
	}},
	{"a row that is not a whole number of blocks", map[string]string{
		"gguf": "row_q4_0_of_33 row_q4_0_of_16_by_2 row_q6_k_of_896 row_q8_0_scalar", "safetensors": "shape_half_byte shape_six_bits", "safetensors_index": ":it has no shapes",
		"irpa": "metadata_row_of_100", "ctranslate2": ":it has no blocks",
		"onnx": "tensor_i4_short tensor_packed_odd",
	}},
}

// Every corpus shows every kind of fault that its format can have.
func TestEveryKindOfFault(t *testing.T) {
	for _, corpus := range All() {
		cases := corpus.Bad()
		require.GreaterOrEqual(t, len(cases), minCases, corpus.Name)
		names := map[string]bool{}
		for _, c := range cases {
			names[c.Name] = true
			require.NotEmpty(t, c.Code, c.Name)
			require.False(t, bytes.Equal(c.Data, corpus.Good()), c.Name)
		}
		for _, kind := range kinds {
			shown := kind.cases[corpus.Name]
			if strings.HasPrefix(shown, ":") {
				continue
			}
			require.NotEmpty(t, strings.Fields(shown), "%s: nothing shows %s", corpus.Name, kind.fault)
			for _, name := range strings.Fields(shown) {
				require.True(t, names[name], "%s has no %s, which is to show %s", corpus.Name, name, kind.fault)
			}
		}
	}
}

// No two cases of a corpus are the same file.
func TestCasesDiffer(t *testing.T) {
	for _, corpus := range All() {
		cases := corpus.Bad()
		slices.SortFunc(cases, func(a, b Case) int { return bytes.Compare(a.Data, b.Data) })
		for i := 1; i < len(cases); i++ {
			require.False(t, bytes.Equal(cases[i-1].Data, cases[i].Data), "%s: %s and %s are one file", corpus.Name, cases[i-1].Name, cases[i].Name)
		}
	}
}
