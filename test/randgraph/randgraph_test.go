package randgraph

import (
	"bytes"
	"context"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/backend"
	"github.com/skainet-dev/skainet-go/backend/cpu"
	"github.com/skainet-dev/skainet-go/compile/dag"
	"github.com/skainet-dev/skainet-go/compile/dag/graphjson"
	"github.com/skainet-dev/skainet-go/compile/iree"
	"github.com/skainet-dev/skainet-go/compile/op"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
	_ "github.com/skainet-dev/skainet-go/test/errtest"
)

// onCPU runs graphs as a whole on the CPU backend, after the passes.
var onCPU = Backend{Name: "cpu", Open: func(_ context.Context, g *dag.Graph) (backend.Executable, error) {
	m, err := iree.Emit(g, iree.Options{})
	if err != nil {
		return nil, err
	}
	return cpu.Load(g, m.Contract, nil)
}}

func TestEveryOperationHasARecipe(t *testing.T) {
	for _, o := range op.All() {
		_, is := recipes[o.Name]
		_, not := excluded[o.Name]
		require.NotEqual(t, is, not, "%s must have a recipe, or a reason not to", o.Name)
	}
	require.Len(t, op.All(), len(recipes)+len(excluded), "a recipe or a reason is for no operation of the table")
}

func TestGraphsDependOnTheSeedAlone(t *testing.T) {
	for _, dynamic := range []bool{false, true} {
		o := Options{MaxOps: 30, Dynamic: dynamic}
		for seed := range uint64(20) {
			var texts [2][]byte
			for i := range texts {
				c, err := Make(seed, o)
				require.NoError(t, err)
				g, err := Graph([]*Case{c})
				require.NoError(t, err)
				texts[i], err = graphjson.Marshal(g)
				require.NoError(t, err)
			}
			require.True(t, bytes.Equal(texts[0], texts[1]), "seed %d", seed)
		}
	}
}

// The graphs cover every operation, element type, rank
// up to 5, sizes 0 and 1, dynamic ones, and graphs of 1 and of 30 operations.
func TestGraphsHaveEverything(t *testing.T) {
	ops, types, ranks, sizes, counts := map[string]int{}, map[dtype.DType]int{}, map[int]int{}, map[int64]int{}, map[int]int{}
	named, twice, edges, widened := 0, 0, 0, map[string]int{}
	for seed := range uint64(320) {
		c, err := Make(seed, Options{MaxOps: 30, Dynamic: seed%4 == 3})
		require.NoError(t, err)
		require.LessOrEqual(t, c.Ops(), 30)
		require.NotEmpty(t, c.results)
		counts[c.Ops()]++
		for _, s := range c.steps {
			ops[s.op]++
			for _, i := range s.in {
				if v := c.values[i]; v.apart {
					edges++
				} else if made := c.steps[v.step]; made.op == "convert" && unsignedLeaf(c, made.in[0]) {
					widened[s.op]++
				}
			}
		}
		for _, v := range c.values {
			types[v.typ.DType]++
			ranks[v.typ.Shape.Rank()]++
			for _, d := range v.shape {
				sizes[d.Size]++
				if !d.IsStatic() {
					named++
				}
			}
		}
		if c.other != nil {
			twice++
		}
	}
	for name := range recipes {
		require.Positive(t, ops[name], name)
	}
	for _, d := range dtype.All() {
		if d != dtype.I4 && d != dtype.U4 { // no backend computes in them
			require.Positive(t, types[d], "%s", d)
		}
	}
	for r := range 6 {
		require.Greater(t, ranks[r], 50, "rank %d", r)
	}
	require.Greater(t, sizes[0], 50)
	require.Greater(t, sizes[1], 500)
	require.Greater(t, named, 100)
	require.Greater(t, twice, 40, "of 80 dynamic graphs most are called with other sizes too")
	// Conversions that widen unsigned numbers occur with everything that may be fused with them.
	for _, family := range [][]string{
		{"dot_general"}, {"conv1d", "convolution", "conv_transpose"}, {"reduce_sum", "reduce_max", "reduce_min", "reduce_mean", "reduce_prod"},
		{"take", "gather", "gather_nd", "take_along"}, {"scatter", "scatter_along", "scatter_nd"}, {"multiply", "add", "maximum"},
	} {
		n := 0
		for _, name := range family {
			n += widened[name]
		}
		require.Positive(t, n, family)
	}
	require.Greater(t, edges, 25)
	require.Positive(t, counts[1])
	require.Positive(t, counts[30]+counts[29]+counts[28]+counts[27]+counts[26]+counts[25])
}

