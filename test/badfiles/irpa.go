package badfiles

import (
	"bytes"
	"encoding/binary"
	"strings"

	"github.com/skainet-dev/skainet-go/errs"
)

// Offsets in the archive that IRPAGood returns.
const (
	irpaTable    = 96
	irpaW        = 96  // datum "w", 8 bytes
	irpaS        = 176 // splat "s", 8 bytes of a 4-byte pattern
	irpaX        = 272 // external "x" in "o.bin", bytes 16 to 20
	irpaE        = 368 // datum "e", 4 bytes
	irpaTableEnd = 444
	irpaMeta     = 444
	irpaMetaEnd  = 453
	irpaStorage  = 512
	irpaEnd      = 580
)

// entry appends the fields that all entries share.
func (l *le) entry(size uint64, typ uint32, name, align uint64) *le {
	return l.u64(size).u32(typ).u64(0, name, 1, 0, 0, align)
}

func (l *le) padTo(n int) *le { return l.zeros(n - len(l.b)) }

// IRPAGood is a well-formed archive with one entry of each kind, the base of
// the malformed ones.
func IRPAGood() []byte {
	l := new(le).raw([]byte("IRPA")...).u16(0).u16(0).u64(88, 0, 0, 4,
		irpaTable, irpaTableEnd-irpaTable, irpaMeta, irpaMetaEnd-irpaMeta, irpaStorage, irpaEnd-irpaStorage).padTo(irpaTable)
	l.entry(76, 2, 0, 64).u64(0, 8).padTo(irpaS)
	l.entry(85, 1, 1, 0).u64(8).raw(1, 2, 3, 4).zeros(12).u8(4).padTo(irpaX)
	l.entry(92, 3, 2, 0).u64(3, 5, 16, 4).padTo(irpaE)
	l.entry(76, 2, 8, 64).u64(64, 4)
	l.raw([]byte("wsxo.bine")...).padTo(irpaStorage)
	return l.raw(1, 2, 3, 4, 5, 6, 7, 8).padTo(irpaStorage+64).raw(9, 9, 9, 9).padTo(4096).b
}

// IRPAExternal is a well-formed archive whose one entry, "x", is bytes 16 to 20
// of the file that path names.
func IRPAExternal(path string) []byte {
	n := uint64(len(path))
	l := new(le).raw([]byte("IRPA")...).u32(0).u64(88, 0, 0, 1, irpaTable, 92, irpaTable+92, 1+n, irpaTable+92+1+n, 0).padTo(irpaTable)
	l.entry(92, 3, 0, 0).u64(1, n, 16, 4)
	return l.raw([]byte("x" + path)...).b
}

