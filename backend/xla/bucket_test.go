package xla

import (
	"context"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/backend"
	"github.com/skainet-dev/skainet-go/backend/cache"
	"github.com/skainet-dev/skainet-go/compile/dag"
	xlatext "github.com/skainet-dev/skainet-go/compile/xla"
	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/lang"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
	"github.com/skainet-dev/skainet-go/tensor/shape"
	"github.com/skainet-dev/skainet-go/test/optest"
	"github.com/skainet-dev/skainet-go/test/randgraph"
	"github.com/skainet-dev/skainet-go/test/xlatest"
)

// filledWith sets what padding holds, for a test: bytes of ones are NaN, and -1 as an index.
func filledWith(t *testing.T, b byte) {
	t.Helper()
	filling = b
	t.Cleanup(func() { filling = 0 })
}

// tableBuckets are as large as the largest sizes of the table's calls: each name is 1 in a call,
// its largest in another one, and in between.
var tableBuckets = map[string][]int64{"n": {16, 1030}, "batch": {3}, "seq": {16, 70}, "rows": {16}, "width": {16}, "past": {5}}

// The whole table of operations with dynamic sizes is right where one program serves a range of
// sizes, whatever padding holds: NaN and -1, or numbers as any. The column Padding of the table
// of operations rests on it.
func TestBuckets(t *testing.T) {
	xlatest.Plugin(t)
	for name, tt := range map[string]struct {
		fill    byte
		buckets Buckets
	}{
		"largest sizes, NaN":  {0xff, Buckets{Most: tableBuckets, Powers: true}},
		"powers of two, 12.1": {0x41, Buckets{Powers: true}},
	} {
		t.Run(name, func(t *testing.T) {
			filledWith(t, tt.fill)
			unfit := map[string]error{}
			worst := compare(t, optest.Dynamic, Options{Buckets: tt.buckets, Unfit: func(entry string, why error) { unfit[entry] = why }})
			require.NotEmpty(t, worst)
			require.Empty(t, unfit, "each entry point has a text for buckets")
		})
	}
}

// Random graphs with dynamic sizes give the CPU backend's results in buckets.
func TestRandomGraphsInBuckets(t *testing.T) {
	xlatest.Plugin(t)
	filledWith(t, 0xff)
	unfit := 0
	check := randgraph.Check{
		Options: randgraph.Options{MaxOps: 20, Dynamic: true}, Graphs: 60, Batch: 10, Seed: 18, Dir: t.TempDir(),
		Backends: []randgraph.Backend{{Name: "xla", Open: func(ctx context.Context, g *dag.Graph) (backend.Executable, error) {
			return Open(ctx, Options{Graph: g, Lazy: true, Buckets: Buckets{Powers: true}, Unfit: func(entry string, why error) {
				unfit++
				t.Log(entry, why)
			}})
		}}},
	}
	require.NoError(t, check.Run(t.Context(), t.Output()))
	require.Less(t, unfit, 6, "most graphs have a text for buckets")
}

// averages has an entry point whose results depend on how many elements there are, with a private
// function and a state variable.
func averages(t *testing.T, more ...func(m *lang.Module)) *dag.Graph {
	t.Helper()
	index := &tensor.Index{Tensors: []tensor.Spec{{Name: "w", DType: dtype.F32, Shape: shape.Of(16), Bytes: 64}}}
	g, err := lang.Capture("averages", index, func(m *lang.Module) {
		calls := m.State("calls", dtype.F32, 0)
		half := m.Func("half", func(f *lang.Func) {
			x := f.InputOf("x", dtype.F32, shape.Named("seq"))
			f.Output("y", x.Sum(false, 0).Div(x.Size(0).Convert(dtype.F32)))
		})
		m.Entry("mean", func(f *lang.Func) {
			x := f.InputOf("x", dtype.F32, shape.Named("seq"))
			f.Output("mean", f.Call(half, x)[0])
			f.Output("rest", f.Concat(0, x, f.Param("w")).SliceOf(0, shape.N(1), shape.Named("seq"), 1))
			next := f.Read(calls).AddScalar(1)
			f.Write(calls, next)
			f.Output("calls", next.Add(f.Splat(dtype.F32, 0)))
		})
		for _, add := range more {
			add(m)
		}
	})
	require.NoError(t, err)
	return g
}

