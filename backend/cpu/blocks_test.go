package cpu

import (
	"context"
	_ "embed"
	"encoding/json"
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/compile/dag"
	"github.com/skainet-dev/skainet-go/compile/op"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
	"github.com/skainet-dev/skainet-go/tensor/quant"
	"github.com/skainet-dev/skainet-go/tensor/shape"
)

// The oracle is libgguf, which holds ggml's C code; testdata/blocks/gen.py made the
// file and names the versions in it.
//
//go:embed testdata/blocks/cases.json
var blocksJSON []byte

// blockCase is a weight [2, K] in blocks, unpacked as W, and y [2, 2] of float64,
// the product of x [2, K] with it.
type blockCase struct {
	Encoding      quant.Encoding
	Blocks, Bytes int64
	Raw, W, X, Y  []byte
}

func blockCases(t *testing.T) []blockCase {
	var file struct {
		Origin string
		Cases  []blockCase
	}
	require.NoError(t, json.Unmarshal(blocksJSON, &file))
	require.Contains(t, file.Origin, "libgguf")
	return file.Cases
}

func (c *blockCase) weight() tensor.Value {
	return tensor.Value{Type: tensor.TypeOf(dtype.I8, 2, c.Blocks, c.Bytes), Bytes: c.Raw}
}

func (c *blockCase) columns() int64 { return int64(len(c.W)) / 8 }

// blockGraph has one operation on blocks, or its portable form.
func blockGraph(t *testing.T, portable bool, name string, e quant.Encoding, args ...tensor.Type) *dag.Graph {
	b := &dag.Block{}
	for _, a := range args {
		b.AddArg(a)
	}
	n, err := b.Add(name, "case", op.Attrs{"encoding": string(e)}, b.Args...)
	require.NoError(t, err)
	b.Results = n.Outputs
	g := graphOf(b)
	if portable {
		g, err = dag.Portable(g, func(*dag.Node) bool { return true })
		require.NoError(t, err)
		require.NoError(t, dag.Verify(g))
		_, err = g.Func(name + "_1")
		require.NoError(t, err)
	}
	return g
}

func callGraph(t *testing.T, g *dag.Graph, args ...tensor.Value) tensor.Value {
	return callOne(t, load(t, g, noParams), args...)
}

func callOne(t *testing.T, program *executable, args ...tensor.Value) tensor.Value {
	out, err := program.Call(context.Background(), "main", args...)
	require.NoError(t, err)
	return out[0]
}

// Kernels and portable forms return the oracle's values bit for bit, and products
// within the rounding of sums of at most 256 terms: 2^-24 of each of them.
func TestBlocksAgainstOracle(t *testing.T) {
	seen := map[quant.Encoding]bool{}
	for _, c := range blockCases(t) {
		seen[c.Encoding] = true
		for _, portable := range []bool{false, true} {
			t.Run(string(c.Encoding)+map[bool]string{true: " portable"}[portable], func(t *testing.T) {
				w, k := c.weight(), c.columns()
				whole := callGraph(t, blockGraph(t, portable, "dequantize_blocks", c.Encoding, w.Type), w)
				require.True(t, whole.Type.Equal(tensor.TypeOf(dtype.F32, 2, k)))
				require.Equal(t, c.W, whole.Bytes)

				at, err := tensor.Of([]int32{1, -5, 9}, 3)
				require.NoError(t, err)
				rows := callGraph(t, blockGraph(t, portable, "dequant_take", c.Encoding, w.Type, at.Type), w, at)
				require.True(t, rows.Type.Equal(tensor.TypeOf(dtype.F32, 3, k)))
				require.Equal(t, string(c.W[4*k:])+string(c.W[:4*k])+string(c.W[4*k:]), string(rows.Bytes))

				for _, sizes := range [][]int64{{2, k}, {1, k}, {k}, {1, 2, k}} {
					x := tensor.Value{Type: tensor.TypeOf(dtype.F32, sizes...)}
					n, err := x.Type.Bytes()
					require.NoError(t, err)
					x.Bytes = c.X[:n]
					y := callGraph(t, blockGraph(t, portable, "dequant_matmul", c.Encoding, x.Type, w.Type), x, w)
					require.True(t, y.Type.Equal(tensor.TypeOf(dtype.F32, append(sizes[:len(sizes)-1], 2)...)))
					c.requireProduct(t, y)
				}
			})
		}
	}
	for _, e := range op.PackedEncodings() {
		require.True(t, seen[e], "%s has no case", e)
	}
}

