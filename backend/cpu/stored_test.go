package cpu

import (
	"context"
	"errors"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/backend/cpu/packed"
	"github.com/skainet-dev/skainet-go/compile/dag"
	"github.com/skainet-dev/skainet-go/compile/op"
	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
	"github.com/skainet-dev/skainet-go/tensor/quant"
)

// layers multiplies x [2, 3, 64] by the parameters a [8, 64], which has no
// other use, b [8, 64], which is also a result, c [64, 8], untransposed, and d [1, 64].
func layers(t *testing.T) *dag.Graph {
	b := newBuilder(t)
	x := b.AddArg(tensor.TypeOf(dtype.F32, 2, 3, 64))
	dot := func(key string, side int64, sizes ...int64) *dag.Value {
		w := b.node("parameter", op.Attrs{"type": tensor.TypeOf(dtype.F32, sizes...), "key": key})
		b.Results = append(b.Results, b.node("dot_general", op.Attrs{"lhs_contracting": []int64{2}, "rhs_contracting": []int64{side}}, x, w))
		return w
	}
	dot("a", 1, 8, 64)
	b.Results = append(b.Results, dot("b", 1, 8, 64))
	dot("c", 0, 64, 8)
	dot("d", 1, 1, 64)
	return graphOf(b.Block)
}

// TestStoredParameters compares bits with unpacked parameters, and checks that values
// are read only for those that are not used in their stored form.
func TestStoredParameters(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	stored, dense := map[string]*packed.Matrix{}, map[string]tensor.Value{}
	for key, sizes := range map[string][2]int{"a": {8, 64}, "b": {8, 64}, "c": {64, 8}, "d": {1, 64}} {
		n := sizes[0] * sizes[1]
		values := make([]float32, n)
		for i := range values {
			values[i] = float32(r.NormFloat64())
		}
		data := make([]byte, n/32*34)
		require.NoError(t, quant.Pack("Q8_0", data, values))
		require.NoError(t, quant.Unpack("Q8_0", values, data))
		var err error
		dense[key], err = tensor.Of(values, int64(sizes[0]), int64(sizes[1]))
		require.NoError(t, err)
		if key != "c" {
			stored[key], err = packed.New("Q8_0", sizes[0], sizes[1], data)
			require.NoError(t, err)
		}
	}
	g := layers(t)
	var asked []string
	values := func(_, key string) (tensor.Value, error) { asked = append(asked, key); return dense[key], nil }
	results := func(o Options) []tensor.Value {
		program, err := LoadWith(g, contractOf(g), values, o)
		require.NoError(t, err)
		x := make([]float32, 2*3*64)
		for i := range x {
			x[i] = float32(i%17) - 8
		}
		in, err := tensor.Of(x, 2, 3, 64)
		require.NoError(t, err)
		out, err := program.Call(context.Background(), "main", in)
		require.NoError(t, err)
		require.NoError(t, program.Close())
		return out
	}
	want := results(Options{})
	require.Equal(t, []string{"a", "b", "c", "d"}, asked)
	asked = nil
	offered := 0
	got := results(Options{Stored: func(_, key string) (*packed.Matrix, error) { offered++; return stored[key], nil }})
	require.Equal(t, want, got)
	require.Equal(t, []string{"b", "c", "d"}, asked)
	require.Equal(t, 1, offered)
	require.Equal(t, want, results(Options{Stored: func(string, string) (*packed.Matrix, error) { return nil, nil }}))

	for name, f := range map[string]Stored{
		"of another size": func(string, string) (*packed.Matrix, error) { return packed.New("Q8_0", 4, 64, make([]byte, 8*34)) },
		"that fails":      func(string, string) (*packed.Matrix, error) { return nil, errors.New("cannot") },
	} {
		_, err := LoadWith(g, contractOf(g), values, Options{Stored: f})
		require.Equal(t, CodeParameter, errs.CodeOf(err), "a parameter %s", name)
	}
}
