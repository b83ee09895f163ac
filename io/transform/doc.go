// Package transform changes how a tensor is stored while its bytes stream by:
// another width of its floats, dense floats out of blocks, blocks out of dense
// floats, blocks with their fields apart.
//
// # What is changed
//
// New takes the stored and the requested storage and finds the one way from
// the first to the second. Asking for f16 where the file has f32 asks for the
// rounding. So that no loss is silent, a
// Transform says what it is (Kind, Exact) and a run of it counts what
// overflowed, for reports. Between integers, or between integers and floats,
// there is no way: their meaning would be a guess. Nor is a type reinterpreted as
// another, but for elements that no program computes in: one that reads their codes has
// them one to a byte (dtype.DType.Codes).
//
//	Copy         the same storage, bytes as they are
//	Widen        to a float type that holds every value of the old one
//	Narrow       to one that does not; rounds to nearest even, once
//	Dequantise   blocks to floats
//	Quantise     floats to blocks, by the packer of tensor/quant
//	Requantise   blocks to other blocks: loses twice
//	Codes        integers and floats of 4 bits, and floats of 8, to their codes
//	Repack       the same blocks, row for row with their fields apart, or back
//
// # Errors
//
// Of New: PACK_TYPE_MISMATCH (there is no way), PACK_BAD_ROW (a row is not a whole
// number of blocks, or too long to repack), PACK_LENGTH (the file's bytes are
// not what its type takes). Of a stream, in place of its last chunk, with
// the tensor and the count: PACK_OVERFLOW (finite elements became infinite). QUANT_BAD_VALUE
// comes from a packer that meets NaN or an infinity, and TENSOR_BAD_SIZE from a
// file that was cut short.
//
// # Untrusted input
//
// A stream holds workers + 1 chunks of about 2^17 elements, each under 4 MiB
// with everything that it needs, whatever the size of the tensor. A row of more
// than 2^20 elements is not repacked, and a tensor of more than 2^26 is not
// unpacked from, or packed to, an encoding that stores something once for it,
// since these are changed at once.
//
// # Determinism
//
// The bytes depend on the tensor and the storage alone: chunks have a fixed
// size, and neither the number of workers nor the sizes of reads matter.
package transform

import "github.com/skainet-dev/skainet-go/errs"

// Codes of this package.
const (
	CodeType     errs.Code = "PACK_TYPE_MISMATCH"
	CodeRow      errs.Code = "PACK_BAD_ROW"
	CodeLength   errs.Code = "PACK_LENGTH"
	CodeOverflow errs.Code = "PACK_OVERFLOW"
)
