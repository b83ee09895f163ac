package ireert

import (
	"regexp"
	"strings"
	"unsafe"

	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/internal/statuscode"
)

// Codes of this package.
const (
	CodeLoad       errs.Code = "IREE_LOAD"       // smallest input: a program that is the empty file
	CodeNoDevice   errs.Code = "IREE_NO_DEVICE"  // smallest input: the device "none"
	CodeParameters errs.Code = "IREE_PARAMETERS" // smallest input: a program with weights, without its archive
	CodeCall       errs.Code = "IREE_CALL"       // a call that failed in the runtime
	CodeClosed     errs.Code = "IREE_CLOSED"     // smallest input: a call after Close
)

// Status is IREE's report of a failure.
type Status struct {
	Code int32  // iree_status_code_t, never 0
	Text string // one line, without IREE's source positions
}

// Name returns IREE's name of the code: NOT_FOUND, INVALID_ARGUMENT.
func (s *Status) Name() string { return statuscode.Name(s.Code) }

// Error returns "NOT_FOUND: text".
func (s *Status) Error() string { return statuscode.Text(s.Code, s.Text) }

// errorText is the buffer size for the text of one failure.
type errorText [4096]byte

func (t *errorText) pointer() unsafe.Pointer { return unsafe.Pointer(&t[0]) }
func (t *errorText) room() int64             { return int64(len(t)) }

func (t *errorText) status(rc int32) *Status {
	if rc == 0 {
		return nil
	}
	text, _, _ := strings.Cut(string(t[:]), "\x00")
	s := &Status{Code: rc}
	s.Text = Clean(text, s.Name())
	return s
}

var (
	sourcePosition = regexp.MustCompile(`(?:\S+\.(?:c|h|cc|cpp|inl)|<vm>):\d+: `)
	deviceTarget   = regexp.MustCompile(`#hal\.device\.target<("[^"]*"),.*>`)
)

// Clean turns IREE's text into one line: positions in IREE's sources and the name of
// the code, which the caller shows itself, are removed, and a device's description,
// which fills a page, is shortened to its name.
func Clean(text, codeName string) string {
	text = sourcePosition.ReplaceAllString(text, "")
	text = deviceTarget.ReplaceAllString(text, `#hal.device.target<$1, ...>`)
	text = strings.Join(strings.Fields(text), " ")
	text = strings.TrimPrefix(text, codeName)
	text = strings.TrimLeft(text, ";: ")
	const limit = 600
	if len(text) > limit {
		text = strings.ToValidUTF8(text[:limit], "") + " ..."
	}
	return text
}
