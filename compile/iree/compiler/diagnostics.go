package compiler

import (
	"regexp"
	"strings"
)

// diagnostic is one message of the compiler.
type diagnostic struct {
	line, col string // "0" if the compiler gives no location
	kind      string // error, warning or note
	text      string
}

var diagnosticLine = regexp.MustCompile(`^(?:<stdin>|<unknown>|-):(\d+)(?::(\d+))?: (error|warning|note): (.*)$`)

// diagnostics returns the messages in the compiler's output, without
// the source lines and intermediate text between them.
func diagnostics(output string) []diagnostic {
	var all []diagnostic
	for _, line := range strings.Split(output, "\n") {
		if m := diagnosticLine.FindStringSubmatch(strings.TrimRight(line, "\r ")); m != nil {
			all = append(all, diagnostic{line: m[1], col: m[2], kind: m[3], text: clip(m[4])})
		}
	}
	return all
}

// diagnosticPlace matches the beginning of a message about the text.
var diagnosticPlace = regexp.MustCompile(`(?m)^<stdin>:`)

// unquoted drops the quoted source line after a message, which could
// be mistaken for a message.
func unquoted(output string) string {
	var b strings.Builder
	quoted := false
	for line := range strings.Lines(output) {
		if !quoted {
			b.WriteString(line)
		}
		quoted = diagnosticLine.MatchString(strings.TrimRight(line, "\r\n "))
	}
	return b.String()
}

// changedTypes is what the compiler prints when it narrows the types of entry
// points, as it does with f64 unless told not to.
const changedTypes = "changed public function signatures"

// at returns "name:LINE:COL", or only the name without a location.
func (d diagnostic) at(name string) string {
	if d.line == "0" {
		return name
	}
	if d.col == "" {
		return name + ":" + d.line
	}
	return name + ":" + d.line + ":" + d.col
}

// summary reduces a failed run's output to the first error and its
// location. Messages of the linker or the shell before the first error are its
// cause and are put in front.
func summary(output, name string) (place, text string) {
	var before string
	quoted := 0 // lines that may still quote the source under a message
	for _, line := range strings.Split(output, "\n") {
		line = strings.TrimRight(line, "\r ")
		if m := diagnosticLine.FindStringSubmatch(line); m != nil {
			if m[3] == "error" {
				d := diagnostic{line: m[1], col: m[2], text: clip(m[4])}
				if before != "" {
					before += ": "
				}
				return d.at(name), before + d.text
			}
			quoted = 2
			continue
		}
		if quoted > 0 {
			quoted--
			if strings.TrimSpace(line) == "^" {
				quoted = 0
			}
			continue
		}
		line = strings.TrimSpace(strings.TrimPrefix(line, "iree-compile: "))
		if before == "" && line != "" && !noise.MatchString(line) {
			before = clip(line)
		}
	}
	return name, before
}

// noise reports whether a line is never the cause of a failure: a warning without
// a location or the crash handler's text.
var noise = regexp.MustCompile(`^(WARNING|Please report issues|PLEASE |Stack dump)`)

// clip shortens one line: some messages print a complete operation.
func clip(line string) string {
	const limit = 300
	if len(line) > limit {
		return strings.ToValidUTF8(line[:limit], "") + " ..."
	}
	return line
}
