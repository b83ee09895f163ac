// Package errs holds the one error type of this repository.
//
// Every error a user can meet says what went wrong, where (a byte offset, a
// node path or a Bazel label) and what to do, and carries a stable code that
// scripts and tests may rely on. A code is an upper-case identifier that starts
// with its area: IRPA_TRUNCATED, HLO_UNSUPPORTED_DTYPE.
//
// # Errors
//
// This package never fails.
//
// # Determinism
//
// The text depends only on the fields.
package errs

import (
	"errors"
	"fmt"
	"strings"
	"sync/atomic"
	"unicode"
	"unicode/utf8"
)

// Code is the stable identifier of a class of faults.
type Code string

// Error is a coded error. All fields but Code and What may be empty. Texts that are
// quoted in it are kept short: see MaxQuoted.
type Error struct {
	Code Code   // stable identifier
	What string // what is wrong, with the values seen

	// The place. File is as the user named it, and Offset a byte in it, which is
	// meaningful where HasOffset. Node is the path of a node in a graph, of a field in a
	// document, a tensor's name or a Bazel label.
	File      string
	Offset    int64
	HasOffset bool
	Node      string
	// Source is the line of the Go file that asked for what is wrong, and what it called:
	// "mlp.go:16: Tensor.Softmax".
	Source string

	Do    string // the hint: what the user can do
	Cause error  // the error that led to this one, if any
}

var observer atomic.Pointer[func(Code)]

// Observe lets f see the code of each error that is made from now on, in
// whatever goroutine; nil ends it. It is for tests that count codes.
func Observe(f func(Code)) {
	if f == nil {
		observer.Store(nil)
		return
	}
	observer.Store(&f)
}

// New makes a coded error; args format what.
func New(code Code, what string, args ...any) *Error {
	if f := observer.Load(); f != nil {
		(*f)(code)
	}
	return &Error{Code: code, What: sprint(what, args)}
}

// Limits on what an error quotes, in bytes. A file may hold a name, a pattern or a
// place of any length, and a message is to be read: what is longer is cut.
const (
	MaxQuoted = 1000 // of one argument, of a node and of a file
	MaxPart   = 3000 // of What, of Do and of a cause that has no code
)

// sprint is fmt.Sprintf with short arguments.
func sprint(format string, args []any) string {
	short := args
	for i, a := range args {
		text, ok := a.(string)
		if !ok || len(text) <= MaxQuoted {
			continue
		}
		if &short[0] == &args[0] { // the caller's stay as they are
			short = append([]any(nil), args...)
		}
		short[i] = clip(text, MaxQuoted)
	}
	return clip(fmt.Sprintf(format, short...), MaxPart)
}

// clip cuts a text that is longer than most bytes, with a few at its end kept.
func clip(text string, most int) string {
	if len(text) <= most {
		return text
	}
	const end = 80
	head := strings.ToValidUTF8(text[:most-end-40], "")
	return fmt.Sprintf("%s ... (%d bytes) ... %s", head, len(text), strings.ToValidUTF8(text[len(text)-end:], ""))
}

// Wrap makes a coded error around cause.
func Wrap(code Code, cause error, what string, args ...any) *Error {
	e := New(code, what, args...)
	e.Cause = cause
	return e
}

// In sets the file.
func (e *Error) In(file string) *Error { e.File = file; return e }

// At sets the byte offset.
func (e *Error) At(offset int64) *Error { e.Offset, e.HasOffset = offset, true; return e }

// On sets the node path, field path or label.
func (e *Error) On(node string) *Error { e.Node = node; return e }

// From sets the line of the Go file that asked for what is wrong.
func (e *Error) From(source string) *Error { e.Source = source; return e }

// Hint sets what the user can do; args format do.
func (e *Error) Hint(do string, args ...any) *Error { e.Do = sprint(do, args); return e }

// Error returns "CODE: file: byte N: source: node: what: cause; hint", leaving out
// what is not set. It is one line of printable text whatever names came from a file:
// control characters and bytes that are not UTF-8 are escaped as \xNN.
func (e *Error) Error() string { return printable(e.text()) }

func printable(s string) string {
	clean := func(r rune) bool { return r == utf8.RuneError || r != ' ' && !unicode.IsPrint(r) }
	if strings.IndexFunc(s, clean) < 0 {
		return s
	}
	var b strings.Builder
	for i, r := range s {
		_, n := utf8.DecodeRuneInString(s[i:])
		if r == utf8.RuneError && n == 1 || r != ' ' && !unicode.IsPrint(r) {
			for _, c := range []byte(s[i : i+n]) {
				fmt.Fprintf(&b, "\\x%02x", c)
			}
			continue
		}
		b.WriteRune(r)
	}
	return b.String()
}

func (e *Error) text() string {
	var b strings.Builder
	b.WriteString(string(e.Code))
	if e.File != "" {
		b.WriteString(": " + clip(e.File, MaxQuoted))
	}
	if e.HasOffset {
		fmt.Fprintf(&b, ": byte %d", e.Offset)
	}
	if e.Source != "" {
		b.WriteString(": " + clip(e.Source, MaxQuoted))
	}
	if e.Node != "" {
		b.WriteString(": " + clip(e.Node, MaxQuoted))
	}
	if e.What != "" {
		b.WriteString(": " + e.What)
	}
	if e.Cause != nil {
		cause := e.Cause.Error()
		if CodeOf(e.Cause) == "" { // one with a code is short already
			cause = clip(cause, MaxPart)
		}
		b.WriteString(": " + cause)
	}
	if e.Do != "" {
		b.WriteString("; " + e.Do)
	}
	return b.String()
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Cause }

// CodeOf returns the code of the first coded error in err's chain, or "".
func CodeOf(err error) Code {
	var e *Error
	if errors.As(err, &e) {
		return e.Code
	}
	return ""
}

// WithFile names the file on the first coded error in err's chain when that
// error names none yet; other errors are returned as they are.
func WithFile(err error, file string) error {
	var e *Error
	if errors.As(err, &e) && e.File == "" {
		e.File = file
	}
	return err
}
