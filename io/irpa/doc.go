// Package irpa reads and writes IREE parameter archives (.irpa), from which
// compiled programs load their weights.
//
// # Format
//
// Little endian, version 0.0, one archive per file: a header of 88 bytes, a table
// of entries at byte 96, a metadata segment with the names, a storage segment.
// An entry is a datum with bytes in the storage segment, a splat (a pattern
// that fills a length), a reference to another file, or a gap to skip. Structs
// are packed; entries start at multiples of 16 bytes, data at multiples of 64,
// and the file is padded with zeros to a multiple of 4096. What Write writes is
// byte-equal to IREE's own tools for the same entries.
//
// Open is strict, also about ranges that wrap: what it accepts is safe to give to
// IREE's own reader, which checks less. That one does not read external entries.
//
// # Metadata
//
// The format keeps some bytes beside each name that IREE does not look at, and
// no element type and no shape: they are in the program's contract. Where a
// writer stores the result of Describe there, as in
//
//	{"skainet":1,"dtype":"f32","shape":[2,256],"encoding":"Q4_K"}
//
// the archive is self-describing. The text is compact, its
// fields in this order, and the stored length belongs to it. A File whose
// entries all have it has an Index. Metadata that does not begin like this is
// another program's and is left alone.
//
// # External entries
//
// An external entry names a range of another file. Its path is relative to the
// archive's folder and stays below it; any other path is read only through an
// option. The other file is opened when the entry is asked for, and closed with
// the archive.
//
// # Shards
//
// WriteShards spreads entries over archives NAME-00001-of-00003.irpa and so on,
// each a whole archive of at most a given length, and OutputsOf over a given number
// of them; OpenSet reads them as one.
//
// # Errors
//
// Of the reader, with the byte offset of the field at fault: IRPA_TRUNCATED,
// IRPA_BAD_MAGIC, IRPA_BAD_VERSION, IRPA_BAD_HEADER, IRPA_BAD_FLAGS,
// IRPA_LINKED (a second archive in the file), IRPA_BAD_RANGE (outside its
// segment, or wrapped), IRPA_OVERLAP, IRPA_BAD_ENTRY, IRPA_BAD_NAME,
// IRPA_DUPLICATE_NAME, IRPA_BAD_SPLAT, IRPA_BAD_ALIGNMENT, IRPA_BAD_PADDING,
// IRPA_BAD_METADATA (a description that is malformed or contradicts the entry),
// IRPA_LIMIT. Open stops at the first, Verify lists all. Of both reader and
// writer: IRPA_BAD_NAME, IRPA_DUPLICATE_NAME, IRPA_BAD_SPLAT, IRPA_BAD_METADATA,
// IRPA_LIMIT. Of the writer: IRPA_BAD_LENGTH where a source gives another
// number of bytes than promised. Of Tensor: IRPA_MISSING_KEY, IRPA_EXTERNAL (a
// path that is not followed or a file that cannot be opened), and
// IRPA_BAD_RANGE where the other file is too short. Of OpenSet: IRPA_BAD_SHARD.
//
// # Untrusted input
//
// Every range is checked against its segment, and every segment against the
// file, before use. An archive has at most 65536 entries, a name or a path at
// most 1024 bytes, all names together no more than the metadata segment, a
// description at most 1024 bytes and 8 dimensions, an alignment at most 1 MiB,
// padding at the end less than 1 MiB. A splat of more than 1 GiB is not expanded
// in memory, only streamed. A file that is cut short while it is read gives
// TENSOR_BAD_SIZE.
//
// # Determinism
//
// The bytes written depend only on the entries and their order.
package irpa

import "github.com/skainet-dev/skainet-go/errs"

// Codes of this package.
const (
	CodeTruncated errs.Code = "IRPA_TRUNCATED"
	CodeMagic     errs.Code = "IRPA_BAD_MAGIC"
	CodeVersion   errs.Code = "IRPA_BAD_VERSION"
	CodeHeader    errs.Code = "IRPA_BAD_HEADER"
	CodeFlags     errs.Code = "IRPA_BAD_FLAGS"
	CodeLinked    errs.Code = "IRPA_LINKED"
	CodeRange     errs.Code = "IRPA_BAD_RANGE"
	CodeOverlap   errs.Code = "IRPA_OVERLAP"
	CodeEntry     errs.Code = "IRPA_BAD_ENTRY"
	CodeName      errs.Code = "IRPA_BAD_NAME"
	CodeDuplicate errs.Code = "IRPA_DUPLICATE_NAME"
	CodeSplat     errs.Code = "IRPA_BAD_SPLAT"
	CodeAlignment errs.Code = "IRPA_BAD_ALIGNMENT"
	CodePadding   errs.Code = "IRPA_BAD_PADDING"
	CodeLimit     errs.Code = "IRPA_LIMIT"
	CodeLength    errs.Code = "IRPA_BAD_LENGTH"
	CodeMissing   errs.Code = "IRPA_MISSING_KEY"
	CodeExternal  errs.Code = "IRPA_EXTERNAL"
	CodeMetadata  errs.Code = "IRPA_BAD_METADATA"
	CodeShard     errs.Code = "IRPA_BAD_SHARD"
)

// Format is the name of the format.
const Format = "irpa"

// Limits of an archive; see Untrusted input.
const (
	MaxEntries   = 1 << 16
	MaxName      = 1 << 10
	MaxRank      = 8
	MaxAlignment = 1 << 20
	MaxExpand    = 1 << 30
)

// Layout of version 0.0; see the format's header in IREE's runtime,
// iree/schemas/parameter_archive.h.
const (
	magic = "IRPA"

	headerSize = 88
	tableStart = 96 // the header rounded up to entryAlign

	commonSize   = 60
	dataSize     = 76
	splatSize    = 85
	externalSize = 92

	entryAlign = 16
	dataAlign  = 64
	fileAlign  = 4096

	patternRoom = 16
)

// Type is the kind of an entry; the values are the format's.
type Type uint32

// The kinds of entry.
const (
	skip     Type = 0
	Splat    Type = 1
	Data     Type = 2
	External Type = 3
)

// String returns skip, splat, data or external.
func (t Type) String() string {
	names := [...]string{"skip", "splat", "data", "external"}
	if int(t) < len(names) {
		return names[t]
	}
	return "unknown"
}

// Sniff reports whether a file that begins with head is an archive.
func Sniff(head []byte) bool { return len(head) >= len(magic) && string(head[:len(magic)]) == magic }

// align rounds n up to a multiple of a, a power of two.
func align(n, a int64) int64 { return (n + a - 1) &^ (a - 1) }

// patternFits reports whether a splat's pattern has a length of the format and
// fills n bytes without a rest.
func patternFits(pattern int, n int64) bool {
	switch pattern {
	case 1, 2, 4, 8, 16:
		return n%int64(pattern) == 0
	}
	return false
}
