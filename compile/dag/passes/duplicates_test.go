package passes_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/compile/dag"
	"github.com/skainet-dev/skainet-go/compile/dag/passes"
	"github.com/skainet-dev/skainet-go/compile/op"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
)

// keys lists the keys that a graph reads from archives.
func keys(g *dag.Graph) []string {
	list := []string{}
	for _, f := range g.Funcs {
		f.Body.Walk(func(n *dag.Node) {
			switch n.Op.Name {
			case "parameter":
				list = append(list, n.Attrs.String("scope")+"/"+n.Attrs.String("key"))
			case "constant":
				list = append(list, n.Attrs.String("name"))
			}
		})
	}
	return list
}

func TestDuplicates(t *testing.T) {
	b := &dag.Block{}
	param := func(scope, key string, typ tensor.Type) *dag.Value {
		return add(t, b, "parameter", op.Attrs{"type": typ, "scope": scope, "key": key})
	}
	same := tensor.TypeOf(dtype.F32, 2)
	b.Results = []*dag.Value{
		param("model", "z", same), param("model", "a", same), param("model", "other", same), param("model", "unknown", same),
		param("adapter", "z", same), param("model", "k", tensor.TypeOf(dtype.I32, 2)),
		constant[float32](t, b, "d", 1, 2), constant[float32](t, b, "c", 1, 2), constant[float32](t, b, "e", 2, 1), constant[float32](t, b, "", 1, 2),
	}
	second := &dag.Block{}
	second.Results = []*dag.Value{add(t, second, "parameter", op.Attrs{"type": same, "key": "z"})}
	g := &dag.Graph{Name: "tied", Funcs: []*dag.Func{entry("main", b), entry("second", second)}}
	contents := func(_, key string) string {
		return map[string]string{"z": "ones", "a": "ones", "k": "ones", "other": "twos"}[key]
	}
	pass := passes.Duplicates(contents)
	require.NoError(t, passes.Run(g, pass))
	want := []string{"model/a", "model/other", "model/unknown", "adapter/z", "model/k", "c", "e", "", "model/a"}
	if diff := cmp.Diff(want, keys(g)); diff != "" {
		t.Error(diff)
	}
	require.Same(t, b.Results[0], b.Results[1])
	require.NoError(t, passes.Run(g, pass))
	require.Equal(t, want, keys(g))

	before := busy(t)
	outputs := results(t, before)
	require.NoError(t, passes.Run(before, passes.Duplicates(nil)))
	require.Equal(t, outputs, results(t, before))
	require.Equal(t, []string{"model/w", "table"}, keys(before)[:2])
}
