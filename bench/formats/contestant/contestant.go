// Package contestant is the measured side of the benchmark of formats: a program that
// performs requests and reports their cost. Contestants in other languages use the
// same protocol.
//
// # Protocol
//
// Lines of JSON. The contestant writes a Ready, then for each Request that it reads
// an Answer. It ends with its input. A fault goes to the standard error, with an
// exit status that is not 0.
//
// # Errors
//
// SUBJECT_PROTOCOL if a line cannot be read or written.
//
// # Determinism
//
// None: figures are measured.
package contestant

import (
	"io"

	"github.com/skainet-dev/skainet-go/bench/harness"
	"github.com/skainet-dev/skainet-go/errs"
)

// CodeProtocol is the code of a broken line between benchmark and contestant.
const CodeProtocol errs.Code = "SUBJECT_PROTOCOL"

// Ready reports that a contestant runs.
type Ready struct {
	Version string `json:"version"` // what is measured
}

// What a contestant can be asked to do.
const (
	Open   = "open"   // open a GGUF file, list its tensors, close it
	Unpack = "unpack" // unpack a file of blocks into float32, repeatedly
)

// Request asks for one task.
type Request struct {
	Do       string `json:"do"`
	Path     string `json:"path"`
	Type     string `json:"type,omitempty"`     // as ggml spells it, of Unpack
	Elements int64  `json:"elements,omitempty"` // of Unpack
}

// Answer is the cost and the result.
type Answer struct {
	// Seconds are elapsed time for Open, and for Unpack CPU time of one pass.
	Seconds float64 `json:"seconds"`
	Tensors int     `json:"tensors"` // of Open
	// Sum is the SHA-256 in hexadecimal of a listing, a line "name number
	// offset" for each tensor, or of the elements in little endian.
	Sum string `json:"sum"`
}

// Least is the minimum CPU seconds for which a contestant unpacks before it computes the
// mean.
const Least = 0.02

// Serve is the main loop of a contestant in Go.
func Serve(in io.Reader, out io.Writer, ready Ready, do func(Request) (Answer, error)) error {
	return harness.Serve(in, out, CodeProtocol, ready, do)
}
