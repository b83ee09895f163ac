package iree

import (
	"slices"

	"github.com/skainet-dev/skainet-go/compile/dag"
	"github.com/skainet-dev/skainet-go/compile/hlo"
	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/tensor"
)

// Rewrite is a row of the table of workarounds for IREE: a bug of
// the compiler or the runtime, and the form that avoids it. Command needed
// shows for each row what happens without it.
type Rewrite struct {
	ID      string
	Symptom string // what goes wrong without it, as a sentence
	Instead string // what the text has instead
	Targets string // where it goes wrong
	// First and Last are the first and last release known to have the
	// bug; no others have been tried.
	First, Last string
	// Text says which texts have the form.
	Text TextKind
	// Shown is how the bug is observed, in the case of command needed with the name
	// of the row.
	Shown Evidence

	install func(t *target)
}

// TextKind selects texts.
type TextKind string

// The kinds of texts, by Options.
const (
	AnyText      TextKind = "all"
	PortableText TextKind = "portable" // without Kernels
	KernelText   TextKind = "kernels"  // with Kernels
	NoF16Text    TextKind = "no f16"   // with IntegerF16
)

// Evidence is how a bug is observed.
type Evidence string

// The kinds of evidence.
const (
	WrongNumbers Evidence = "numbers"  // a program computes other numbers than backend/cpu, or fails
	NoProgram    Evidence = "compiles" // the compiler fails, or does not end
	Costs        Evidence = "costs"    // something counted in the compiler's output
	OtherDevice  Evidence = "device"   // only on a device: only the text is checked
	Time         Evidence = "time"     // a call takes longer than with the rewrite
)

// CodeRewrite is the code of an unknown name in Options.Without.
const CodeRewrite errs.Code = "HLO_REWRITE"

// Rewrites returns the table, in the order in which the rows are installed: if two
// change the same operation, the later one sees it first.
func Rewrites() []Rewrite {
	return slices.Concat(stateRows, unsignedRows, barrierRows, sizeRows, layoutRows, reduceRows, contractionRows, convolutionRows,
		indexingRows, sortRows, functionRows, numberRows, loopRows, copyRows, memoryRows, waitRows, kernelRows, halfRows)
}

// target is a form that rows modify.
type target struct {
	*hlo.Form
	o        Options
	apart    []func(p *hlo.Printer)   // mark values to put behind barriers
	ends     []func(n *dag.Node) bool // whether the text of a node ends in a barrier that its form has
	distinct bool                     // initial values of state variables
	kernels  *kernelForm
	stored   func(t tensor.Type) tensor.Type // the type of a global for values of type t
}

// applies reports whether texts with these options have the form of r.
func (r *Rewrite) applies(o Options) bool {
	switch {
	case slices.Contains(o.Without, r.ID):
		return false
	case r.Text == PortableText:
		return !o.Kernels
	case r.Text == KernelText:
		return o.Kernels
	case r.Text == NoF16Text:
		return o.IntegerF16
	}
	return true
}

// formOf returns the form of texts for IREE.
func formOf(o Options) (*hlo.Form, error) {
	t := &target{Form: hlo.Plain(), o: o, stored: func(t tensor.Type) tensor.Type { return t }}
	t.dialect()
	known := map[string]bool{}
	for _, r := range Rewrites() {
		known[r.ID] = true
		if r.applies(o) {
			r.install(t)
		}
	}
	for _, name := range o.Without {
		if !known[name] {
			return nil, errs.New(CodeRewrite, "unknown rewrite %q", name).Hint("the names are in compile/iree.Rewrites")
		}
	}
	return t.Form, nil
}

// Anchor returns the row's anchor on the architecture page.
func (r *Rewrite) Anchor() string { return "rewrite-" + r.ID }
