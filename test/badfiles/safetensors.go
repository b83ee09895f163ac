package badfiles

import (
	"encoding/binary"
	"fmt"
	"strings"

	"github.com/skainet-dev/skainet-go/errs"
)

// st builds a safetensors file of a header's text and n bytes of data.
func st(text string, n int) []byte {
	return new(le).u64(uint64(len(text))).raw([]byte(text)...).zeros(n).b
}

// stTensor is the member of a tensor.
func stTensor(name, dtype, shape string, begin, end int) string {
	return fmt.Sprintf(`"%s":{"dtype":"%s","shape":[%s],"data_offsets":[%d,%d]}`, name, dtype, shape, begin, end)
}

// Parts of the well-formed file.
const (
	stMeta = `"__metadata__":{"format":"pt"}`
	stW    = `"w":{"dtype":"F32","shape":[2,1],"data_offsets":[0,8]}`
	stE    = `"e":{"dtype":"F16","shape":[0],"data_offsets":[8,8]}`
	stB    = `"b":{"dtype":"U8","shape":[],"data_offsets":[8,9]}`
	stText = "{" + stMeta + "," + stW + "," + stE + "," + stB + "}"
	stData = 9
)

// SafetensorsGood is a well-formed safetensors file, the base of the malformed
// ones: metadata, "w" (f32[2x1]), "e" (f16[0]), "b" (u8 scalar), 9 bytes of data.
func SafetensorsGood() []byte { return st(stText, stData) }

// stCases collects cases. Offsets are found by searching for text.
type stCases struct{ list []Case }

func (c *stCases) raw(name string, data []byte, code string, offset int64) {
	c.list = append(c.list, Case{name, data, errs.Code("SAFETENSORS_" + code), offset})
}

// header is a case of a header's text, whose fault is at the mark ^, which
// is removed; ^^ stands for a literal ^.
func (c *stCases) header(name, text, code string, data int) {
	text, at := marked(text)
	c.raw(name, st(text, data), code, 8+at)
}

// edit is the good file with old, which occurs once, replaced.
func (c *stCases) edit(name, old, new, code string) {
	if strings.Count(stText, old) != 1 {
		panic("badfiles: " + name + ": the text has not one " + old)
	}
	c.header(name, strings.Replace(stText, old, new, 1), code, stData)
}

// marked removes the mark ^ and returns its offset.
func marked(text string) (string, int64) {
	at := strings.IndexByte(text, '^')
	if at < 0 {
		panic("badfiles: no mark in " + text)
	}
	return text[:at] + text[at+1:], int64(at)
}

