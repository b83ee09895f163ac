package compiler

import (
	"regexp"
	"strings"
)

// diagnostic is one message of the compiler.
type diagnostic struct {
	line, col string // "0" where the compiler has no place
	kind      string // error, warning or note
	text      string
}

var diagnosticLine = regexp.MustCompile(`^(?:<stdin>|<unknown>|-):(\d+)(?::(\d+))?: (error|warning|note): (.*)$`)

// diagnostics finds the messages in the compiler's output. What lies between
// them, the source line and the intermediate text, is left out.
func diagnostics(output string) []diagnostic {
	var all []diagnostic
	for _, line := range strings.Split(output, "\n") {
		if m := diagnosticLine.FindStringSubmatch(strings.TrimRight(line, "\r ")); m != nil {
			all = append(all, diagnostic{line: m[1], col: m[2], kind: m[3], text: clip(m[4])})
		}
	}
	return all
}

// at gives "name:LINE:COL", or the name alone where there is no place.
func (d diagnostic) at(name string) string {
	if d.line == "0" {
		return name
	}
	if d.col == "" {
		return name + ":" + d.line
	}
	return name + ":" + d.line + ":" + d.col
}

// summary cuts a failed run's output to the first error and its place. Words
// of the linker or the shell that come before the first message are the reason
// for it and are put in front.
func summary(output, name string) (place, text string) {
	first := strings.TrimSpace(output)
	if i := strings.IndexByte(first, '\n'); i >= 0 {
		first = first[:i]
	}
	first = clip(strings.TrimPrefix(first, "iree-compile: "))
	for _, d := range diagnostics(output) {
		if d.kind != "error" {
			continue
		}
		if diagnosticLine.MatchString(strings.TrimSpace(first)) || first == d.text {
			return d.at(name), d.text
		}
		return d.at(name), first + ": " + d.text
	}
	if strings.HasPrefix(first, "Please report issues") || strings.HasPrefix(first, "Stack dump") {
		first = ""
	}
	return name, first
}

// clip bounds one line: some messages print a whole operation.
func clip(line string) string {
	const limit = 300
	if len(line) > limit {
		return strings.ToValidUTF8(line[:limit], "") + " ..."
	}
	return line
}
