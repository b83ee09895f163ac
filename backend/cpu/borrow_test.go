package cpu

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/compile/dag"
	"github.com/skainet-dev/skainet-go/compile/op"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
)

// TestCallersChangeNothing: a program keeps its argument as a state, and returns it,
// its state and a value twice; then the caller writes into all of them.
func TestCallersChangeNothing(t *testing.T) {
	const size = 600
	for _, d := range []dtype.DType{dtype.F32, dtype.I64, dtype.F16, dtype.U8} {
		typ := tensor.TypeOf(d, size)
		b := newBuilder(t)
		x := b.AddArg(typ)
		state := b.node("state", op.Attrs{"name": "s", "type": typ})
		one := b.node("splat", op.Attrs{"type": typ, "value": 1.0})
		sum := b.node("add", nil, x, one)
		b.Results = []*dag.Value{x, state, sum, sum, one, b.node("reshape", op.Attrs{"sizes": []int64{size}}, sum)}
		g := graphOf(b.Block)
		g.States = []*dag.State{{Name: "s", Type: typ, Init: 7}}
		g.Funcs[0].Writes = []dag.Write{{State: "s", Value: x}}
		program := load(t, g, noParams)
		want := []float64{7, 3, 3} // the state before each call
		for i, w := range want {
			in := filled(typ, 3)
			out, err := program.Call(context.Background(), "main", in)
			require.NoError(t, err)
			for j, v := range []float64{3, w, 4, 4, 1, 4} {
				require.Equal(t, filled(typ, v), out[j], "%s, call %d, result %d", d, i, j)
			}
			for _, v := range append(out, in) {
				for k := range v.Bytes {
					v.Bytes[k] ^= 0x55 // seen by no other result
				}
			}
			require.Equal(t, in.Bytes[0], filled(typ, 3).Bytes[0]^0x55)
		}
	}
}

func filled(typ tensor.Type, v float64) tensor.Value {
	a := zeros(typ)
	a.data.fill(v, typ.DType)
	return a.value()
}

// An argument at an odd address is copied.
func TestArgumentsThatAreNotAligned(t *testing.T) {
	typ := tensor.TypeOf(dtype.F32, 3)
	v := filled(typ, 2)
	memory := append(make([]byte, 1, 32), v.Bytes...)
	require.Nil(t, make(vec[float64], 0).over(memory[1:]))
	b := newBuilder(t)
	x := b.AddArg(typ)
	b.Results = []*dag.Value{b.node("add", nil, x, x)}
	out, err := load(t, graphOf(b.Block), noParams).Call(context.Background(), "main", tensor.Value{Type: typ, Bytes: memory[1:13]})
	require.NoError(t, err)
	require.Equal(t, filled(typ, 4), out[0])
}
