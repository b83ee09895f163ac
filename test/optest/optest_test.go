package optest

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/backend"
	"github.com/skainet-dev/skainet-go/compile/contract"
	"github.com/skainet-dev/skainet-go/compile/dag"
	"github.com/skainet-dev/skainet-go/compile/iree"
	"github.com/skainet-dev/skainet-go/compile/op"
	"github.com/skainet-dev/skainet-go/lang"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
	_ "github.com/skainet-dev/skainet-go/test/errtest"
)

// sourcesWithFiles are operations that a model without a weight file lacks;
// the models of //models have them.
var sourcesWithFiles = []string{"parameter"}

// blocksOnProcessors are operations of the table for processors alone; see cpuOnly.
var blocksOnProcessors = []string{"dequantize_blocks", "dequant_take", "dequant_matmul"}

func used(t *testing.T, build lang.Constructor) map[string]bool {
	g, err := lang.Capture("optest", nil, build)
	require.NoError(t, err)
	return operations(g)
}

func TestEveryOperationHasAnEntry(t *testing.T) {
	used, more := used(t, Model), used(t, CPUOnly)
	for _, name := range blocksOnProcessors {
		require.False(t, used[name], "%s has an entry for all targets now: take it off the list", name)
		used[name] = more[name]
	}
	for _, name := range sourcesWithFiles {
		require.False(t, used[name], "%s has an entry now: take it off the list", name)
		used[name] = true
	}
	for _, o := range op.All() {
		require.True(t, used[o.Name], "%s has no entry point in this package", o.Name)
	}
}

// The subset for slow drivers has every operation, in less than half the entry points.
func TestBriefHasEveryOperation(t *testing.T) {
	require.Equal(t, used(t, Model), used(t, EachOperation))
	require.Less(t, 2*len(entriesOf(t, EachOperation)), len(entriesOf(t, Model)))
}

// The parts together are the whole; of the dynamic one, what is for all targets.
func TestParts(t *testing.T) {
	var narrow, dynamic []string
	for i := range 3 {
		narrow = append(narrow, entriesOf(t, Part(i, 3))...)
		dynamic = append(dynamic, entriesOf(t, DynamicPart(i, 3))...)
	}
	require.ElementsMatch(t, entriesOf(t, Model), narrow)
	require.Subset(t, entriesOf(t, Dynamic), dynamic)
	require.Greater(t, len(dynamic), 40)
	require.NotContains(t, dynamic, "dynamic_mean_f64")
	require.Contains(t, dynamic, "dynamic_loop")
}

func entriesOf(t *testing.T, build lang.Constructor) []string {
	g, err := lang.Capture("optest", nil, build)
	require.NoError(t, err)
	var names []string
	for _, f := range g.Funcs {
		if f.Entry {
			names = append(names, f.Name)
		}
	}
	return names
}

// knownSizes are operations whose sizes are always known.
var knownSizes = []string{"constant", "parameter", "state", "dequantize_blocks"}

// Every operation that graphs hold is compared with dynamic sizes too; what
// composite operations make of them, package op tests.
func TestEveryOperationHasADynamicEntry(t *testing.T) {
	g, err := lang.Capture("optest", nil, Dynamic)
	require.NoError(t, err)
	dynamic := func(v *dag.Value) bool { return !v.Type.Shape.IsStatic() }
	used := map[string]bool{}
	for _, f := range g.Funcs {
		f.Body.Walk(func(n *dag.Node) {
			if slices.ContainsFunc(n.Inputs, dynamic) || slices.ContainsFunc(n.Outputs, dynamic) {
				used[n.Op.Name] = true
			}
		})
	}
	for _, name := range knownSizes {
		require.False(t, used[name], name)
		used[name] = true
	}
	for _, o := range op.All() {
		require.True(t, used[o.Name] || o.IsComposite(), "%s has no entry point with dynamic sizes", o.Name)
	}
}

// Each entry point is called with arguments of its contract: once, those with
// dynamic sizes three times and those with state four times, on one loaded
// program.
func TestCasesCallEveryEntry(t *testing.T) {
	for _, build := range []lang.Constructor{Model, CPUOnly, Dynamic, EachOperation, DynamicPart(0, 2)} {
		g, err := lang.Capture("optest", nil, build)
		require.NoError(t, err)
		m, err := iree.Emit(g, iree.Options{})
		require.NoError(t, err)
		cases, err := Cases(m.Contract)
		require.NoError(t, err)
		require.Len(t, cases, 1)
		calls := map[string]int{}
		for _, call := range cases[0].Calls {
			calls[call.Entry]++
			e, err := m.Contract.Entry(call.Entry)
			require.NoError(t, err)
			require.NoError(t, backend.Check(e, call.Args), call.Entry)
		}
		require.Len(t, calls, len(m.Contract.Entries))
		for _, e := range m.Contract.Entries {
			want := 1
			switch {
			case slices.Contains(withState, e.Name):
				want = 4
			case slices.ContainsFunc(e.Args, func(a contract.Named) bool { return !a.Shape.IsStatic() }):
				want = 3
			}
			require.Equal(t, want, calls[e.Name], e.Name)
		}
	}
}

// The reference is as close to the exact values of f64 as programs must be.
func TestExactFunctionsOfTheReference(t *testing.T) {
	g, err := lang.Capture("optest", nil, func(m *lang.Module) { add(m, exactFunctions) })
	require.NoError(t, err)
	for entry, got := range results(t, g, func(v tensor.Value) tensor.Value { return v }) {
		assert.NotContains(t, got[0].Bytes, byte(0), entry)
	}
}

func TestUnknownEntry(t *testing.T) {
	g, err := lang.Capture("other", nil, func(m *lang.Module) {
		m.Entry("nothing_of_ours", func(f *lang.Func) { f.Output("y", f.Splat(dtype.F32, 0)) })
	})
	require.NoError(t, err)
	m, err := iree.Emit(g, iree.Options{})
	require.NoError(t, err)
	_, err = Cases(m.Contract)
	require.ErrorContains(t, err, "PARITY_BAD_INPUT: nothing_of_ours")
}
