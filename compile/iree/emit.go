// Package iree writes a graph as text for IREE's compiler: the lowerings of package
// hlo in its own form.
//
// The text names weights and never contains them: each is a
//
//	util.global private @key = #flow.parameter.named<"scope"::"key"> : type
//
// that the program reads from an archive when it is loaded. State variables are mutable
// globals, and kernels are executables of the text.
//
// Some forms that StableHLO allows give wrong numbers, fail to compile or have a
// high cost in the release of IREE that package target names. Rewrites is the table
// of their replacements; package hlo is independent of it.
//
// # Errors
//
// Those of package hlo, HLO_STATE_ALIAS and HLO_REWRITE.
//
// # Determinism
//
// As in package hlo: the bytes depend only on the graph and the options.
package iree

import (
	"github.com/skainet-dev/skainet-go/compile/dag"
	"github.com/skainet-dev/skainet-go/compile/hlo"
	table "github.com/skainet-dev/skainet-go/compile/iree/target"
	"github.com/skainet-dev/skainet-go/compile/op"
)

// Options configures a text.
type Options struct {
	Constants hlo.ConstantPolicy // nil means hlo.InlineAlways
	Scope     string             // of external constants; "" means "model"
	// Kernels writes some operations as kernels (package
	// kernels), for CPU targets only. It changes only the text.
	Kernels bool
	// IntegerF16 is for processors without f16 instructions: the program
	// converts such numbers by integer operations on their bits, exactly, and computes
	// in f32. It also changes only the text.
	IntegerF16 bool
	// Wide writes kernels for processors with 32 vector registers of 64 bytes, such as
	// those with AVX-512; on others they are slow. It also changes only the text.
	Wide bool
	// Instructions are those of a processor that kernels may use, by the compiler's names, as in
	// target.Row: others cannot run the program. They also change only the text.
	Instructions []string
	// Without names rows of Rewrites to omit, to see their effect.
	Without []string
}

// Emit writes g for IREE's compiler.
func Emit(g *dag.Graph, o Options) (*hlo.Module, error) {
	form, err := formOf(o)
	if err != nil {
		return nil, err
	}
	if o.Kernels {
		own(form)
	}
	m, err := hlo.EmitAs(g, hlo.Options{Constants: o.Constants, Scope: o.Scope}, form)
	if err != nil {
		return nil, err
	}
	m.Contract.IREE = table.IREEVersion()
	return m, nil
}

// own makes texts for processors have the texts for them that registered operations have.
func own(form *hlo.Form) {
	form.Target = op.CPUTarget
	keeps := form.Keeps
	form.Keeps = func(n *dag.Node) bool { return keeps(n) || hlo.IsWritten(n, form.Target) }
}
