// Package passes rewrites graphs without changing what they compute.
//
// # Errors
//
// Passes keep a valid graph valid; Run verifies after each and blames the
// pass for a graph that it broke: DAG_* with the pass's name, PASS_PANIC, or the
// code of the operation that it called incorrectly. PASS_DTYPE is a type that
// graphs cannot be converted to.
//
// # Determinism
//
// A pass visits nodes in graph order.
package passes

import (
	"errors"
	"fmt"
	"runtime/debug"

	"github.com/skainet-dev/skainet-go/compile/dag"
	"github.com/skainet-dev/skainet-go/compile/op"
	"github.com/skainet-dev/skainet-go/errs"
)

// CodePanic is the code of a pass that panicked.
const CodePanic errs.Code = "PASS_PANIC"

// Pass is one rewrite.
type Pass struct {
	Name string
	Run  func(g *dag.Graph)
}

// Default lists the passes that every capture runs. All of them are exact.
var Default = []Pass{{"clean_up", CleanUp}}

// CleanUp runs Splat, Simplify, Layout and Common until none of them finds
// anything, and then DeadCode.
func CleanUp(g *dag.Graph) { cleanUp(g) }

func cleanUp(g *dag.Graph) (changed bool) {
	for {
		// No short-circuit: all of them must run.
		found := makeSplats(g)
		found = rewrite(g, simplify) || found
		found = rewrite(g, layout) || found
		found = mergeCommon(g) || found
		DeadCode(g) // dead code might be found repeatedly
		if !found {
			return changed
		}
		changed = true
	}
}

// Exact returns the pass of exports: CleanUp and Fold until neither finds anything.
func Exact(evaluate Evaluator) Pass {
	return Pass{Name: "exact", Run: func(g *dag.Graph) {
		f := folder{evaluate: evaluate, limit: FoldLimit}
		for cleanUp(g); rewrite(g, f.visit); cleanUp(g) {
		}
	}}
}

// Run applies the passes in order.
func Run(g *dag.Graph, passes ...Pass) error {
	for _, p := range passes {
		if err := p.try(g); err != nil {
			return fmt.Errorf("in pass %s: %w", p.Name, err)
		}
		g.Mesh = g.Mesh.Within(g)
		if err := dag.Verify(g); err != nil {
			return fmt.Errorf("after pass %s: %w", p.Name, err)
		}
	}
	return nil
}

// try runs the pass and turns a panic into an error.
func (p Pass) try(g *dag.Graph) (err error) {
	defer func() {
		if r := recover(); r != nil {
			var coded *errs.Error
			if e, ok := r.(error); ok && errors.As(e, &coded) {
				err = e
				return
			}
			err = errs.New(CodePanic, "%v\n%s", r, debug.Stack()).On(g.Name).Hint("this is a bug in the pass; report it with the graph")
		}
	}()
	p.Run(g)
	return nil
}

// DeadCode removes nodes whose values reach no result, state or remaining
// nested block, and private functions that are not called.
func DeadCode(g *dag.Graph) {
	for _, f := range g.Funcs {
		live := map[*dag.Value]bool{}
		for _, v := range f.Body.Results {
			live[v] = true
		}
		for _, w := range f.Writes {
			live[w.Value] = true
		}
		f.Body.Sweep(live)
	}
	// Callers come after their callees, so one backward walk finds
	// all reachable functions.
	called := map[string]bool{}
	keep := make([]bool, len(g.Funcs))
	for i := len(g.Funcs) - 1; i >= 0; i-- {
		f := g.Funcs[i]
		if !f.Entry && !called[f.Name] {
			continue
		}
		keep[i] = true
		f.Body.Walk(func(n *dag.Node) {
			if n.Op.Role == op.Calls {
				called[n.Attrs.String("function")] = true
			}
		})
	}
	var funcs []*dag.Func
	for i, f := range g.Funcs {
		if keep[i] {
			funcs = append(funcs, f)
		}
	}
	g.Funcs = funcs
}
