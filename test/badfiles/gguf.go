package badfiles

import (
	"bytes"
	"strings"

	"github.com/skainet-dev/skainet-go/errs"
)

// Types of GGUF values.
const (
	ggufU16    = 2
	ggufU32    = 4
	ggufI32    = 5
	ggufF32    = 6
	ggufBool   = 7
	ggufString = 8
	ggufArray  = 9
	ggufU64    = 10
)

// ggufFile builds a GGUF file, and records offsets: the length of a
// key at "k KEY", the type of its value at "t KEY", the value at "v KEY"; of a
// tensor the length of its name at "n NAME", the number of dimensions at
// "d NAME", its first size at "s NAME", its type at "t NAME" and its offset at
// "o NAME"; the data at "data".
type ggufFile struct {
	le
	places map[string]int64
}

func (g *ggufFile) mark(place string) { g.places[place] = g.at() }

func ggufHead(version uint32, tensors, keys uint64) *ggufFile {
	g := &ggufFile{places: map[string]int64{}}
	g.raw([]byte("GGUF")...).u32(version).u64(tensors, keys)
	return g
}

// text appends a string of the format, which differs from le.str.
func (g *ggufFile) text(s string) *ggufFile {
	g.u64(uint64(len(s))).raw([]byte(s)...)
	return g
}

// of appends the head of an array inside an array.
func (g *ggufFile) of(elem uint32, n uint64) *ggufFile {
	g.u32(elem).u64(n)
	return g
}

// key starts a pair; the value must follow.
func (g *ggufFile) key(key string, typ uint32) *ggufFile {
	g.mark("k " + key)
	g.text(key)
	g.mark("t " + key)
	g.u32(typ)
	g.mark("v " + key)
	return g
}

// number is a pair of 4 bytes.
func (g *ggufFile) number(key string, typ, v uint32) *ggufFile {
	g.key(key, typ).u32(v)
	return g
}

func (g *ggufFile) array(key string, elem uint32, n uint64) *ggufFile {
	g.key(key, ggufArray).u32(elem).u64(n)
	return g
}

// info is a row of the table of tensors.
func (g *ggufFile) info(name string, typ uint32, offset uint64, sizes ...uint64) *ggufFile {
	g.mark("n " + name)
	g.text(name)
	g.mark("d " + name)
	g.u32(uint32(len(sizes)))
	g.mark("s " + name)
	g.u64(sizes...)
	g.mark("t " + name)
	g.u32(typ)
	g.mark("o " + name)
	g.u64(offset)
	return g
}

// data pads to the alignment and adds n bytes of data.
func (g *ggufFile) data(alignment, n int) []byte {
	g.zeros((alignment - len(g.b)%alignment) % alignment)
	g.mark("data")
	return g.raw(bytes.Repeat([]byte{7}, n)...).b
}

func ggufGood() *ggufFile { return ggufSound(false) }

func ggufSound(nested bool) *ggufFile {
	pairs := uint64(6)
	if nested {
		pairs++
	}
	g := ggufHead(3, 4, pairs)
	g.key("general.architecture", ggufString).text("test")
	g.number("general.alignment", ggufU32, 32)
	g.key("test.flag", ggufBool).u8(1)
	g.array("test.flags", ggufBool, 2).raw(0, 1)
	g.array("test.sizes", ggufF32, 2).zeros(8)
	g.array("tokenizer.ggml.tokens", ggufString, 2).text("a").text("\xff")
	if nested {
		g.array("test.nested", ggufArray, 2).of(ggufString, 1).text("x").of(ggufU16, 1).u16(9)
	}
	g.info("a", 0, 0, 4).info("q", 2, 32, 32, 2).info("s", 26, 96).info("z", 1, 128, 0, 3)
	g.data(32, 16)
	g.zeros(16).raw(bytes.Repeat([]byte{8}, 36)...).zeros(28).raw(1, 2, 3, 4).zeros(28)
	return g
}

// GGUFGood is a well-formed GGUF file, the base of the bad ones: tensors "a"
// (f32[4]), "q" (Q4_0, 2x32), "s" (an i32) and "z" (f16, 3x0).
func GGUFGood() []byte { return ggufGood().b }

// GGUFNested returns GGUFGood with a key more, an array of arrays, which ggml refuses.
func GGUFNested() []byte { return ggufSound(true).b }

// ggufCases gathers cases, most of which change a few bytes of the good file.
type ggufCases struct {
	good  []byte
	at    map[string]int64
	cases []Case
}

func (c *ggufCases) add(name string, data []byte, code string, offset int64) {
	c.cases = append(c.cases, Case{name, data, errs.Code("GGUF_" + code), offset})
}

// patch writes b at a position of the good file, which is the offset of the error.
func (c *ggufCases) patch(name, place, code string, b ...byte) {
	c.add(name, patched(c.good, c.at[place], b...), code, c.at[place])
}

func (c *ggufCases) patch64(name, place, code string, v uint64) {
	c.add(name, patched64(c.good, c.at[place], v), code, c.at[place])
}

