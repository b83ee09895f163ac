package dispatch

import (
	"bufio"
	"bytes"
	"regexp"
	"strings"

	"github.com/skainet-dev/skainet-go/errs"
)

// Text is what the text of a program's dispatches, the output group dispatches of an
// iree_vmfb, says of them.
type Text struct {
	uses  map[string]map[string][]use // by entry point and dispatch
	parts map[string]bool             // executables that read a part of an operand
}

// use is a place where a dispatch is run: the types of its operands and results.
type use struct {
	operands, results []array
	known             bool // all are
}

var (
	entryLine      = regexp.MustCompile(`^\s*util\.func (?:public |private )?@"?([^"( ]+)"?\(`)
	executableLine = regexp.MustCompile(`^\s*(?:flow|stream|hal)\.executable (?:public |private )?@"?([^" {]+)"?`)
	dispatchCall   = regexp.MustCompile(`flow\.dispatch @"?([^":\[(]+)"?::@"?([^":\[(]+)"?[\[(].*\) : \((.*)\) -> (.*)$`)
	loadLine       = regexp.MustCompile(`dispatch\.tensor\.load .*dispatch\.tensor<read(?:only|write):(tensor<[^>]*>)>.* -> (tensor<[^>]*>)\s*$`)
	anyTensor      = regexp.MustCompile(`tensor<([^>]*)>`)
)

// ParseText reads the text of dispatches.
func ParseText(data []byte) (*Text, error) {
	t := &Text{uses: map[string]map[string][]use{}, parts: map[string]bool{}}
	lines := bufio.NewScanner(bytes.NewReader(data))
	lines.Buffer(nil, maxLine)
	entry, executable := "", ""
	for lines.Scan() {
		line := lines.Text()
		if m := entryLine.FindStringSubmatch(line); m != nil {
			entry, executable = m[1], ""
			continue
		}
		if m := executableLine.FindStringSubmatch(line); m != nil && !strings.Contains(line, ".executable.") {
			entry, executable = "", m[1]
			continue
		}
		if executable != "" {
			if m := loadLine.FindStringSubmatch(line); strings.Contains(line, "tensor.extract ") || (m != nil && m[1] != m[2]) {
				t.parts[executable] = true
			}
			continue
		}
		m := dispatchCall.FindStringSubmatch(line)
		if m == nil || entry == "" {
			continue
		}
		u := use{known: !t.parts[m[1]] && !strings.Contains(m[4], "%")}
		var ok bool
		if u.operands, ok = arrays(m[3]); !ok {
			u.known = false
		}
		if u.results, ok = arrays(m[4]); !ok {
			u.known = false
		}
		if t.uses[entry] == nil {
			t.uses[entry] = map[string][]use{}
		}
		t.uses[entry][m[2]] = append(t.uses[entry][m[2]], u)
	}
	if err := lines.Err(); err != nil {
		return nil, errs.Wrap(CodeProfile, err, "the text of the dispatches cannot be read")
	}
	if len(t.uses) == 0 {
		return nil, errs.New(CodeProfile, "the text runs no dispatch").
			Hint("give NAME.dispatches.mlir, which the output group dispatches of the program writes")
	}
	return t, nil
}

// arrays returns the tensors of a list of types; it reports false if a size is not known.
func arrays(list string) ([]array, bool) {
	var all []array
	for _, m := range anyTensor.FindAllStringSubmatch(list, -1) {
		a, ok := parse(m[1])
		if !ok {
			return nil, false
		}
		all = append(all, a)
	}
	return all, true
}
