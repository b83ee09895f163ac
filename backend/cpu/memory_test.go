package cpu

import (
	"context"
	"os"
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/compile/dag"
	"github.com/skainet-dev/skainet-go/compile/dag/analysis"
	"github.com/skainet-dev/skainet-go/compile/op"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
)

// TestMain runs every test of this package with memory that is poisoned before and
// after use.
func TestMain(m *testing.M) {
	poison = true
	os.Exit(m.Run())
}

// chain is a program of n nodes that each add 1 to the last; some results are
// views, which must not release the memory of others.
func chain(t *testing.T, n int, size int64) builder {
	b := newBuilder(t)
	typ := tensor.TypeOf(dtype.F32, size)
	one := b.node("splat", op.Attrs{"type": typ, "value": 1.0})
	v := b.AddArg(typ)
	for i := range n {
		if i%3 == 2 {
			v = b.node("reshape", op.Attrs{"sizes": []int64{size}}, v)
		}
		v = b.node("add", nil, v, one)
	}
	b.Results = []*dag.Value{v}
	return b
}

func TestMemoryIsUsedAgain(t *testing.T) {
	const nodes, size = 30, 1 << 18
	x := array{tensor.TypeOf(dtype.F32, size), make(vec[float32], size)}.value()
	program := load(t, graphOf(chain(t, nodes, size).Block), noParams)
	call := func() {
		out, err := program.Call(context.Background(), "main", x)
		require.NoError(t, err)
		y, err := tensor.Slice[float32](out[0])
		require.NoError(t, err)
		for _, v := range y {
			if v != nodes {
				t.Fatalf("%v, want %d", v, nodes)
			}
		}
	}
	call()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	call()
	runtime.ReadMemStats(&after)
	// Without reuse, each node allocates 4 bytes for each element. With it only
	// the argument, the result and its copy do, besides what the garbage collector has reclaimed.
	require.Less(t, after.TotalAlloc-before.TotalAlloc, uint64(nodes/2*4*size))
}

// TestViewsKeepMemory: a value and views of it, in any order of their last uses,
// across a branch and a loop. Memory is poisoned when it is released, so a wrong
// result would show.
func TestViewsKeepMemory(t *testing.T) {
	const size = 4096
	typ := tensor.TypeOf(dtype.F32, size)
	b := newBuilder(t)
	x := b.AddArg(typ)
	one := b.node("splat", op.Attrs{"type": typ, "value": 1.0})
	sum := b.node("add", nil, x, one)                                // x + 1
	view := b.node("reshape", op.Attrs{"sizes": []int64{size}}, sum) // dies after its base
	half := b.node("slice", op.Attrs{"start": []int64{1024}, "limit": []int64{3072}, "strides": []int64{1}}, sum)
	other := b.node("add", nil, sum, sum)    // the last use of sum
	again := b.node("add", nil, view, one)   // x + 2, while half lives
	last := b.node("add", nil, again, other) // 3x + 4
	b.Results = []*dag.Value{half, last}
	in := make(vec[float32], size)
	for i := range in {
		in[i] = float32(i)
	}
	for range 3 {
		out, err := load(t, graphOf(b.Block), noParams).Call(context.Background(), "main", array{typ, in}.value())
		require.NoError(t, err)
		y, err := tensor.Slice[float32](out[0])
		require.NoError(t, err)
		z, err := tensor.Slice[float32](out[1])
		require.NoError(t, err)
		for i, v := range y {
			require.Equal(t, float32(i+1025), v)
		}
		for i, v := range z {
			require.Equal(t, float32(3*i+4), v)
		}
	}
}

// The plan counts what is on the way to a value that is computed once: the memory in use
// after each node is not above it.
func TestMemoryOfFixedValues(t *testing.T) {
	const size, slack = 1 << 20, 1 << 20 // elements of 4 bytes; bytes
	b := newBuilder(t)
	x := b.AddArg(tensor.TypeOf(dtype.F32))
	c := b.node("splat", op.Attrs{"type": tensor.TypeOf(dtype.F32, size), "value": 1.0})
	square := b.node("multiply", nil, c, c)
	once := b.node("reduce_sum", op.Attrs{"dims": []int64{0}}, b.node("negate", nil, square))
	twice := b.node("reduce_sum", op.Attrs{"dims": []int64{0}}, b.node("add", nil, square, c))
	b.Results = []*dag.Value{b.node("add", nil, b.node("add", nil, x, once), twice)}
	g := graphOf(b.Block)
	var heap runtime.MemStats
	used := func() int64 {
		runtime.GC()
		runtime.GC() // and what pools held
		runtime.ReadMemStats(&heap)
		return int64(heap.HeapAlloc)
	}
	before, most := used(), int64(0)
	program, err := LoadWith(g, contractOf(g), noParams, Options{Trace: func(*dag.Node, []tensor.Value) { most = max(most, used()-before) }})
	require.NoError(t, err)
	require.Equal(t, []float32{size + 0.5}, callFloats(t, program.(*executable), floatsOf(t, []float32{0.5})))
	plan, where, err := analysis.Peak(g, func(t tensor.Type) int64 { n, _ := t.Bytes(); return n })
	require.NoError(t, err)
	require.Less(t, most, plan+slack, where)
	require.Greater(t, most, int64(2*4*size), "what is on the way is in memory")
	require.InDelta(t, 3*4*size, plan, slack)
}