// Safetensors is the corpus of malformed single files.
func Safetensors() []Case {
	c := &stCases{}
	good := SafetensorsGood()
	length := func(n uint64) []byte { return patched64(good, 0, n) }

	c.raw("file_empty", nil, "TRUNCATED", 0)
	c.raw("length_cut", good[:7], "TRUNCATED", 7)
	c.raw("length_zero", length(0), "BAD_HEADER", 0)
	c.raw("length_one_alone", st("{", 0), "BAD_JSON", 9)
	c.raw("length_tebibyte", length(1<<40), "LIMIT", 0)
	c.raw("length_max", length(1<<64-1), "LIMIT", 0)
	c.raw("length_sign", length(1<<63), "LIMIT", 0)
	c.raw("length_over_limit", length(100_000_001), "LIMIT", 0)
	c.raw("length_at_limit", length(100_000_000), "TRUNCATED", 0)
	c.raw("length_over_file", length(uint64(len(good)-7)), "TRUNCATED", 0)
	c.raw("length_short", length(uint64(len(stText)-1)), "BAD_JSON", int64(8+len(stText)-1))
	c.raw("length_big_endian", binary.BigEndian.AppendUint64(nil, 2), "LIMIT", 0)
	c.raw("header_cut", good[:40], "TRUNCATED", 0)
	c.raw("header_none", good[:8], "TRUNCATED", 0)

	c.header("header_space_before", "^ {}", "BAD_HEADER", 0)
	c.header("header_list", "^[]", "BAD_HEADER", 0)
	c.header("header_zeros", "^\x00\x00", "BAD_HEADER", 0)
	c.header("header_bom", "^\xef\xbb\xbf{}", "BAD_HEADER", 0)
	c.header("padding_newline", "{}^\n", "BAD_HEADER", 0)
	c.header("padding_nul", "{}  ^\x00", "BAD_HEADER", 0)
	c.header("padding_second_object", "{}^{}", "BAD_HEADER", 0)

	c.edit("json_not_closed", `"data_offsets":[8,9]}}`, `"data_offsets":[8,9]}^`, "BAD_JSON")
	c.edit("json_comma_last", `"data_offsets":[8,9]}}`, `"data_offsets":[8,9]}^,}`, "BAD_JSON")
	c.edit("json_no_comma", `[8,8]},"b"`, `[8,8]}^"b"`, "BAD_JSON")
	c.edit("json_no_value", `"dtype":"U8"`, `"dtype":^,`, "BAD_JSON")
	c.edit("json_comment", `"dtype":"U8"`, `^/**/"dtype":"U8"`, "BAD_JSON")
	c.edit("json_single_quotes", `"b"`, `^'b'`, "BAD_JSON")
	c.edit("json_name_number", `"b"`, `^7`, "BAD_JSON")
	c.edit("json_literal_cut", `"U8"`, `^nul`, "BAD_TYPE")
	c.edit("json_escape_unknown", `"b"`, `"^\x"`, "BAD_JSON")
	c.edit("json_control_character", `"b"`, "\"b^\n\"", "BAD_JSON")
	c.edit("json_utf8_cut", `"b"`, "\"^\xc3\"", "BAD_JSON")
	c.edit("json_utf8_surrogate", `"pt"`, "\"^\xed\xa0\x80\"", "BAD_JSON")
	c.edit("json_utf8_overlong", `"pt"`, "\"^\xc0\x80\"", "BAD_JSON")
	c.edit("json_half_surrogate", `"b"`, `"^\ud83d"`, "BAD_JSON")
	c.edit("json_surrogates_exchanged", `"b"`, `"^\ude00\ud83d"`, "BAD_JSON")
	c.edit("json_number_leading_zero", `[8,9]`, `[8,0^9]`, "BAD_JSON")
	c.edit("json_number_nan", `[8,9]`, `[8,^NaN]`, "BAD_JSON")
	c.header("json_deep_lists", `{"w":^`+strings.Repeat("[", 100_000), "BAD_TYPE", 0)
	c.header("json_deep_shape", `{"w":{"shape":[^`+strings.Repeat("[", 100_000), "BAD_TYPE", 0)
	c.header("json_deep_objects", `{"w":{"dtype":^`+strings.Repeat(`{"a":`, 20_000), "BAD_TYPE", 0)

	stNames(c)
	stTensors(c)
	stRanges(c)
	return c.list
}

// stNames are faults of names, members and metadata.
func stNames(c *stCases) {
	c.edit("name_empty", `"b"`, `^""`, "BAD_NAME")
	c.edit("name_nul", `"b"`, `^"b\u0000"`, "BAD_NAME")
	c.edit("name_long", `"b"`, `^"`+strings.Repeat("b", 1025)+`"`, "LIMIT")
	c.edit("name_long_escapes", `"b"`, `^"`+strings.Repeat(`\u0062`, 1025)+`"`, "LIMIT")
	c.edit("name_twice", `"b"`, `^"w"`, "DUPLICATE_NAME")
	c.edit("name_twice_escaped", `"b"`, `^"\u0077"`, "DUPLICATE_NAME")
	c.edit("name_same_tensor", stE, stE+",^"+stE, "DUPLICATE_NAME")

	c.edit("metadata_twice", stMeta, stMeta+",^"+stMeta, "DUPLICATE_NAME")
	c.edit("metadata_null", `{"format":"pt"}`, `^null`, "BAD_TYPE")
	c.edit("metadata_list", `{"format":"pt"}`, `^["format"]`, "BAD_TYPE")
	c.edit("metadata_number", `"pt"`, `^1`, "BAD_TYPE")
	c.edit("metadata_nested", `"pt"`, `^{"a":"b"}`, "BAD_TYPE")
	c.edit("metadata_key_twice", `"format":"pt"`, `"format":"pt",^"f\u006frmat":"tf"`, "DUPLICATE_KEY")
	c.edit("metadata_is_tensor", `{"format":"pt"}`, `{"dtype":"U8","shape":^[],"data_offsets":[8,8]}`, "BAD_TYPE")
}