func (c *blockCase) requireProduct(t *testing.T, y tensor.Value) {
	t.Helper()
	got, err := tensor.Slice[float32](y)
	require.NoError(t, err)
	want, err := tensor.Slice[float64](tensor.Value{Type: tensor.TypeOf(dtype.F64, 4), Bytes: c.Y})
	require.NoError(t, err)
	w, err := tensor.Slice[float32](tensor.Value{Type: tensor.TypeOf(dtype.F32, 2*c.columns()), Bytes: c.W})
	require.NoError(t, err)
	x, err := tensor.Slice[float32](tensor.Value{Type: tensor.TypeOf(dtype.F32, 2*c.columns()), Bytes: c.X})
	require.NoError(t, err)
	k := int(c.columns())
	for i, v := range got {
		size := 0.0
		for j := range k {
			size += math.Abs(float64(x[i/2*k+j]) * float64(w[i%2*k+j]))
		}
		require.InDelta(t, want[i], v, size*0x1p-20, "element %d", i)
	}
}

// One text serves any number of rows, as does one program here.
func TestBlocksOfDynamicRows(t *testing.T) {
	c := blockCases(t)[0]
	w, k := c.weight(), c.columns()
	x := tensor.Type{DType: dtype.F32, Shape: shape.Shape{shape.Named("rows"), shape.N(k)}}
	for _, portable := range []bool{false, true} {
		program := load(t, blockGraph(t, portable, "dequant_matmul", c.Encoding, x, w.Type), noParams)
		for rows := int64(1); rows <= 2; rows++ {
			arg := tensor.Value{Type: tensor.TypeOf(dtype.F32, rows, k), Bytes: c.X[:4*k*rows]}
			out, err := program.Call(context.Background(), "main", arg, w)
			require.NoError(t, err)
			require.True(t, out[0].Type.Equal(tensor.TypeOf(dtype.F32, rows, 2)))
			c.requireProduct(t, out[0])
		}
	}
}

// A parameter in blocks is read where it lies.
func TestBlocksOfAParameterAreNotCopied(t *testing.T) {
	c := blockCases(t)[0]
	w, k := c.weight(), c.columns()
	b := &dag.Block{}
	x := b.AddArg(tensor.TypeOf(dtype.F32, 1, k))
	p, err := b.Add("parameter", "w", op.Attrs{"type": w.Type, "key": "w", "encoding": string(c.Encoding)})
	require.NoError(t, err)
	n, err := b.Add("dequant_matmul", "y", op.Attrs{"encoding": string(c.Encoding)}, x, p.Outputs[0])
	require.NoError(t, err)
	b.Results = n.Outputs
	program := load(t, graphOf(b), func(scope, key string) (tensor.Value, error) { return w, nil })
	arg := tensor.Value{Type: x.Type, Bytes: c.X[:4*k]}
	c.requireProduct(t, callOne(t, program, arg))
	clear(w.Bytes[:c.Blocks*c.Bytes]) // the first row
	first, err := tensor.Slice[float32](callOne(t, program, arg))
	require.NoError(t, err)
	require.Zero(t, first[0])
	require.NotZero(t, first[1])
}

func TestBlocksRefuse(t *testing.T) {
	c := blockCases(t)[0]
	b := &dag.Block{}
	_, err := b.Add("parameter", "w", op.Attrs{"type": tensor.TypeOf(dtype.I8, 2, 3), "key": "w", "encoding": string(c.Encoding)})
	require.ErrorContains(t, err, "not the bytes of blocks of "+strings.TrimSpace(string(c.Encoding)))
}
