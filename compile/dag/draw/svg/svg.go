// Package svg lays out pictures of graphs with Graphviz, which is linked in as
// WebAssembly. A program that imports it takes half a second more to start, so
// none that a build runs does: cmd/skainet-draw is the program for it.
//
// # Errors
//
// DRAW_LAYOUT for a graph that Graphviz cannot lay out, or that is too large for
// it; the DAG_* errors of a graph that is not valid.
//
// # Determinism
//
// A picture is the same bytes for equal graphs and one version of Graphviz. No
// file is read or written, and no font of the host is asked for.
package svg

import (
	"bytes"
	"context"
	"fmt"
	"sync"

	"github.com/goccy/go-graphviz"

	"github.com/skainet-dev/skainet-go/compile/dag"
	"github.com/skainet-dev/skainet-go/compile/dag/draw"
	"github.com/skainet-dev/skainet-go/compile/dag/draw/svg/notemp"
	"github.com/skainet-dev/skainet-go/errs"
)

// CodeLayout is the code of a graph that has no picture.
const CodeLayout errs.Code = "DRAW_LAYOUT" // smallest input: MaxNodes + 1 nodes

// MaxNodes and MaxUses are the size of the largest graph that is drawn: a layout
// takes minutes beyond, and nobody reads the picture.
const (
	MaxNodes = 2000
	MaxUses  = 5000 // of values, by operations
)

// manyUses is the number from which a layout is not made as good as can be: that
// would take a minute for 3000 uses, in place of a few seconds.
const manyUses = 500

// Graphviz keeps compiled code in a folder for temporary files that all users of
// a host share, and does so while it is initialised.
func init() { notemp.Restore() }

// one picture at a time: Graphviz has global state.
var one sync.Mutex

// Draw returns the picture of a graph, one page of any size: what draw.Compact
// says, laid out.
func Draw(g *dag.Graph) ([]byte, error) {
	nodes, uses := 0, 0
	for _, f := range g.Funcs {
		f.Body.Walk(func(n *dag.Node) {
			nodes++
			uses += len(n.Inputs)
		})
	}
	if nodes > MaxNodes || uses > MaxUses {
		return nil, errs.New(CodeLayout, "the graph has %d nodes with %d operands; at most %d and %d are drawn", nodes, uses, MaxNodes, MaxUses).On(g.Name).
			Hint("take the DOT text, and draw the part that you want")
	}
	text, err := draw.Compact(g)
	if err != nil {
		return nil, err
	}
	picture, err := layout(text, uses > manyUses)
	if err != nil {
		return nil, errs.Wrap(CodeLayout, err, "Graphviz cannot lay out the graph").On(g.Name).
			Hint("take the DOT text, and draw it with another program")
	}
	return picture, nil
}

func layout(text []byte, quick bool) (_ []byte, err error) {
	one.Lock()
	defer one.Unlock()
	defer func() {
		if r := recover(); r != nil { // a fault inside WebAssembly
			err = fmt.Errorf("fault: %v", r)
		}
	}()
	ctx := context.Background()
	viz, err := graphviz.New(ctx)
	if err != nil {
		return nil, err
	}
	defer viz.Close()
	parsed, err := graphviz.ParseBytes(text)
	if err != nil {
		return nil, err
	}
	defer parsed.Close()
	if quick {
		for name, value := range map[string]string{"nslimit": "1", "nslimit1": "1", "mclimit": "0.2", "splines": "polyline"} {
			if err := parsed.SafeSet(name, value, ""); err != nil {
				return nil, err
			}
		}
	}
	var b bytes.Buffer
	err = viz.Render(ctx, parsed, graphviz.SVG, &b)
	return b.Bytes(), err
}
