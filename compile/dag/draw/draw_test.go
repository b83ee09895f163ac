package draw

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/graph/encoding/dot"
	"gonum.org/v1/gonum/graph/multi"

	"github.com/skainet-dev/skainet-go/compile/dag"
	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/lang"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
	_ "github.com/skainet-dev/skainet-go/test/errtest"
	"github.com/skainet-dev/skainet-go/test/optest"
)

// sample has a state, a loop, a value that one node uses twice, and names
// that need escaping in DOT and XML.
func sample(t *testing.T) *dag.Graph {
	t.Helper()
	g, err := lang.Capture("sample", nil, func(m *lang.Module) {
		s := m.State("kept", dtype.F32, 0, 2)
		m.Entry("main", func(f *lang.Func) {
			x, n := f.Input("x", dtype.F32, 2), f.Input("n", dtype.I32)
			old := f.Read(s)
			f.Scope(`a"b\<c>&`, func() { x = x.Add(x) })
			out := f.While([]lang.Tensor{n, x}, func(c []lang.Tensor) lang.Tensor {
				return c[0].Less(f.Splat(dtype.I32, 3))
			}, func(c []lang.Tensor) []lang.Tensor {
				return []lang.Tensor{c[0].AddScalar(1), c[1].Add(old)}
			})
			f.Write(s, out[1])
			f.Output("y", out[1])
		})
	})
	require.NoError(t, err)
	return g
}

// gonum's parser, which is independent of its encoder, reads as many vertices and arrows
// as the graph has values and uses.
func TestDOTHasEveryNodeAndUse(t *testing.T) {
	for _, g := range []*dag.Graph{sample(t), whole(t)} {
		text, err := DOT(g)
		require.NoError(t, err)
		again, err := DOT(g)
		require.NoError(t, err)
		require.Equal(t, string(text), string(again))
		vertices, uses := 0, 0
		var count func(b *dag.Block)
		count = func(b *dag.Block) {
			vertices += len(b.Args) + len(b.Nodes) + len(b.Results)
			uses += len(b.Results)
			for _, n := range b.Nodes {
				uses += len(n.Inputs)
				for _, inner := range n.Blocks {
					count(inner)
				}
			}
		}
		for _, f := range g.Funcs {
			count(f.Body)
			vertices, uses = vertices+len(f.Writes), uses+len(f.Writes)
		}
		parsed := multi.NewDirectedGraph()
		require.NoError(t, dot.UnmarshalMulti(text, parsed))
		require.Equal(t, vertices, parsed.Nodes().Len())
		lines := 0
		for edges := parsed.Edges(); edges.Next(); {
			lines += edges.Edge().(multi.Edge).Len()
		}
		require.Equal(t, uses, lines)
	}
}

func whole(t *testing.T) *dag.Graph {
	t.Helper()
	g, err := lang.Capture("optest", nil, optest.CPUOnly)
	require.NoError(t, err)
	return g
}

func TestDOTSaysTypesAndSizes(t *testing.T) {
	text, err := DOT(sample(t))
	require.NoError(t, err)
	for _, want := range []string{
		`[label="f32[2], 8 B"]`, `label="x\nf32[2], 8 B"`, `add\nmain/a\"b\\<c>&/add`, `label="main(x, n)"`,
		`label="block 1 of main/while"`, `label="write kept"`, `label="carried 0\ni32[scalar], 4 B"`, `fillcolor="#f0e0d8"`,
	} {
		require.Contains(t, string(text), want)
	}
}

// TestLargeGraph: the time is linear, not quadratic, in the number of uses.
func TestLargeGraph(t *testing.T) {
	g, err := lang.Capture("large", nil, func(m *lang.Module) {
		m.Entry("main", func(f *lang.Func) {
			x := f.Input("x", dtype.F32, 2)
			for range 5000 {
				x = x.Add(x)
			}
			f.Output("y", x)
		})
	})
	require.NoError(t, err)
	start := time.Now()
	_, err = DOT(g)
	require.NoError(t, err)
	require.Less(t, time.Since(start), 10*time.Second)
}

// A use far from the definition has a note with its path, or the
// argument's name, and everything else is as in DOT.
func TestCompact(t *testing.T) {
	for _, g := range []*dag.Graph{sample(t), whole(t)} {
		text, err := DOT(g)
		require.NoError(t, err)
		compact, err := Compact(g)
		require.NoError(t, err)
		require.Equal(t, string(text), string(compact), "nothing is far in a small graph")
	}
	const steps = 40
	g, err := lang.Capture("steps", nil, func(m *lang.Module) {
		m.Entry("main", func(f *lang.Func) {
			x := f.Input("x", dtype.F32, 2)
			early, late := x.Exp(), f.Splat(dtype.F32, 3, 2)
			y := x
			for range steps {
				y = y.Tanh()
			}
			f.Output("y", y.Add(x).Mul(late).Sub(early))
		})
	})
	require.NoError(t, err)
	compact, err := Compact(g)
	require.NoError(t, err)
	parsed := multi.NewDirectedGraph()
	require.NoError(t, dot.UnmarshalMulti(compact, parsed))
	// The argument, steps and five more nodes, the result, and a note for each of
	// x and exp; the splat is drawn just above its use.
	require.Equal(t, 1+steps+5+1+2, parsed.Nodes().Len())
	require.Equal(t, 2, strings.Count(string(compact), "shape=note"))
	for label, n := range map[string]int{`x\nf32[2], 8 B\n(1)`: 2, `main/exp\nf32[2], 8 B\n(2)`: 1, `exp\nmain/exp\n(2)`: 1} {
		require.Equal(t, n, strings.Count(string(compact), `label="`+label+`"`), label)
	}
}

func TestQuote(t *testing.T) {
	require.Equal(t, `"a\\b\"c\nd [31m é "`, quote("a\\b\"c\nd\x1b[31m\u00a0é\u202e"))
}

func TestRefused(t *testing.T) {
	g := sample(t)
	g.Name = "a b"
	_, err := DOT(g)
	require.Equal(t, errs.Code("DAG_NAME"), errs.CodeOf(err))
	_, err = Compact(g)
	require.Equal(t, errs.Code("DAG_NAME"), errs.CodeOf(err))
}
