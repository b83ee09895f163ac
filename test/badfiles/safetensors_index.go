package badfiles

import (
	"fmt"
	"strings"

	"github.com/skainet-dev/skainet-go/errs"
)

const stIndex = `{"metadata":{"total_size":9},"weight_map":{"w":"1.safetensors","b":"2.safetensors"}}`

// SafetensorsIndexGood is a well-formed index, the base of the malformed ones.
func SafetensorsIndexGood() []byte { return []byte(stIndex) }

// SafetensorsShards returns the files that lie beside each index of the corpus, by
// name: two that SafetensorsIndexGood names, "w" (f32[2x1]) and "b" (u8 scalar);
// one with "b" and "c"; one that is cut short; one in a folder; and an index that
// names itself.
func SafetensorsShards() map[string][]byte {
	b := stTensor("b", "U8", "", 0, 1)
	return map[string][]byte{
		"1.safetensors":       st("{"+stW+"}", 8),
		"2.safetensors":       st("{"+b+"}", 1),
		"3.safetensors":       st("{"+b+","+stTensor("c", "U8", "1", 1, 2)+"}", 2),
		"cut.safetensors":     st("{"+b+"}", 0),
		"sub/2.safetensors":   st("{"+b+"}", 1),
		"c:sub/2.safetensors": st("{"+b+"}", 1),

		"circle.safetensors.index.json": []byte(`{"weight_map":{"b":"circle.safetensors.index.json"}}`),
	}
}

// IndexCase is a malformed index, or one that contradicts its shards: the fault is in
// the shard named Shard if that is not empty.
type IndexCase struct {
	Case
	Shard string
}

