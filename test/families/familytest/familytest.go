// Package familytest compares programs of package families with what llama.cpp computed.
package familytest

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"maps"
	"math"
	"path/filepath"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/backend"
	"github.com/skainet-dev/skainet-go/backend/open"
	"github.com/skainet-dev/skainet-go/compile/dag"
	"github.com/skainet-dev/skainet-go/compile/dag/passes"
	"github.com/skainet-dev/skainet-go/compile/import/fromgguf"
	"github.com/skainet-dev/skainet-go/internal/atomicfile"
	"github.com/skainet-dev/skainet-go/io/gguf"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/test/families"
)

// Load writes a family's file, which must have that SHA-256, and returns its graph and
// path.
func Load(t *testing.T, f families.Family, digest string) (*dag.Graph, string) {
	t.Helper()
	data, err := f.Encode()
	require.NoError(t, err)
	sum := sha256.Sum256(data)
	require.Equal(t, digest, hex.EncodeToString(sum[:]), "the file is not the one that llama.cpp ran")
	path := filepath.Join(t.TempDir(), f.Name+".gguf")
	require.NoError(t, atomicfile.WriteAll(atomicfile.Bytes(path, data)))
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

// Floats returns the first result of an entry point.
func Floats(t *testing.T, x backend.Executable, entry string, args ...tensor.Value) []float32 {
	t.Helper()
	out, err := x.Call(context.Background(), entry, args...)
	require.NoError(t, err)
	list, err := tensor.Slice[float32](out[0])
	require.NoError(t, err)
	return append([]float32(nil), list...)
}

// IDs is tokens as an argument.
func IDs(t *testing.T, list ...int32) tensor.Value {
	t.Helper()
	v, err := tensor.Of(list, int64(len(list)))
	require.NoError(t, err)
	return v
}

// Tolerance returns how far the logits of a family may be from llama.cpp's: at most,
// and as a root of the mean square. Keys and values are f16 here and were f32 there, and llama.cpp reads GELU from a table of
// f16, in its tanh form for all: half a unit of f16 is 5e-4 of a number. Logits are up to
// 10, and what two layers make of it is below a thousandth of that, or ten times as much
// for the one element of a thousand that a norm or a softmax enlarges. For weights in
// blocks llama.cpp rounds what they are multiplied by to 8 bits too. A model that enlarges
// differences makes twenty times as much of them as others; layers taken for one another
// are 5 and more off.
func Tolerance(f families.Family) (most, mean float64) {
	if !f.Encoding.IsDense() {
		return 0.1, 2e-2
	}
	if f.Enlarges {
		return 0.25, 5e-2
	}
	return 1e-2, 2e-3
}

// Decoder compares the logits of a family on a backend with llama.cpp's: of the whole text
// at once, of a prompt, and of the tokens behind it, which are beyond the windows of those
// that have one.
func Decoder(t *testing.T, f families.Family, o open.Options) {
	t.Helper()
	recorded, err := families.Recorded()
	require.NoError(t, err)
	Same(t, f, recorded.Cases[f.Name].SHA256, o)
}

// Same is Decoder of a file with another SHA-256 than the one that llama.cpp ran.
func Same(t *testing.T, f families.Family, digest string, o open.Options) {
	t.Helper()
	recorded, err := families.Recorded()
	require.NoError(t, err)
	all := append(append([]int32(nil), recorded.Prompt...), recorded.Rest...)
	want := recorded.Cases[f.Name]
	require.Len(t, want.Logits, len(all))
	g, path := Load(t, f, digest)
	o.Weights = path
	x, err := open.Graph(context.Background(), g, o)
	require.NoError(t, err)
	defer x.Close()
	most, mean := Tolerance(f)
	var squares, count float64
	same := func(want, got []float32) {
		t.Helper()
		require.InDeltaSlice(t, want, got, most)
		for i := range want {
			squares += float64(want[i]-got[i]) * float64(want[i]-got[i])
			count++
		}
	}
	logits := Floats(t, x, "logits", IDs(t, all...))
	for i, row := range want.Logits {
		same(row, logits[i*len(row):(i+1)*len(row)])
	}
	start, err := tensor.Of([]int32{0})
	require.NoError(t, err)
	n := len(recorded.Prompt)
	same(want.Logits[n-1], Floats(t, x, "prefill", IDs(t, recorded.Prompt...), start))
	for i, id := range recorded.Rest {
		same(want.Logits[n+i], Floats(t, x, "decode", IDs(t, id)))
	}
	require.Less(t, math.Sqrt(squares/count), mean)
}

// Windowed compares a Llama whose layers all have a window, as Mistral's of 2023, with what
// NumPy computed: llama.cpp does not read llama.attention.sliding_window and runs such a file
// as one without it (test/families/window.py). A window of one token more or less is
// above the tolerance in each row past it.
func Windowed(t *testing.T, o open.Options) {
	t.Helper()
	recorded, err := families.Recorded()
	require.NoError(t, err)
	want, err := families.Windowed()
	require.NoError(t, err)
	plain := recorded.Cases["llama"]
	all := families.All()
	_, path := Load(t, all[slices.IndexFunc(all, func(f families.Family) bool { return f.Name == "llama" })], plain.SHA256)
	file, err := gguf.Open(path)
	require.NoError(t, err)
	defer file.Close()
	narrow := *file.Index()
	narrow.Scalars = maps.Clone(narrow.Scalars)
	narrow.Scalars["llama.attention.sliding_window"] = want.Window
	g, err := fromgguf.Import(&narrow, fromgguf.Options{Context: families.Context})
	require.NoError(t, err)
	o.Weights = path
	x, err := open.Graph(context.Background(), g, o)
	require.NoError(t, err)
	defer x.Close()
	most, _ := Tolerance(families.Family{})
	text, n := slices.Concat(recorded.Prompt, recorded.Rest), len(recorded.Prompt)
	require.Len(t, want.Logits, len(text))
	require.Greater(t, int64(n), want.Window)
	logits := Floats(t, x, "logits", IDs(t, text...))
	for i, row := range want.Logits {
		require.InDeltaSlice(t, row, logits[i*len(row):(i+1)*len(row)], most, "after token %d", i)
		if int64(i) < want.Window {
			require.InDeltaSlice(t, plain.Logits[i], row, most, "within the window NumPy's logits are llama.cpp's")
		}
	}
	start, err := tensor.Of([]int32{0})
	require.NoError(t, err)
	require.InDeltaSlice(t, want.Logits[n-1], Floats(t, x, "prefill", IDs(t, recorded.Prompt...), start), most)
	for i, id := range recorded.Rest {
		require.InDeltaSlice(t, want.Logits[n+i], Floats(t, x, "decode", IDs(t, id)), most, "decoded token %d", i)
	}
}

// vectorTolerance is of vectors of length 1, of 64 elements around an eighth; llama.cpp's
// GELU is a table of f16.
const vectorTolerance = 5e-4

// Encoder compares the vectors of two texts, in one batch of which the shorter is padded,
// with llama.cpp's.
func Encoder(t *testing.T, f families.Family, o open.Options) {
	t.Helper()
	recorded, err := families.Recorded()
	require.NoError(t, err)
	long := append(append([]int32(nil), recorded.Prompt...), recorded.Rest...)
	n := len(long)
	tokens, mask := make([]int32, 2*n), make([]int32, 2*n)
	copy(tokens, recorded.Prompt)
	copy(tokens[n:], long)
	for i := range mask {
		if i < len(recorded.Prompt) || i >= n {
			mask[i] = 1
		}
	}
	matrix := func(list []int32) tensor.Value {
		v, err := tensor.Of(list, 2, int64(n))
		require.NoError(t, err)
		return v
	}
	want := recorded.Cases[f.Name]
	require.Len(t, want.Vectors, 2)
	g, path := Load(t, f, want.SHA256)
	o.Weights = path
	x, err := open.Graph(context.Background(), g, o)
	require.NoError(t, err)
	defer x.Close()
	got := Floats(t, x, "embed", matrix(tokens), matrix(mask))
	require.InDeltaSlice(t, want.Vectors[0], got[:64], vectorTolerance)
	require.InDeltaSlice(t, want.Vectors[1], got[64:], vectorTolerance)
}
