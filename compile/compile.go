// Package compile chooses a target of programs by its name: the CPU backend, a row of IREE's
// table of targets, or one of XLA's.
//
//	to, err := compile.To("xla_cpu", "latency")
//	texts, err := to.Texts(graph, compile.Options{})
//
// What its compiler makes of a graph is then run by backend/open (To gives the options of Graph), and
// written to files by `skainet compile`.
//
// # Errors
//
// VMFB_TARGET, VMFB_REFUSED and VMFB_OPTIMIZATION as in package iree/target, for names that are
// none of XLA's; XLA_TARGET and XLA_LEVEL as in package xla; COMPILE_TEXT for texts of the CPU
// backend, which takes graphs. Otherwise the codes of emission.
//
// # Determinism
//
// The tables are parts of the program; texts are as in packages iree and xla.
package compile

import (
	"slices"

	"github.com/skainet-dev/skainet-go/compile/dag"
	"github.com/skainet-dev/skainet-go/compile/hlo"
	"github.com/skainet-dev/skainet-go/compile/iree"
	"github.com/skainet-dev/skainet-go/compile/iree/target"
	"github.com/skainet-dev/skainet-go/compile/xla"
	"github.com/skainet-dev/skainet-go/errs"
)

// CodeText is the code of a text that there is not.
const CodeText errs.Code = "COMPILE_TEXT" // smallest input: the texts of the target cpu

// The backends that targets are of.
const (
	CPU  = "cpu"
	IREE = "iree"
	XLA  = "xla"
)

// Target is where programs run, and how they are compiled for it.
type Target struct {
	Name    string // "cpu", or a row of a table
	Level   string // of optimisation; "" is the default
	Backend string // CPU, IREE or XLA
}

// Targets returns the names of the targets that programs are compiled for: "cpu", whose
// backend takes the graph, then those of IREE and of XLA.
func Targets() []string {
	names := []string{CPU}
	for _, r := range target.Rows() {
		if r.Refused == "" {
			names = append(names, r.Name)
		}
	}
	for _, t := range xla.Targets() {
		names = append(names, t.Name)
	}
	return names
}

// Levels returns the names of the levels, the default first. They are the same for both
// compilers.
func Levels() []string {
	var names []string
	for _, l := range target.Levels() {
		names = append(names, l.Name)
	}
	return names
}

// To returns the target of a name, at a level of optimisation, "" for the default one.
func To(name, level string) (Target, error) {
	t := Target{Name: name, Level: level}
	switch {
	case name == CPU:
		t.Backend = CPU
		if level != "" && !slices.Contains(Levels(), level) {
			return Target{}, errs.New(target.CodeLevel, "there is no level %q", level).Hint("give one of %q", Levels())
		}
		return t, nil
	case xla.IsTarget(name):
		t.Backend = XLA
		if _, err := xla.FindTarget(name); err != nil {
			return Target{}, err
		}
		_, err := xla.Compile(level)
		return t, err
	default:
		t.Backend = IREE
		row, err := target.Find(name)
		if err != nil {
			return Target{}, err
		}
		_, err = row.At(level)
		return t, err
	}
}

// Options are those of texts.
type Options struct {
	Constants hlo.ConstantPolicy // nil means hlo.InlineAlways
	// Without names rows of the compiler's table of rewrites to omit, to see their effect.
	Without []string
	// Sizes are those that dynamic dimensions have in texts for XLA, by name; of several each
	// entry point with such dimensions has a text.
	Sizes []map[string]int64
}

// Text is what a compiler takes.
type Text struct {
	*hlo.Module
	Entry string           // of a text for XLA, which has one; "" for IREE's, which have all
	Sizes map[string]int64 // of its dynamic dimensions, for XLA
}

// Texts writes what the target's compiler takes: for IREE one text, for XLA one for each
// entry point. An entry point with dynamic sizes has a text for XLA for each of o.Sizes.
func (t Target) Texts(g *dag.Graph, o Options) ([]Text, error) {
	switch t.Backend {
	case IREE:
		row, err := target.Find(t.Name)
		if err != nil {
			return nil, err
		}
		m, err := iree.Emit(g, iree.Options{
			Constants: o.Constants, Without: o.Without, Kernels: row.Kernels, IntegerF16: row.F16 == "integers", Wide: row.Wide, Instructions: row.Instructions,
		})
		return []Text{{Module: m}}, err
	case XLA:
		var texts []Text
		for _, f := range g.Funcs {
			if !f.Entry {
				continue
			}
			sizes := o.Sizes
			if f.IsStatic() {
				sizes = []map[string]int64{nil}
			}
			for _, s := range sizes {
				m, err := xla.Emit(g, f.Name, s, xla.Options{Constants: o.Constants, Without: o.Without})
				if err != nil {
					return nil, err
				}
				texts = append(texts, Text{m, f.Name, s})
			}
		}
		return texts, nil
	}
	return nil, errs.New(CodeText, "the backend %s takes the graph, and no text", CPU).Hint("name a target of IREE or XLA")
}
