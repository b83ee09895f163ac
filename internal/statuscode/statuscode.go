// Package statuscode names the codes of absl::StatusCode, which IREE and plugins of the PJRT
// C API report.
//
// # Errors
//
// None.
//
// # Determinism
//
// A name depends on the code only.
package statuscode

// names are those of absl::StatusCode and, from 17 on, what iree_status_code_t adds to it
// (iree/base/status.h).
var names = [...]string{
	"OK", "CANCELLED", "UNKNOWN", "INVALID_ARGUMENT", "DEADLINE_EXCEEDED",
	"NOT_FOUND", "ALREADY_EXISTS", "PERMISSION_DENIED", "RESOURCE_EXHAUSTED",
	"FAILED_PRECONDITION", "ABORTED", "OUT_OF_RANGE", "UNIMPLEMENTED", "INTERNAL",
	"UNAVAILABLE", "DATA_LOSS", "UNAUTHENTICATED", "DEFERRED", "INCOMPATIBLE",
}

// Name returns the name of a code: NOT_FOUND, INVALID_ARGUMENT.
func Name(code int32) string {
	if code >= 0 && int(code) < len(names) {
		return names[code]
	}
	return "UNKNOWN"
}

// Text returns "NOT_FOUND: text", or the name alone where there is no text.
func Text(code int32, text string) string {
	if text == "" {
		return Name(code)
	}
	return Name(code) + ": " + text
}
