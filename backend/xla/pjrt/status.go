package pjrt

import (
	"errors"
	"strings"
	"unsafe"

	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/internal/statuscode"
)

// Codes of this package.
const (
	CodePlugin  errs.Code = "XLA_PLUGIN"  // smallest input: a plugin that is the empty file
	CodeDevice  errs.Code = "XLA_DEVICE"  // smallest input: a client of a CUDA plugin where no GPU is
	CodeCompile errs.Code = "XLA_COMPILE" // smallest input: the text "garbage"
	CodeProgram errs.Code = "XLA_PROGRAM" // smallest input: a serialised program that is the empty file
	CodeCall    errs.Code = "XLA_CALL"    // a transfer or a run that failed in the plugin
	CodeMemory  errs.Code = "XLA_MEMORY"  // a buffer or a run for which there is no memory
	CodeClosed  errs.Code = "XLA_CLOSED"  // smallest input: a call after Close
)

// Status is the plugin's report of a failure.
type Status struct {
	Code int32  // of absl::Status, never 0
	Text string // as the plugin wrote it, at most maxText bytes
}

// maxText is how much of a message is kept: some print a whole operation, or a stack.
const maxText = 2000

// Codes that are told apart here.
const (
	unknown     = 2
	outOfMemory = 8
)

// Name returns the name of the code: INVALID_ARGUMENT.
func (s *Status) Name() string { return statuscode.Name(s.Code) }

// Error returns "INVALID_ARGUMENT: text".
func (s *Status) Error() string { return statuscode.Text(s.Code, s.Text) }

// status takes a PJRT_Error, which it frees; 0 is none.
func (p *Plugin) status(e uintptr) error {
	if e == 0 {
		return nil
	}
	m := &messageArgs{head: head{size: unsafe.Sizeof(messageArgs{})}, err: e}
	p.raw(errorMessage, unsafe.Pointer(m))
	c := &codeArgs{head: head{size: unsafe.Sizeof(codeArgs{})}, err: e}
	if p.raw(errorCode, unsafe.Pointer(c)) != 0 || c.code == 0 {
		c.code = unknown
	}
	s := &Status{Code: c.code, Text: clean(textAt(unsafe.Pointer(m.text), m.n))}
	p.raw(errorDestroy, unsafe.Pointer(&errorArgs{head{size: unsafe.Sizeof(errorArgs{})}, e}))
	return s
}

// clean makes one line of a message.
func clean(text string) string {
	text = strings.Join(strings.Fields(text), " ")
	if len(text) > maxText {
		text = strings.ToValidUTF8(text[:maxText], "") + " ..."
	}
	return text
}

// failed gives a plugin's error a code: that of memory, or the given one.
func failed(code errs.Code, err error, what string, args ...any) *errs.Error {
	var s *Status
	if errors.As(err, &s) && s.Code == outOfMemory {
		return errs.Wrap(CodeMemory, err, what, args...).Hint("give the program smaller values, or run it where there is more memory")
	}
	return errs.Wrap(code, err, what, args...)
}
