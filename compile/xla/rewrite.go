package xla

import (
	"slices"

	"github.com/skainet-dev/skainet-go/compile/hlo"
	"github.com/skainet-dev/skainet-go/errs"
)

// Rewrite is a row of the table of workarounds for XLA: what its compiler refuses or gets
// wrong, and the form that avoids it. A test shows for each row what happens without it.
type Rewrite struct {
	ID      string
	Symptom string // what goes wrong without it, as a sentence
	Instead string // what the text has instead
	Targets string // where it goes wrong
	// First and Last are the first and last version of the PJRT C API whose plugins are
	// known to have the bug; no others have been tried.
	First, Last string
	// Shown names the entry point of test/optest that shows it.
	Shown string
	// Flags are debug options of XLA, as in Level, where the row is one of the compiler and
	// not of the text.
	Flags map[string]any

	install func(f *hlo.Form) // nil where the text is as it was
}

// CodeRewrite is the code of an unknown name in Options.Without.
const CodeRewrite errs.Code = "XLA_REWRITE" // smallest input: Without: []string{"x"}

// Rewrites returns the table, in the order in which the rows are installed.
func Rewrites() []Rewrite { return slices.Clone(rows) }

// formOf returns the form of texts for XLA.
func formOf(o Options) (*hlo.Form, error) {
	form := hlo.Plain()
	known := map[string]bool{}
	for _, r := range rows {
		known[r.ID] = true
		if r.install != nil && !slices.Contains(o.Without, r.ID) {
			r.install(form)
		}
	}
	for _, name := range o.Without {
		if !known[name] {
			return nil, errs.New(CodeRewrite, "unknown rewrite %q", name).Hint("the names are in compile/xla.Rewrites")
		}
	}
	return form, nil
}