// SafetensorsIndex is the corpus of malformed indexes.
func SafetensorsIndex() []IndexCase {
	var cases []IndexCase
	add := func(name, shard, text, code string, offset int64) {
		cases = append(cases, IndexCase{Case{name, []byte(text), errs.Code("SAFETENSORS_" + code), offset}, shard})
	}
	text := func(name, text, code string) {
		text, at := marked(text)
		add(name, "", text, code, at)
	}
	edit := func(name, old, new, code string) {
		if strings.Count(stIndex, old) != 1 {
			panic("badfiles: " + name + ": the text has not one " + old)
		}
		text(name, strings.Replace(stIndex, old, new, 1), code)
	}
	shard := func(name, shard, code string) { edit(name, `"2.safetensors"`, `^"`+shard+`"`, code) }

	text("json_cut", strings.TrimSuffix(stIndex, "}}")+"^", "BAD_JSON")
	text("json_cut_behind_metadata", `{"metadata":{"total_size":9}^`, "BAD_JSON")
	text("json_cut_behind_member", `{"metadata":{"total_size":9},^`, "BAD_JSON")
	text("json_cut_behind_name", `{"metadata":{"total_size":9},"weight_map":^`, "BAD_JSON")
	text("json_cut_in_map", `{"metadata":{"total_size":9},"weight_map":{"w":"1.safetensors"^`, "BAD_JSON")
	text("json_cut_behind_map", strings.TrimSuffix(stIndex, "}")+"^", "BAD_JSON")
	text("json_twice", stIndex+"\n^"+stIndex, "BAD_JSON")
	text("json_nul_behind", stIndex+"^\x00", "BAD_JSON")
	edit("json_comma_last", `}}`, `^,}}`, "BAD_JSON")
	edit("json_utf8_cut", `"b"`, "\"^\xff\"", "BAD_JSON")
	edit("json_half_surrogate", `"b"`, `"^\udc00"`, "BAD_JSON")
	edit("json_deep_lists", `9}`, `^`+strings.Repeat("[", 100_000), "BAD_TYPE")
	text("json_deep_metadata", `{"metadata":{"a":`+strings.Repeat("[", 9998)+"^"+strings.Repeat("[", 90_000), "BAD_JSON")

	text("index_no_map", `^{"metadata":{"total_size":0}}`, "MISSING_FIELD")
	text("index_empty", `^{}     `, "MISSING_FIELD")
	edit("index_map_twice", `,"weight_map"`, `,"weight_map":{},^"weight_map"`, "DUPLICATE_KEY")
	edit("index_metadata_twice", `{"metadata":`, `{"metadata":{},^"metadata":`, "DUPLICATE_KEY")
	edit("index_field_unknown", `,"weight_map"`, `,^"tensors":[],"weight_map"`, "UNKNOWN_FIELD")
	edit("index_metadata_list", `{"total_size":9}`, `^[9]`, "BAD_TYPE")
	edit("index_metadata_key_twice", `{"total_size":9}`, `{"total_size":9,^"total_size":9}`, "DUPLICATE_KEY")
	edit("index_map_list", `{"w":"1.safetensors","b":"2.safetensors"}`, `^["w","b"]`, "BAD_TYPE")

	edit("name_empty", `"b"`, `^""`, "BAD_NAME")
	edit("name_nul", `"b"`, `^"\u0000"`, "BAD_NAME")
	edit("name_long", `"b"`, `^"`+strings.Repeat("b", 1025)+`"`, "LIMIT")
	edit("name_twice", `"b"`, `^"w"`, "DUPLICATE_NAME")
	edit("name_twice_escaped", `"b"`, `^"\u0077"`, "DUPLICATE_NAME")

	edit("shard_number", `"2.safetensors"`, `^2`, "BAD_TYPE")
	shard("shard_empty", "", "BAD_SHARD")
	shard("shard_dot", ".", "BAD_SHARD")
	shard("shard_dots", "..", "BAD_SHARD")
	shard("shard_up", "../2.safetensors", "BAD_SHARD")
	shard("shard_in_folder", "sub/2.safetensors", "BAD_SHARD")
	shard("shard_through_folder", "sub/../2.safetensors", "BAD_SHARD")
	shard("shard_here", "./2.safetensors", "BAD_SHARD")
	shard("shard_absolute", "/etc/hostname", "BAD_SHARD")
	shard("shard_backslash", `..\\2.safetensors`, "BAD_SHARD")
	shard("shard_drive", "c:2.safetensors", "BAD_SHARD")
	shard("shard_escaped_slash", `sub\u002f2.safetensors`, "BAD_SHARD")
	shard("shard_nul", `2.safetensors\u0000`, "BAD_SHARD")
	shard("shard_long", strings.Repeat("2", 1025), "BAD_SHARD")
	text("shard_4097", manyShards(4097), "LIMIT")
	shard("shard_missing", "9.safetensors", "MISSING_SHARD")
	shard("shard_is_folder", "sub", "MISSING_SHARD")

	// An index that names itself as a shard: no reader loops.
	add("shard_is_a_circle", "circle.safetensors.index.json", strings.Replace(stIndex, "2.safetensors", "circle.safetensors.index.json", 1), "LIMIT", 0)
	edit("total_negative", `:9`, `:^-9`, "BAD_NUMBER")
	edit("total_wraps_to_9", `:9`, `:^18446744073709551625`, "BAD_NUMBER")
	edit("total_digits", `:9`, `:^9`+strings.Repeat("0", 100_000), "BAD_NUMBER")
	edit("total_fraction", `:9`, `:^9.0`, "BAD_NUMBER")
	edit("total_string", `:9`, `:^"9"`, "BAD_TYPE")
	edit("total_less", `:9`, `:^8`, "BAD_TOTAL")
	edit("total_more", `:9`, `:^9223372036854775807`, "BAD_TOTAL")

	edit("place_in_other_shard", `"2.safetensors"`, `^"1.safetensors"`, "NOT_IN_SHARD")
	edit("place_in_none", `"b":`, `"d":^`, "NOT_IN_SHARD")
	// The shard has a tensor that the map does not have, and then one that the
	// map has elsewhere.
	third := SafetensorsShards()["3.safetensors"]
	add("place_not_named", "3.safetensors", strings.Replace(stIndex, "2.s", "3.s", 1), "NOT_IN_INDEX", int64(strings.Index(string(third), "[1,2]")))
	add("place_in_two_shards", "3.safetensors", strings.Replace(stIndex, "}}", `,"c":"3.safetensors"}}`, 1), "NOT_IN_INDEX", int64(strings.Index(string(third), "[0,1]")))
	cut := SafetensorsShards()["cut.safetensors"]
	add("place_in_cut_shard", "cut.safetensors", strings.Replace(stIndex, "2.s", "cut.s", 1), "TRUNCATED", int64(strings.Index(string(cut), "[0,1]")))
	return cases
}

// manyShards is an index that names n shards.
func manyShards(n int) string {
	var b strings.Builder
	b.WriteString(`{"weight_map":{"w":"1.safetensors"`)
	for i := 2; i <= n; i++ {
		mark := ""
		if i == n {
			mark = "^"
		}
		fmt.Fprintf(&b, `,"%d":%s"%d.safetensors"`, i, mark, i)
	}
	return b.String() + "}}"
}
