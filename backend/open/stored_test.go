package open

import (
	"bytes"
	"context"
	"encoding/binary"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/backend/opencpu"
	"github.com/skainet-dev/skainet-go/io/gguf"
	"github.com/skainet-dev/skainet-go/io/weights"
	"github.com/skainet-dev/skainet-go/lang"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
	"github.com/skainet-dev/skainet-go/tensor/quant"
)

// spec describes a matrix [4, 64] in an encoding.
func spec(t *testing.T, key string, e quant.Encoding) tensor.Spec {
	t.Helper()
	s := tensor.Spec{Name: key, DType: dtype.F32, Shape: tensor.TypeOf(dtype.F32, 4, 64).Shape, Encoding: e, Bytes: 4 * 64 * 4}
	if n, err := e.Size(64); !e.IsDense() {
		require.NoError(t, err)
		s.Bytes = 4 * n
	}
	return s
}

// inBlocks writes matrices in blocks to one file and the unpacked matrices to another.
func inBlocks(t *testing.T, encodings map[string]quant.Encoding) (blocks, dense string) {
	t.Helper()
	r := rand.New(rand.NewPCG(1, 2))
	var first, second []gguf.Item
	item := func(s tensor.Spec, b []byte) gguf.Item {
		return gguf.Item{Spec: s, Open: func() (io.Reader, error) { return bytes.NewReader(b), nil }}
	}
	for _, key := range []string{"a", "b", "c"} {
		s := spec(t, key, encodings[key])
		x := make([]float32, 4*64)
		for i := range x {
			x[i] = float32(r.NormFloat64())
		}
		packed := make([]byte, s.Bytes)
		require.NoError(t, quant.Pack(encodings[key], packed, x))
		require.NoError(t, quant.Unpack(encodings[key], x, packed))
		first = append(first, item(s, packed))
		plain, err := binary.Append(nil, binary.LittleEndian, x)
		require.NoError(t, err)
		second = append(second, item(spec(t, key, quant.Dense), plain))
	}
	pairs := []gguf.Pair{{Key: "general.architecture", Value: "test"}}
	blocks, dense = filepath.Join(t.TempDir(), "blocks.gguf"), filepath.Join(t.TempDir(), "dense.gguf")
	for path, items := range map[string][]gguf.Item{blocks: first, dense: second} {
		_, err := gguf.Write(path, pairs, items, gguf.Options{NoSync: true})
		require.NoError(t, err)
	}
	return blocks, dense
}

// Weights of linear layers stay in their blocks, others are unpacked, and results
// are bit for bit those of the unpacked matrices; with Int8 they are close.
func TestWeightsInBlocks(t *testing.T) {
	blocks, dense := inBlocks(t, map[string]quant.Encoding{"a": "Q8_0", "b": "Q4_1", "c": "Q4_0"})
	f, err := weights.Open(blocks)
	require.NoError(t, err)
	defer f.Close()
	index, err := f.Index()
	require.NoError(t, err)
	g, err := lang.Capture("blocks", index, func(m *lang.Module) {
		m.Entry("main", func(f *lang.Func) {
			x, by := f.Input("x", dtype.F32, 2, 64), lang.Dims{LHS: []int{1}, RHS: []int{1}}
			f.Output("a", x.Dot(f.Param("a"), lang.Dims{}, by))
			f.Output("b", x.Dot(f.Param("b"), lang.Dims{}, by))
			f.Output("c", f.Param("c").AddScalar(1)) // no linear layer
		})
	})
	require.NoError(t, err)
	values := make([]float32, 128)
	for i := range values {
		values[i] = float32(math.Sin(float64(i)))
	}
	x, err := tensor.Of(values, 2, 64)
	require.NoError(t, err)
	run := func(o Options) [][]float32 {
		o.Backend = CPU
		tmp := t.TempDir()
		t.Setenv("TMPDIR", tmp)
		program, err := Graph(context.Background(), g, o)
		require.NoError(t, err)
		if archive, err := os.Stat(filepath.Join(program.(*executable).dir, opencpu.ArchiveName(0))); o.Weights == blocks {
			require.NoError(t, err)
			require.Less(t, archive.Size(), int64(4*64*4+8192), "only c is unpacked")
		}
		got, err := program.Call(context.Background(), "main", x)
		require.NoError(t, err)
		require.NoError(t, program.Close())
		empty(t, tmp)
		var out [][]float32
		for _, v := range got {
			s, err := tensor.Slice[float32](v)
			require.NoError(t, err)
			out = append(out, s)
		}
		return out
	}
	want := run(Options{Weights: dense})
	require.Equal(t, want, run(Options{Weights: blocks}))
	rounded := run(Options{Weights: blocks, Int8: true})
	require.NotEqual(t, want[0], rounded[0])
	// 64 elements of at most 1, rounded by 1/254, times weights of about 1.
	require.InDeltaSlice(t, want[0], rounded[0], 64.0/254)
	require.Equal(t, want[1:], rounded[1:], "Q4_1 has no integer products")
}
