// Package ctranslate2 reads and writes model.bin files of CTranslate2, in which
// Whisper and other models are published for its runtime.
//
// # Format
//
// All integers are little endian, nothing is aligned, and nothing marks the
// file but its first number:
//
//	u32 binary version, string spec, u32 revision of the spec,
//	u32 n, n variables: string name, u8 rank, rank u32 sizes, u8 type, u32 bytes, data,
//	u32 n, n aliases: string name, string variable.
//
// A string is a u16 length, that many bytes of UTF-8, the last of them NUL.
// Binary versions 4, 5 and 6 (CTranslate2 1.10, 2.17 and 3.0) have this layout;
// they differ in how int8 weights were rounded and in what was put into files
// beside this one. Version 3 (CTranslate2 1.1) stores the width of an element instead
// of its type, and the number of elements instead of the number of bytes: 4
// bytes are read as f32, 2 as i16 and 1 as i8, which is how CTranslate2 reads
// them, though an i32 was stored the same way. Older versions, without aliases, and
// versions this package does not know are refused.
//
// A rank-0 integer is a setting of the model and goes to the index's scalars;
// every other variable is a tensor. As CTranslate2 does, an alias of a
// quantised weight also names its "_scale" and "_zero".
//
// # Errors
//
// CT2_BAD_VERSION, CT2_TRUNCATED, CT2_BAD_STRING, CT2_BAD_DTYPE, CT2_BAD_LENGTH
// (length and shape disagree), CT2_OVERFLOW (a shape whose product wraps),
// CT2_DUPLICATE_NAME, CT2_BAD_ALIAS (to nothing, or a cycle),
// CT2_TRAILING_BYTES, CT2_LIMIT, and CT2_MISSING_TENSOR from Tensor. All but
// the last carry the byte offset of the field at fault. Open stops at the first
// fault, Verify lists all of them. A file that is truncated while
// it is read is TENSOR_BAD_SIZE. The writer returns the errors that a reader would
// return for its output, and CT2_BAD_LENGTH if a source does not have the length
// that was declared.
//
// # Untrusted input
//
// A length field is compared with the size of the file before
// anything is allocated. A file has at most 65536 variables and 65536 aliases, a
// name at most 1024 bytes, a variable at most 8 dimensions.
//
// # Determinism
//
// The index depends only on the bytes of the file; Write and Encode give the same
// bytes for equal models.
package ctranslate2

import (
	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
)

// Codes of this package.
const (
	CodeVersion   errs.Code = "CT2_BAD_VERSION"
	CodeTruncated errs.Code = "CT2_TRUNCATED"
	CodeString    errs.Code = "CT2_BAD_STRING"
	CodeDType     errs.Code = "CT2_BAD_DTYPE"
	CodeLength    errs.Code = "CT2_BAD_LENGTH"
	CodeOverflow  errs.Code = "CT2_OVERFLOW"
	CodeDuplicate errs.Code = "CT2_DUPLICATE_NAME"
	CodeAlias     errs.Code = "CT2_BAD_ALIAS"
	CodeTrailing  errs.Code = "CT2_TRAILING_BYTES"
	CodeLimit     errs.Code = "CT2_LIMIT"
	CodeMissing   errs.Code = "CT2_MISSING_TENSOR"
)

// Format is the name of the format in an index.
const Format = "ctranslate2"

// Limits of a file; see Untrusted input.
const (
	MaxVariables = 1 << 16
	MaxAliases   = 1 << 16
	MaxName      = 1 << 10
	MaxRank      = 8
)

// The binary versions that are read, and the one that is written.
const (
	widthVersion = 3 // stores the widths of elements
	minVersion   = 3
	maxVersion   = 6
)

// widths gives the element types of version 3.
var widths = map[uint8]dtype.DType{1: dtype.I8, 2: dtype.I16, 4: dtype.F32}

// types is indexed by the type number of the format.
var types = [...]dtype.DType{dtype.F32, dtype.I8, dtype.I16, dtype.I32, dtype.F16, dtype.BF16}