// Calls of 5, 9 and 13 rows run one program, which a second session finds in the cache; so does
// one for as many rows as the bucket has. More rows have a program of their own.
func TestProgramsOfABucket(t *testing.T) {
	xlatest.Plugin(t)
	kept, err := cache.Open(t.TempDir())
	require.NoError(t, err)
	var made []string
	o := Options{
		Graph: averages(t), Archives: map[string][]string{"model": {weights(t, 2)}}, Cache: kept, Buckets: Buckets{Most: map[string][]int64{"seq": {64, 16, 16}}},
		Compiling: func(entry string, sizes map[string]int64) func() {
			made = append(made, entry+" "+Spelled(sizes))
			return func() {}
		},
	}
	for _, want := range [][]string{{"mean seq=16", "mean seq=64", "mean seq=70"}, nil} {
		made = nil
		x, err := Open(context.Background(), o)
		require.NoError(t, err)
		for i, n := range []int64{5, 9, 13, 16, 1, 17, 70, 5} {
			out, err := x.Call(context.Background(), "mean", vector(t, n, 3))
			require.NoError(t, err)
			one, err := tensor.Of([]float32{3})
			require.NoError(t, err)
			require.Equal(t, []tensor.Value{one, vector(t, n-1, 3)}, out[:2], "%d rows", n)
			count, err := tensor.Slice[float32](out[2])
			require.NoError(t, err)
			require.Equal(t, []float32{float32(i + 1)}, count)
		}
		require.Equal(t, want, made)
		into := []tensor.Value{{}, vector(t, 4, 0)}
		out, err := x.(backend.CallerAllocated).CallInto(context.Background(), "mean", into, vector(t, 5, 3))
		require.NoError(t, err)
		require.Same(t, &into[1].Bytes[0], &out[1].Bytes[0])
		require.Equal(t, vector(t, 4, 3), into[1])
		require.NoError(t, x.Close())
	}
}

// An entry point that has no text for buckets has programs for sizes, if buckets were not asked
// for by name; else that is an error.
func TestNoBuckets(t *testing.T) {
	xlatest.Plugin(t)
	less := func(m *lang.Module) {
		m.Entry("less", func(f *lang.Func) {
			long, short := f.InputOf("long", dtype.F32, shape.Named("seq"), shape.Named("all")), shape.Named("seq")
			f.Output("y", long.SliceOf(1, shape.Named("all").Minus(shape.N(1)), shape.Named("all"), 1).Add(f.IotaOf(dtype.F32, 0, short, shape.N(1))))
			f.Output("z", f.InputOf("sum", dtype.F32, shape.Named("seq").Plus(shape.Named("all"))).SliceOf(0, shape.Named("seq").Plus(shape.N(1)), shape.Named("seq").Plus(shape.Named("all")), 1).Sum(false, 0))
			f.Output("w", f.InputOf("other", dtype.F32, shape.Named("past-seq")).Sum(false, 0).Add(f.InputOf("past", dtype.F32, shape.Named("past")).Sum(false, 0)))
		})
	}
	g := averages(t, less)
	files := map[string][]string{"model": {weights(t, 2)}}
	args := []tensor.Value{matrix(t, 2, 3), vector(t, 5, 1), vector(t, 4, 1), vector(t, 6, 1)}
	var unfit []string
	x, err := Open(context.Background(), Options{
		Graph: g, Archives: files, Lazy: true, Buckets: Buckets{Powers: true},
		Unfit: func(entry string, why error) { unfit = append(unfit, entry+": "+string(errs.CodeOf(why))) },
	})
	require.NoError(t, err)
	for range 2 {
		out, err := x.Call(context.Background(), "less", args...)
		require.NoError(t, err)
		got, err := tensor.Slice[float32](out[2])
		require.NoError(t, err)
		require.Equal(t, []float32{10}, got)
	}
	require.Equal(t, []string{"less: HLO_BUCKET"}, unfit, "it is said once")
	require.NoError(t, x.Close())

	x, err = Open(context.Background(), Options{Graph: g, Archives: files, Lazy: true, Buckets: Buckets{Most: map[string][]int64{"seq": {8}}}})
	require.NoError(t, err)
	_, err = x.Call(context.Background(), "less", args...)
	require.Equal(t, xlatext.CodeBucket, errs.CodeOf(err))
	require.ErrorContains(t, err, "past-seq")
	require.NoError(t, x.Close())
}

