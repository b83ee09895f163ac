// Package quant names the encodings of stored tensors, and unpacks and packs
// those that store elements in blocks.
//
// An encoding says how logical elements lie in bytes. Dense is one element
// after another in the tensor's own element type. A block encoding stores a
// fixed number of elements, all of logical type f32, in a fixed number of bytes;
// All lists them with their layouts. An opaque encoding is one that a file names
// and this package does not know: its bytes are kept as they are and never
// computed with.
//
// Unpack and Pack work on any number of whole blocks and allocate nothing, so a
// caller that streams a large tensor calls them again and again with the same
// slices. Some of SKaiNET's encodings store something for a whole tensor, or for
// each row: Whole says which, and the latter need SizeRows, UnpackRows and
// PackRows, which are given the length of a row and know all encodings.
//
// # Errors
//
// Parse, and every function that is given an encoding, gives ENCODING_UNKNOWN
// for a name outside the table. QUANT_BAD_LENGTH is a number of elements that is
// no multiple of the block, slices whose lengths do not belong together, or a
// size above 2^63. QUANT_DENSE and QUANT_OPAQUE mean that the encoding has no
// blocks: the size of dense elements follows from their type, that of opaque
// bytes only from the file. QUANT_NO_PACKER is a block encoding that cannot be
// written. QUANT_BAD_VALUE is an element that the encoding cannot hold: NaN, an
// infinity, or one so large that its block's scale overflows. QUANT_NEEDS_ROWS
// is an encoding that needs the length of a row where it is not given.
// QUANT_PLANAR is Unpack or Pack of rows with their fields apart, which Join and
// Split bring together and take apart.
//
// # Determinism
//
// The table is fixed. Unpacked values are the same bits on every host: each is
// the result of the float32 operations that its layout names, never fused. Only
// which NaN a NaN is may differ.
//
// # Untrusted input
//
// Any bytes unpack to something: scales that are infinite or NaN give infinite
// or NaN elements, and indexes that a block holds are in range by their width.
// No length is taken from the bytes.
package quant

import (
	"strings"

	"github.com/skainet-dev/skainet-go/errs"
)

// Codes of this package.
const (
	// CodeUnknown is the code of an encoding outside the table.
	CodeUnknown errs.Code = "ENCODING_UNKNOWN"
	// CodeBadLength is a length that does not fit the encoding's blocks.
	CodeBadLength errs.Code = "QUANT_BAD_LENGTH"
	// CodeDense is block arithmetic asked of dense elements.
	CodeDense errs.Code = "QUANT_DENSE"
	// CodeOpaque is arithmetic asked of bytes whose layout is unknown.
	CodeOpaque errs.Code = "QUANT_OPAQUE"
	// CodeNoPacker is a block encoding that can be read but not written.
	CodeNoPacker errs.Code = "QUANT_NO_PACKER"
	// CodeBadValue is an element that the encoding cannot hold.
	CodeBadValue errs.Code = "QUANT_BAD_VALUE"
)

// Encoding names a layout. The zero value is NotCarried.
type Encoding string

const (
	// NotCarried is the state of a tensor of which nothing says how it is stored, such
	// as a value of a graph. Where its bytes are read, they are dense.
	NotCarried Encoding = ""
	// Dense stores elements in row-major order without gaps.
	Dense Encoding = "dense"
)

const opaquePrefix = "opaque/"

// Opaque returns the encoding of bytes whose layout is unknown. name is what the
// file calls it; an empty name becomes "unnamed".
func Opaque(name string) Encoding {
	if name == "" {
		name = "unnamed"
	}
	return Encoding(opaquePrefix + name)
}

// IsOpaque reports whether the layout is unknown.
func (e Encoding) IsOpaque() bool { return strings.HasPrefix(string(e), opaquePrefix) }

// IsDense reports whether elements lie in row-major order without gaps: e is Dense, or
// NotCarried.
func (e Encoding) IsDense() bool { return e == Dense || e == NotCarried }

// Stored returns how a file that may leave out Dense stores a tensor: e, or Dense for NotCarried.
func (e Encoding) Stored() Encoding {
	if e == NotCarried {
		return Dense
	}
	return e
}

// String returns the name as contracts and attributes spell it; that of NotCarried is
// empty.
func (e Encoding) String() string { return string(e) }

// Parse finds an encoding by name: nothing (NotCarried), "dense", a block encoding of the
// table as ggml spells it, one followed by "/planar", one of SKaiNET's as its
// sources spell it, followed by its parameters where it has some, such as
// "TurboQuantPolar(bits=4,block=128)", or "opaque/" and any name.
func Parse(name string) (Encoding, error) {
	e := Encoding(name)
	if e.IsDense() {
		return e, nil
	}
	if _, ok := e.Block(); ok || e.scalesRows() || e.IsOpaque() && len(name) > len(opaquePrefix) {
		return e, nil
	}
	if _, ok := e.Blocks(); ok {
		return e, nil
	}
	return NotCarried, e.unknown()
}

func (e Encoding) unknown() error {
	return errs.New(CodeUnknown, "no tensor encoding is named %q", string(e)).
		Hint("use %s, %sNAME or one of %s", Dense, opaquePrefix, strings.Join(names, ", "))
}

// MarshalText returns the name.
func (e Encoding) MarshalText() ([]byte, error) { return []byte(e.String()), nil }

// UnmarshalText parses the name.
func (e *Encoding) UnmarshalText(text []byte) error {
	v, err := Parse(string(text))
	if err != nil {
		return err
	}
	*e = v
	return nil
}
