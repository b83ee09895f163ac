package fromgguf_test

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"math"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/backend"
	"github.com/skainet-dev/skainet-go/backend/open"
	"github.com/skainet-dev/skainet-go/compile/dag"
	"github.com/skainet-dev/skainet-go/compile/dag/passes"
	"github.com/skainet-dev/skainet-go/compile/import/fromgguf"
	"github.com/skainet-dev/skainet-go/io/gguf"
	"github.com/skainet-dev/skainet-go/tensor"
	_ "github.com/skainet-dev/skainet-go/test/errtest"
	"github.com/skainet-dev/skainet-go/test/families"
)

// load writes a family's file and returns its graph and path.
func load(t *testing.T, f families.Family, digest string) (*dag.Graph, string) {
	t.Helper()
	data, err := f.Encode()
	require.NoError(t, err)
	sum := sha256.Sum256(data)
	require.Equal(t, digest, hex.EncodeToString(sum[:]), "the file is not the one that llama.cpp ran")
	path := filepath.Join(t.TempDir(), f.Name+".gguf")
	require.NoError(t, os.WriteFile(path, data, 0o600))
	file, err := gguf.Open(path)
	require.NoError(t, err)
	defer file.Close()
	g, err := fromgguf.Import(file.Index(), fromgguf.Options{Context: families.Context})
	require.NoError(t, err)
	require.NoError(t, dag.Verify(g))
	if !f.Encoding.IsDense() { // as programs have it: blocks are read where they are used
		require.NoError(t, passes.Run(g, passes.Packed(file.Index(), passes.WeightPolicy{})))
		require.NoError(t, dag.Verify(g))
	}
	return g, path
}

func floats(t *testing.T, x backend.Executable, entry string, args ...tensor.Value) []float32 {
	t.Helper()
	out, err := x.Call(context.Background(), entry, args...)
	require.NoError(t, err)
	list, err := tensor.Slice[float32](out[0])
	require.NoError(t, err)
	return append([]float32(nil), list...)
}

func ids(t *testing.T, list ...int32) tensor.Value {
	t.Helper()
	v, err := tensor.Of(list, int64(len(list)))
	require.NoError(t, err)
	return v
}

// Keys and values are f16 here and were f32 there, and llama.cpp reads GELU from a table of
// f16, in its tanh form for all: half a unit of f16 is 5e-4 of a number. Logits are up to
// 10, and what two layers make of it is below a thousandth of that: as a mean square, and
// ten times as much for the one element of a thousand that a norm or a softmax enlarges.
const tolerance, meanTolerance = 1e-2, 2e-3

// For weights in blocks llama.cpp rounds what they are multiplied by to 8 bits too.
const packedTolerance, packedMean = 0.1, 2e-2

// Every family's logits are llama.cpp's: of the whole text at once, of a prompt, and of the
// tokens behind it, which are beyond the windows of those that have one.
func TestLogitsAgainstLlamaCPP(t *testing.T) {
	recorded, err := families.Recorded()
	require.NoError(t, err)
	all := append(append([]int32(nil), recorded.Prompt...), recorded.Rest...)
	decoders := append(families.All(), families.More()...)
	require.Len(t, recorded.Cases, len(decoders)+len(families.Encoders()))
	for _, f := range decoders {
		t.Run(f.Name, func(t *testing.T) {
			want := recorded.Cases[f.Name]
			require.Len(t, want.Logits, len(all))
			g, path := load(t, f, want.SHA256)
			x, err := open.Graph(context.Background(), g, open.Options{Backend: open.CPU, Weights: path})
			require.NoError(t, err)
			defer x.Close()
			most, mean := tolerance, meanTolerance
			if !f.Encoding.IsDense() {
				most, mean = packedTolerance, packedMean
			}
			var squares, count float64
			same := func(want, got []float32) {
				t.Helper()
				require.InDeltaSlice(t, want, got, most)
				for i := range want {
					squares += float64(want[i]-got[i]) * float64(want[i]-got[i])
					count++
				}
			}
			logits := floats(t, x, "logits", ids(t, all...))
			for i, row := range want.Logits {
				same(row, logits[i*len(row):(i+1)*len(row)])
			}
			start, err := tensor.Of([]int32{0})
			require.NoError(t, err)
			n := len(recorded.Prompt)
			same(want.Logits[n-1], floats(t, x, "prefill", ids(t, recorded.Prompt...), start))
			for i, id := range recorded.Rest {
				same(want.Logits[n+i], floats(t, x, "decode", ids(t, id)))
			}
			require.Less(t, math.Sqrt(squares/count), mean)
		})
	}
}
