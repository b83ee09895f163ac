package xla

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/backend"
	"github.com/skainet-dev/skainet-go/compile/dag"
	"github.com/skainet-dev/skainet-go/test/randgraph"
	"github.com/skainet-dev/skainet-go/test/xlatest"
)

// Random graphs, with and without dynamic sizes, give the CPU backend's results.
func TestRandomGraphs(t *testing.T) {
	xlatest.Plugin(t)
	for name, dynamic := range map[string]bool{"known sizes": false, "dynamic sizes": true} {
		t.Run(name, func(t *testing.T) {
			check := randgraph.Check{
				Options: randgraph.Options{MaxOps: 20, Dynamic: dynamic}, Graphs: 20, Batch: 10, Dir: t.TempDir(),
				Backends: []randgraph.Backend{{Name: "xla", Open: func(ctx context.Context, g *dag.Graph) (backend.Executable, error) {
					return Open(ctx, Options{Graph: g, Lazy: true})
				}}},
			}
			require.NoError(t, check.Run(t.Context(), t.Output()))
		})
	}
}
