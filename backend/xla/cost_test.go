package xla

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"
	"google.golang.org/protobuf/encoding/protowire"

	"github.com/skainet-dev/skainet-go/backend/xla/pjrt"
	"github.com/skainet-dev/skainet-go/compile/dag"
	"github.com/skainet-dev/skainet-go/compile/dag/shard"
	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/lang"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
	"github.com/skainet-dev/skainet-go/test/xlatest"
)

// layers multiplies by columns and by rows, so that the devices add up [8, 4] of f32, once
// and in each of ten rounds of a loop.
func layers(m *lang.Module) {
	layer := func(f *lang.Func, x lang.Tensor) lang.Tensor { return x.MatMul(f.Param("up")).MatMul(f.Param("down")) }
	m.Entry("once", func(f *lang.Func) { f.Output("y", layer(f, f.Input("x", dtype.F32, 8, 4))) })
	m.Entry("rounds", func(f *lang.Func) {
		x, n := f.Input("x", dtype.F32, 8, 4), f.Input("n", dtype.I32)
		out := f.While([]lang.Tensor{f.Splat(dtype.I32, 0), x},
			func(c []lang.Tensor) lang.Tensor { return c[0].Less(n) },
			func(c []lang.Tensor) []lang.Tensor { return []lang.Tensor{c[0].AddScalar(1), layer(f, c[1])} })
		f.Output("y", out[1])
	})
}

var byModel = shard.Layout{Parameters: []shard.Rule{
	{Names: "up", Axes: dag.Sharding{"", "model"}}, {Names: "down", Axes: dag.Sharding{"model", ""}},
}}

// What devices keep and exchange is what was worked out by hand.
func TestCosts(t *testing.T) {
	xlatest.Plugin(t)
	index, _, _ := perceptronWeights(t)
	g, err := lang.Capture("layers", index, layers)
	require.NoError(t, err)
	for _, devices := range []int64{1, 2, 4} {
		on, err := shard.Apply(g, []dag.Axis{{Name: "model", Size: devices}}, byModel)
		require.NoError(t, err)
		share, err := ShareOf(on)
		require.NoError(t, err)
		require.Equal(t, Share{Devices: devices, Weights: 512 / devices, WholeWeights: 512, Unpacked: 512 / devices, WholeUnpacked: 512, SplitWeights: map[bool]int{true: 2}[devices > 1], AllWeights: 2}, share)
		costs, err := Costs(context.Background(), Options{Graph: on})
		require.NoError(t, err)
		require.Len(t, costs, 2)
		for i, c := range costs {
			require.NotNil(t, c.Need)
			require.Equal(t, 512/devices+128+4*int64(i), c.Need.Arguments)
			var want []Collective
			if devices > 1 {
				want = []Collective{{Op: "all-reduce", InLoop: i == 1, Count: 1, Sent: 2 * 128 * (devices - 1) / devices}}
			}
			require.Equal(t, want, c.Collectives, "%s on %d", c.Entry, devices)
		}
	}
}

// Weights in blocks are counted as they are stored, and as a session has them: 64x64 of f32 in
// halves, and the table in both forms, of which rows are looked up in the blocks.
func TestShareOfBlocks(t *testing.T) {
	xlatest.Plugin(t)
	g, _ := blocks(t, lang.Axis{Name: "model", Size: 2})
	share, err := ShareOf(g)
	require.NoError(t, err)
	const table, matrix, tableF32, matrixF32 = 12 * 2 * 34, 64 * 2 * 34, 12 * 64 * 4, 64 * 64 * 4
	require.Equal(t, Share{
		Devices: 2, SplitWeights: 2, AllWeights: 3,
		Weights: table + 2*matrix/2, WholeWeights: table + 2*matrix,
		Unpacked: table + tableF32 + 2*matrixF32/2, WholeUnpacked: table + tableF32 + 2*matrixF32,
	}, share)
	for form, want := range map[string]int64{Packed: share.Weights, Unpacked: share.Unpacked, "": share.Unpacked} {
		costs, err := Costs(context.Background(), Options{Graph: g, Weights: form})
		require.NoError(t, err)
		require.Len(t, costs, 2)
		for _, c := range costs {
			rows := map[string]int64{"one": 1, "many": 3}[c.Entry]
			require.Equal(t, want+4*rows, c.Need.Arguments, "%q: XLA counts the same", form)
		}
	}
	_, err = Costs(context.Background(), Options{Graph: g, Weights: "half"})
	require.Equal(t, CodeWeights, errs.CodeOf(err))
}

// message appends fields, each a number or the bytes of a message.
func message(list ...any) (out []byte) {
	for i := 0; i < len(list); i += 2 {
		field := protowire.Number(list[i].(int))
		switch v := list[i+1].(type) {
		case int:
			out = protowire.AppendVarint(protowire.AppendTag(out, field, protowire.VarintType), uint64(v))
		case string:
			out = protowire.AppendString(protowire.AppendTag(out, field, protowire.BytesType), v)
		case []byte:
			out = protowire.AppendBytes(protowire.AppendTag(out, field, protowire.BytesType), v)
		}
	}
	return out
}

// The ways in which versions of XLA write groups and loops.
func TestCollectives(t *testing.T) {
	shape := message(2, 11, 3, []byte{8, 3}) // f32[8x3], 96 bytes
	operand := message(2, "parameter", 3, shape, 35, 7)
	module := func(groups ...any) []byte {
		gather := message(append([]any{2, "all-gather-start", 3, message(2, 13, 4, shape, 4, shape), 35, 8, 36, []byte{7}}, groups...)...)
		loop := message(2, "while", 35, 9, 38, 2, 43, `{"known_trip_count":{"n":"5"}}`)
		endless := message(2, "while", 35, 10, 38, 2)
		return message(1, "m", 6, 1, 3, message(5, 2, 2, operand, 2, gather, 2, message(2, "all-gather-done", 35, 11, 36, 8)), 3, message(5, 1, 2, loop, 2, endless))
	}
	for name, groups := range map[string][]any{
		"lists":   {49, message(1, []byte{0, 1}), 49, message(1, []byte{2, 3})},
		"devices": {87, message(1, message(1, 0, 1, 1))},
		"numbers": {87, message(2, message(1, 2, 2, 2))},
		"axes":    {93, message(1, message(1, message(1, "a", 2, 2), 1, message(1, "b", 2, 4)), 2, []byte{})},
		"parts":   {93, message(1, message(1, message(1, "a", 2, 2), 1, message(1, "b", 2, 4)), 2, message(1, 1, 2, message(1, 2, 2, 2)))},
	} {
		got, err := collectives(module(groups...), 8)
		require.NoError(t, err)
		require.Equal(t, []Collective{{Op: "all-gather", Count: 5, Sent: 5 * 96}, {Op: "all-gather", InLoop: true, Count: 1, Sent: 96}}, got, name)
	}
	got, err := collectives(module(), 8)
	require.NoError(t, err)
	require.EqualValues(t, 5*96*7, got[0].Sent, "all devices are a group")

	good := module()
	for n := range good { // a prefix is an error or a shorter program, and never a panic
		_, err := collectives(good[:n], 8)
		require.True(t, err == nil || errs.CodeOf(err) == pjrt.CodeProgram, "%d: %v", n, err)
	}
	_, err = collectives(message(6, 1, 3, message(5, 1, 2, message(2, "call", 38, 1))), 2)
	require.Equal(t, pjrt.CodeProgram, errs.CodeOf(err), "a computation that calls itself")
}
