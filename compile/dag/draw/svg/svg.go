// Package svg lays out pictures of graphs with Graphviz, which is linked in as
// WebAssembly. A program that imports it takes half a second longer to start,
// so no program that a build runs imports it: cmd/skainet-draw does.
//
// # Errors
//
// DRAW_LAYOUT for a graph that Graphviz cannot lay out, or that is too large for
// it; the DAG_* errors of a graph that is not valid.
//
// # Determinism
//
// A picture is the same bytes for equal graphs and the same version of
// Graphviz. No files are read or written, and no host fonts are used.
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

// CodeLayout is the code of a graph that cannot be drawn.
const CodeLayout errs.Code = "DRAW_LAYOUT" // smallest input: MaxNodes + 1 nodes

// MaxNodes and MaxUses are the size of the largest graph that is drawn: beyond that
// a layout takes minutes, and the picture is unreadable.
const (
	MaxNodes = 2000
	MaxUses  = 5000 // of values, by operations
)

// manyUses is the number of uses from which the layout is optimised less: full
// optimisation of 3000 uses would take a minute instead of a few seconds.
const manyUses = 500

// During initialisation Graphviz stores compiled code in a temporary
// folder that all users of a host share.
func init() { notemp.Restore() }

// one picture at a time: Graphviz has global state.
var one sync.Mutex

// Draw returns the picture of a graph, one page of any size: the layout
// of draw.Compact.
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
			Hint("use the DOT text, and draw the part that you need")
	}
	text, err := draw.Compact(g)
	if err != nil {
		return nil, err
	}
	picture, err := layout(text, uses > manyUses)
	if err != nil {
		return nil, errs.Wrap(CodeLayout, err, "Graphviz cannot lay out the graph").On(g.Name).
			Hint("use the DOT text, and draw it with another program")
	}
	return picture, nil
}

func layout(text []byte, quick bool) (_ []byte, err error) {
	one.Lock()
	defer one.Unlock()
	defer func() {
		if r := recover(); r != nil { // a crash inside WebAssembly
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
