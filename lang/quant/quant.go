// Package quant names the encodings of stored tensors.
//
// An encoding says how logical elements lie in bytes. Dense is one element
// after another in the tensor's own element type. Packed block encodings are
// entries of the same table, so a reader meets one kind of value everywhere.
//
// # Errors
//
// Parse gives ENCODING_UNKNOWN; a stored size that does not fit its encoding is
// the caller's error to report, since only the caller knows the place.
//
// # Determinism
//
// The table is fixed.
package quant

import "github.com/skainet-dev/skainet-go/internal/errs"

// CodeUnknown is the code of an encoding outside the table.
const CodeUnknown errs.Code = "ENCODING_UNKNOWN"

// Encoding names a layout. The zero value is Dense.
type Encoding string

// Dense stores elements in row-major order without gaps.
const Dense Encoding = ""

// String gives the name as contracts and attributes spell it.
func (e Encoding) String() string {
	if e == Dense {
		return "dense"
	}
	return string(e)
}

// Parse finds an encoding by name.
func Parse(name string) (Encoding, error) {
	if name == "dense" || name == "" {
		return Dense, nil
	}
	return Dense, errs.New(CodeUnknown, "no tensor encoding is named %q", name).
		Hint("use dense")
}

// MarshalText gives the name.
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
