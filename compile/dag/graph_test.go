package dag

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/compile/op"
	"github.com/skainet-dev/skainet-go/errs"
	_ "github.com/skainet-dev/skainet-go/test/errtest"
)

func TestLookups(t *testing.T) {
	s := newSample(t)
	f, err := s.g.Func("main")
	require.NoError(t, err)
	require.Same(t, s.main, f)
	_, err = s.g.Func("other")
	require.Equal(t, errs.Code("DAG_NO_FUNCTION"), errs.CodeOf(err))
	v, err := s.g.State("kv")
	require.NoError(t, err)
	require.Equal(t, vec, v.Type)
	_, err = s.g.State("other")
	require.Equal(t, errs.Code("DAG_NO_STATE"), errs.CodeOf(err))
}

func TestAddNamesTheNodeInErrors(t *testing.T) {
	b := &Block{}
	x := b.AddArg(vec)
	for _, name := range []string{"softmax", "nothing"} {
		n, err := b.Add(name, "model/here", op.Attrs{}, x)
		require.Nil(t, n)
		require.ErrorContains(t, err, "model/here")
	}
	_, err := b.Add("add", "model/here", nil, x, b.AddArg(half))
	require.Equal(t, op.CodeShape, errs.CodeOf(err))
	require.Empty(t, b.Nodes, "a node that failed is not in the block")
}

func TestAddFillsInDefaults(t *testing.T) {
	s := newSample(t)
	require.Equal(t, "model", s.weight.Attrs.String("scope"))
	require.Equal(t, "main/weight: parameter", s.weight.String())
}

func TestWalkGoesIntoBlocks(t *testing.T) {
	var paths []string
	newSample(t).main.Body.Walk(func(n *Node) { paths = append(paths, n.Path) })
	want := []string{
		"main/weight", "main/old", "main/twice", "main/zero", "main/loop",
		"main/loop/less", "main/loop/one", "main/loop/next", "main/loop/grown", "main/sum",
	}
	if diff := cmp.Diff(want, paths); diff != "" {
		t.Error(diff)
	}
}

func TestParamsAreSortedAndUnique(t *testing.T) {
	s := newSample(t)
	for _, p := range [][2]string{{"model", "b"}, {"adapter", "z"}, {"model", "w"}, {"model", "B"}} {
		node(t, s.private.Body, "parameter", "private/p", op.Attrs{"type": vec, "scope": p[0], "key": p[1]})
	}
	got, err := s.g.Params()
	require.NoError(t, err)
	want := []Param{{"adapter", "z", vec, ""}, {"model", "B", vec, ""}, {"model", "b", vec, ""}, {"model", "w", vec, ""}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestReadsStateFollowsCallsInGraphOrder(t *testing.T) {
	s := newSample(t)
	require.Equal(t, []string{"kv"}, s.g.ReadsState(s.main))
	require.Empty(t, s.g.ReadsState(s.private))
	s.g.States = append([]*State{{Name: "first", Type: vec}}, s.g.States...)
	node(t, s.private.Body, "state", "private/first", op.Attrs{"type": vec, "name": "first"})
	require.Equal(t, []string{"first", "kv"}, s.g.ReadsState(s.main))
}
