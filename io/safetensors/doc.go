// Package safetensors reads and writes safetensors, the weight files of Hugging
// Face: single files, and sets of files behind an index.
//
// # Format
//
// A u64 (little endian, as all numbers are), that many bytes of JSON, and the
// tensors:
//
//	{"__metadata__": {"format": "pt"},
//	 "w": {"dtype": "F32", "shape": [2, 3], "data_offsets": [0, 24]}}
//
// Offsets count from the end of the JSON text, which spaces may follow. The
// ranges of the tensors tile the rest of the file: no hole, no byte twice, no
// byte left over. The element types are those of version 0.8 of the reference
// implementation, the crate safetensors, and so is the order of the tensors that
// Write gives. Any other type is kept as the encoding opaque/TYPE; Verify alone
// calls it a fault. The types of 4 and 6 bits are packed without gaps and must
// fill whole bytes. Neither the start of the data nor a tensor need be aligned.
//
// A set is a JSON file, usually model.safetensors.index.json, that maps each
// tensor to a file in the same folder, a shard:
//
//	{"metadata": {"total_size": 24},
//	 "weight_map": {"w": "model-00001-of-00001.safetensors"}}
//
// Open reads both and tells them apart by content.
//
// # Strictness
//
// JSON is read strictly by RFC 8259: no duplicate names in an object,
// at any depth; only UTF-8, and no unpaired surrogate in an escape; no
// unknown field; integers without fraction or exponent; only spaces
// after the header. Names of tensors are not empty and hold no NUL. An index
// must name every tensor of its shards, in the shard where it is; a shard's name
// holds neither a separator nor a colon; total_size, if present, must be
// the sum of all tensors.
//
// # Errors
//
// Of the reader, with the byte offset of the field at fault:
// SAFETENSORS_TRUNCATED, SAFETENSORS_LIMIT, SAFETENSORS_BAD_HEADER,
// SAFETENSORS_BAD_JSON, SAFETENSORS_BAD_TYPE (of a JSON value),
// SAFETENSORS_BAD_NUMBER, SAFETENSORS_UNKNOWN_FIELD, SAFETENSORS_MISSING_FIELD,
// SAFETENSORS_DUPLICATE_KEY, SAFETENSORS_BAD_NAME, SAFETENSORS_DUPLICATE_NAME,
// SAFETENSORS_OVERFLOW, SAFETENSORS_BAD_OFFSETS, SAFETENSORS_BAD_LENGTH,
// SAFETENSORS_OVERLAP, SAFETENSORS_HOLE, SAFETENSORS_TRAILING_BYTES; of an
// index also SAFETENSORS_BAD_SHARD, SAFETENSORS_MISSING_SHARD,
// SAFETENSORS_NOT_IN_SHARD, SAFETENSORS_NOT_IN_INDEX, SAFETENSORS_BAD_TOTAL; of
// Verify also SAFETENSORS_UNKNOWN_DTYPE. Of an open file:
// SAFETENSORS_MISSING_TENSOR. Of the writer, beside those that a reader would
// give for its output: SAFETENSORS_NO_DTYPE, SAFETENSORS_BAD_OPTION.
//
// # Untrusted input
//
// A header has at most 100,000,000 bytes, the reference's limit, and so has an
// index; the claim is compared with the limit, then with the file, before
// anything is read. A file has at most 1,048,576 tensors, a name and a key at
// most 1024 bytes, a tensor at most 32 dimensions and 2^63 elements, a set at
// most 4096 shards. Memory grows with what was read, never with what is
// claimed. JSON is read token by token: a value nested deeper than the format
// allows is refused at its first byte, and skipped by Verify to a depth of
// 10,000. Whether a text is an index is found in its first 16 MiB.
//
// # Determinism
//
// What is written depends only on the items, the metadata and the limit of a
// shard; in a single file the order of the items does not matter.
package safetensors

import "github.com/skainet-dev/skainet-go/errs"

// Codes of this package.
const (
	CodeTruncated     errs.Code = "SAFETENSORS_TRUNCATED"
	CodeLimit         errs.Code = "SAFETENSORS_LIMIT"
	CodeHeader        errs.Code = "SAFETENSORS_BAD_HEADER"
	CodeJSON          errs.Code = "SAFETENSORS_BAD_JSON"
	CodeType          errs.Code = "SAFETENSORS_BAD_TYPE"
	CodeNumber        errs.Code = "SAFETENSORS_BAD_NUMBER"
	CodeUnknownField  errs.Code = "SAFETENSORS_UNKNOWN_FIELD"
	CodeMissingField  errs.Code = "SAFETENSORS_MISSING_FIELD"
	CodeDuplicateKey  errs.Code = "SAFETENSORS_DUPLICATE_KEY"
	CodeName          errs.Code = "SAFETENSORS_BAD_NAME"
	CodeDuplicateName errs.Code = "SAFETENSORS_DUPLICATE_NAME"
	CodeOverflow      errs.Code = "SAFETENSORS_OVERFLOW"
	CodeOffsets       errs.Code = "SAFETENSORS_BAD_OFFSETS"
	CodeLength        errs.Code = "SAFETENSORS_BAD_LENGTH"
	CodeOverlap       errs.Code = "SAFETENSORS_OVERLAP"
	CodeHole          errs.Code = "SAFETENSORS_HOLE"
	CodeTrailing      errs.Code = "SAFETENSORS_TRAILING_BYTES"
	CodeShard         errs.Code = "SAFETENSORS_BAD_SHARD"
	CodeMissingShard  errs.Code = "SAFETENSORS_MISSING_SHARD"
	CodeNotInShard    errs.Code = "SAFETENSORS_NOT_IN_SHARD"
	CodeNotInIndex    errs.Code = "SAFETENSORS_NOT_IN_INDEX"
	CodeTotal         errs.Code = "SAFETENSORS_BAD_TOTAL"
	CodeUnknownDType  errs.Code = "SAFETENSORS_UNKNOWN_DTYPE"
	CodeMissingTensor errs.Code = "SAFETENSORS_MISSING_TENSOR"
	CodeNoDType       errs.Code = "SAFETENSORS_NO_DTYPE"
	CodeOption        errs.Code = "SAFETENSORS_BAD_OPTION"
)

// Format is the name of the format in an index.
const Format = "safetensors"

// Limits of a file and of an index; see Untrusted input.
const (
	MaxHeader  = 100_000_000
	MaxTensors = 1 << 20
	MaxName    = 1 << 10
	MaxRank    = 32
	MaxShards  = 1 << 12
)

const (
	lengthSize  = 8  // of the length of the header
	dataAlign   = 64 // of the data that Write writes
	metadataKey = "__metadata__"
)

func fail(code errs.Code, at int64, what string, args ...any) *errs.Error {
	return errs.New(code, what, args...).At(at)
}