// cut truncates the good file d bytes after a position, so that too few bytes are left.
func (c *ggufCases) cut(name, place string, d, offset int64) {
	c.add(name, c.good[:c.at[place]+d], "TRUNCATED", c.at[place]+offset)
}

// pair is a file of one pair, made by f, and no tensor; the error is at a position.
func (c *ggufCases) pair(name, code, place string, f func(g *ggufFile)) {
	g := ggufHead(3, 0, 1)
	f(g)
	c.add(name, g.b, code, g.places[place])
}

// tensor is a file of one row of the table and 32 bytes of data.
func (c *ggufCases) tensor(name, code, place string, typ uint32, sizes ...uint64) {
	g := ggufHead(3, 1, 0)
	g.info("w", typ, 0, sizes...)
	c.add(name, g.data(32, 32), code, g.places[place])
}

// GGUF is the corpus of malformed GGUF files. IREE's reader accepts several of
// them, and ggml's once aborted or overran on others.
func GGUF() []Case {
	g := ggufGood()
	c := &ggufCases{good: g.b, at: g.places}
	c.header()
	c.keys()
	c.values()
	c.alignments()
	c.tensors()
	c.offsets()
	c.borders()
	c.splits()
	return c.cases
}

func (c *ggufCases) header() {
	good := c.good
	c.add("header_empty", nil, "TRUNCATED", 0)
	c.add("header_cut_in_magic", good[:3], "TRUNCATED", 0)
	c.add("header_magic", patched(good, 0, 'X'), "BAD_MAGIC", 0)
	c.add("header_magic_reversed", patched(good, 0, 'F', 'U', 'G', 'G'), "BAD_MAGIC", 0)
	c.add("header_no_version", good[:6], "TRUNCATED", 4)
	c.add("header_version_0", patched(good, 4, 0), "BAD_VERSION", 4)
	c.add("header_version_1", patched(good, 4, 1), "BAD_VERSION", 4)
	c.add("header_version_4", patched(good, 4, 4), "BAD_VERSION", 4)
	c.add("header_version_1_big_endian", patched(good, 4, 0, 0, 0, 1), "BAD_VERSION", 4)
	c.add("header_no_counts", good[:23], "TRUNCATED", 8)
	c.add("header_tensors_max", patched64(good, 8, 1<<64-1), "LIMIT", 8)
	c.add("header_tensors_lie", patched64(good, 8, 60000), "TRUNCATED", 8)
	c.add("header_keys_2_60", patched64(good, 16, 1<<60), "LIMIT", 16)
	c.add("header_keys_lie", patched64(good, 16, 60000), "TRUNCATED", 16)
	// The counts of a little-endian file, read as a big-endian one.
	c.add("header_version_big_rest_little", patched(good, 4, 0, 0, 0, 3), "LIMIT", 8)
}

func (c *ggufCases) keys() {
	const arch, flag = "general.architecture", "test.flag"
	c.add("key_cut_in_length", ggufHead(3, 0, 1).zeros(14).b[:24+7], "TRUNCATED", 16)
	c.patch64("key_length_lies", "k "+flag, "TRUNCATED", 1<<20)
	c.patch64("key_length_max", "k "+flag, "TRUNCATED", 1<<64-1)
	c.cut("key_cut", "k "+arch, 12, 0)
	c.cases[len(c.cases)-1].Offset = 8 // the counts claim more than that
	c.pair("key_long", "LIMIT", "k "+strings.Repeat("k", 1<<16), func(g *ggufFile) { g.number(strings.Repeat("k", 1<<16), ggufU32, 1) })
	c.pair("key_empty", "BAD_KEY", "k ", func(g *ggufFile) { g.number("", ggufU32, 1) })
	c.pair("key_not_utf8", "BAD_KEY", "k a\xff", func(g *ggufFile) { g.number("a\xff", ggufU32, 1) })
	c.pair("key_nul", "BAD_KEY", "k a\x00", func(g *ggufFile) { g.number("a\x00", ggufU32, 1) })
	twice := ggufHead(3, 0, 2).number("a.b", ggufU32, 1).number("a.b", ggufF32, 2)
	c.add("key_twice", twice.b, "DUPLICATE_KEY", twice.places["k a.b"])
	c.add("key_no_type", ggufHead(3, 0, 1).text("abcdef").b, "TRUNCATED", 24+14)
	c.patch("key_type_13", "t "+flag, "BAD_TYPE", 13)
	c.patch("key_type_max", "t "+flag, "BAD_TYPE", 0xff, 0xff, 0xff, 0xff)
}