// IRPA is the corpus of malformed parameter archives. IREE's own reader accepts
// several of them.
func IRPA() []Case {
	good := IRPAGood()
	var cases []Case
	add := func(name string, data []byte, code string, offset int64) {
		cases = append(cases, Case{name, data, errs.Code("IRPA_" + code), offset})
	}
	// field replaces one 64-bit field, and the offset of the error is that field.
	field := func(name string, at int64, v uint64, code string) { add(name, patched64(good, at, v), code, at) }

	add("header_cut_in_magic", good[:3], "TRUNCATED", 3)
	add("header_cut", good[:87], "TRUNCATED", 87)
	add("header_magic", patched(good, 0, 'X'), "BAD_MAGIC", 0)
	add("header_version_major", patched(good, 4, 1), "BAD_VERSION", 4)
	add("header_version_minor", patched(good, 6, 1), "BAD_VERSION", 4)
	field("header_size", 8, 96, "BAD_HEADER")
	field("header_linked", 16, 4096, "LINKED")
	field("header_flags", 24, 1, "BAD_FLAGS")
	field("header_count_max", 32, 1<<63, "LIMIT")
	add("header_count_high", patched(good, 32, 5), "TRUNCATED", irpaTableEnd)
	add("header_count_low", patched(good, 32, 3), "BAD_ENTRY", irpaX+92)

	field("header_linked_to_itself", 16, 1, "LINKED")

	add("border_header", good[:88], "TRUNCATED", 40)
	add("border_first_entry", good[:irpaW+76], "TRUNCATED", 40)
	add("border_table", good[:irpaTableEnd], "TRUNCATED", 56)
	add("border_metadata", good[:irpaMetaEnd], "TRUNCATED", 72)
	add("border_first_datum", good[:irpaStorage+8], "TRUNCATED", 72)

	field("segment_table_outside", 40, 4096, "TRUNCATED")
	field("segment_table_in_header", 40, 16, "OVERLAP")
	field("segment_table_unaligned", 40, 92, "BAD_ALIGNMENT")
	field("segment_table_wraps", 40, 1<<64-16, "BAD_RANGE")
	field("segment_table_length", 48, 1<<40, "TRUNCATED")
	cases[len(cases)-1].Offset = 40
	add("segment_table_shorter", patched64(good, 48, 300), "TRUNCATED", irpaE)
	field("segment_meta_outside", 56, 1<<32, "TRUNCATED")
	// Here a reader that trusts the sum reads outside the file.
	add("segment_meta_wraps", patched64(patched64(good, 56, 1<<64-16), 64, 32), "BAD_RANGE", 56)
	field("segment_meta_on_table", 56, irpaTableEnd-1, "OVERLAP")
	field("segment_storage_wraps", 72, 1<<64-64, "BAD_RANGE")
	field("segment_storage_on_meta", 72, irpaMeta, "OVERLAP")
	add("segment_storage_cut", good[:irpaEnd-1], "TRUNCATED", 72)

	field("entry_size_padded", irpaW, 80, "BAD_ENTRY")
	field("entry_size_zero", irpaW, 0, "BAD_ENTRY")
	field("entry_size_max", irpaE, 1<<64-1, "BAD_ENTRY")
	add("entry_type_4", patched(good, irpaW+8, 4), "BAD_ENTRY", irpaW+8)
	add("entry_type_skip_size", patched(good, irpaW+8, 0), "BAD_ENTRY", irpaW)
	field("entry_flags", irpaW+12, 1<<40, "BAD_FLAGS")
	add("entry_padding", patched(good, irpaW+76, 1), "BAD_PADDING", irpaW+76)
	field("entry_alignment_3", irpaW+52, 3, "BAD_ALIGNMENT")
	field("entry_alignment_48", irpaW+52, 48, "BAD_ALIGNMENT")
	field("entry_alignment_huge", irpaW+52, 1<<30, "BAD_ALIGNMENT")
	field("entry_alignment_max", irpaW+52, 1<<64-1, "BAD_ALIGNMENT")

	field("name_outside", irpaW+20, 9, "BAD_RANGE")
	field("name_wraps", irpaW+20, 1<<64-1, "BAD_RANGE")
	add("name_empty", patched64(good, irpaW+28, 0), "BAD_NAME", irpaW+20)
	add("name_length", patched64(good, irpaW+28, 1<<62), "BAD_RANGE", irpaW+20)
	add("name_twice", patched(good, irpaMeta+8, 'w'), "DUPLICATE_NAME", irpaE+20)
	add("name_same_range", patched64(good, irpaE+20, 0), "DUPLICATE_NAME", irpaE+20)
	add("name_not_utf8", patched(good, irpaMeta, 0xff), "BAD_NAME", irpaW+20)
	add("name_nul", patched(good, irpaMeta, 0), "BAD_NAME", irpaW+20)
	add("name_long", longName(), "LIMIT", irpaTable+20)
	add("metadata_outside", patched64(good, irpaW+44, 10), "BAD_RANGE", irpaW+36)

	add("name_overlap", overlappingNames(), "OVERLAP", irpaTable+80+20)

	const dense = `{"skainet":1,"dtype":"f32","shape":[2],"encoding":"dense"}`
	for _, m := range [][2]string{
		{"version", strings.Replace(dense, "1", "2", 1)},
		{"cut", dense[:len(dense)-1]},
		{"no_fields", `{"skainet":1}`},
		{"space", strings.Replace(dense, ",", ", ", 1)},
		{"other_field", strings.Replace(dense, `}`, `,"x":1}`, 1)},
		{"field_twice", strings.Replace(dense, `}`, `,"dtype":"f32"}`, 1)},
		{"unknown_dtype", strings.Replace(dense, "f32", "f33", 1)},
		{"unknown_encoding", strings.Replace(dense, "dense", "Q9_Z", 1)},
		{"shape_disagrees", strings.Replace(dense, "[2]", "[3]", 1)},
		{"shape_negative", strings.Replace(dense, "[2]", "[-2]", 1)},
		{"shape_dynamic", strings.Replace(dense, "[2]", `["?"]`, 1)},
		{"shape_wraps", strings.Replace(dense, "[2]", "[4294967296,4294967296,2]", 1)},
		{"shape_zero", strings.Replace(dense, "[2]", "[2,0]", 1)},
		{"shape_huge", strings.Replace(dense, "[2]", "[9223372036854775807]", 1)},
		{"shape_string", strings.Replace(dense, "[2]", `"2"`, 1)},
		{"dtype_number", strings.Replace(dense, `"f32"`, "32", 1)},
		{"row_of_100", strings.Replace(strings.Replace(dense, "[2]", "[100]", 1), "dense", "Q4_K", 1)},
		{"shape_rank_9", strings.Replace(dense, "[2]", "[2,1,1,1,1,1,1,1,1]", 1)},
		{"block_disagrees", strings.Replace(dense, "dense", "Q4_K", 1)},
		{"deep", mark + strings.Repeat("[", 900)},
		{"not_utf8", strings.Replace(dense, "f32", "f\xff2", 1)},
	} {
		add("metadata_"+m[0], described(m[1]), "BAD_METADATA", irpaTable+36)
	}
	add("metadata_long", described(mark+strings.Repeat(" ", 1<<20)+"1}"), "LIMIT", irpaTable+36)

	field("data_offset_outside", irpaW+60, 128, "BAD_RANGE")
	add("data_length_outside", patched64(good, irpaW+68, 69), "BAD_RANGE", irpaW+60)
	field("data_wraps", irpaW+60, 1<<64-8, "BAD_RANGE")
	field("data_unaligned", irpaE+60, 60, "BAD_ALIGNMENT")
	add("data_overlap", patched64(good, irpaW+68, 65), "OVERLAP", irpaE+60)
	add("data_same_range", patched64(good, irpaE+60, 0), "OVERLAP", irpaE+60)

	add("splat_pattern_3", patched(good, irpaS+84, 3), "BAD_SPLAT", irpaS+60)
	add("splat_pattern_0", patched(good, irpaS+84, 0), "BAD_SPLAT", irpaS+60)
	add("splat_pattern_32", patched(good, irpaS+84, 32), "BAD_SPLAT", irpaS+60)
	add("splat_not_tiled", patched64(good, irpaS+60, 7), "BAD_SPLAT", irpaS+60)
	add("splat_length_max", patched64(good, irpaS+60, 1<<64-4), "BAD_RANGE", irpaS+60)
	add("splat_pattern_tail", patched(good, irpaS+72, 1), "BAD_SPLAT", irpaS+68)

	add("external_path_outside", patched64(good, irpaX+68, 100), "BAD_RANGE", irpaX+60)
	add("external_path_empty", patched64(good, irpaX+68, 0), "BAD_NAME", irpaX+60)
	add("external_wraps", patched64(good, irpaX+76, 1<<64-2), "BAD_RANGE", irpaX+76)

	add("end_not_zero", patched(good, irpaEnd, 7), "BAD_PADDING", irpaEnd)
	add("end_second_archive", append(bytes.Clone(good), good...), "BAD_PADDING", 4096)
	add("end_long_padding", append(bytes.Clone(good), make([]byte, 1<<20)...), "BAD_PADDING", irpaEnd)
	return cases
}

