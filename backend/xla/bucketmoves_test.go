package xla

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/backend/cpu"
	"github.com/skainet-dev/skainet-go/backend/parity"
	"github.com/skainet-dev/skainet-go/compile/dag/describe"
	"github.com/skainet-dev/skainet-go/lang"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
	"github.com/skainet-dev/skainet-go/tensor/shape"
	"github.com/skainet-dev/skainet-go/test/xlatest"
)

// moves has what the table of operations does not: windows of open sizes in larger ones, more rows
// than a cache has, and reshapes that put elements elsewhere.
func moves(m *lang.Module) {
	seq, batch := shape.Named("seq"), shape.Named("batch")
	m.Entry("windows", func(f *lang.Func) {
		at, zero := f.Input("at", dtype.I32), f.Splat(dtype.I32, 0)
		x, y, z := f.InputOf("x", dtype.F32, seq, batch), f.InputOf("y", dtype.F32, batch, batch), f.InputOf("z", dtype.F32, seq, shape.N(3))
		both := f.Concat(0, x, y)
		f.Output("updated", both.Update(x.Exp(), at, zero))
		f.Output("corner", f.Concat(1, both, both).Update(y.Exp(), at, at))
		f.Output("wide", f.Concat(1, z, x).Update(z.Negate(), zero, at))
		f.Output("window", both.DynamicSliceOf([]shape.Dim{seq, batch}, at, zero))
		f.Output("square", both.DynamicSliceOf([]shape.Dim{batch, shape.N(1)}, at, at))
		f.Output("rows", f.Input("cache", dtype.F32, 5, 3).UpdateRows(z, at))
		f.Output("more", f.Input("long", dtype.F32, 40, 3).UpdateRows(z, at))
	})
	m.Entry("places", func(f *lang.Func) {
		x := f.InputOf("x", dtype.F32, seq, batch, shape.N(3))
		flat := x.ReshapeOf(seq.Times(batch), shape.N(3))
		f.Output("flat", flat)
		f.Output("other", flat.ReshapeOf(batch, seq, shape.N(3)))
		f.Output("turned", x.Transpose(2, 1, 0).ReshapeOf(batch.Times(shape.N(3)), seq))
		f.Output("all", x.Transpose(2, 0, 1).Reshape(-1))
		f.Output("groups", f.Concat(1, x, x).ReshapeOf(seq, shape.N(2), batch.Times(shape.N(3))))
		f.Output("first", x.Reverse(0))
		f.Output("second", x.Reverse(1, 2))
		f.Output("third", f.Concat(0, x, x.Negate(), x.Slice(0, 0, 1)).Reverse(0))
		f.Output("steps", f.Concat(0, x, x).SliceOf(0, shape.N(1), seq.Plus(seq), 3))
		f.Output("tail", f.Concat(0, x, x).SliceOf(0, seq.Minus(shape.N(1)), seq.Plus(seq), 2))
		f.Output("padded", x.Pad(0, 2, 3, -1).Pad(1, 1, 2, 5))
		f.Output("sums", x.Pad(0, 0, 1, 0).CumSum(0, lang.ScanOptions{Reverse: true}))
	})
}

func TestMovesInBuckets(t *testing.T) {
	xlatest.Plugin(t)
	filledWith(t, 0xff)
	g, err := lang.Capture("m", nil, moves)
	require.NoError(t, err)
	c, err := describe.Contract(g)
	require.NoError(t, err)
	x, err := Open(context.Background(), Options{Graph: g, Lazy: true, Buckets: Buckets{Most: map[string][]int64{"seq": {16}, "batch": {4}}}})
	require.NoError(t, err)
	defer x.Close()
	reference, err := cpu.Load(g, c, nil)
	require.NoError(t, err)
	defer reference.Close()
	r := rand.New(rand.NewPCG(18, 30))
	one := parity.Case{Name: "moves"}
	for _, sizes := range []map[string]int64{{"seq": 1, "batch": 1}, {"seq": 5, "batch": 2}, {"seq": 13, "batch": 3}, {"seq": 16, "batch": 4}} {
		for _, at := range []int32{-3, 0, 2, 34, 1000} {
			for i := range c.Entries {
				e := &c.Entries[i]
				var args []tensor.Value
				for _, a := range e.Args {
					typ := a.Type()
					typ.Shape, err = typ.Shape.Bind(sizes)
					require.NoError(t, err)
					v, err := parity.Random(r, typ)
					if a.Name == "at" {
						v, err = tensor.Of([]int32{at})
					}
					require.NoError(t, err)
					args = append(args, v)
				}
				one.Calls = append(one.Calls, parity.Call{Entry: e.Name, Args: args})
			}
		}
	}
	reports, err := parity.Run(context.Background(), one, kept(reference), kept(x), parity.Default())
	require.NoError(t, err)
	require.Len(t, reports, len(one.Calls))
	for i, report := range reports {
		require.NoError(t, report.Err(), fmt.Sprint(one.Calls[i].Args[0].Type))
	}
}