func (c *ggufCases) values() {
	const at = 24 + 11 + 4 // of the value of a key of three letters
	c.add("value_u64_cut", ggufHead(3, 0, 1).key("a.b", ggufU64).u32(1).b, "TRUNCATED", at)
	c.add("value_string_cut", ggufHead(3, 0, 1).key("a.b", ggufString).u64(9).b, "TRUNCATED", at)
	c.patch64("value_string_lies", "v general.architecture", "TRUNCATED", 1<<40)
	c.patch64("value_string_max", "v general.architecture", "TRUNCATED", 1<<64-1)
	c.add("value_string_not_utf8", patched(c.good, c.at["v general.architecture"]+8, 0xc0), "BAD_VALUE", c.at["v general.architecture"]+8)
	c.patch("value_bool_2", "v test.flag", "BAD_VALUE", 2)
	c.add("value_bool_of_array_255", patched(c.good, c.at["v test.flags"]+13, 255), "BAD_VALUE", c.at["v test.flags"]+13)

	array := func(elem uint32, n uint64) *ggufFile { return ggufHead(3, 0, 1).array("a.b", elem, n) }
	c.add("array_no_length", ggufHead(3, 0, 1).key("a.b", ggufArray).u32(ggufU32).b, "TRUNCATED", at+4)
	c.patch("array_type_13", "v test.sizes", "BAD_TYPE", 13)
	c.add("array_length_lies", array(ggufU32, 1<<20).zeros(64).b, "TRUNCATED", at+4)
	c.add("array_length_max", array(ggufU32, 1<<64-1).zeros(64).b, "TRUNCATED", at+4)
	// 2^62 elements of 4 bytes: the product wraps to 0.
	c.add("array_length_wraps", array(ggufU32, 1<<62).zeros(64).b, "TRUNCATED", at+4)
	c.add("array_strings_lie", array(ggufString, 1<<30).zeros(64).b, "TRUNCATED", at+4)
	c.add("array_string_cut", array(ggufString, 2).text("x").u64(1).b[:at+12+9+8], "TRUNCATED", at+12+9)
	c.add("array_string_max", array(ggufString, 2).text("x").u64(1<<64-8).b, "TRUNCATED", at+12+9)
	c.add("array_string_missing", array(ggufString, 2).text("12345678").b, "TRUNCATED", at+12+16)
	c.add("array_three_deep", array(ggufArray, 1).u32(ggufArray).u64(1).u32(ggufU32).u64(1).u32(1).b, "LIMIT", at+12)
	deep := array(ggufArray, 1)
	for range 1000 {
		deep.u32(ggufArray).u64(1)
	}
	c.add("array_thousand_deep", deep.b, "LIMIT", at+12)
	c.add("array_nested_lies", array(ggufArray, 1).u32(ggufU32).u64(1<<61).zeros(8).b, "TRUNCATED", at+16)
	c.add("array_nested_count", array(ggufArray, 1<<40).u32(ggufU32).u64(1).u32(1).b, "TRUNCATED", at+4)

	known := func(name, key string, f func(g *ggufFile)) { c.pair(name, "WRONG_TYPE", "t "+key, f) }
	known("known_architecture_u32", "general.architecture", func(g *ggufFile) { g.number("general.architecture", ggufU32, 1) })
	known("known_file_type_f32", "general.file_type", func(g *ggufFile) { g.number("general.file_type", ggufF32, 1) })
	known("known_tokens_string", "tokenizer.ggml.tokens", func(g *ggufFile) { g.key("tokenizer.ggml.tokens", ggufString).text("a") })
	known("known_tokens_of_u32", "tokenizer.ggml.tokens", func(g *ggufFile) { g.array("tokenizer.ggml.tokens", ggufU32, 1).u32(1) })
	known("known_token_id_i32", "tokenizer.ggml.bos_token_id", func(g *ggufFile) { g.number("tokenizer.ggml.bos_token_id", ggufI32, 1) })
	scores := ggufHead(3, 0, 2).array("tokenizer.ggml.tokens", ggufString, 2).text("a").text("b")
	scores.array("tokenizer.ggml.scores", ggufF32, 1).u32(0)
	c.add("known_scores_of_other_length", scores.b, "BAD_VALUE", scores.places["t tokenizer.ggml.scores"])
}

func (c *ggufCases) alignments() {
	const key = "general.alignment"
	for _, a := range []struct {
		name string
		v    uint32
	}{{"0", 0}, {"1", 1}, {"3", 3}, {"13", 13}, {"48", 48}, {"2_21", 1 << 21}, {"2_30", 1 << 30}, {"max", 1<<32 - 1}} {
		c.pair("alignment_"+a.name, "BAD_ALIGNMENT", "v "+key, func(g *ggufFile) { g.number(key, ggufU32, a.v) })
	}
	c.pair("alignment_i32", "WRONG_TYPE", "t "+key, func(g *ggufFile) { g.number(key, ggufI32, 32) })
	c.pair("alignment_u64", "WRONG_TYPE", "t "+key, func(g *ggufFile) { g.key(key, ggufU64).u64(32) })
	c.pair("alignment_string", "WRONG_TYPE", "t "+key, func(g *ggufFile) { g.key(key, ggufString).text("32") })
	c.pair("alignment_array", "WRONG_TYPE", "t "+key, func(g *ggufFile) { g.array(key, ggufU32, 1).u32(32) })
}
