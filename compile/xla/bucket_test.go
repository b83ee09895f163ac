package xla

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/compile/dag"
	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/lang"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
	"github.com/skainet-dev/skainet-go/tensor/shape"
)

func captured(t *testing.T, build func(f *lang.Func)) *dag.Graph {
	t.Helper()
	g, err := lang.Capture("m", nil, func(m *lang.Module) { m.Entry("run", build) })
	require.NoError(t, err)
	return g
}

func bucketText(t *testing.T, g *dag.Graph, sizes, most map[string]int64) string {
	t.Helper()
	m, err := EmitBucket(g, "run", sizes, most, Options{})
	require.NoError(t, err)
	text := string(m.Text)
	require.NotContains(t, text, "?", "every size is known")
	require.NotContains(t, text, "dynamic_reshape")
	return text
}

// What is made of elements at the same place has no mask; a sum along a size has, along another
// dimension, or one that has one size alone, it has none.
func TestMasksAreWhereTheyAreNeeded(t *testing.T) {
	n, batch := shape.Named("n"), shape.Named("batch")
	open := map[string]int64{"n": 8, "batch": 4}
	text := func(build func(x lang.Tensor) lang.Tensor, exact map[string]int64) string {
		return bucketText(t, captured(t, func(f *lang.Func) { f.Output("y", build(f.InputOf("x", dtype.F32, batch, n, shape.N(3)))) }), exact, open)
	}
	masks := func(s string) int { return strings.Count(s, "stablehlo.select") }
	require.Zero(t, masks(text(func(x lang.Tensor) lang.Tensor { return x.Exp().Transpose(1, 0, 2).Softmax(2) }, nil)))
	require.Equal(t, 1, masks(text(func(x lang.Tensor) lang.Tensor { return x.Sum(false, 1) }, nil)))
	require.Equal(t, 1, masks(text(func(x lang.Tensor) lang.Tensor { return x.Sum(false, 1, 0) }, nil)), "one for both dimensions")
	require.Equal(t, 1, masks(text(func(x lang.Tensor) lang.Tensor { return x.Sum(false, 1) }, map[string]int64{"batch": 2})))
	require.Zero(t, masks(text(func(x lang.Tensor) lang.Tensor { return x.Sum(false, 0) }, map[string]int64{"batch": 2})))

	rows := func(x lang.Tensor) lang.Tensor { return x.ReshapeOf(batch.Times(n), shape.N(3)) }
	require.Contains(t, text(rows, nil), "stablehlo.gather", "rows of a text follow those of the one before it")
	require.NotContains(t, text(rows, map[string]int64{"batch": 1}), "stablehlo.gather", "there is one text")
	require.Contains(t, text(rows, map[string]int64{"batch": 2}), "stablehlo.gather")
	require.NotContains(t, text(func(x lang.Tensor) lang.Tensor { return x.ReshapeOf(batch, n.Times(shape.N(3))) }, nil), "stablehlo.gather")
}

func TestNoBucketText(t *testing.T) {
	long, short := shape.Named("long"), shape.Named("short")
	g := captured(t, func(f *lang.Func) {
		x := f.InputOf("x", dtype.F32, long)
		f.InputOf("z", dtype.F32, short)
		f.Output("y", f.Concat(0, x, f.InputOf("rest", dtype.F32, short.Minus(long))).Exp())
	})
	_, err := EmitBucket(g, "run", nil, map[string]int64{"long": 8, "short": 8}, Options{})
	require.Equal(t, CodeBucket, errs.CodeOf(err))
	require.ErrorContains(t, err, "no largest number")
	_, err = EmitBucket(g, "run", map[string]int64{"long": 2}, map[string]int64{"short": 8}, Options{})
	require.NoError(t, err, "short-2 has a largest number")
	_, err = EmitBucket(g, "run", nil, map[string]int64{"short": 8}, Options{})
	require.Equal(t, CodeDynamic, errs.CodeOf(err))

	mesh, err := lang.Capture("m", nil, func(m *lang.Module) {
		m.Mesh(lang.Axis{Name: "data", Size: 2})
		m.Entry("run", func(f *lang.Func) { f.Output("y", f.InputOf("x", dtype.F32, shape.N(4), long).Shard("data", "").Exp()) })
	})
	require.NoError(t, err)
	_, err = EmitBucket(mesh, "run", nil, map[string]int64{"long": 8}, Options{})
	require.Equal(t, CodeBucket, errs.CodeOf(err))
}
