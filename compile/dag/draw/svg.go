package draw

import (
	"bytes"
	"context"

	"github.com/goccy/go-graphviz"

	"github.com/skainet-dev/skainet-go/compile/dag"
	"github.com/skainet-dev/skainet-go/internal/errs"
)

// MaxNodes is the largest graph that SVG draws: the layout takes minutes beyond,
// and nobody reads the picture.
const MaxNodes = 3000

// SVG gives the picture of DOT, laid out. It is one page of any size.
func SVG(ctx context.Context, g *dag.Graph) (_ []byte, err error) {
	n := 0
	for _, f := range g.Funcs {
		f.Body.Walk(func(*dag.Node) { n++ })
	}
	if n > MaxNodes {
		return nil, errs.New(CodeLayout, "%d nodes; at most %d are drawn", n, MaxNodes).On(g.Name).
			Hint("take the DOT text, and draw the part that you want")
	}
	text, err := DOT(g)
	if err != nil {
		return nil, err
	}
	svg, err := layout(ctx, text)
	if err != nil {
		return nil, errs.Wrap(CodeLayout, err, "Graphviz cannot lay out the graph").On(g.Name)
	}
	return svg, nil
}

func layout(ctx context.Context, text []byte) ([]byte, error) {
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
	var b bytes.Buffer
	err = viz.Render(ctx, parsed, graphviz.SVG, &b)
	return b.Bytes(), err
}