func matrix(t *testing.T, rows, columns int64) tensor.Value {
	t.Helper()
	v := vector(t, rows*columns, 1)
	v.Type.Shape = shape.Of(rows, columns)
	return v
}

func TestBadBuckets(t *testing.T) {
	for _, text := range []string{"", "seq", "=4", "seq=", "seq=0", "seq=4,x", "seq=3000000000", "seq=-1"} {
		_, err := ParseBuckets(text)
		require.Equal(t, CodeSizes, errs.CodeOf(err), text)
	}
	_, err := ParseBuckets("seq=4", "seq=8")
	require.Equal(t, CodeSizes, errs.CodeOf(err))
	b, err := ParseBuckets("seq=4,8", "auto", " batch = 2")
	require.NoError(t, err)
	require.Equal(t, Buckets{Most: map[string][]int64{"seq": {4, 8}, "batch": {2}}, Powers: true}, b)
	require.Equal(t, "batch=2 seq=4,8 auto", b.String())

	xlatest.Plugin(t)
	files := map[string][]string{"model": {weights(t, 2)}}
	for name, most := range map[string]map[string][]int64{"no entry point": {"none": {4}}, "give sizes": {"seq": {0, 4}}} {
		_, err := Open(context.Background(), Options{Graph: averages(t), Archives: files, Lazy: true, Buckets: Buckets{Most: most}})
		require.Equal(t, CodeSizes, errs.CodeOf(err))
		require.ErrorContains(t, err, "seq")
		_ = name
	}
	path := filepath.Join(t.TempDir(), "m.xla")
	o := Options{Graph: averages(t), Sizes: []map[string]int64{{"seq": 4}}, Buckets: Buckets{Powers: true}}
	require.Equal(t, CodeSizes, errs.CodeOf(Write(context.Background(), path, o)))
	o.Buckets = Buckets{}
	require.NoError(t, Write(context.Background(), path, o))
	_, err = Open(context.Background(), Options{Program: path, Archives: files, Buckets: Buckets{Powers: true}})
	require.Equal(t, CodeSizes, errs.CodeOf(err))
}

// A program that is compiled where it is opened has buckets too.
func TestPortableBuckets(t *testing.T) {
	xlatest.Plugin(t)
	path := filepath.Join(t.TempDir(), "m.xla")
	require.NoError(t, WritePortable(path, Options{Graph: averages(t)}))
	made := 0
	x, err := Open(context.Background(), Options{
		Program: path, Archives: map[string][]string{"model": {weights(t, 2)}}, Buckets: Buckets{Powers: true},
		Compiling: func(string, map[string]int64) func() { made++; return func() {} },
	})
	require.NoError(t, err)
	for n := range int64(5) {
		require.Equal(t, []float32{2}, call(t, x, "mean", vector(t, n+4, 2)))
	}
	require.Equal(t, 2, made, "for 4, and for 5 to 8")
	require.NoError(t, x.Close())
}
