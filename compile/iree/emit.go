// Package iree writes a graph as text for IREE's compiler: the StableHLO of
// package hlo with what this compiler needs beside it.
//
// # Errors
//
// Those of package hlo.
//
// # Determinism
//
// The bytes depend only on the graph and the options.
package iree

import (
	"github.com/skainet-dev/skainet-go/compile/dag"
	"github.com/skainet-dev/skainet-go/compile/hlo"
)

// Version is the release of IREE that the text is written for.
const Version = hlo.IREEVersion

// Options of a text.
type Options = hlo.Options

// Emit returns the text of g for IREE's compiler, with its contract.
func Emit(g *dag.Graph, o Options) (*hlo.Module, error) { return hlo.Emit(g, o) }
