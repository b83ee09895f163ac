// Package gguf reads and writes GGUF, the weight files of ggml and llama.cpp.
//
// # Format
//
// Versions 2 and 3, of either byte order: the magic, the version, two counts,
// the metadata (a key, a type, a value), the table of tensors (a name, the sizes
// with the fastest first, a type number, an offset), padding up to the
// alignment, and the tensors in the table's order, each padded to the alignment.
// The specification is ggml's docs/gguf.md; where it is silent, ggml's own
// reader decides. A model may be split over files NAME-00001-of-00003.gguf; Open
// of any of them opens all.
//
// Shapes are given row major, so the slowest size comes first and the sizes of a
// row, which blocks divide, last. A type number outside the table is kept as the
// encoding opaque/ggml-N, whose bytes reach to the next tensor; Verify alone
// calls it a fault. Padding is not read by Open; Verify wants it to be zeros.
//
// The specification allows names and arrays that ggml's reader refuses, and so every
// program that is made with it: a tensor's name of more than 63 bytes (GGML_MAX_NAME),
// and an array of arrays. Open reads them, Verify calls them faults, and Write refuses
// them unless Options.BeyondGGML says otherwise.
//
// # Byte order
//
// A big-endian file is known by its version field. Numbers of the metadata and
// dense elements are decoded: a buffer of such a tensor swaps as it reads. I8,
// MXFP4 and NVFP4 have no order. In all other blocks, and in BF16, the order is
// not known: gguf-py's writer leaves arrays of bytes as they are, so that blocks
// made on a PC stay little endian, while ggml on a big-endian machine and
// gguf-py's converter swap the numbers inside. Such a tensor has the encoding
// opaque/big-endian-Q4_K, its bytes are kept, and arithmetic refuses it.
//
// # Errors
//
// Of the reader, with the byte offset of the field at fault: GGUF_TRUNCATED,
// GGUF_BAD_MAGIC, GGUF_BAD_VERSION, GGUF_LIMIT, GGUF_BAD_KEY,
// GGUF_DUPLICATE_KEY, GGUF_BAD_TYPE (of a value), GGUF_BAD_VALUE,
// GGUF_WRONG_TYPE (of a known key), GGUF_BAD_ALIGNMENT, GGUF_BAD_NAME,
// GGUF_DUPLICATE_NAME, GGUF_BAD_SHAPE, GGUF_OVERFLOW, GGUF_BAD_ROW,
// GGUF_REMOVED_TYPE, GGUF_BAD_OFFSET, GGUF_OVERLAP, GGUF_HOLE,
// GGUF_TRAILING_BYTES, GGUF_BAD_SPLIT, GGUF_MISSING_PART; of Verify also
// GGUF_UNKNOWN_TYPE, GGUF_BAD_PADDING and GGUF_BEYOND_GGML. Of an open file: GGUF_MISSING_KEY,
// GGUF_WRONG_TYPE, GGUF_MISSING_TENSOR, GGUF_BIG_ENDIAN. Of the writer, beside
// those that a reader would give for its output: GGUF_NO_TYPE, GGUF_RESERVED_KEY,
// GGUF_BAD_LENGTH, GGUF_BAD_OPTION, GGUF_BIG_ENDIAN, GGUF_BEYOND_GGML.
//
// # Untrusted input
//
// Counts and lengths are compared with the bytes that are left before anything
// is made from them, and arrays are stepped over, not decoded. A file has at
// most 65536 keys and 65536 tensors, a key at most 65535 bytes, a tensor's name
// 1024 (ggml itself takes 63), a string 16 MiB, an array 2^24 elements and, if it
// is of arrays, no third level, a tensor 4 dimensions and fewer than 2^63
// elements; the alignment is a power of two from 8 bytes to 1 MiB. Keys, names and string values are UTF-8
// and keys and names have no NUL; the strings of an array, such as tokens, may
// be any bytes.
//
// # Determinism
//
// What is written depends only on the pairs, the items, their order and the
// options.
package gguf

import "github.com/skainet-dev/skainet-go/errs"

