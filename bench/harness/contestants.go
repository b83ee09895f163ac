package harness

import (
	"slices"
	"strings"

	"github.com/skainet-dev/skainet-go/backend/iree/processor"
	"github.com/skainet-dev/skainet-go/compile/iree/target"
	"github.com/skainet-dev/skainet-go/errs"
)

// Contestant is a program that a benchmark measures.
type Contestant interface {
	// Contestant returns its name, and the runfiles that it needs to be part of a
	// target: an empty path is missing.
	Contestant() (name string, needs []string)
}

// Choose returns the contestants that this target has and this host can run, or those that
// were asked for, and what to know about the choice.
func Choose[S Contestant](all []S, only []string) (chosen []S, notes []string, err error) {
	var names []string
	for _, s := range all {
		name, needs := s.Contestant()
		if slices.Contains(needs, "") {
			continue
		}
		names = append(names, name)
		if len(only) > 0 && !slices.Contains(only, name) {
			continue
		}
		if level := missing(name); level != "" {
			notes = append(notes, name+" left out: this processor has no "+level)
			continue
		}
		chosen = append(chosen, s)
	}
	for _, name := range only {
		if !slices.Contains(names, name) {
			return nil, nil, errs.New(CodeFlags, "unknown contestant %q", name).On("--only").
				Hint("contestants of this target: %s", strings.Join(names, ", "))
		}
	}
	if len(chosen) == 0 {
		return nil, nil, errs.New(CodeFlags, "nothing to measure: %s", strings.Join(notes, "; "))
	}
	return chosen, notes, nil
}

// rows are the targets of our programs among the contestants.
var rows = map[string]string{"ours-v3": "cpu_x86_64_v3", "ours-v4": "cpu_x86_64_v4"}

// missing names what a program of ours needs, by the contestant's name, and the processor
// lacks.
func missing(name string) string {
	row, err := target.Find(rows[name])
	if err != nil {
		return "" // not a program of ours
	}
	return strings.Join(processor.Here().Lacks(row.Instructions), ", ")
}