// Special numbers reach what moves, compares, sums and converts them, and results hold
// them.
func TestGraphsHaveSpecialNumbers(t *testing.T) {
	ops, results := map[string]int{}, 0
	families := [][]string{
		{"maximum", "minimum", "clamp"}, {"compare", "select", "is_nan", "is_inf", "is_finite"}, {"add", "subtract", "multiply"}, {"convert"},
		{"reduce_sum"}, {"reduce_max", "reduce_min"}, {"dot_general"}, {"take", "gather", "gather_nd", "take_along"}, {"argsort", "sort", "argmax", "argmin", "top_k"},
		{"transpose", "reshape", "reverse", "concatenate", "pad", "slice"}, {"floor", "ceil", "round", "trunc", "sign", "abs"},
	}
	// missing is the first family without special numbers, or nil.
	missing := func() []string {
		for _, family := range families {
			if !slices.ContainsFunc(family, func(name string) bool { return ops[name] > 0 }) {
				return family
			}
		}
		return nil
	}
	// Some are rare, and each new operation changes all graphs.
	for seed := uint64(0); seed < 600 || seed < 10000 && missing() != nil; seed++ {
		c, err := Make(seed, Options{MaxOps: 30, Dynamic: seed%4 == 3, Special: true})
		require.NoError(t, err)
		for _, s := range c.steps {
			for _, i := range s.in {
				if !c.values[i].apart && hasSpecial(c.values[i].worlds[0]) {
					ops[s.op]++
				}
			}
		}
		for _, i := range c.results {
			if hasSpecial(c.values[i].worlds[0]) {
				results++
			}
		}
	}
	require.Greater(t, results, 100)
	require.Empty(t, missing())
	for _, name := range []string{"exp", "softmax", "conv1d", "layer_norm"} {
		require.Zero(t, ops[name], name)
	}
}

// unsignedLeaf reports whether value i is an input or a constant of bools or unsigned
// numbers.
func unsignedLeaf(c *Case, i int) bool {
	d := c.values[i].typ.DType
	return c.steps[c.values[i].step].leaf != nil && (d == dtype.Bool || d.IsUnsigned())
}

// The whole graph, with passes and a memory plan, computes what its nodes do alone.
func TestCPU(t *testing.T) {
	for _, dynamic := range []bool{false, true} {
		var out bytes.Buffer
		k := Check{Options: Options{MaxOps: 30, Dynamic: dynamic}, Seed: 10000, Graphs: 50, Batch: 25, Backends: []Backend{onCPU}, Dir: t.TempDir()}
		require.NoError(t, k.Run(context.Background(), &out), "%s", &out)
		require.Contains(t, out.String(), "seeds 10025 to 10049\n")
		require.Contains(t, out.String(), "; cpu: 0 fail\n")
	}
}

func TestNothingApplies(t *testing.T) {
	recipes["never"] = func(*gen) *step { panic(giveUp{}) }
	defer delete(recipes, "never")
	_, err := Make(0, Options{MaxOps: 3, Only: []string{"never"}})
	require.ErrorContains(t, err, string(CodeStuck))
	_, err = Make(0, Options{MaxOps: 3, Only: []string{"add", "nothing"}})
	require.ErrorContains(t, err, `no operation "nothing"`)
}