// Codes of this package.
const (
	CodeTruncated     errs.Code = "GGUF_TRUNCATED"      // a count, a length or an offset reaches past the end of the file
	CodeMagic         errs.Code = "GGUF_BAD_MAGIC"      // the file does not begin with GGUF
	CodeVersion       errs.Code = "GGUF_BAD_VERSION"    // neither version 2 nor 3
	CodeLimit         errs.Code = "GGUF_LIMIT"          // more than a limit of this package
	CodeKey           errs.Code = "GGUF_BAD_KEY"        // a key that is empty, not UTF-8, or has a NUL
	CodeDuplicateKey  errs.Code = "GGUF_DUPLICATE_KEY"  // two pairs with one key
	CodeType          errs.Code = "GGUF_BAD_TYPE"       // a value type that the format does not have
	CodeValue         errs.Code = "GGUF_BAD_VALUE"      // a bool of 2, a string that is not UTF-8, one score for two tokens
	CodeWrongType     errs.Code = "GGUF_WRONG_TYPE"     // a value of another type than its key, or the caller, asks for
	CodeAlignment     errs.Code = "GGUF_BAD_ALIGNMENT"  // general.alignment is not a power of two, or out of range
	CodeName          errs.Code = "GGUF_BAD_NAME"       // a name that is empty, not UTF-8, or has a NUL
	CodeDuplicateName errs.Code = "GGUF_DUPLICATE_NAME" // two tensors with one name, in whatever parts
	CodeShape         errs.Code = "GGUF_BAD_SHAPE"      // more than 4 dimensions, or a size of 2^63 or more
	CodeOverflow      errs.Code = "GGUF_OVERFLOW"       // the elements or the bytes of a tensor are 2^63 or more
	CodeRow           errs.Code = "GGUF_BAD_ROW"        // a row that is not a whole number of blocks
	CodeUnknownType   errs.Code = "GGUF_UNKNOWN_TYPE"   // a tensor type that is not in the table, for Verify
	CodeRemovedType   errs.Code = "GGUF_REMOVED_TYPE"   // a tensor type that ggml has removed, such as Q4_2
	CodeOffset        errs.Code = "GGUF_BAD_OFFSET"     // an offset that is not a multiple of the alignment
	CodeOverlap       errs.Code = "GGUF_OVERLAP"        // a tensor that starts before the end of the one before
	CodeHole          errs.Code = "GGUF_HOLE"           // a tensor that starts past its place
	CodeTrailing      errs.Code = "GGUF_TRAILING_BYTES" // bytes after the padding of the last tensor
	CodePadding       errs.Code = "GGUF_BAD_PADDING"    // padding that is not zero, for Verify
	CodeSplit         errs.Code = "GGUF_BAD_SPLIT"      // parts, or their names, that do not fit together
	CodeMissingPart   errs.Code = "GGUF_MISSING_PART"   // a part of a split model that cannot be opened
	CodeMissingKey    errs.Code = "GGUF_MISSING_KEY"    // no value for a key that the caller requires
	CodeMissingTensor errs.Code = "GGUF_MISSING_TENSOR" // no tensor of this name
	CodeBigEndian     errs.Code = "GGUF_BIG_ENDIAN"     // bytes that lie big endian where little-endian ones are wanted, or the reverse
	CodeNoType        errs.Code = "GGUF_NO_TYPE"        // an element type or an encoding that GGUF has no number for
	CodeReserved      errs.Code = "GGUF_RESERVED_KEY"   // a pair to write whose key the writer sets
	CodeLength        errs.Code = "GGUF_BAD_LENGTH"     // a tensor to write whose bytes are not as many as its shape takes
	CodeOption        errs.Code = "GGUF_BAD_OPTION"     // options that cannot be followed
	CodeGGML          errs.Code = "GGUF_BEYOND_GGML"    // a tensor's name of 64 bytes, or an array of arrays, for Verify and the writer
)

// Format is the name of the format.
const Format = "gguf"

// Limits of a file; see Untrusted input.
const (
	MaxKeys      = 1 << 16
	MaxTensors   = 1 << 16
	MaxKey       = 1<<16 - 1
	MaxName      = 1 << 10
	MaxString    = 16 << 20
	MaxElements  = 1 << 24
	MaxDims      = 4
	MinAlignment = 8
	MaxAlignment = 1 << 20
	maxNesting   = 2 // an array of arrays

	ggmlName = 63 // bytes of a tensor's name in ggml, whose GGML_MAX_NAME counts a NUL
)

const (
	magic            = "GGUF"
	defaultAlignment = 32

	// The fewest bytes of a pair (a key of one byte and a one-byte value) and of
	// a row of the tensor table (a name of one byte, no sizes).
	minPair = 8 + 1 + 4 + 1
	minInfo = 8 + 1 + 4 + 4 + 8
)

// Keys that this package itself gives a meaning to.
const (
	keyAlignment    = "general.alignment"
	keySplitNo      = "split.no"
	keySplitCount   = "split.count"
	keySplitTensors = "split.tensors.count"
)

// Sniff reports whether a file that begins with head is GGUF.
func Sniff(head []byte) bool { return len(head) >= len(magic) && string(head[:len(magic)]) == magic }

// align rounds n up to a multiple of a, a power of two; n is a place in a file
// that exists or is planned, far below 2^63.
func align(n, a int64) int64 { return (n + a - 1) &^ (a - 1) }
