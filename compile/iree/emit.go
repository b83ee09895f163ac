// Package iree writes a graph as text for IREE's compiler: the lowerings of package
// hlo in a form of its own.
//
// The text names weights and never holds them: each is a
//
//	util.global private @key = #flow.parameter.named<"scope"::"key"> : type
//
// that the program reads from an archive when it is loaded. State variables are mutable
// globals, and kernels are executables of the text.
//
// Some forms that StableHLO allows give wrong numbers, no program or great costs in
// Version. Rewrites is the table of what texts have in their place; package hlo knows
// nothing of it.
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
)

// Version is the release whose dialects the text is written for.
var Version = table.IREEVersion

// Options of a text.
type Options struct {
	Constants hlo.ConstantPolicy // nil means hlo.InlineAlways
	Scope     string             // of external constants; "" means "model"
	// Kernels writes products of one row with a weight as kernels of the package
	// of this name, for CPU targets only. It changes the text and nothing else.
	Kernels bool
	// IntegerF16 is for processors that have no instructions for f16: the program
	// widens and rounds such numbers by their bits, exactly, and computes in f32.
	// It too changes the text and nothing else.
	IntegerF16 bool
	// Without names rows of Rewrites to leave out, to see what they are for.
	Without []string
}

// Emit writes g for IREE's compiler.
func Emit(g *dag.Graph, o Options) (*hlo.Module, error) {
	form, err := formOf(o)
	if err != nil {
		return nil, err
	}
	m, err := hlo.EmitAs(g, hlo.Options{Constants: o.Constants, Scope: o.Scope}, form)
	if err != nil {
		return nil, err
	}
	m.Contract.IREE = Version
	return m, nil
}