const mark = `{"skainet":`

// described is an archive whose one entry, a datum "w" of 8 bytes, has metadata.
func described(metadata string) []byte {
	n := uint64(len(metadata))
	storage := (irpaTable + 76 + 1 + n + 63) &^ 63
	l := new(le).raw([]byte("IRPA")...).u32(0).u64(88, 0, 0, 1, irpaTable, 76, irpaTable+76, 1+n, storage, 8).padTo(irpaTable)
	l.u64(76).u32(2).u64(0, 0, 1, 1, n, 64, 0, 8)
	return l.raw([]byte("w" + metadata)...).padTo(int(storage)).zeros(8).b
}

// overlappingNames is an archive whose names "ab" and "b" share a byte.
func overlappingNames() []byte {
	l := new(le).raw([]byte("IRPA")...).u32(0).u64(88, 0, 0, 2, irpaTable, 156, irpaTable+156, 2, irpaTable+158, 0).padTo(irpaTable)
	l.u64(76).u32(2).u64(0, 0, 2, 0, 0, 0, 0, 0).zeros(4)
	l.u64(76).u32(2).u64(0, 1, 1, 0, 0, 0, 0, 0)
	return l.raw('a', 'b').b
}

// longName is an archive whose one entry has a name of 1025 bytes.
func longName() []byte {
	const n = 1025
	l := new(le).raw([]byte("IRPA")...).u32(0).u64(88, 0, 0, 1, irpaTable, 76, irpaTable+76, n, irpaTable+76+n, 0).padTo(irpaTable)
	l.entry(76, 2, 0, 0).u64(0, 0)
	binary.LittleEndian.PutUint64(l.b[irpaTable+28:], n)
	return l.raw(bytes.Repeat([]byte{'n'}, n)...).b
}
